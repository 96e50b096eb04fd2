"""URLs of files, and of lines in them, at code hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from wherefrom.errors import UsageError
from wherefrom.sources.repository_urls import normalised, without_credentials
from wherefrom.support.hosts import HOSTS, lines_of, place

LONGEST = 4096
"""Characters of the longest URL that is looked at."""

MOST_STEPS = 16
"""Parts of the longest name of a branch that is looked for."""

_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_BARE = re.compile(rf"(?:www\.)?(?:{'|'.join(map(re.escape, HOSTS))})/", re.IGNORECASE)
_REVISION = re.compile(r"(?!-)(?!.*(?:\.\.|@\{|//))[^\s\x00-\x20\x7f~^:?*\[\\]+")


@dataclass(frozen=True, slots=True)
class Permalink:
    """The URL of a file at a code host.

    Attributes:
        url: with its scheme, without credentials, query and fragment.
        repository: the key of the repository, as `normalised` gives it for its remote.
        steps: the parts of the revision and of the path behind it, decoded. A branch may have slashes in its name, so
            nothing in the URL says where the path begins.
        lines: first and last line, from 1, inclusive; None where it names none.
    """

    url: str
    repository: str
    steps: tuple[str, ...]
    lines: tuple[int, int] | None

    def readings(self) -> Iterator[tuple[str, str]]:
        """The (revision, path) that it may name, those with the shortest revision first."""
        for at in range(1, min(len(self.steps), MOST_STEPS + 1)):
            revision = "/".join(self.steps[:at])
            if _REVISION.fullmatch(revision):
                yield revision, "/".join(self.steps[at:])


def permalink(url: str) -> Permalink | None:
    """What the URL of a file at a code host names, as a browser shows it, at a host of
    `wherefrom.support.hosts` or one with the software of one of them; None for any other text.

    Args:
        url: with or without `https://` for the public hosts.

    Raises:
        UsageError: it is such a URL, but for lines or a path that cannot be.
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
        _lines(parts.fragment, url),
    )


def line_range(first: str, last: str | None, name: str) -> tuple[int, int]:
    """The lines that a fragment names.

    Args:
        first: the number of the first line.
        last: that of the last one; None for one line.
        name: what the message quotes.

    Raises:
        UsageError: they are no lines: counted from 0, or in the wrong order.
    """
    begin, end = int(first), int(last or first)
    if not 1 <= begin <= end:
        raise UsageError(f"{name[:200]!r} names no lines; name them as #L10 or #L10-L20, from 1")
    return begin, end


def _decoded(steps: Sequence[str], url: str) -> list[str]:
    """The parts as they are named in a repository; an encoded slash parts them as well."""
    decoded = "/".join(unquote(step, errors="surrogateescape") for step in steps).split("/")
    if len(decoded) < 2 or any(step in ("", ".", "..") or "\0" in step for step in decoded):
        raise UsageError(f"{url[:200]!r} names no file; give a URL such as https://github.com/OWNER/REPO/blob/REV/PATH")
    return decoded


def _lines(fragment: str, url: str) -> tuple[int, int] | None:
    found = lines_of(fragment)
    return line_range(str(found[0]), str(found[1]), url) if found else None
