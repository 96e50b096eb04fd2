"""Writes cells of CSV that no spreadsheet evaluates."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from wherefrom.reports.place_text import quoted
from wherefrom.results import Evidence
from wherefrom.support.pattern import later
from wherefrom.support.printable import visible

_FORMULA = later(r"""(?:^|(?<=;))(?=[\s"]*[=+\-@＝＋－＠])""")
"""The places where a spreadsheet would read a formula. In many languages, spreadsheets separate cells by semicolons,
even in quotes, so a cell may begin after each semicolon. Full-width signs, which some keyboards have, count too."""


def guarded(text: str) -> str:
    """A text that no spreadsheet evaluates and no terminal acts on: an apostrophe precedes each formula, and control
    characters, also tabs and line ends, become visible.
    """
    return _FORMULA.sub("'", visible(text))


def cell(value: Any) -> str | int | float:
    """A value as a cell: ranges of lines as `L3-L9 L12-L12` (a spreadsheet reads `3-9` as a date), other lists with
    commas, None as an empty cell.
    """
    match value:
        case None:
            return ""
        case str():
            return guarded(value)
        case bool():
            return str(value).lower()
        case int() | float():
            return value
        case Evidence():
            return guarded(quoted(value))
        case [[_, _], *_]:
            return " ".join(f"L{first}-L{last}" for first, last in value)
        case _:
            return guarded(", ".join(value))


def row(cells: Iterable[str | int | float]) -> str:
    """A line of CSV. Texts among the cells must come from `guarded` or `cell`."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
