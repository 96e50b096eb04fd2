"""Finds folders that are copies of folders elsewhere: more than half of their files are copies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sized
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from wherefrom.analyzers.guessing import guess
from wherefrom.fitted import AGREEING
from wherefrom.languages import LANGUAGES
from wherefrom.support.chunks import by_key

if TYPE_CHECKING:
    from _typeshed import SupportsDunderLT

_Origin = TypeVar("_Origin", bound="SupportsDunderLT[Any]")
_Copies = TypeVar("_Copies", bound="Sized")


class Folder(NamedTuple):
    """A folder of a repository. The path of the root is empty."""

    repository: str
    path: str


def copied_folders(
    copies: Mapping[tuple[Folder, _Origin], _Copies],
    code: Mapping[Folder, int],
    counted: Callable[[_Copies], int] = len,
) -> Iterator[tuple[Folder, _Origin, _Copies]]:
    """The folders that are copies, each with its origin and its copied files. None of these folders is inside another.
    `copies` has the copied files for each pair of a folder and a possible origin, and `code` how many files with code
    each folder has; `counted` counts those among copied ones.
    """
    origins = by_key(copies)
    taken: set[Folder] = set()
    for folder in sorted(origins, key=lambda found: (depth(found.path), found)):
        if any((folder.repository, path) in taken for path in [*folders_above(folder.path), folder.path]):
            continue
        origin = min(origins[folder], key=lambda other: (-len(copies[folder, other]), other))
        if is_mostly_copied(counted(copies[folder, origin]), code[folder]):
            taken.add(folder)
            yield folder, origin, copies[folder, origin]


def folders_above(path: str) -> Iterator[str]:
    """The folders above a file or a folder, the root (empty) first; nothing for the root itself."""
    if path:
        yield ""
        yield from (path[:at] for at, character in enumerate(path) if character == "/")


def depth(folder: str) -> int:
    """How many levels a folder is below the root; 0 for the root."""
    return folder.count("/") + 1 if folder else 0


def facing_folders(path: str, there: str) -> Iterator[tuple[str, str]]:
    """The pairs of folders, one above each of two files, below which both files have the same path."""
    ours, theirs = path.split("/"), there.split("/")
    for size in range(1, min(len(ours), len(theirs)) + 1):
        if ours[-size] != theirs[-size]:
            return
        yield "/".join(ours[:-size]), "/".join(theirs[:-size])


def is_mostly_copied(copied: int, files: int) -> bool:
    """Whether a folder is a copy: at least `AGREEING` of its files are copies, and more than half."""
    return copied >= AGREEING and 2 * copied > files


def is_code(path: str) -> bool:
    """Whether a file is code by its name, and not only a page or its style."""
    language = LANGUAGES[guess(path, b"")]
    return bool(language.grammar) and language.name not in {"html", "css"}
