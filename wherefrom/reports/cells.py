"""Cells of CSV that no spreadsheet evaluates."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORMULA = re.compile(r"""(?:^|(?<=;))(?=[\s"]*[=+\-@＝＋－＠])""")
"""Where a spreadsheet would take what follows for a formula. One that separates cells by semicolons, as in many
languages, begins a cell behind each, whatever the quotes around it. Full-width signs count where keyboards have them.
"""


def guarded(cell: str) -> str:
    """A cell that no spreadsheet evaluates and no terminal acts on: an apostrophe is put before a formula.

    Control characters, tab and carriage return among them, become visible ones.
    """
    return _FORMULA.sub("'", visible(cell))


def row(cells: Iterable[str | int | float]) -> str:
    """A line of CSV; texts are guarded already."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
