"""Text that is even on a terminal: display columns, numbers for people, tables."""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

ELLIPSIS = "…"

SEPARATOR = " · "
"""Between the facts of a line."""

NAME = 24
"""Columns that the name on a live line keeps: facts that would take them are left out."""

SHORTEST_NAME = 8
"""Columns of a name that still says something; where there are fewer it is left out."""

NOT_AT_HAND = "The source is not at hand: its clone was discarded, is gone or has changed"
"""In place of a content that cannot be read: the beginning of a sentence."""


@lru_cache(maxsize=4096)
def _character_columns(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def columns(text: str) -> int:
    """How many terminal columns a text without control characters takes."""
    return len(text) if text.isascii() else sum(map(_character_columns, text))


def clip(text: str, width: int) -> str:
    """The text, cut to at most `width` columns; what was cut is marked by an ellipsis."""
    if columns(text) <= width:
        return text
    kept: list[str] = []
    used = 0
    for character in text:
        used += _character_columns(character)
        if used > width - 1:
            break
        kept.append(character)
    return "".join(kept) + ELLIPSIS if width > 0 else ""


def clip_left(text: str, width: int) -> str:
    """The end of the text in at most `width` columns; what was cut before it is marked by an ellipsis."""
    if columns(text) <= width:
        return text
    at, used = len(text), 0
    while at and used + _character_columns(text[at - 1]) <= width - 1:
        at -= 1
        used += _character_columns(text[at])
    # A combining mark of the letter that was cut would move above the ellipsis.
    while at < len(text) and not _character_columns(text[at]):
        at += 1
    return ELLIPSIS + text[at:] if width > 0 else ""


def live_line(facts: Sequence[str], others: Sequence[str], name: str, width: int) -> str:
    """One line that says how far something is, written over and over: facts with dots between them, and a name.

    Args:
        facts: what is always said.
        others: what is said where there is room beside the end of the name, `NAME` columns of it; the first ones first.
        name: what is being worked on, such as a repository; shortened from its left; empty for nothing.
        width: columns that the line may take.
    """
    parts = [*facts]
    room = min(columns(name), NAME)
    for fact in others:
        if columns(SEPARATOR.join([*parts, fact, *([" " * room] if name else [])])) > width:
            break
        parts.append(fact)
    left = width - columns(SEPARATOR.join([*parts, ""]))
    if name and left >= min(room, SHORTEST_NAME):
        parts.append(clip_left(name, left))
    return clip(SEPARATOR.join(parts), width)


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of about `width` characters, broken at spaces only, all but the first indented by two."""
    return textwrap.wrap(
        text,
        width,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
        drop_whitespace=True,
    )


def count(number: int, noun: str, plural: str | None = None) -> str:
    """`1 file`, `1,234 files`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def size(number: float) -> str:
    """Bytes for people, in powers of 1000: `17 B`, `1.2 MB`."""
    for unit in ("B", "kB", "MB", "GB"):
        if number < 999.5:
            return f"{number:.0f} B" if unit == "B" else f"{number:.3g} {unit}"
        number /= 1000
    return f"{number:,.1f} TB"


def duration(seconds: float) -> str:
    """Seconds for people: `0.4 s`, `12 s`, `3 min 05 s`, `2 h 07 min`."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def time_left(done: float, total: float, seconds: float) -> list[str]:
    """`3 min 05 s left`, at the pace so far; empty where that is not known yet."""
    return [f"{duration(seconds * max(total - done, 0) / done)} left"] if done > 0 and seconds >= 1 else []


def probable(probability: float) -> str:
    """`0.97 probable`, rounded down, so that it is in the band of its strength; never 1, for nothing is certain."""
    hundredths = math.floor(probability * 100 + 1e-9)
    return f"{min(hundredths, 99) / 100:.2f} probable" if hundredths else "less than 0.01 probable"


def percent(share: float) -> str:
    """A share between 0 and 1: `92%`. Rounded down, so that only the whole is called 100%, and never to 0."""
    if 0 < share < 0.01:
        return "under 1%"
    return f"{math.floor(share * 100 + 1e-9)}%"


def lines(first: int, last: int) -> str:
    """A range of lines, inclusive: `12` or `12-30`."""
    return str(first) if first == last else f"{first}-{last}"


def listed(names: Sequence[str], most: int, more: str = ", ...") -> str:
    """The first names with commas between them, and behind them that there are more.

    Args:
        names: visible already.
        most: how many are named.
        more: how that is written; `{}` is the number of the others.
    """
    return ", ".join(names[:most]) + (more.format(f"{len(names) - most:,}") if len(names) > most else "")


def as_lines(parts: Iterable[str]) -> str:
    """Texts as lines, each with its newline."""
    return "".join(f"{part}\n" for part in parts)


def table(header: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Lines of a table with two spaces between its columns.

    Args:
        header: the column names.
        rows: cells that are visible already, one for each column.
        right: the columns (0-based) that are set flush right.
    """
    cells = [list(header), *map(list, rows)]
    widths = [max(columns(row[at]) for row in cells) for at in range(len(header))]
    return [
        "  ".join(
            f"{fill}{cell}" if at in right else f"{cell}{fill}"
            for at, cell in enumerate(row)
            for fill in (" " * (widths[at] - columns(cell)),)
        ).rstrip()
        for row in cells
    ]
