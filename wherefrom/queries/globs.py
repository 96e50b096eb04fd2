"""Globs over paths. Matching takes little time for every pattern and path."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fnmatch import translate

from wherefrom.errors import UsageError
from wherefrom.support.pattern import later

MOST_PATTERNS = 1000  # the braces of some globs may expand to at most this many patterns
_ANY_FOLDERS = later(r"\*\*+")
_NOTHING = later(r"(?!)")


class Globs:
    """Path globs. A path matches if at least one of the globs matches it.

    | in a pattern | matches |
    | --- | --- |
    | `*`, `?`, `[abc]`, `[!abc]` | any text, any character, one of these, one not of these; never a `/` |
    | `**` between slashes | any number of folders, or none |
    | `{a,b}`, `{1..9}` | either one; braces may contain slashes and braces |

    A pattern without a slash matches the file name in any folder. A pattern with a slash matches the whole path; if it
    ends with a slash or `/**`, it matches every file below that folder. Names with a leading dot are like any other.
    Case matters.

    Raises:
        UsageError: the braces expand to more than `MOST_PATTERNS` patterns.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._patterns = [_parsed(pattern) for pattern in _expanded(patterns)]

    def match(self, path: str) -> bool:
        """Whether one of the globs matches a path with `/` between its parts."""
        folders_and_name = path.split("/")
        return any(_matches(pattern, folders_and_name) for pattern in self._patterns)


_Pattern = list[re.Pattern[str] | None]  # one for each part of a path; None, never the last, is any number of folders


def _expanded(patterns: Iterable[str]) -> list[str]:
    import bracex  # noqa: PLC0415 -- most searches have no globs

    expanded: list[str] = []
    with suppress(bracex.ExpansionLimitException, RecursionError):
        for pattern in patterns:
            expanded += bracex.expand(pattern, limit=MOST_PATTERNS)
            if len(expanded) > MOST_PATTERNS:
                break
        else:
            return expanded
    raise UsageError(
        f"the braces in the path globs expand to more than {MOST_PATTERNS:,} patterns; use fewer alternatives"
    )


def _parsed(pattern: str) -> _Pattern:
    if "/" not in pattern:
        return [None, re.compile(translate(pattern))]
    parts = pattern.removeprefix("/").split("/")
    if not parts[-1] or _ANY_FOLDERS.fullmatch(parts[-1]):
        parts[-1:] = ["**", "*"]
    return [None if _ANY_FOLDERS.fullmatch(part) else re.compile(translate(part)) for part in parts]


def _matches(pattern: _Pattern, path: Sequence[str]) -> bool:
    """Whether a path matches part by part.

    If a part does not match, only the last `**` before it takes one folder more. Earlier `**` take as few folders as
    possible, which leaves most of the path for the rest of the pattern. So no part is compared more often than the
    pattern has parts. `fnmatch` treats `*` within a part in the same way.
    """
    at = folder = 0
    retry: tuple[int, int] | None = None
    while folder < len(path):
        expected = pattern[at] if at < len(pattern) else _NOTHING
        if expected is None:
            at += 1
            retry = at, folder
        elif expected.match(path[folder]):
            at, folder = at + 1, folder + 1
        elif retry is not None:
            at, folder = retry[0], retry[1] + 1
            retry = at, folder
        else:
            return False
    return at == len(pattern)
