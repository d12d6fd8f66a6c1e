"""What is shown of a source page's ranked candidates: how many, where, and with which words.

Takes candidates from the best down; each gets the best sentence that the caps leave and the best words that do not
touch words already given away. Leaves scores to `ranking`, `placement` and `anchors`, who takes part and who goes first
to `target_choice`, and limits of the whole site to `site_selection`.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from crawler.extraction.types import text_hash
from recommendations.engine.source_text import ReadPage
from recommendations.engine.types import AnchorSpan, EngineOptions
from recommendations.engine.words import fold
from recommendations.linkable_text import match_index_of

Chosen = TypeVar("Chosen")

#: Sentences tried for one target before it is given up.
SENTENCES_TRIED = 4
#: Links that the shortest page may get: per 1,000 words alone, a page of 100 words would get none or one.
LINKS_ON_SHORT_PAGES = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """Candidate number `candidate` of the source gets `spans[0]` in sentence number `sentence`.

    match_index: 0-based, among the occurrences of the anchor in the linkable text of its block.
    """

    candidate: int
    sentence: int
    spans: tuple[AnchorSpan, ...]
    match_index: int


@dataclass(slots=True)
class _Given:
    """What earlier choices on this page took."""

    per_block: Counter[int] = field(default_factory=Counter)
    spans: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)


def _is_apart(page: ReadPage, row: int, span: AnchorSpan, given: _Given) -> bool:
    """Whether at least one word lies between the span and every span given away in its block."""
    read = page.sentences[row]
    start, end = read.sentence.start + span.start, read.sentence.start + span.end
    text = read.block.text
    for begin, finish in given.spans.get(read.block.ordinal, ()):
        if begin < end and finish > start:
            return False
        gap = text[finish:start] if finish <= start else text[end:begin]
        if not any(character.isalnum() for character in gap):
            return False
    return True


def _is_refused(folded: str, refused: Sequence[str]) -> bool:
    """Whether an editor refused these words for this target, alone or within a longer phrase."""
    return any(f" {folded} " in f" {anchor} " for anchor in refused)


@dataclass(frozen=True, slots=True)
class _Usable:
    span: AnchorSpan
    match_index: int


def _usable_spans(
    page: ReadPage,
    row: int,
    spans: Sequence[AnchorSpan],
    given: _Given,
    urls: tuple[str, str],
    options: EngineOptions,
    is_code_linkable: bool,
) -> list[_Usable]:
    read = page.sentences[row]
    refused = [anchor for *pair, anchor in options.rejections.anchors if tuple(pair) == urls]
    usable: list[_Usable] = []
    for span in spans:
        folded = fold(span.text)
        if folded in given.texts or _is_refused(folded, refused) or not _is_apart(page, row, span, given):
            continue
        index = match_index_of(read.block, span.text, read.sentence.start + span.start, is_code_linkable)
        if index is not None:
            usable.append(_Usable(span, index))
            if len(usable) > options.alternatives:
                break
    return usable


def choose_links(
    page: ReadPage,
    ranked: Sequence[tuple[int, str, Sequence[int]]],
    spans_of: Callable[[int, int], Sequence[AnchorSpan]],
    source_url: str,
    options: EngineOptions,
    is_code_linkable: bool,
    links_per_paragraph: int,
) -> list[Choice]:
    """The links to propose on one page, best first, at most `options.top`.

    ranked: (candidate number, its URL, its sentence numbers from the best down) from the best candidate down.
    spans_of(candidate, sentence): its anchor spans, best first.
    """
    given = _Given()
    choices: list[Choice] = []
    for candidate, target_url, rows in ranked:
        if len(choices) >= options.top:
            break
        tried = 0
        for row in rows:
            read = page.sentences[row]
            if given.per_block[read.block.ordinal] >= links_per_paragraph:
                continue
            if options.rejections.places and (
                (source_url, target_url, text_hash(read.sentence.text)) in options.rejections.places
            ):
                continue
            if tried >= SENTENCES_TRIED:
                break
            tried += 1
            usable = _usable_spans(
                page, row, spans_of(candidate, row), given, (source_url, target_url), options, is_code_linkable
            )
            least = options.least_fitness
            usable.sort(key=lambda item: item.span.fitness < least)
            if not usable or usable[0].span.fitness < least:
                continue
            best = usable[0].span
            place = (read.sentence.start + best.start, read.sentence.start + best.end)
            given.per_block[read.block.ordinal] += 1
            given.spans.setdefault(read.block.ordinal, []).append(place)
            given.texts.add(fold(best.text))
            choices.append(Choice(candidate, row, tuple(item.span for item in usable), usable[0].match_index))
            break
    return choices


def links_allowed(n_words: int, options: EngineOptions) -> int:
    """How many new links a page of that many words may get.

    Words count only where there is a threshold: without one everything that is found is to be seen.
    """
    if not options.links_per_1000_words or options.threshold <= 0:
        return options.top
    return min(options.top, max(LINKS_ON_SHORT_PAGES, n_words * options.links_per_1000_words // 1000))


def keep_best(
    scored: Sequence[tuple[float, float, Chosen]], n_words: int, options: EngineOptions
) -> list[tuple[float, Chosen]]:
    """(score, choice) of those that reach the threshold, best first, as many as the page's words allow.

    scored: (score, bonus, choice). The bonus (see `target_choice`) says who goes first, never who is good enough.
    """
    good = [item for item in scored if item[0] >= options.threshold]
    good.sort(key=lambda item: -(item[0] + item[1]))
    return [(score, choice) for score, _, choice in good[: links_allowed(n_words, options)]]
