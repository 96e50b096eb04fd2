"""Recognizes files that speak for others, as a license does for its folder: licenses, notices, READMEs, authors."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from wherefrom.analyzers.guessing import guess
from wherefrom.languages import LANGUAGES
from wherefrom.support.pattern import later

MOST_NOTICES = 200
"""At most this many files of a repository speak for others. Some repositories contain code of thousands of projects."""

_LICENSE_NAME = later(
    r"(?:(?:un|(?:mit|bsd|apache|[al]?gpl|mpl|epl|isc|zlib|ofl)[-_.0-9]{1,8})?licen[cs]es?|copying)(?![a-z])",
    re.IGNORECASE,
)
_NOTICE_NAME = later(
    r"(?:copyright|notices?|attributions?|credits|acknowledge?ments|third[-_.]?party(?:[-_.]?(?:licen[cs]es?|notices?))?)"
    r"(?![a-z])",
    re.IGNORECASE,
)
_OTHER_NAME = later(r"(?:readme|authors?|contributors)(?![a-z])", re.IGNORECASE)


@lru_cache(maxsize=16_384)  # the notices of a repository are compared with each of its files
def scope(path: str) -> str | None:
    """The folder whose files a file speaks for: empty for the whole repository, None for a file that speaks only for
    itself. For a file in a folder `LICENSES` (of REUSE), the folder above.
    """
    folder, _, name = path.rpartition("/")
    above, _, last = folder.rpartition("/")
    if last == "LICENSES":
        return above
    is_prose = not LANGUAGES[guess(name, b"")].grammar
    names = (_LICENSE_NAME, _NOTICE_NAME, _OTHER_NAME)
    return folder if is_prose and any(pattern.match(name) for pattern in names) else None


def governs(speaker: str, path: str) -> bool:
    """Whether the file `speaker` speaks for the file `path`, since it speaks for a folder that contains `path`."""
    folder = scope(speaker)
    return folder is not None and speaker != path and (not folder or path.startswith(f"{folder}/"))


def is_license_file(path: str) -> bool:
    """Whether a file states a license for others, as `LICENSE` and `COPYING` do."""
    folder, _, name = path.rpartition("/")
    in_folder = folder.rpartition("/")[2] == "LICENSES"
    return scope(path) is not None and (in_folder or _LICENSE_NAME.match(name) is not None)


def is_notice(path: str) -> bool:
    """Whether a file is a license file for others, or credits code of others (`NOTICE`, `THIRD-PARTY`).

    READMEs and lists of authors are not notices: a name or link in them is not a credit for code.
    """
    name = path.rpartition("/")[2]
    return is_license_file(path) or (scope(path) is not None and _NOTICE_NAME.match(name) is not None)


def notices(paths: Iterable[str]) -> list[str]:
    """The files that speak for others, those nearest to the root first, at most `MOST_NOTICES`. If there are more,
    READMEs and lists of authors are dropped before licenses and notices.
    """
    found = sorted((path for path in paths if scope(path) is not None), key=_by_depth)
    kept = sorted(found, key=lambda path: not is_notice(path))[:MOST_NOTICES]
    return sorted(kept, key=_by_depth)


def _by_depth(path: str) -> tuple[int, str]:
    return path.count("/"), path
