"""Cells of CSV that no spreadsheet evaluates."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import Any

from wherefrom.reports.attribution_text import quoted
from wherefrom.results import Evidence
from wherefrom.support.printable import visible

_FORMULA = re.compile(r"""(?:^|(?<=;))(?=[\s"]*[=+\-@＝＋－＠])""")
"""Where a spreadsheet would take what follows for a formula. One that separates cells by semicolons, as in many
languages, begins a cell behind each, whatever the quotes around it. Full-width signs count where keyboards have them.
"""


def guarded(text: str) -> str:
    """A text that no spreadsheet evaluates and no terminal acts on: an apostrophe is put before a formula.

    Control characters, tab and carriage return among them, become visible ones.
    """
    return _FORMULA.sub("'", visible(text))


def cell(value: Any) -> str | int | float:
    """A value in CSV: lines as `L3-L9 L12-L12` (with letters, for a spreadsheet takes `3-9` for a date), other lists
    with commas, nothing for None.
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
    """A line of CSV; texts are guarded already."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
