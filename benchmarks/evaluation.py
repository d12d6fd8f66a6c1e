"""Scores what the methods proposed on one corpus. Leaves running them to `method_lists`, tables to `quality_report`."""

from dataclasses import dataclass, field
from typing import Any

from benchmarks.candidates import candidate_recall
from benchmarks.corpora import Corpus
from benchmarks.method_lists import PRODUCT, MethodLists
from benchmarks.reliability import Band, Reliability, measure_reliability, precision_by_score
from benchmarks.scoring import Figures, Scorer


@dataclass(slots=True)
class Evaluation:
    """One corpus with one model: figures of each method, whole and by slice, and what the product's scores are worth.

    `scores` and `outcomes` hold the product's suggestions without abstention: each score, and whether an editor had
    made that link.
    """

    corpus: str
    site: str
    pages: int
    sha256: str
    model: str
    date: str
    code: str
    is_product_choice: bool
    figures: dict[str, Figures]
    slices: dict[str, dict[str, Figures]]
    candidates: dict[str, float]
    scores: list[float]
    outcomes: list[bool]
    run: dict[str, Any] = field(default_factory=dict)

    @property
    def reliability(self) -> Reliability:
        """Predicted against observed, over all suggestions without abstention."""
        return measure_reliability(self.scores, self.outcomes)

    @property
    def precision_by_score(self) -> list[Band]:
        """How often suggestions of each score hit a hidden link."""
        return precision_by_score(self.scores, self.outcomes)


def score_lists(corpus: Corpus, lists: MethodLists, *, is_product_choice: bool = True) -> Evaluation:
    """Every figure of the corpus' scorer for every method, and of the candidates by themselves."""
    scorer = Scorer(corpus)
    scores, outcomes = scorer.judged_rows(lists.rows[PRODUCT])
    return Evaluation(
        corpus=corpus.name,
        site=corpus.site(),
        pages=len(lists.candidates.urls),
        sha256=corpus.sha256,
        model=lists.model,
        date=lists.date,
        code=lists.code,
        is_product_choice=is_product_choice,
        figures={name: scorer.score(rows) for name, rows in lists.rows.items()},
        slices={name: scorer.slices(rows) for name, rows in lists.rows.items()},
        candidates=candidate_recall(lists.candidates, scorer.hidden_pairs(), scorer.path_of),
        scores=scores,
        outcomes=outcomes,
        run=lists.run,
    )
