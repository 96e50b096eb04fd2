"""CSV: one row for each occurrence of each hit."""

from __future__ import annotations

import csv
import io
import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from wherefrom.printable import visible
from wherefrom.reports.attribution import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wherefrom.results import Attribution, Region, SearchResult

COLUMNS = (
    "query",
    "rank",
    "score",
    "containment",
    "longest_run",
    "language",
    "repository",
    "path",
    "revision",
    "blob",
    "query_lines",
    "document_lines",
    "verdict",
    "where",
    "evidence",
    "licenses",
    "first_seen",
    "is_older",
)

_FORMULA = re.compile(r"""(?:^|(?<=;))(?=[\s"]*[=+\-@＝＋－＠])""")
"""Where a spreadsheet would take what follows for a formula. One that separates cells by semicolons, as in many
languages, begins a cell behind each, whatever the quotes around it. Full-width signs count where keyboards have them.
"""


def guarded(cell: str) -> str:
    """A cell that no spreadsheet evaluates and no terminal acts on: an apostrophe is put before a formula.

    Control characters, tab and carriage return among them, become visible ones.
    """
    return _FORMULA.sub("'", visible(cell))


def header() -> str:
    """The first line."""
    return _row(COLUMNS)


def rows(result: SearchResult) -> str:
    """The rows of one answer, without the header; `rank` counts hits from 1, lines are ranges such as `L3-L9 L12-L12`
    (with letters, for a spreadsheet takes `3-9` for a date).
    """
    return "".join(
        _row(
            (
                guarded(result.query.name),
                rank,
                hit.score,
                hit.containment,
                hit.longest_run,
                guarded(hit.language),
                guarded(at.repository),
                guarded(at.path),
                guarded(at.revision),
                guarded(at.blob),
                _lines(pair.query for pair in hit.regions),
                _lines(pair.document for pair in hit.regions),
                *_attribution(said),
            )
        )
        for rank, hit in enumerate(result.hits, 1)
        for at, said in zip_longest(hit.occurrences, hit.attributions)
    )


def to_csv(result: SearchResult) -> str:
    """One answer with the header."""
    return header() + rows(result)


def _lines(regions: Iterable[Region]) -> str:
    return " ".join(f"L{region.start_line}-L{region.end_line}" for region in regions)


def _attribution(said: Attribution | None) -> list[str]:
    """The cells of what a place says of its source, empty where that was not asked for."""
    if said is None:
        return [""] * 6
    first = said.evidence[0] if said.evidence else None
    return [
        str(said.verdict),
        str(first.where) if first else "",
        guarded(quoted(first)) if first else "",
        guarded(", ".join(said.licenses)),
        said.first_seen or "",
        "" if said.is_older is None else str(said.is_older).lower(),
    ]


def _row(cells: Sequence[str | int | float]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
