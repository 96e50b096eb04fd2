"""Cells of CSV that no spreadsheet evaluates."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from wherefrom.printable import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""A spreadsheet takes a cell that begins so for a formula; the full-width forms count where the keyboard has them."""


def guarded(cell: str) -> str:
    """A cell that no spreadsheet evaluates and no terminal acts on: an apostrophe is put before a formula."""
    cell = visible(cell)
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA) else cell


def row(cells: Iterable[str | int | float]) -> str:
    """A line of CSV; texts are guarded already."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
