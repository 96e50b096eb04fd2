"""Files that speak for more than themselves: licenses, notices, READMEs, lists of authors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wherefrom.analyzers.guessing import guess
from wherefrom.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_NOTICES = 200
"""Files that speak for others, of one repository: some hold thousands of third parties."""

_NAME = re.compile(
    r"(?:(?:un)?licen[cs]es?|copying|copyright|notices?|readme|attributions?|authors?|credits|contributors"
    r"|acknowledge?ments|third[-_.]?party(?:[-_.]?(?:licen[cs]es?|notices?))?)(?![a-z])",
    re.IGNORECASE,
)


def scope(path: str) -> str | None:
    """The folder for all of which a file speaks, empty for the whole repository.

    Args:
        path: relative to the repository's root, with `/` between its parts.

    Returns:
        None for a file that speaks for itself alone. A file in the folder `LICENSES` (as REUSE has it) speaks for the
        folder above.
    """
    folder, _, name = path.rpartition("/")
    above, _, last = folder.rpartition("/")
    if last == "LICENSES":
        return above
    is_prose = not LANGUAGES[guess(name, b"")].grammar
    return folder if is_prose and _NAME.match(name) else None


def notices(paths: Iterable[str]) -> list[str]:
    """The files among these that speak for others, those nearest to the root first, at most `MOST_NOTICES`."""
    found = sorted((path for path in paths if scope(path) is not None), key=lambda path: (path.count("/"), path))
    return found[:MOST_NOTICES]
