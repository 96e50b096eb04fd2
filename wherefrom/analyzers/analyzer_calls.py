"""What the process of an `Analyzer` does with one call.

The process that asks imports this module too, so nothing that analyzes is loaded before it is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wherefrom.errors import WherefromError

if TYPE_CHECKING:
    from wherefrom.analyzers.analyzed import Analysis, Reading
    from wherefrom.analyzers.highlights import Color
    from wherefrom.analyzers.units import Unit
    from wherefrom.model import SkipReason
    from wherefrom.options import Limits


@dataclass(frozen=True, slots=True)
class SnippetCall:
    """The arguments of `analysis.analyze_snippet`."""

    content: bytes
    name: str
    language: str | None
    reading: Reading = "likely"


@dataclass(frozen=True, slots=True)
class FileCall:
    """The arguments of `analysis.analyze_file`; of `units.units` as well if `least` is given, of `units.functions` as
    well if `is_for_functions`.
    """

    path: str
    content: bytes
    limits: Limits
    least: int | None = None
    is_for_functions: bool = False
    is_piece: bool = False


@dataclass(frozen=True, slots=True)
class HighlightCall:
    """The arguments of `highlights.highlights`."""

    name: str
    content: bytes
    language: str | None = None
    within: tuple[int, int] | None = None


def load() -> None:
    """Loads what the first call needs."""
    from wherefrom.analyzers import analysis, units  # noqa: F401, PLC0415 -- see above


def answer(
    call: SnippetCall | FileCall | HighlightCall,
) -> (
    Analysis
    | SkipReason
    | tuple[Analysis, list[Unit]]
    | tuple[Analysis, list[tuple[int, int]]]
    | list[tuple[int, int, Color]]
    | WherefromError
):
    """Analyzes a content; an error that says what is wrong with it is given back and not raised."""
    from wherefrom.analyzers.analysis import analyze_file, analyze_snippet  # noqa: PLC0415 -- see above
    from wherefrom.analyzers.analyzed import Analysis  # noqa: PLC0415 -- see above
    from wherefrom.analyzers.units import functions, units  # noqa: PLC0415

    try:
        if isinstance(call, HighlightCall):
            from wherefrom.analyzers.highlights import highlights  # noqa: PLC0415 -- only pages need it

            return highlights(call.name, call.content, language=call.language, within=call.within)
        if isinstance(call, SnippetCall):
            return analyze_snippet(call.content, name=call.name, language=call.language, reading=call.reading)
        found = analyze_file(call.path, call.content, call.limits, is_piece=call.is_piece)
        if not isinstance(found, Analysis):
            return found
        seconds = call.limits.parse_seconds
        if call.is_for_functions:
            return found, functions(call.content, found, seconds=seconds)
        if call.least is None:
            return found
        return found, units(call.path, call.content, found, least=call.least, seconds=seconds)
    except WherefromError as error:
        return error
