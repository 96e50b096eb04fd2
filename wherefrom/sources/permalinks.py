"""URLs of files, and of lines in them, at code hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote, urlsplit

from wherefrom.errors import UsageError
from wherefrom.sources.repository_urls import normalised, without_credentials
from wherefrom.support.hosts import HOSTS, lines_of, place
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass

LONGEST = 4096
"""Limit on the characters of a URL that `permalink` reads."""

MOST_STEPS = 16
"""Limit on the parts of a branch name that `readings` tries."""

_SCHEME = later(r"https?://", re.IGNORECASE)
_BARE = later(rf"(?:www\.)?(?:{'|'.join(map(re.escape, HOSTS))})/", re.IGNORECASE)
_REVISION = later(r"(?!-)(?!.*(?:\.\.|@\{|//))[^\s\x00-\x20\x7f~^:?*\[\\]+")


@dataclass(frozen=True, slots=True)
class Permalink:
    """The URL of a file at a code host.

    Attributes:
        url: with its scheme, without credentials, query and fragment.
        repository: the key of the repository, as `normalised` gives it for its remote.
        steps: the parts of the revision and then of the path, decoded. The URL does not say where the path begins,
            since the name of a branch may contain slashes.
        lines: first and last line, 1-based and inclusive; None if the URL names no lines.
    """

    url: str
    repository: str
    steps: tuple[str, ...]
    lines: tuple[int, int] | None

    def readings(self) -> Iterator[tuple[str, str]]:
        """Every (revision, path) that the URL may name, the shortest revision first."""
        for at in range(1, min(len(self.steps), MOST_STEPS + 1)):
            revision = "/".join(self.steps[:at])
            if _REVISION.fullmatch(revision):
                yield revision, "/".join(self.steps[at:])


def permalink(url: str) -> Permalink | None:
    """Reads the URL of a file at a code host: one of `wherefrom.support.hosts`, or a host that runs the software of one
    of them. Returns None for any other text. Raises UsageError if `url` is the URL of a file, but its lines or its path
    are impossible. The known hosts do not need `https://`.
    """
    if len(url) > LONGEST or not url.isprintable():
        return None
    if _SCHEME.match(url) is None:
        if _BARE.match(url) is None:
            return None
        url = f"https://{url}"
    url = without_credentials(url)
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return None
    steps = [step for step in parts.path.split("/") if step]
    found = place((parts.hostname or "").removeprefix("www."), steps)
    if found is None or ":" in found.repository:
        return None
    repository = normalised(f"https://{found.host}{port}/{found.repository}")
    if repository is None:
        return None
    return Permalink(
        parts._replace(fragment="", query="").geturl(),
        repository,
        tuple(_decoded(found.steps, url)),
        line_range(*lines, url) if (lines := lines_of(parts.fragment)) else None,
    )


def line_range(first: int, last: int, name: str) -> tuple[int, int]:
    """Checks that these can be the first and the last line of a range. Raises UsageError if the first line is below 1
    or after the last. The message quotes `name`.
    """
    if not 1 <= first <= last:
        raise UsageError(f"{name[:200]!r} names no lines; name them as #L10 or #L10-L20, from 1")
    return first, last


def _decoded(steps: Sequence[str], url: str) -> list[str]:
    """The parts of the revision and the path, decoded. An encoded slash separates parts too."""
    decoded = "/".join(unquote(step, errors="surrogateescape") for step in steps).split("/")
    if len(decoded) < 2 or any(step in ("", ".", "..") or "\0" in step for step in decoded):
        raise UsageError(f"{url[:200]!r} names no file; give a URL such as https://github.com/OWNER/REPO/blob/REV/PATH")
    return decoded
