"""What stays of a run for the next one: learned weights, word weights, and what every page was. Rows in, values out.

Leaves what is kept of single pages to `ranked_sources`, and when a run may go on with all this to `recrawl`.
"""

import base64
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from django.db import transaction

from crawler.models import Page, PageStatus
from recommendations.engine.calibration import Calibration
from recommendations.engine.learning import Learned
from recommendations.engine.preferences import Preferences
from recommendations.engine.ranker import RankerWeights
from recommendations.engine.remembered import phrase_state
from recommendations.engine.site_model import FrozenSite, SiteModel
from recommendations.engine.term_weights import TermWeights
from recommendations.engine.types import FloatArray, IntArray
from recommendations.engine.words import content_terms_of
from recommendations.engine.yardsticks import Yardstick, Yardsticks
from recommendations.models import Decision, FrozenRanking, RankedSource


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What each page was to the others, and each phrase.

    By page id: pages, a digest; names, (name, short name, language); contents, content_sha256.
    """

    pages: Mapping[int, str]
    names: Mapping[int, tuple[str, str, str]]
    contents: Mapping[int, str]
    phrases: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Frozen:
    """contents: content_sha256 by page id when the weights were learned; decided: how many decisions there were."""

    run_number: int
    key: str
    site: FrozenSite
    learned: Mapping[str, Any]
    contents: Mapping[int, str]
    snapshot: Snapshot
    decided: int


def packed_json(data: Any) -> bytes:
    """Compressed JSON."""
    return zlib.compress(json.dumps(data).encode(), 1)


def unpacked_json(data: bytes) -> Any:
    """What packed_json was given."""
    return json.loads(zlib.decompress(data))


def take_snapshot(model: SiteModel, page_ids: IntArray, contents: Mapping[int, str]) -> Snapshot:
    """Everything of a page that another page's links may depend on, as it is now."""
    ids = page_ids.tolist()
    groups: dict[int, list[int]] = {}
    for position, group in enumerate(model.pages.translation_groups.tolist()):
        groups.setdefault(group, []).append(ids[position])
    pages, names = {}, {}
    for position, page_id in enumerate(ids):
        names[page_id] = (model.names[position], model.short_names[position], model.pages.languages[position])
        said = (
            model.pages.urls[position],
            names[page_id],
            bool(model.pages.is_target[position]),
            groups[int(model.pages.translation_groups[position])],
        )
        digest = blake2b(repr(said).encode("utf-8", "surrogatepass"), digest_size=16)
        digest.update(model.pages.page_vectors[position].tobytes())
        digest.update(model.signatures[position].tobytes())
        pages[page_id] = digest.hexdigest()
    phrases = {key: phrase_state(phrase, ids) for key, phrase in model.mentions.phrases.items()}
    return Snapshot(pages, names, contents, phrases)


def changed_pages(old: Snapshot, new: Snapshot) -> set[int]:
    """Ids of pages whose pairs must be tried again: changed ones, and those that share a word with a changed name."""
    changed = {page_id for page_id, digest in new.pages.items() if old.pages.get(page_id) != digest}
    changed |= old.pages.keys() - new.pages.keys()
    renamed = {
        page_id for page_id in old.names.keys() | new.names.keys() if old.names.get(page_id) != new.names.get(page_id)
    }
    terms = {
        (name[2], term)
        for names in (old.names, new.names)
        for page_id in renamed & names.keys()
        for name in (names[page_id],)
        for term in _terms_of(name)
    }
    if terms:
        changed |= {
            page_id for page_id, name in new.names.items() if any((name[2], term) in terms for term in _terms_of(name))
        }
    return changed


def _terms_of(name: tuple[str, str, str]) -> set[str]:
    return set(content_terms_of(name[0], name[2])) | set(content_terms_of(name[1], name[2]))


def changed_phrases(old: Snapshot, new: Snapshot) -> set[str]:
    """Phrases that mean something else now, or are new or gone."""
    return {key for key in old.phrases.keys() | new.phrases.keys() if old.phrases.get(key) != new.phrases.get(key)}


def read_frozen(site_id: int) -> Frozen | None:
    """What the last run left; None where there is none, or none that can be read."""
    row = FrozenRanking.objects.filter(site_id=site_id).first()
    if row is None:
        return None
    try:
        learned, snapshot = unpacked_json(bytes(row.learned)), unpacked_json(bytes(row.snapshot))
        yardsticks = {
            language: Yardstick(_array(stick["vectors"]).reshape(-1, learned["dimension"]), stick["urls"])
            for language, stick in learned["yardsticks"].items()
        }
        site = FrozenSite(
            TermWeights.from_json(learned["term_weights"]),
            Yardsticks(learned["dimension"], yardsticks),
            learned["is_code_linkable"],
            learned["links_per_paragraph"],
        )
        names = {int(page_id): (name[0], name[1], name[2]) for page_id, name in snapshot["names"].items()}
        pages = {int(page_id): digest for page_id, digest in snapshot["pages"].items()}
        contents, learned_of = (
            {int(page_id): digest for page_id, digest in data["contents"].items()} for data in (snapshot, learned)
        )
    except (KeyError, TypeError, ValueError, zlib.error):
        return None
    seen = Snapshot(pages, names, contents, snapshot["phrases"])
    return Frozen(row.run_number, row.key, site, learned["weights"], learned_of, seen, int(learned.get("decided", 0)))


