"""One HTML page to everything it says: the recipe, each step in its own module. Leaves fetching to others."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from lxml import etree

from crawler.extraction.block_walk import WalkedContent, walk_content
from crawler.extraction.charset import decode_html
from crawler.extraction.hidden_styles import find_hidden_names
from crawler.extraction.language import decide_language
from crawler.extraction.links import collect_links
from crawler.extraction.lists_of_others import bar_lists_of_others
from crawler.extraction.metadata import Metadata, find_base_url, name_as_seen, read_metadata, squeeze
from crawler.extraction.page_lists import find_teasers
from crawler.extraction.page_purpose import decide_purpose, find_fields
from crawler.extraction.parsing import parse_html
from crawler.extraction.regions import PageRegions, find_body, is_invisible
from crawler.extraction.sentences import split_sentences
from crawler.extraction.types import Block, BlockKind, ExtractedLink, PageContent

#: Raised whenever the same page may come out differently, so that stored pages are read again.
EXTRACTION_VERSION = 3
#: Kinds whose text shows the page's language; code and headings of APIs are English everywhere.
_PROSE_KINDS = frozenset(
    {BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTE, BlockKind.DEFINITION, BlockKind.OTHER}
)
_LANGUAGE_SAMPLE = 3_500
_LANGUAGE_LOOK = 100_000
#: When the guesses by name leave less than this share of the root's running text, they were wrong for this page.
_LEAST_KEPT = 0.3
_MOST_HEADINGS = 200


def extract_page(body: bytes, url: str, headers: Mapping[str, str]) -> PageContent:
    """What the page at the normalized `url` says. Pure; never raises on hostile input; header names in lower case."""
    text = decode_html(body, headers)
    root = parse_html(text)
    if root is None:
        return PageContent(content_sha256=_fingerprint(Metadata(), "", (), ()))
    base_url = find_base_url(root, url)
    metadata = read_metadata(root, base_url, headers)
    body_element = find_body(root)
    regions = PageRegions(body_element, urlsplit(base_url).hostname or "", find_hidden_names(text))
    content = _walk_with_fallback(regions)
    blocks: tuple[Block, ...] = tuple(content.builder.blocks)
    language = decide_language(metadata.declared_language, _language_sample(blocks))
    alternates = frozenset(target for target in metadata.hreflang.values() if target != url)
    links = collect_links(
        content.anchors, content.seen, body_element, blocks, content.builder.menus, base_url, alternates
    )
    h1 = _find_h1(regions.root, body_element)
    told = [block for block in blocks if block.ordinal not in content.builder.menus]
    blocks = bar_lists_of_others(blocks, _teasers_of(blocks, links))
    return PageContent(
        title=metadata.title,
        h1=h1,
        description=metadata.description,
        language=language,
        canonical_url=metadata.canonical_url,
        is_noindex=metadata.is_noindex,
        is_nofollow=metadata.is_nofollow,
        hreflang=metadata.hreflang,
        headings=tuple(block.text for block in blocks if block.kind is BlockKind.HEADING)[:_MOST_HEADINGS],
        blocks=blocks,
        sentences=split_sentences(blocks, content.builder.breaks, language),
        links=links,
        purpose=decide_purpose(url, (metadata.title, h1), told, find_fields(regions.root)),
        content_sha256=_fingerprint(metadata, language, blocks, links),
    )


def _teasers_of(blocks: Sequence[Block], links: Sequence[ExtractedLink]) -> set[int]:
    """Ordinals of headings that are links to other pages, where the page is a list of such."""
    return find_teasers(blocks, {link.block_ordinal: link.url for link in links if link.block_ordinal is not None})


def _walk_with_fallback(regions: PageRegions) -> WalkedContent:
    """Names of elements are guesses: where following them loses most of the text, only landmarks are followed."""
    content = walk_content(regions)
    kept = sum(len(block.text) for block in content.builder.blocks)
    if kept >= _LEAST_KEPT * regions.sizes.prose(regions.root):
        return content
    regions.uses_names = False
    return walk_content(regions)


def _language_sample(blocks: Sequence[Block]) -> str:
    texts: list[str] = []
    size = 0
    for block in blocks:
        if block.kind in _PROSE_KINDS:
            text = "".join(_between(block.text[:_LANGUAGE_LOOK], block.code_spans))
            texts.append(text)
            size += len(text)
            if size > _LANGUAGE_SAMPLE:
                break
    return " ".join(texts)


def _between(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The text outside of the spans."""
    end_of_last = 0
    for start, end in spans:
        yield text[end_of_last:start]
        end_of_last = end
    yield text[end_of_last:]


def _find_h1(content_root: etree._Element, body: etree._Element) -> str:
    """The first seen h1 of the main content, else of the page."""
    for place in (content_root, body):
        for heading in place.iter("h1"):
            text = squeeze("".join(heading.itertext())).removesuffix("¶").rstrip()
            if text and not is_invisible(heading):
                return name_as_seen(text)
    return ""


def _fingerprint(metadata: Metadata, language: str, blocks: Sequence[Block], links: Sequence[ExtractedLink]) -> str:
    """Equal for two readings that say the same: then nothing has to be done again."""
    declared = [
        [EXTRACTION_VERSION, len(blocks), len(links)],
        [metadata.title, metadata.description, language, metadata.canonical_url],
        [metadata.is_noindex, metadata.is_nofollow, sorted(metadata.hreflang.items())],
    ]
    spans = [
        (block.ordinal, block.link_spans, block.code_spans, block.barred_spans, block.inline_spans)
        for block in blocks
        if block.link_spans or block.code_spans or block.barred_spans or block.inline_spans
    ]
    places = [
        (link.is_editorial, link.is_nofollow, link.is_in_code, link.block_ordinal, link.start, link.end)
        for link in links
    ]
    # No text holds a line's end, so that each stays a line of its own.
    said = [repr(declared), repr(spans), repr(places)]
    said += [f"{block.kind} {block.level} {block.text}" for block in blocks]
    said += [f"{link.url} {link.anchor_text}" for link in links]
    return hashlib.sha256("\n".join(said).encode("utf-8", "surrogatepass")).hexdigest()
