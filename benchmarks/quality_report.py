"""Tables of quality figures in Markdown. Leaves measuring to `evaluation`, keeping them to `quality_document`."""

from collections.abc import Sequence

from benchmarks.evaluation import Evaluation
from benchmarks.method_lists import MEAN, PRODUCT, PRODUCT_DEFAULT
from benchmarks.over_sites import WHOLE_SITES, distinct_sites, figure, macro, only_whole, pooled_reliability
from benchmarks.reliability import Band, Reliability
from benchmarks.tables import format_ratio, format_table

SITE_FIGURES = ("recall@10", "both@10", "all@10")
#: The figures that a slice of the hidden pairs changes; the others are about whole lists.
SLICE_FIGURES = ("recall@10", "ceiling", "mrr", "both@10", "all@10", "sentence@1", "anchor", "anchor_f1")


def format_evaluation(result: Evaluation) -> str:
    """Everything of one corpus: the methods side by side, candidates, precision by score, reliability."""
    return "\n\n".join(
        [
            _format_methods(result),
            "Candidates by themselves, as the engine ranks them before it looks for a place:\n\n"
            + format_table(list(result.candidates), [[*result.candidates.values()]]),
            "Share of hidden links among the product's suggestions without abstention, by score:\n\n"
            + format_precision(result.precision_by_score),
            format_reliability(result.reliability),
            _format_run(result),
        ]
    )


def _format_methods(result: Evaluation) -> str:
    names = list(result.figures)
    header = [f"{result.corpus} ({result.model})", *names]
    rows: list[list[object]] = [
        [name, *(result.figures[method].get(name) for method in names)] for name in result.figures[PRODUCT]
    ]
    for part, figures in result.slices[PRODUCT].items():
        for name in SLICE_FIGURES:
            label = f"{name}, {part} ({figures['pairs']})"
            rows.append([label, *(result.slices[method][part][name] for method in names)])
    if MEAN in names:
        header.append("product / mean")
        product, mean = 1 + names.index(PRODUCT), 1 + names.index(MEAN)
        for row in rows:
            row.append(format_ratio(_number(row[product]), _number(row[mean])))
    return format_table(header, rows)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def format_precision(bands: Sequence[Band]) -> str:
    """One line a band of scores, the highest first."""
    rows = [[f"{band.lowest:.1f} to {band.highest:.1f}", band.count, band.observed] for band in bands]
    return format_table(["score", "suggestions", "hidden links among them"], rows)


def format_reliability(reliability: Reliability, outcome: str = "hidden links") -> str:
    """Bands of equal count, and one line that adds them up."""
    rows = [
        [f"{band.lowest:.3f} to {band.highest:.3f}", band.count, band.predicted, band.observed]
        for band in reliability.bands
    ]
    skill = "–" if reliability.skill is None else f"{reliability.skill:+.1%}"
    return (
        "Reliability, bands of equal count:\n\n"
        + format_table(["score", "suggestions", "mean score", f"share of {outcome}"], rows)
        + f"\n\nCalibration error {reliability.calibration_error:.4f}; Brier score {reliability.brier:.4f}, of the "
        f"constant base rate ({reliability.base_rate:.4f}) {reliability.base_brier:.4f}: skill {skill}."
    )


def _format_run(result: Evaluation) -> str:
    stages = result.run.get("stages", {})
    seconds = ", ".join(f"{name} {stage['seconds']:.0f} s" for name, stage in stages.items())
    cpu = result.run.get("recommend_cpu_seconds", 0)
    peak = result.run.get("peak_rss_bytes", 0) / 2**20
    return (
        f"{result.date}, {result.pages} pages, model {result.model}, corpus sha256 {result.sha256[:16]}, "
        f"commit {result.code}; {seconds}; recommend once more {cpu:.0f} CPU s; "
        f"peak memory {peak:.0f} MiB."
    )


def format_over_sites(results: Sequence[Evaluation]) -> str:
    """One line a corpus and model, then the macro means: over the whole sites, and over all distinct sites."""
    header = ["corpus", "model", "pages", "pairs"]
    header += [f"{method} {name}" for name in SITE_FIGURES for method in ("product", "mean")]
    header += ["default recall@10", "verbatim", "stands", "candidates' recall@100"]
    rows = [[result.corpus, result.model, result.pages, *_site_line([result])] for result in results]
    for name, sites in _groups(results):
        rows.append([name, "", sum(site.pages for site in sites), *_site_line(sites)])
    return format_table(header, rows)


def _site_line(sites: Sequence[Evaluation]) -> list[object]:
    line: list[object] = [sum(int(site.figures[PRODUCT]["pairs"]) for site in sites)]
    line += [macro(sites, figure(name, method)) for name in SITE_FIGURES for method in (PRODUCT, MEAN)]
    line.append(macro(sites, figure("recall@10", PRODUCT_DEFAULT)))
    line += [macro(sites, figure(name)) for name in ("verbatim", "stands")]
    return [*line, macro(sites, lambda site: site.candidates["recall@100"])]


def _groups(results: Sequence[Evaluation]) -> list[tuple[str, list[Evaluation]]]:
    """The macro lines that these results allow."""
    groups = []
    if whole := only_whole(results):
        groups.append((f"macro of {', '.join(WHOLE_SITES)}", whole))
    if len(sites := distinct_sites(results)) > 1:
        groups.append((f"macro of {len(sites)} distinct sites", sites))
    return groups


def format_reliability_over_sites(results: Sequence[Evaluation]) -> str:
    """One line a corpus, then the distinct sites pooled, and the pooled bands."""
    rows = [[f"{result.corpus} ({result.model})", *_reliability_line(result.reliability)] for result in results]
    sites = distinct_sites(results)
    pooled = pooled_reliability(sites)
    header = ["corpus", "suggestions", "base rate", "calibration error", "Brier", "Brier of the base rate", "skill"]
    if len(sites) < 2:
        return format_table(header, rows)
    rows.append([f"{len(sites)} distinct sites pooled", *_reliability_line(pooled)])
    return format_table(header, rows) + "\n\nAll distinct sites pooled. " + format_reliability(pooled)


def _reliability_line(reliability: Reliability) -> list[object]:
    return [
        reliability.count,
        reliability.base_rate,
        reliability.calibration_error,
        reliability.brier,
        reliability.base_brier,
        reliability.skill,
    ]
