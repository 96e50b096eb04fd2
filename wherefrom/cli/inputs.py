"""Reads the snippets to look up: files and lines of them, permalinks of code hosts, URLs of Stack Exchange posts."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import wherefrom
from wherefrom.cli import console, files
from wherefrom.cli.settings import Settings
from wherefrom.errors import AnalysisError, SourceError, UnknownRepository, UsageError
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass, replace

if TYPE_CHECKING:
    from wherefrom.analyzers.analyzer import Analyzer

_URL = later(r"https?://", re.IGNORECASE)
_FRAGMENT = later(r"(.+)#L([0-9]{1,9})(?:-L?([0-9]{1,9}))?", re.DOTALL)
_LINES = later(r"(.+):([0-9]{1,9})(?:-([0-9]{1,9}))?", re.DOTALL)
"""`FILE:10-20`, as answers print a location. File names may contain colons, so this only counts if FILE exists."""
_HOST = later(r"(?:[\w-]+\.)+[a-z]{2,}/", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GivenSnippet:
    """A snippet to look up: its name in the answer, and the bytes of the whole file or block of a post (`is_block`).

    Attributes:
        sources: the URLs of the post, or of the file at a code host, that the snippet is from.
        written: the day when the post or the oldest line was written; None if it is not known.
        lines: the first and the last line to look up, 1-based and inclusive; None for all lines.
    """

    name: str
    text: bytes
    language: str | None = None
    sources: tuple[str, ...] = ()
    written: date | None = None
    lines: tuple[int, int] | None = None
    is_block: bool = False


def named(command: str, names: list[str], code: str | None) -> list[str]:
    """The names of snippets to read: those given, or else standard input if it is not a terminal; empty with `code`."""
    if code is not None:
        if names:
            raise UsageError("both files and --code are given; give one of them")
        if not code.strip():
            raise UsageError("--code is empty; give it the snippet")
        return []
    if names:
        return names
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(
            f"no snippet; usage: wherefrom {command} FILE... | wherefrom {command} - | wherefrom {command} --code TEXT"
        )
    return [files.STANDARD_INPUT]


def is_batch(names: list[str]) -> bool:
    """True if the names may give several snippets: if there are several names, or a name is a folder or a post."""
    return len(names) > 1 or any(files.is_folder(name) or (_is_url(name) and not _is_permalink(name)) for name in names)


def read_each(
    names: Iterable[str],
    given: Settings,
    index: "wherefrom.Index",
    analyzer: "Analyzer",
    *,
    code: str | None,
    problem: Callable[[str], None],
    dated: bool,
) -> Iterator[GivenSnippet]:
    """Reads the snippet of `--code`, and the named ones: files and folders, `-` for standard input, lines of a file
    (`FILE:10-20` or `FILE#L10-L20`), the code of a permalink from the index, and each code block of a post, whose
    language the analyzer recognizes. `problem` receives a one-line message for each name that cannot be read; the
    others are read. With `dated`, it finds out when the code of a permalink was written.
    """
    if code is not None:
        yield GivenSnippet("<code>", os.fsencode(code))
    for name in names:
        try:
            if _is_permalink(name):
                yield _linked(name, index, dated=dated)
            elif _is_url(name):
                yield from _blocks(name, given, analyzer)
            elif (part := _lines_of(name)) is not None:
                yield part
            else:
                yield from (GivenSnippet(*found) for found in files.read_files(name, problem))
        except (AnalysisError, SourceError, UnknownRepository, UsageError) as error:
            problem(str(error))


def read_one(name: str, index: "wherefrom.Index") -> GivenSnippet:
    """Reads one file or lines of it: a path, `-` for standard input, `FILE:10-20`, `FILE#L10-L20`, or a permalink of a
    code host.
    """
    return _linked(name, index) if _is_permalink(name) else read_plain(name)


def read_plain(name: str) -> GivenSnippet:
    """Reads one file or lines of it: a path, `-` for standard input, `FILE:10-20` or `FILE#L10-L20`."""
    return _lines_of(name) or GivenSnippet(*files.read_file(name))


def fingerprints(path: Path) -> "wherefrom.FingerprintedQuery":
    """Reads what `wherefrom fingerprint` wrote. Raises UsageError if it cannot be read."""
    from wherefrom.queries.fingerprinted import MOST_STORED  # noqa: PLC0415 -- `--help` does not wait for it

    try:
        with path.open("rb") as file:
            data = file.read(MOST_STORED + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}; name what `wherefrom fingerprint` wrote") from error
    return wherefrom.FingerprintedQuery.load(data, str(path))


def is_readable(name: str) -> bool:
    """True if `read_one` reads this name; False if it names an indexed file."""
    return name == files.STANDARD_INPUT or os.path.lexists(name) or _is_permalink(name) or _split(name) is not None


def _is_url(name: str) -> bool:
    """True for a URL, and for the URL of a post without `https://`; False if there is a file of this name."""
    if os.path.lexists(name):
        return False
    if _HOST.match(name) is None:
        return _URL.match(name) is not None
    from wherefrom.analyzers import references  # noqa: PLC0415 -- `--help` does not wait for it

    return isinstance(references.target(f"https://{name}"), references.PostLink)


def _is_permalink(name: str) -> bool:
    """True for the URL of a file at a code host; False if there is a file of this name."""
    if os.path.lexists(name) or not (_URL.match(name) or _HOST.match(name)):
        return False
    from wherefrom.sources.repository_urls import permalink  # noqa: PLC0415 -- `--help` does not wait for it

    try:
        return permalink(name) is not None
    except UsageError:
        return True  # The error is raised again when the snippet is read.


def _linked(url: str, index: "wherefrom.Index", *, dated: bool = False) -> GivenSnippet:
    found = index.linked_code(url, dated=dated)
    if not found.is_as_asked:
        console.say(f"wherefrom: {found.asked} is not in the clone of {found.name}; this is the indexed revision of it")
    return GivenSnippet(found.name, found.content, sources=found.sources, written=found.written, lines=found.lines)


def _lines_of(name: str) -> GivenSnippet | None:
    """The snippet for `FILE:10-20` or `FILE#L10-L20`; None for any other name, and if there is a file of this name."""
    split = _split(name)
    if split is None:
        return None
    from wherefrom.sources.repository_urls import line_range  # noqa: PLC0415 -- `--help` does not wait for it

    file, first, last = split
    lines = line_range(int(first), int(last or first), name)
    return replace(GivenSnippet(*files.read_file(file)), lines=lines)


def _split(name: str) -> tuple[str, str, str | None] | None:
    """Splits `FILE:10-20` or `FILE#L10-L20` into file, first and last line; None for other names (see `_lines_of`)."""
    if os.path.lexists(name):
        return None
    found = _FRAGMENT.fullmatch(name)
    if found is None:
        found = _LINES.fullmatch(name)
        if found is None or not os.path.lexists(found[1]):
            return None
    return found[1], found[2], found[3]


def _blocks(url: str, given: Settings, analyzer: "Analyzer") -> Iterator[GivenSnippet]:
    from wherefrom.analyzers import references  # noqa: PLC0415
    from wherefrom.posts.search.search import language_of  # noqa: PLC0415 -- `--help` does not wait for it
    from wherefrom.sources.repository_urls import without_credentials  # noqa: PLC0415

    if not isinstance(references.target(url if _URL.match(url) else f"https://{url}"), references.PostLink):
        raise UsageError(
            f"{without_credentials(url)[:200]!a} is neither a file at a code host nor a post of a Stack Exchange site; "
            "give a URL such as https://github.com/OWNER/REPO/blob/REV/PATH or https://stackoverflow.com/a/12345, or "
            "the code itself in a file"
        )
    for block in wherefrom.fetch_post(url, key=given.stackexchange_key, base=given.stackexchange_api):
        yield GivenSnippet(
            block.name,
            block.content,
            language_of(block, analyzer),
            (block.post.source_url,),
            block.post.created,
            is_block=True,
        )
