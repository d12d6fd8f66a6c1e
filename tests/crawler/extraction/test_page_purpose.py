"""Pages that nobody's prose should lead to, and pages that only look like them."""

import time

import pytest

from crawler.extraction import extract_page

TEXT = "<p>Copper pots are polished with a soft cloth and a little patience, every week of the year, by hand.</p>"
TEASERS = "".join(f"<h2><a href=/post-{n}>Post number {n}</a></h2><p>How kettle {n} was mended.</p>" for n in range(4))
LINKS = "<ul>" + "".join(f"<li><a href=/post-{n}>Post number {n} of many</a></li>" for n in range(6)) + "</ul>"
PASSWORD = "<form><input name=user><input type=password name=p></form>"
SEARCH = "<form role=search><input type=search name=q></form>"


def purpose_of(path: str, title: str, body: str) -> str:
    html = f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main></body></html>"
    return extract_page(html.encode(), f"https://example.org{path}", {}).purpose


@pytest.mark.parametrize(
    ("path", "title", "body", "purpose"),
    [
        ("/account", "Your account", f"<p>Welcome back.</p>{PASSWORD}", "login"),
        ("/anmelden", "Anmelden | Laden", "<p>Bitte E-Mail eingeben.</p>", "login"),
        ("/search", "Search", SEARCH, "search"),
        ("/?s=kettle", "Search results for kettle – Shop", TEASERS, "search"),
        ("/suche/", "Suche", f"{SEARCH}<p>Bitte ein Wort eingeben.</p>", "search"),
        ("/find?q=kettle", "Kettles", f"{SEARCH}{LINKS}", "search"),
        ("/cart/", "Your cart", "<p>Your cart is empty.</p>", "cart"),
        ("/de/warenkorb", "Warenkorb", "<p>Noch ist nichts darin.</p>", "cart"),
        ("/old", "Page not found | Shop", "<p>Sorry, it is gone.</p>", "not_found"),
        ("/old", "404", "<p>Sorry, it is gone.</p>", "not_found"),
        ("/old", "Error 404", "<p>Sorry, it is gone.</p>", "not_found"),
        ("/alt", "Seite nicht gefunden", "<p>Sie ist fort.</p>", "not_found"),
        ("/vieja", "Página no encontrada - Tienda", "<p>No está.</p>", "not_found"),
        ("/vieux", "Page introuvable", "<p>Elle est partie.</p>", "not_found"),
        ("/lost", "Workshop", "<h2>Oops!</h2><p>The page that you are looking for does not exist.</p>", "not_found"),
        ("/lost", "Werkstatt", "<p>Die gewünschte Seite wurde leider nicht gefunden.</p>", "not_found"),
        ("/lost", "工房", "<p>お探しのページは見つかりませんでした。ページは存在しません。</p>", "not_found"),
        ("/kettles", "[Draft] Kettles", TEXT * 8, "draft"),
        ("/kettles", "Entwurf: Kessel", TEXT * 8, "draft"),
        ("/?p=12&preview=true", "Kettles", TEXT * 8, "draft"),
        ("/drafts/kettles", "Kettles", TEXT * 8, "draft"),
        ("/furui", "ページが見つかりません", "<p>ありません。</p>", "not_found"),
        ("/tag/kettles/", "Kettles", TEASERS, "listing"),
        ("/category/pots", "Pots", f"{TEXT * 3}{TEASERS}", "listing"),
        ("/2021/04/", "April 2021", f"{TEXT * 3}", "listing"),
        ("/blog/page/2", "Blog", TEASERS, "listing"),
        ("/news", "News", TEASERS, "listing"),
        ("/contents", "All posts", LINKS, "listing"),
    ],
)
def test_pages_that_are_not_for_reading(path: str, title: str, body: str, purpose: str) -> None:
    assert purpose_of(path, title, body) == purpose


@pytest.mark.parametrize(
    ("path", "title", "body"),
    [
        ("/", "Home", LINKS),
        ("/kettles", "Kettles", TEXT),
        ("/kettles", "Kettles", f"{TEXT * 8}{PASSWORD}"),
        ("/topics/search.html", "Search", f"{TEXT * 8}{SEARCH}"),
        ("/links", "Dead links", "<p>A dead link leads to a page that no longer exists.</p>"),
        ("/draft-beer", "Draft beer: a guide", TEXT),
        ("/docs/404", "404 Not Found", TEXT * 8),
        ("/why-keys-are-not-found", "How to find lost keys", TEXT),
        ("/choosing/cart", "Choosing a cart", TEXT * 8),
        ("/archive/a-long-essay", "A long essay", TEXT * 8),
        ("/2021/04/kettles", "Kettles", TEXT),
        ("/kettles", "Kettles", f"{TEXT * 4}{LINKS}"),
        ("/kettles", "Kettles", "<p>Short.</p><p><a href=/a>One</a> and <a href=/b>two</a> are all.</p>"),
        ("/contact", "Contact", f"{TEXT}<p><a href=/a>Write</a> or <a href=/b>call</a>.</p>"),
    ],
)
def test_pages_to_be_read(path: str, title: str, body: str) -> None:
    assert purpose_of(path, title, body) == ""


def test_a_password_field_in_the_page_header_says_nothing() -> None:
    html = f"<body><header>{PASSWORD}</header><h1>Kettles</h1>{TEXT}</body>"
    assert extract_page(html.encode(), "https://example.org/kettles", {}).purpose == ""


def test_hostile_names_take_no_long() -> None:
    started = time.monotonic()
    for title in ("error " * 1_000, "the page was is could " * 500, " - " * 5_000, "not " * 1_000):
        purpose_of("/a", title, TEXT)
    assert time.monotonic() - started < 5
