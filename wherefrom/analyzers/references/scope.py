"""Files that speak for more than themselves: licenses, notices, READMEs, lists of authors."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from wherefrom.analyzers.guessing import guess
from wherefrom.languages import LANGUAGES

MOST_NOTICES = 200
"""Files that speak for others, of one repository: some hold thousands of third parties."""

_LICENSE_NAME = re.compile(
    r"(?:(?:un|(?:mit|bsd|apache|[al]?gpl|mpl|epl|isc|zlib|ofl)[-_.0-9]{1,8})?licen[cs]es?|copying)(?![a-z])",
    re.IGNORECASE,
)
_NOTICE_NAME = re.compile(
    r"(?:copyright|notices?|attributions?|credits|acknowledge?ments|third[-_.]?party(?:[-_.]?(?:licen[cs]es?|notices?))?)"
    r"(?![a-z])",
    re.IGNORECASE,
)
_OTHER_NAME = re.compile(r"(?:readme|authors?|contributors)(?![a-z])", re.IGNORECASE)


@lru_cache(maxsize=16_384)  # the notices of a repository are held against one of its files after the other
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
    names = (_LICENSE_NAME, _NOTICE_NAME, _OTHER_NAME)
    return folder if is_prose and any(pattern.match(name) for pattern in names) else None


def governs(speaker: str, path: str) -> bool:
    """Whether a file speaks for another one: it speaks for a folder that holds it.

    Args:
        speaker: path of the file that may speak for others.
        path: of the other one, in the same repository.
    """
    folder = scope(speaker)
    return folder is not None and speaker != path and (not folder or path.startswith(f"{folder}/"))


def is_license_file(path: str) -> bool:
    """Whether a file that speaks for others is there to state a license, such as `LICENSE` and `COPYING`."""
    folder, _, name = path.rpartition("/")
    in_folder = folder.rpartition("/")[2] == "LICENSES"
    return scope(path) is not None and (in_folder or _LICENSE_NAME.match(name) is not None)


def is_notice(path: str) -> bool:
    """Whether a file that speaks for others is a license file, or one that credits others (`NOTICE`, `THIRD-PARTY`).

    A README describes its project, and a list of authors or contributors says who wrote it: a name or a link in these
    credits no code.
    """
    name = path.rpartition("/")[2]
    return is_license_file(path) or (scope(path) is not None and _NOTICE_NAME.match(name) is not None)


def notices(paths: Iterable[str]) -> list[str]:
    """The files among these that speak for others, those nearest to the root first, at most `MOST_NOTICES`. Where there
    are more, READMEs and lists of authors are left out before licenses and notices.
    """
    found = sorted((path for path in paths if scope(path) is not None), key=_by_depth)
    kept = sorted(found, key=lambda path: not is_notice(path))[:MOST_NOTICES]
    return sorted(kept, key=_by_depth)


def _by_depth(path: str) -> tuple[int, str]:
    return path.count("/"), path
