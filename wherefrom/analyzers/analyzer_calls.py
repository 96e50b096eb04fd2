"""The functions that the process of an `Analyzer` runs.

Each function imports the modules it needs. So the calling process, which also imports this module, loads no parser.
"""

# ruff: noqa: PLC0415 -- see above
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from wherefrom.errors import WherefromError
from wherefrom.model import SkipReason

if TYPE_CHECKING:
    from wherefrom.analyzers.analyzed import Analysis, Reading
    from wherefrom.analyzers.highlights import Color
    from wherefrom.analyzers.units import Unit
    from wherefrom.options import Limits

T = TypeVar("T")


def load() -> None:
    """Imports the modules that the first call needs."""
    from wherefrom.analyzers import analysis, units  # noqa: F401


def answer(call: Callable[[], T]) -> T | WherefromError:
    """Makes a call and returns its result, or the `WherefromError` that it raises."""
    try:
        return call()
    except WherefromError as error:
        return error


def snippet(content: bytes, name: str, language: str | None, reading: Reading) -> Analysis:
    """Does what `analysis.analyze_snippet` does."""
    from wherefrom.analyzers.analysis import analyze_snippet

    return analyze_snippet(content, name=name, language=language, reading=reading)


def file(path: str, content: bytes, limits: Limits, *, is_piece: bool = False) -> Analysis | SkipReason:
    """Does what `analysis.analyze_file` does."""
    from wherefrom.analyzers.analysis import analyze_file

    return analyze_file(path, content, limits, is_piece=is_piece)


def units(
    path: str, content: bytes, limits: Limits, least: int, *, is_piece: bool
) -> tuple[Analysis, list[Unit]] | SkipReason:
    """The analysis of a file and its units, or the reason why it is skipped."""
    from wherefrom.analyzers.units import units

    found = file(path, content, limits, is_piece=is_piece)
    if isinstance(found, SkipReason):
        return found
    return found, units(path, content, found, least=least, seconds=limits.parse_seconds)


def functions(path: str, content: bytes, limits: Limits) -> tuple[Analysis, list[tuple[int, int]]] | SkipReason:
    """The analysis of a file and its functions, or the reason why it is skipped."""
    from wherefrom.analyzers.units import functions

    found = file(path, content, limits)
    return found if isinstance(found, SkipReason) else (found, functions(content, found, seconds=limits.parse_seconds))


def highlights(
    name: str, content: bytes, language: str | None, within: tuple[int, int] | None
) -> list[tuple[int, int, Color]]:
    """Does what `highlights.highlights` does."""
    from wherefrom.analyzers.highlights import highlights

    return highlights(name, content, language=language, within=within)
