"""Makes a large site of readable English from a small grammar, and serves it on loopback. Leaves measuring to others.

The same number of pages gives the same bytes on every machine. Pages have their own topic, mention other pages' topics
in running text, link to some of those, and share a menu and a footer, as real sites do.
"""

import contextlib
import html
import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for line in text.strip().splitlines() for phrase in line.split("|"))


TASKS = _phrases("""
    Pruning|Watering|Planting|Moving|Feeding|Covering|Cleaning|Buying|Storing|Grafting|Thinning|Training|Protecting
    Raising|Harvesting|Dividing|Labelling|Mulching|Shading|Tying up|Sowing|Rescuing|Measuring|Photographing|Selling
""")
THINGS = _phrases("""
    apple trees|climbing roses|tomato plants|raised beds|bean rows|berry bushes|fig trees|lavender hedges|grape vines
    herb pots|pear espaliers|rhubarb crowns|seed potatoes|spring bulbs|squash vines|strawberry runners|sweet peas
    terrace planters|walnut saplings|water lilies|wild meadows|winter cabbages|young hedges|asparagus beds|box balls
    cherry trees|compost heaps|cucumber frames|dahlia tubers|fern baskets|garlic rows|hazel coppices|ivy walls
    kale beds|lemon trees|mint borders|onion sets|plum trees|quince bushes|salad trays
""")
SITUATIONS = _phrases("""
    in a cold spring|on a small balcony|after a dry summer|on clay soil|beside a busy road
""")
TOOLS = _phrases("""
    a sharp knife|a soft brush|two buckets|a hand fork|an old blanket|a long rope|a clean saw|a notebook
""")
PEOPLE = _phrases("""
    our neighbours|most beginners|the town's allotment holders|careful growers|school classes|older hands
""")
TIMES = _phrases("""
    early in the morning|before the first frost|late in August|once the soil is warm|every second week
""")
REASONS = _phrases("""
    the roots dry out sooner than the leaves show|cold air collects at the lowest point|the bark tears where it is wet
    slugs find the soft growth first|the wind takes more water than the sun|weak shoots never catch up
    the soil closes again within days|light reaches the inner branches
""")
SENTENCES = (
    "{Time}, take {tool} and start with the {thing}, because {reason}.",
    "When it comes to {topic}, {people} wait too long, and then {reason}.",
    "We tried this with {number} {thing} and lost only {few} of them.",
    "{People} told us that {topic} needs less work than it seems.",
    "Keep {tool} close by: {reason}, and you will not want to walk back to the shed.",
    "If you have already read about {topic}, you know that {reason}.",
    "The {thing} should stand at least {number} centimetres apart {situation}.",
    "There is no need to hurry, since {reason} {situation}.",
    "A good rule is to look after the {thing} {time} and to leave the rest alone.",
    "In our own garden the {thing} came through well, although {reason}.",
    "After about {number} days you can see whether {topic} was worth it.",
    "Never use {tool} on wet days; {reason}.",
    "{People} who grow {thing} {situation} count on {number} kilograms in a fair year.",
    "What surprised us most about {topic} was how quickly {reason}.",
    "Write down the date, the weather and the state of the {thing}, and compare them next year.",
    "Some swear by {tool}, others by patience; for {topic} we found that both help a little.",
)
ENDINGS = (
    "; {people} agree that {reason}",
    ", even {situation}",
    ", {time} at the latest",
    ", at least with {number} of them",
    "",
)
FORM = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} | The Patient Garden</title></head>'
    "<body>"
    '<nav><ul><li><a href="/">Home</a></li><li><a href="/page-b">Start here</a></li></ul></nav>'
    "<main><h1>{title}</h1>{body}</main>"
    '<footer><p>Written by volunteers. <a href="/">Back to the start</a></p></footer></body></html>'
)


@dataclass(frozen=True, slots=True)
class GeneratedSite:
    """Paths to finished HTML, and the sitemap that names them."""

    pages: dict[str, bytes]

    def sitemap(self, base: str) -> bytes:
        """sitemap.xml for this base URL."""
        rows = "".join(f"<url><loc>{base}{path}</loc></url>" for path in self.pages)
        return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'.encode()


