"""What is to be looked up: files and lines of them, permalinks of code hosts, posts of Stack Exchange by their URLs."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

import wherefrom
from wherefrom.cli import console, files
from wherefrom.cli.settings import Settings
from wherefrom.errors import AnalysisError, SourceError, UnknownRepository, UsageError

if TYPE_CHECKING:
    from wherefrom.analyzers.analyzer import Analyzer

_URL = re.compile(r"https?://", re.IGNORECASE)
_FRAGMENT = re.compile(r"(.+)#L([0-9]{1,9})(?:-L?([0-9]{1,9}))?", re.DOTALL)
_LINES = re.compile(r"(.+):([0-9]{1,9})(?:-([0-9]{1,9}))?", re.DOTALL)
"""As answers print a location; anything may follow a colon, so it is read so only behind a file that is there."""
_HOST = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}/", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Snippet:
    """A snippet and what is known of it.

    Attributes:
        name: what the answer calls it.
        text: all its bytes.
        language: else guessed.
        sources: URLs of where it is from, if it is from a post or a code host.
        written: the day on which that was written, or its oldest line.
        lines: which of its lines are meant: first and last, from 1, inclusive; None for all.
        is_block: it is one of the blocks of a post.
    """

    name: str
    text: bytes
    language: str | None = None
    sources: tuple[str, ...] = ()
    written: date | None = None
    lines: tuple[int, int] | None = None
    is_block: bool = False


def is_batch(names: list[str]) -> bool:
    """Whether these names are those of several snippets, or may be."""
    return files.is_batch(names) or any(_is_url(name) and not _is_permalink(name) for name in names)


def read_each(
    names: Iterable[str],
    given: Settings,
    index: "wherefrom.Index",
    analyzer: "Analyzer",
    problem: Callable[[str], None],
    *,
    dated: bool,
) -> Iterator[Snippet]:
    """The snippets that are named: those of files (`files.read_each`), lines of a file (`FILE:10-20` or
    `FILE#L10-L20`), the code that a permalink names, and each block of code of a post.

    Args:
        names: paths, `-` for standard input, URLs of files at code hosts and of posts.
        given: how the API is asked.
        index: which permalinks are read from.
        analyzer: what parses the blocks of posts, to tell their language.
        problem: told in one line what could not be read; the others are read all the same.
        dated: find out on which day the code of a permalink was written.
    """
    for name in names:
        try:
            if _is_permalink(name):
                yield _linked(name, index, dated=dated)
            elif _is_url(name):
                yield from _blocks(name, given, analyzer)
            elif (part := _lines_of(name)) is not None:
                yield part
            else:
                yield from (Snippet(*each) for each in files.read_each([name], problem))
        except (AnalysisError, SourceError, UnknownRepository, UsageError) as error:
            problem(str(error))


def read_one(name: str, index: "wherefrom.Index") -> Snippet:
    """The one file, or the lines of it, that is named: a path, `-` for standard input, `FILE:10-20`, `FILE#L10-L20`,
    or a permalink of a code host.
    """
    if _is_permalink(name):
        return _linked(name, index)
    return _lines_of(name) or Snippet(*files.read_file(name))


def is_readable(name: str) -> bool:
    """Whether a name is one that `read_one` reads, and not for an indexed file."""
    return name == files.STANDARD_INPUT or os.path.lexists(name) or _is_permalink(name) or _split(name) is not None


def _is_url(name: str) -> bool:
    """Whether it is a URL, or a post's without `https://`; what lies in the folder by such a name is a file."""
    if os.path.lexists(name):
        return False
    if _HOST.match(name) is None:
        return _URL.match(name) is not None
    from wherefrom.analyzers import references  # noqa: PLC0415 -- `--help` is not to wait for it

    return isinstance(references.target(f"https://{name}"), references.Post)


def _is_permalink(name: str) -> bool:
    """Whether it is the URL of a file at a code host; what lies in the folder by such a name is a file."""
    if os.path.lexists(name) or not (_URL.match(name) or _HOST.match(name)):
        return False
    from wherefrom.sources.permalinks import permalink  # noqa: PLC0415 -- `--help` is not to wait for it

    try:
        return permalink(name) is not None
    except UsageError:
        return True  # reading it says what is wrong


def _linked(url: str, index: "wherefrom.Index", *, dated: bool = False) -> Snippet:
    found = index.linked_code(url, dated=dated)
    if not found.is_as_asked:
        console.say(f"wherefrom: {found.asked} is not in the clone of {found.name}; this is the indexed revision of it")
    return Snippet(found.name, found.content, sources=found.sources, written=found.written, lines=found.lines)


def _lines_of(name: str) -> Snippet | None:
    """The lines of a file that `FILE:10-20` or `FILE#L10-L20` names; a file whose own name is that is read whole."""
    split = _split(name)
    if split is None:
        return None
    from wherefrom.sources.permalinks import line_range  # noqa: PLC0415 -- `--help` is not to wait for it

    file, first, last = split
    lines = line_range(first, last, name)
    return replace(Snippet(*files.read_file(file)), lines=lines)


def _split(name: str) -> tuple[str, str, str | None] | None:
    """File, first and last line of `FILE:10-20` or `FILE#L10-L20`; None for any other name, and where it is a file."""
    if os.path.lexists(name):
        return None
    found = _FRAGMENT.fullmatch(name)
    if found is None:
        found = _LINES.fullmatch(name)
        if found is None or not os.path.lexists(found[1]):
            return None
    return found[1], found[2], found[3]


def _blocks(url: str, given: Settings, analyzer: "Analyzer") -> Iterator[Snippet]:
    from wherefrom.analyzers import references  # noqa: PLC0415 -- likewise
    from wherefrom.posts.search.reading import language_of  # noqa: PLC0415 -- `--help` is not to wait for it
    from wherefrom.sources.repository_urls import without_credentials  # noqa: PLC0415 -- likewise

    if not isinstance(references.target(url if _URL.match(url) else f"https://{url}"), references.Post):
        raise UsageError(
            f"{without_credentials(url)[:200]!a} is neither a file at a code host nor a post of a Stack Exchange site; "
            "give a URL such as https://github.com/OWNER/REPO/blob/REV/PATH or https://stackoverflow.com/a/12345, or "
            "the code itself in a file"
        )
    for block in wherefrom.fetch_post(url, key=given.stackexchange_key, base=given.stackexchange_api):
        yield Snippet(
            block.name,
            block.content,
            language_of(block, analyzer),
            (block.post.source_url,),
            block.post.created,
            is_block=True,
        )
