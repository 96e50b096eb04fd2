"""What `wherefrom search` is to look up: files, and posts of Stack Exchange by their URLs."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import wherefrom
from wherefrom.cli import files
from wherefrom.errors import AnalysisError, SourceError, UsageError
from wherefrom.settings import Settings

if TYPE_CHECKING:
    from wherefrom.workers.analyzer import Analyzer

_URL = re.compile(r"https?://", re.IGNORECASE)
_HOST = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}/", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Snippet:
    """A snippet and what is known of it.

    Attributes:
        name: what the answer calls it.
        text: all its bytes.
        language: else guessed.
        sources: URLs of where it is from, if it is from a post.
        written: the day of that.
    """

    name: str
    text: bytes
    language: str | None = None
    sources: tuple[str, ...] = ()
    written: date | None = None


def is_batch(names: list[str]) -> bool:
    """Whether these names stand for several snippets, or may."""
    return files.is_batch(names) or any(map(_is_url, names))


def read_each(
    names: Iterable[str], given: Settings, analyzer: "Analyzer", problem: Callable[[str], None]
) -> Iterator[Snippet]:
    """The snippets that names stand for: those of files (`files.read_each`), and each block of code of a post.

    Args:
        names: paths, `-` for standard input, URLs of posts.
        given: how the API is asked.
        analyzer: what parses the blocks of posts, to tell their language.
        problem: told in one line what could not be read; the others are read all the same.
    """
    for name in names:
        if not _is_url(name):
            yield from (Snippet(*each) for each in files.read_each([name], problem))
            continue
        try:
            yield from _blocks(name, given, analyzer)
        except (AnalysisError, SourceError, UsageError) as error:
            problem(str(error))


def _is_url(name: str) -> bool:
    """Whether it is a URL, or a post's without `https://`; what lies in the folder by such a name is a file."""
    if os.path.lexists(name):
        return False
    if _HOST.match(name) is None:
        return _URL.match(name) is not None
    from wherefrom.analyzers import references  # noqa: PLC0415 -- `--help` is not to wait for it

    return isinstance(references.target(f"https://{name}"), references.Post)


def _blocks(url: str, given: Settings, analyzer: "Analyzer") -> Iterator[Snippet]:
    from wherefrom import post_search  # noqa: PLC0415 -- `--help` is not to wait for it

    for block in wherefrom.fetch_post(url, key=given.stackexchange_key, base=given.stackexchange_api):
        yield Snippet(
            block.name,
            block.content,
            post_search.language_of(block, analyzer),
            (block.post.source_url,),
            block.post.created,
        )