def make_titles(count: int) -> list[str]:
    """`count` different titles, thing by thing so that neighbours in the list are related."""
    titles = [f"{task} {thing} {situation}" for thing in THINGS for situation in SITUATIONS for task in TASKS]
    if count > len(titles):
        raise ValueError(f"{count} pages are more than the {len(titles)} titles that the grammar gives. Ask for fewer.")
    step = len(titles) / count
    return [titles[int(number * step)] for number in range(count)]


def _draw_words(source: random.Random) -> dict[str, str]:
    return {
        "tool": source.choice(TOOLS),
        "people": source.choice(PEOPLE),
        "time": source.choice(TIMES),
        "reason": source.choice(REASONS),
        "situation": source.choice(SITUATIONS),
        "number": str(source.randint(12, 980)),
        "few": str(source.randint(2, 11)),
    }


def _make_sentence(source: random.Random, topic: str, thing: str) -> str:
    words = {"topic": topic, "thing": thing} | _draw_words(source)
    capitals = {name.capitalize(): value[0].upper() + value[1:] for name, value in words.items()}
    sentence = source.choice(SENTENCES).format(**words, **capitals)
    return sentence.removesuffix(".") + source.choice(ENDINGS).format(**_draw_words(source)) + "."


def path_of(number: int) -> str:
    """A page's address, in letters: pages of few different words under numbers look like a list without end."""
    letters = ""
    while number or not letters:
        number, last = divmod(number, 26)
        letters = chr(ord("a") + last) + letters
    return f"/page-{letters}"


def number_of(path: str) -> int:
    """The inverse of path_of; -1 for another path."""
    letters = path.removeprefix("/page-")
    if letters == path or not letters.isascii() or not letters.islower() or not letters.isalpha():
        return -1
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("a")
    return number


def make_body(number: int, titles: list[str], sentences: int, source: random.Random) -> str:
    """The paragraphs of page `number`."""
    parts = []
    for start in range(0, sentences, 5):
        paragraph = []
        for _ in range(start, min(start + 5, sentences)):
            other = min(max(number + source.choice((-40, -3, -2, -1, 0, 1, 2, 3, 40)), 0), len(titles) - 1)
            topic = titles[other][0].lower() + titles[other][1:]
            thing = next(thing for thing in THINGS if thing in titles[number])
            sentence = html.escape(_make_sentence(source, topic, thing), quote=False)
            if other != number and topic in sentence and source.random() < 0.15:
                sentence = sentence.replace(topic, f'<a href="{path_of(other)}">{topic}</a>', 1)
            paragraph.append(sentence)
        parts.append(f"<p>{' '.join(paragraph)}</p>")
    return "".join(parts)


def make_site(page_count: int, sentences_per_page: int) -> GeneratedSite:
    """A site of that size; page 0 is the start page."""
    titles = make_titles(page_count)
    pages = {}
    for number, title in enumerate(titles):
        body = make_body(number, titles, sentences_per_page, random.Random(number))
        path = "/" if number == 0 else path_of(number)
        pages[path] = FORM.format(title=title, body=body).encode()
    return GeneratedSite(pages)


@contextlib.contextmanager
def served_site(site: GeneratedSite) -> Iterator[str]:
    """The site on a free port of 127.0.0.1 while the block runs; gives its start URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_arguments: object) -> None:
            """Silence: progress bars own the terminal."""

        def do_GET(self) -> None:
            base = f"http://127.0.0.1:{self.server.server_address[1]}"  # type: ignore[index]
            kind, body, status = "text/html; charset=utf-8", site.pages.get(self.path), 200
            if self.path == "/sitemap.xml":
                kind, body = "application/xml", site.sitemap(base)
            elif self.path == "/robots.txt":
                kind, body = "text/plain", f"User-agent: *\nSitemap: {base}/sitemap.xml\n".encode()
            if body is None:
                body, status = b"<title>Not found</title>", 404
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
