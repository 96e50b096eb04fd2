"""Lays text out for a terminal: display columns, numbers for people, tables."""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, takewhile
from os.path import commonprefix

ELLIPSIS = "…"

SEPARATOR = " · "  # separates the facts of a line
NAME = 24  # the columns that a live line keeps free for the name. Optional facts that need these columns are left out
SHORTEST_NAME = 8  # a name is left out if it would be cut to fewer columns than this

NOT_AT_HAND = "The source is not at hand: its clone was discarded, is gone or has changed"
"""The beginning of a sentence that replaces a content that cannot be read."""


@lru_cache(maxsize=4096)
def _character_columns(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def columns(text: str) -> int:
    """The terminal columns of a text without control characters."""
    return len(text) if text.isascii() else sum(map(_character_columns, text))


def clip(text: str, width: int) -> str:
    """The beginning of a text in at most `width` columns; an ellipsis marks a cut."""
    if columns(text) <= width:
        return text
    ends = zip(text, accumulate(map(_character_columns, text)), strict=True)
    return "".join(character for character, end in takewhile(lambda it: it[1] < width, ends)) + ELLIPSIS[:width]


def clip_left(text: str, width: int) -> str:
    """The end of a text in at most `width` columns; an ellipsis marks a cut."""
    if columns(text) <= width:
        return text
    at, used = len(text), 0
    while at and used + _character_columns(text[at - 1]) <= width - 1:
        at -= 1
        used += _character_columns(text[at])
    # A combining mark whose letter was cut would move onto the ellipsis.
    while at < len(text) and not _character_columns(text[at]):
        at += 1
    return ELLIPSIS + text[at:] if width > 0 else ""


def clip_apart(texts: Sequence[str], width: int) -> list[str]:
    """Texts in at most `width` columns, cut at the end or the beginning that all have, or in the middle."""
    different = [*{*texts, ""}] if len({*texts}) == 1 else texts
    end = len(commonprefix([text[::-1] for text in different]))  # noqa: RUF071 -- by character, as it is shown
    begin = len(commonprefix([text[: len(text) - end] for text in different]))  # noqa: RUF071
    return [text if columns(text) <= width else _cut(text, begin, len(text) - end, width) for text in texts]


def _cut(text: str, begin: int, end: int, width: int) -> str:
    """A text that is too long, without its beginning or its end, or else without a part in the middle."""
    if columns(text[:end]) < width:
        return clip(text, width)
    if columns(text[begin:]) < width:
        return clip_left(text, width)
    begin = max(0, min(begin, end - width + 2))
    inner = ELLIPSIS[:begin] + text[begin:end] + ELLIPSIS[: len(text) - end]
    if columns(inner) <= width:
        return inner
    return clip(inner, (width + 1) // 2) + clip_left(inner, width // 2 + 1).removeprefix(ELLIPSIS)


def live_line(facts: Sequence[str], others: Sequence[str], name: str, width: int) -> str:
    """One line of at most `width` columns about the progress of a run, which is written again and again: the facts, the
    others while `NAME` columns remain for the name, and the name of the current repository or file; empty for none.
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


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """A text in indented lines of about `width` characters, broken at spaces only. All but the first are indented by
    two more.
    """
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )


def count(number: int, noun: str, plural: str | None = None) -> str:
    """`1 file`, `1,234 files`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def size(number: float) -> str:
    """Bytes in powers of 1000: `17 B`, `1.2 MB`."""
    for unit in ("B", "kB", "MB", "GB"):
        if number < 999.5:
            return f"{number:.0f} B" if unit == "B" else f"{number:.3g} {unit}"
        number /= 1000
    return f"{number:,.1f} TB"


def duration(seconds: float) -> str:
    """Seconds as `0.4 s`, `12 s`, `3 min 05 s` or `2 h 07 min`."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def time_left(done: float, total: float, seconds: float) -> list[str]:
    """`3 min 05 s left`, at the pace so far; an empty list if that is not known yet."""
    return [f"{duration(seconds * max(total - done, 0) / done)} left"] if done > 0 and seconds >= 1 else []


def probable(probability: float) -> str:
    """A stated probability (`queries.judging.odds.stated`) as `0.97 probable`, rounded down like that."""
    hundredths = min(math.floor(probability * 100 + 1e-9), 99)
    return f"{hundredths / 100:.2f} probable" if hundredths else "less than 0.01 probable"


def percent(share: float) -> str:
    """A share between 0 and 1 as `92%`. It is rounded down, so that only the whole is 100%, but a share above 0 never
    becomes 0%.
    """
    if 0 < share < 0.01:
        return "under 1%"
    return f"{math.floor(share * 100 + 1e-9)}%"


def in_order(matched: int, tokens: int, changed: int) -> str:
    """Why code is a copy, for a person: `98 of 104 tokens in the same order, 9 of them with another name or literal`.
    `changed` are the tokens that are another name or literal.
    """
    others = f", {changed:,} of them with another name or literal" if changed else ""
    return f"{matched:,} of {count(tokens, 'token')} in the same order{others}"


def listed(names: Sequence[str], most: int, more: str = ", ...") -> str:
    """The first names, at most `most`, with commas between them, then `more`, with `{}` for the number of the others.
    All characters of the names must be visible.
    """
    return ", ".join(names[:most]) + (more.format(f"{len(names) - most:,}") if len(names) > most else "")


def as_lines(parts: Iterable[str]) -> str:
    """The texts as lines, each with a newline."""
    return "".join(f"{part}\n" for part in parts)


def table(header: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """The lines of a table with two spaces between its columns; those in `right` (0-based) are flush right. All
    characters of the cells must be visible.
    """
    shown = []
    for at, column in enumerate(zip(header, *rows, strict=True)):
        width = max(map(columns, column))
        fills = [" " * (width - columns(cell)) for cell in column]
        sides = zip(fills, column, strict=True) if at in right else zip(column, fills, strict=True)
        shown.append([f"{first}{second}" for first, second in sides])
    return ["  ".join(row).rstrip() for row in zip(*shown, strict=True)]
