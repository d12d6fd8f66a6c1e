"""Prints figures as Markdown tables that read well in a terminal too."""

from collections.abc import Sequence


def format_figure(value: object) -> str:
    """Counts whole, shares with three digits, what is missing as a dash."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def format_ratio(numerator: float | None, denominator: float | None) -> str:
    """How many times as much; a dash where that says nothing."""
    if not denominator or numerator is None:
        return "–"
    return f"{numerator / denominator:.2f}x"


def format_table(header: Sequence[str], rows: Sequence[Sequence[object]], *, is_padded: bool = True) -> str:
    """A Markdown table: the first column left-aligned, the others right-aligned; unpadded where cells are long."""
    cells = [[format_figure(cell) for cell in row] for row in rows]
    widths = [
        max(len(line[column]) for line in [list(header), *cells]) if is_padded else 0 for column in range(len(header))
    ]

    def format_line(line: Sequence[str]) -> str:
        padded = [
            line[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)),
        ]
        return "| " + " | ".join(padded) + " |"

    rule = "|" + "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]) + "|"
    return "\n".join([format_line(list(header)), rule, *(format_line(line) for line in cells)])