def thaw(site_id: int, fence: Callable[[], None]) -> None:
    """Forget what was frozen: a run over everything begins, and nothing is gone on with until it ends."""
    with transaction.atomic():
        fence()
        FrozenRanking.objects.filter(site_id=site_id).delete()


def freeze(
    site_id: int,
    run_number: int,
    key: str,
    model: SiteModel,
    learned: Learned,
    page_ids: IntArray,
    contents: Mapping[int, str],
    fence: Callable[[], None],
) -> None:
    """Keep what a run over everything has learned."""
    data = {
        "dimension": model.yardsticks.dimension,
        "yardsticks": {
            language: {"vectors": _text(stick.vectors), "urls": stick.urls}
            for language, stick in model.yardsticks.by_language.items()
        },
        "term_weights": model.weights.to_json(),
        "is_code_linkable": model.is_code_linkable,
        "links_per_paragraph": model.links_per_paragraph,
        "weights": _learned_to_json(learned, model, page_ids),
        "contents": {str(page_id): digest for page_id, digest in contents.items()},
    }
    data["decided"] = count_decisions(site_id)
    _end_run(site_id, run_number, take_snapshot(model, page_ids, contents), fence, key=key, learned=packed_json(data))


def count_decisions(site_id: int) -> int:
    """How many decisions of editors there are to learn from."""
    return Decision.objects.filter(site_id=site_id).count()


def go_on(site_id: int, run_number: int, snapshot: Snapshot, fence: Callable[[], None]) -> None:
    """Keep what the pages are now; what was learned stays."""
    _end_run(site_id, run_number, snapshot, fence)


def _end_run(site_id: int, run_number: int, snapshot: Snapshot, fence: Callable[[], None], **values: Any) -> None:
    """In one transaction, so that the pages' records and the snapshot they were made for never part."""
    said = {
        "pages": {str(page_id): digest for page_id, digest in snapshot.pages.items()},
        "names": {str(page_id): name for page_id, name in snapshot.names.items()},
        "contents": {str(page_id): digest for page_id, digest in snapshot.contents.items()},
        "phrases": dict(snapshot.phrases),
    }
    with transaction.atomic():
        fence()
        sources = RankedSource.objects.filter(site_id=site_id)
        ranked = Page.objects.filter(site_id=site_id, status=PageStatus.READ, is_target=True).values("pk")
        last = FrozenRanking.objects.filter(site_id=site_id).values_list("run_number", flat=True).first()
        sources.exclude(run_number__in=(run_number, last or run_number)).delete()
        # Of pages that were no source this time nothing is kept: what their links depended on may have changed since.
        sources.exclude(run_number=run_number).exclude(page__in=ranked).delete()
        sources.exclude(run_number=run_number).update(run_number=run_number)
        values |= {"run_number": run_number, "snapshot": packed_json(said)}
        if not FrozenRanking.objects.filter(site_id=site_id).update(**values) and "learned" in values:
            FrozenRanking.objects.create(site_id=site_id, **values)


def _learned_to_json(learned: Learned, model: SiteModel, page_ids: IntArray) -> dict[str, Any]:
    """Pages by their ids and folders by their names, since positions and numbers move when pages come and go."""
    ranker, calibration, preferences = learned.ranker, learned.calibration, learned.preferences
    return {
        "ranker": [_text(ranker.weights), ranker.is_site_trained, ranker.lists, ranker.strength, list(ranker.losses)],
        "calibration": [_text(calibration.weights), calibration.links],
        "signals": _text(preferences.signals),
        "pages": [[int(page_ids[page]), value] for page, value in preferences.pages.items()],
        "sections": [
            [[model.folder_names[folder] for folder in section], value]
            for section, value in preferences.sections.items()
        ],
        "decisions": preferences.decisions,
    }


def learned_from_json(data: Mapping[str, Any], model: SiteModel, page_ids: IntArray) -> Learned:
    """What was learned, in the numbering of the site as it is now."""
    weights, is_trained, lists, strength, losses = data["ranker"]
    position = {page_id: index for index, page_id in enumerate(page_ids.tolist())}
    number = {name: index for index, name in enumerate(model.folder_names)}
    return Learned(
        RankerWeights(_array(weights), is_trained, lists, strength, (losses[0], losses[1])),
        Calibration(_array(data["calibration"][0]), data["calibration"][1]),
        Preferences(
            signals=_array(data["signals"]),
            pages={position[page_id]: value for page_id, value in data["pages"] if page_id in position},
            sections={
                tuple(number[name] for name in section): value
                for section, value in data["sections"]
                if all(name in number for name in section)
            },
            decisions=data["decisions"],
        ),
    )


def _text(values: FloatArray) -> str:
    return base64.b64encode(np.ascontiguousarray(values, "<f4").tobytes()).decode()


def _array(text: str) -> FloatArray:
    return np.frombuffer(base64.b64decode(text), "<f4").astype(np.float32)
