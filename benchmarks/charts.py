"""Draws the charts of docs/how-it-works/results.md from the tables in benchmarks/results.

python -m benchmarks.charts                # all of them, into docs/pictures
python -m benchmarks.charts --into FOLDER
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.plots import drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOT = Path(__file__).resolve().parents[1]

RESULTS = ROOT / "benchmarks" / "results"

STRONG, FOUND, OURS, BEST, DEFAULT = "#1a7f37", "#9bd3a8", "#1a7f37", "#8c959f", "#d0d7de"

FIRST, PAIRS = ("beside.md", "## Finding", 0), ("compare.md", "# Comparing", 0)
"""The page, the heading and the column of the figures that compare tools."""

KINDS = {
    "function, as it is": "function",
    "function, locals renamed": "function, locals renamed",
    "function, half": "half of a function",
    "function, every second group of 3 lines": "function, every second group of lines",
    "function, pasted into 1,000 lines": "function among 1,000 other lines",
    "function, rewritten": "function, rewritten",
    "7 lines, locals renamed": "7 lines, locals renamed",
    "7 lines, rewritten": "7 lines, rewritten",
    "4 lines, as it is": "4 lines",
    "4 lines, rewritten": "4 lines, rewritten",
    "7 lines inside a comment": "7 lines inside a comment",
    "7 lines inside a literal": "7 lines inside a literal",
    "unrelated function": "function that is not indexed",
    "unrelated 4 lines": "4 lines that are not indexed",
}
"""The kinds of queries that the chart shows, each with its label there."""


def rows(name: str, heading: str, first: str) -> Iterator[list[str]]:
    """The cells of each row of the first table below `heading`, in a page of results, whose header begins with `first`.

    Raises:
        ValueError: the page has no such heading or table.
    """
    text = (RESULTS / name).read_text()
    lines = iter(text[text.index(heading) :].splitlines())
    for line in lines:
        if line.startswith(f"| {first} |"):
            break
    else:
        raise ValueError(f"{name} has no table of {first} below {heading}")
    next(lines)  # the rule below the header
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


def bars(axes: Axes, values: Mapping[str, float], color: str, label: str = "") -> None:
    """Horizontal bars, each with its figure."""
    drawing = axes.barh([*values], [*values.values()], color=color, label=label)
    axes.bar_label(drawing, [f" {value:.2f}" for value in values.values()], fontsize=8)


def finish(axes: Axes, label: str, right: float) -> None:
    """Puts the first bar on top, a label below, and takes the frame away. `right` is the largest value on the axis."""
    axes.invert_yaxis()
    axes.set_xlim(0, right)
    axes.set_xlabel(label)
    axes.tick_params(labelsize=9)
    axes.spines[["top", "right"]].set_visible(False)


def answered() -> dict[str, list[float]]:
    """What share of the queries of each kind were answered rightly, and strongly; of those without a copy, answered."""
    return {
        kind: [float(cell.split()[0]) for cell in cells[1:3]]
        for answer in ("true file first", "answered")
        for kind, *cells in rows("evidence.md", "## The draw `final`", f"query | number | {answer}")
    }


def found(path: Path) -> None:
    """Draws what share of the queries of each kind were answered."""
    table = answered()
    shares = {shown: table[kind] for kind, shown in KINDS.items()}
    with drawn(path) as axes:
        bars(axes, {kind: share[0] for kind, share in shares.items()}, FOUND, label="answered")
        axes.barh([*shares], [share[1] for share in shares.values()], color=STRONG, label="called strong")
        axes.legend(fontsize=8, loc="lower right", frameon=False)
        finish(axes, "share of the queries", 1.1)


def tools(page: str, heading: str, column: int) -> tuple[dict[str, float], dict[str, float]]:
    """For each tool a figure with its default setting, and with its best setting; the best tools first."""
    settings: dict[str, list[tuple[bool, float]]] = {}
    for tool, setting, *cells in rows(page, heading, "tool"):
        figure = float(re.split(" / ", cells[column])[0])
        settings.setdefault(tool, []).append((setting.startswith("default"), figure))
    best = {tool: max(figure for _, figure in figures) for tool, figures in settings.items()}
    order = sorted(best, key=lambda tool: -best[tool])
    default = {tool: next(figure for is_default, figure in settings[tool] if is_default) for tool in order}
    return default, {tool: best[tool] for tool in order}


def beside(path: Path, page: str, heading: str, column: int, label: str) -> None:
    """Draws a figure of each tool, with its default setting and with its best setting."""
    default, best = tools(page, heading, column)
    with drawn(path) as axes:
        bars(axes, best, BEST, label="best of several settings")
        axes.barh([*default], [*default.values()], color=DEFAULT, label="default setting")
        axes.barh(["wherefrom"], [default["wherefrom"]], color=OURS)
        axes.legend(fontsize=8, loc="lower right", frameon=False)
        finish(axes, label, 1.1)


def speeds() -> dict[str, float]:
    """The megabytes of Python a second of each tool, without its start, the fastest first."""
    table = {tool: float(cells[0]) for tool, *cells in rows("beside.md", "## Speed", "tool")}
    order = sorted((tool for tool in table if "index" not in tool), key=lambda tool: -table[tool])
    return {tool: table[tool] for tool in order}


def speed(path: Path) -> None:
    """Draws the megabytes a second of each tool."""
    table = speeds()
    with drawn(path) as axes:
        bars(axes, table, BEST)
        axes.barh(["wherefrom"], [table["wherefrom"]], color=OURS)
        finish(axes, "MB of Python a second, one thread", max(table.values()) * 1.1)


def main() -> None:
    """Draws the charts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=Path, default=ROOT / "docs" / "pictures", help="the folder (docs/pictures)")
    into: Path = parser.parse_args().into
    found(into / "found.svg")
    beside(into / "beside.svg", *FIRST, "share of the edited functions whose true file is first")
    beside(into / "pairs.svg", *PAIRS, "average precision on SOCO-14, Java")
    speed(into / "speed.svg")


if __name__ == "__main__":
    main()
