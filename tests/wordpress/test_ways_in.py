"""A real WordPress read by REST, with a password and without, and from its own export: one and the same."""

import hashlib
from typing import Any

import pytest
from django.core.files.base import ContentFile

from crawler.credentials import Credentials, store_credentials
from crawler.errors import CrawlError
from crawler.models import Page, PageBody, Site, SourceKind
from crawler.services import crawl_site
from tests.factories import make_crawl
from tests.wordpress.conftest import POSTS, VERSIONS, WordPress

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(300)]
EVERY = pytest.mark.parametrize("wordpress", VERSIONS, indirect=True, scope="session")
LATEST = pytest.mark.parametrize("wordpress", VERSIONS[-1:], indirect=True, scope="session")


def make_site(wordpress: WordPress, kind: str, *, user: str = "", name: str = "", **fields: Any) -> Site:
    """A site that is read that way. Two sites may not have one address: the name makes the difference here."""
    site = Site.objects.create(name=name or kind, start_url=wordpress.url, source_kind=kind, **fields)
    site.seconds_between_requests = 0.0
    if user:
        store_credentials(site, Credentials(user, wordpress.passwords[user]))
    if kind == SourceKind.WXR:
        site.source_file.save("export.xml", ContentFile(wordpress.export()))
    site.save()
    return site


def read(site: Site) -> dict[str, Any]:
    return crawl_site(site.pk, make_crawl(site).pk)


def texts_of(site: Site) -> dict[str, Any]:
    """URL -> (title, language, texts of the blocks, ends of the links) of what was read."""
    bodies = dict(PageBody.objects.filter(page__site=site).values_list("page_id", "blocks"))
    pages = Page.objects.filter(site=site, status="read").prefetch_related("outlinks")
    return {
        page.url: (
            page.title,
            page.language,
            [block["text"] for block in bodies[page.pk]],
            [link.target_url for link in page.outlinks.all()],
        )
        for page in pages
    }


def state_of(site: Site) -> dict[str, Any]:
    """URL -> everything that a change would move."""
    columns = ("url", "status", "reason", "title", "content_sha256", "source_sha256", "changed_at", "source_key")
    return {url: rest for url, *rest in Page.objects.filter(site=site).values_list(*columns)}


@EVERY
def test_the_same_pages_and_text_whichever_way(wordpress: WordPress) -> None:
    read_by: dict[str, dict[str, Any]] = {}
    for name, kind, user in (
        ("anonymous", SourceKind.WORDPRESS, ""),
        ("password", SourceKind.WORDPRESS, "ed"),
        ("export", SourceKind.WXR, ""),
    ):
        site = make_site(wordpress, kind, user=user)
        figures = read(site)
        assert figures["failed"] == {}
        read_by[name] = texts_of(site)
        hidden = Page.objects.filter(site=site, status="skipped").values_list("reason", flat=True)
        assert "not published: it is protected by a password" in set(hidden)
        assert all(reason.startswith("not published") for reason in hidden)
        site.delete()
    # 300 of ours, and "Hello world!" and "Sample Page" of every new WordPress; its privacy policy is a draft.
    assert len(read_by["anonymous"]) == POSTS + 2
    assert read_by["password"] == read_by["anonymous"]
    differing = [url for url, said in read_by["anonymous"].items() if read_by["export"].get(url) != said]
    assert differing == []
    assert len(read_by["export"]) == POSTS + 2


@EVERY
def test_an_incremental_run_touches_what_changed_and_nothing_else(wordpress: WordPress) -> None:
    site = make_site(wordpress, SourceKind.WORDPRESS, user="ed")
    read(site)
    before = state_of(site)
    first, second, third, lost = wordpress.ids[20:24]
    wordpress.change(
        [
            {"ID": first, "post_content": "Quite another text, written this morning."},
            {"ID": second, "post_title": "Another title"},
            {"ID": third, "post_content": f"A link to <a href=\"{wordpress.url}post-1/\">the first post</a> is new."},
            {"delete": lost},
        ]
    )  # fmt: skip
    figures = read(site)
    after = state_of(site)
    changed = {url for url in before | after if before.get(url) != after.get(url)}
    keys = {Page.objects.get(site=site, url=url).source_key.partition(":")[2] for url in changed}
    assert keys == {str(number) for number in (first, second, third, lost)}
    gone = Page.objects.get(site=site, source_key__endswith=f":{lost}")
    assert (gone.status, gone.reason) == ("gone", "not published: it is in the trash")
    assert figures["unchanged"] == figures["read"] - 3
    site.delete()


@LATEST
def test_a_post_with_a_new_address_leaves_a_redirect(wordpress: WordPress) -> None:
    site = make_site(wordpress, SourceKind.WORDPRESS)
    read(site)
    moved = wordpress.ids[40]
    old = Page.objects.get(site=site, source_key__endswith=f":{moved}")
    wordpress.change([{"ID": moved, "post_name": "moved-away"}])
    read(site)
    new = Page.objects.get(site=site, url=f"{wordpress.url}moved-away/")
    old.refresh_from_db()
    assert (new.status, new.source_key) == ("read", old.source_key)
    assert (old.status, old.redirect_url) == ("redirect", new.url)


@LATEST
def test_drafts_are_read_where_that_is_asked_for(wordpress: WordPress) -> None:
    site = make_site(wordpress, SourceKind.WXR, are_drafts_included=True)
    read(site)
    titles = set(Page.objects.filter(site=site, status="read").values_list("title", flat=True))
    assert {"Hidden draft", "Hidden private", "Protected"} <= titles
    site.delete()
    site = make_site(wordpress, SourceKind.WORDPRESS, user="ed", are_drafts_included=True)
    read(site)
    titles = set(Page.objects.filter(site=site, status="read").values_list("title", flat=True))
    assert {"Hidden draft", "Hidden private"} <= titles


@LATEST
def test_a_wrong_password_is_said_with_its_likely_causes(wordpress: WordPress) -> None:
    site = make_site(wordpress, SourceKind.WORDPRESS)
    store_credentials(site, Credentials("ed", "ed-pass-1"))
    with pytest.raises(CrawlError, match="application password is wrong or was revoked") as refused:
        read(site)
    assert "ed-pass-1" not in str(refused.value)


@LATEST
def test_the_raw_content_is_named_for_whoever_writes_links(wordpress: WordPress) -> None:
    site = make_site(wordpress, SourceKind.WORDPRESS, user="ed")
    read(site)
    named = Page.objects.filter(site=site, status="read").values_list("source_sha256", flat=True)
    assert all(len(sha256) == len(hashlib.sha256().hexdigest()) for sha256 in named)
