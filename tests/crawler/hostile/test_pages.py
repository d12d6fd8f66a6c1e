"""A hostile page among good ones: it ends in a reason, the others are read, and time and memory stay bounded."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from crawler.models import Link, Page, Sentence
from tests.crawler.hostile.attacks import PAGES, onward
from tests.crawler.hostile.crawling import assert_good_pages_were_read, crawl
from tests.crawler.loopback import Answer, page, serve


@pytest.mark.django_db
@pytest.mark.parametrize("name", PAGES)
def test_the_page_ends_in_a_reason_and_the_crawl_goes_on(name: str) -> None:
    answer, status, words = PAGES[name]
    started = time.process_time()
    with serve() as site:
        answers: dict[str, Answer] = {"/attack": answer}
        if answer is onward:
            site.fallback = onward
            answers = {
                "/robots.txt": (404, {}, ""), "/sitemap.xml": (404, {}, ""), "/sitemap_index.xml": (404, {}, ""),
                "/attack": (302, {"Location": "/hop-0"}, ""),
            }  # fmt: skip
        crawl(site, answers, max_pages=50)
        row = Page.objects.get(url=site.at("/attack"))
        if status:
            assert re.fullmatch(status, row.status), (row.status, row.reason)
        assert row.status != "new"
        assert row.status == "read" or row.reason
        assert re.search(words, row.reason), row.reason
        assert "[Errno" not in row.reason
        assert "\n" not in row.reason
        assert_good_pages_were_read(site)
        assert Page.objects.count() <= 10 * 50 + 1000
        assert Link.objects.count() <= 10_100
        assert Sentence.objects.count() <= 50_100
        assert len(site.requests) < 2_000
    assert time.process_time() - started < 40


@pytest.mark.django_db
def test_a_chain_of_10_000_redirects_is_followed_ten_times_and_each_is_a_row() -> None:
    with serve(fallback=onward) as site:
        nothing: Answer = (404, {}, "")
        opening = dict.fromkeys(("/robots.txt", "/sitemap.xml", "/sitemap_index.xml"), nothing)
        home = page("Home", links={"/hop-0": "a chain", "/good-1": "1", "/good-2": "2"})
        crawl(site, {**opening, "/": home, "/attack": page("x")})
        hops = Page.objects.filter(url__contains="/hop-")
        assert 5 < hops.count() < 20
        assert not hops.filter(reason="").exists()
        last = hops.exclude(status="redirect").get()
        assert last.reason == "redirect loop: more than 10 redirects in a row"


@pytest.mark.django_db
def test_cookies_are_never_sent_back() -> None:
    with serve() as site:
        crawl(site, {"/attack": PAGES["80 cookies"][0]})
        assert not [headers for _, headers in site.requests if "cookie" in headers]


#: Reads every attack in a process that may not take more than so much memory, and tells how each ended.
_READ_ALL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
import django
django.setup()
from crawler.sources.types import KnownPage
from crawler.sources.web import WebSource
from tests.crawler.hostile.crawling import impatient_client
source = WebSource(impatient_client("127.0.0.1"), sys.argv[2], 10)
for number in range(int(sys.argv[3])):
    url = f"{sys.argv[2]}attack{number}"
    print(number, source.read(url, source.fetch(KnownPage(url))).outcome, flush=True)
# Of this program alone: what rusage says begins with what the process was before it became this program.
status = open("/proc/self/status").read()
print("peak", int(status.split("VmHWM:")[1].split()[0]) // 1024)
"""


def test_all_attacks_together_stay_within_memory() -> None:
    attacks = {name: entry[0] for name, entry in PAGES.items() if "byte by byte" not in name}
    with serve({f"/attack{number}": answer for number, answer in enumerate(attacks.values())}) as site:
        root = Path(__file__).resolve().parents[3]
        ended = subprocess.run(
            [sys.executable, "-c", _READ_ALL, str(1500 * 1024 * 1024), site.url, str(len(attacks))],
            cwd=root, capture_output=True, text=True, timeout=180, check=False,
        )  # fmt: skip
        lines = ended.stdout.splitlines()
        assert ended.returncode == 0, (len(lines), ended.stderr[-2000:])
        assert len(lines) == len(attacks) + 1
        assert int(lines[-1].split()[1]) < 1000
