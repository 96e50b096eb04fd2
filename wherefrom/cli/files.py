"""Files that the user names: snippets to look up, texts to leave out, lists of sources."""

import codecs
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from wherefrom.cli import console
from wherefrom.errors import NotFound, SourceError, UsageError, WherefromError
from wherefrom.reports.layout import listed
from wherefrom.support.paths import path_text
from wherefrom.support.writing import replaced, write_whole

if TYPE_CHECKING:
    from wherefrom.public import ListedSource

STANDARD_INPUT = "-"

LONGEST_LIST = 100_000_000  # limit on the bytes of a list of sources, a lock file or an SBOM

_OF_PROJECTS = (".lock", ".json", ".yaml", ".yml", ".toml", ".xml", ".spdx", ".rdf", ".mod")
"""Endings of the files of projects. Such a file is never taken for a list, which may name paths."""


def display_name(path: str) -> str:
    """The text of a path for messages and answers; percent-encoded if the path is not UTF-8."""
    return path_text(os.fsencode(path))


def is_folder(name: str) -> bool:
    """True if a name is the path of a folder; False for a file and for standard input."""
    return name != STANDARD_INPUT and Path(name).is_dir()


def read_files(name: str, problem: Callable[[str], None]) -> Iterator[tuple[str, bytes]]:
    """The (name, content) of a file (`-` for standard input), or of all regular files in a folder, by path. `problem`
    receives a one-line message for each file of a folder that cannot be read; the others are read. Raises SourceError
    if the file or folder cannot be read.
    """
    if not is_folder(name):
        yield _read(name)
        return
    for path in _files_in(name):
        try:
            yield _read(path)
        except SourceError as error:
            problem(str(error))


def diff_on_standard_input(command: str) -> bytes:
    """Reads a diff from standard input; `UsageError` if that is a terminal or closed."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(f"no diff on standard input; usage: git diff | wherefrom {command} --diff -")
    return sys.stdin.buffer.read()


def texts_and_corpora(names: Iterable[str]) -> tuple[list[tuple[str, bytes]], list[str]]:
    """Separates single files, returned as (name, content), from corpora: folders, archives and URLs. Raises SourceError
    if a file cannot be read.
    """
    # Imported here so that `--help` does not wait for them.
    from wherefrom.extend import is_archive, is_url  # noqa: PLC0415 -- `--help` does not wait for it

    texts, corpora = [], []
    for name in names:
        path = Path(name)
        if name != STANDARD_INPUT and (
            path.is_dir() or (path.is_file() and is_archive(path)) or (is_url(name) and not os.path.lexists(name))
        ):
            corpora.append(name)
        else:
            texts.append(_read(name))
    return texts, corpora


def read_file(name: str) -> tuple[str, bytes]:
    """The (name, content) of one file, `-` for standard input. Raises SourceError for a folder or unreadable file."""
    if is_folder(name):
        raise SourceError(f"{display_name(name)} is a folder; name one file")
    return _read(name)


def check_writable(name: str) -> None:
    """Raises `UsageError` if a file cannot be written. Call it before long work whose result would be lost."""
    path = Path(name)
    if path.is_dir():
        raise UsageError(f"{display_name(name)} is a folder; name a file")
    try:
        target = replaced(path)
    except OSError as error:
        raise UsageError(f"cannot write {display_name(name)}: {error.strerror}; name another file") from None
    if target is None:
        if not os.access(path, os.W_OK):
            raise UsageError(f"{display_name(name)} cannot be written; check its permissions, or name another file")
    elif not target.parent.is_dir() or not os.access(target.parent, os.W_OK):
        folder = display_name(str(target.parent))
        raise UsageError(f"no file can be made in {folder}; check the path and its permissions")


def write(name: str, data: bytes) -> None:
    """Writes a file. If that fails, an existing file stays as it was."""
    try:
        write_whole(Path(name), data)
    except OSError as error:
        raise WherefromError(f"cannot write {display_name(name)}: {error.strerror}; name another file") from error


def source_list(name: str) -> "list[ListedSource]":
    """Reads a list of sources, as `wherefrom.sources.listed.read_list` does, or a lock file or an SBOM. Warns of what
    these name and cannot be indexed.
    """
    from wherefrom.extend import read_list, read_lock  # noqa: PLC0415 -- `--help` does not wait for it

    text = os.fsdecode(_read(name, LONGEST_LIST)[1])
    locked = read_lock(name, text)
    if locked is None:
        if Path(name).suffix in _OF_PROJECTS:
            raise UsageError(
                f"{display_name(name)} is not a lock file or SBOM that wherefrom reads; name a list LIST.txt"
            )
        return read_list(io.StringIO(text))
    if locked.left_out:
        shown = listed(locked.left_out, 10, " and {} more")
        console.warn(f"{display_name(name)} also names what cannot be indexed: {shown}")
    return locked.sources


def check_standard_input(names: Iterable[str]) -> None:
    """Raises `UsageError` if a command would read standard input twice."""
    if list(names).count(STANDARD_INPUT) > 1:
        raise UsageError("standard input can be read once only; give `-` once")


def _files_in(folder: str) -> list[str]:
    def refuse(error: OSError) -> None:
        raise _unreadable(error.filename or folder, error) from error

    paths = [Path(parent, name) for parent, _, names in os.walk(folder, onerror=refuse) for name in names]
    found = sorted(str(path) for path in paths if path.is_file() and not path.is_symlink())
    if not found:
        raise NotFound(f"{display_name(folder)} holds no files; name another folder or a file")
    return found


def _read(name: str, most: int = -2) -> tuple[str, bytes]:
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise SourceError("standard input is closed; name a file")
        shown, content = "<stdin>", sys.stdin.buffer.read(most + 1)
    else:
        try:
            with Path(name).open("rb") as file:
                shown, content = display_name(name), file.read(most + 1)
        except OSError as error:
            raise _unreadable(name, error) from error
    if 0 <= most < len(content):
        raise UsageError(f"{shown} has more than {most:,} bytes; give a smaller file")
    return shown, _from_utf32(content)


def _from_utf32(content: bytes) -> bytes:
    """Converts UTF-32 with a byte order mark to UTF-8: the analysis knows only UTF-8, UTF-16 and Latin-1."""
    if not content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return content
    try:
        return content.decode("utf-32").encode()
    except UnicodeError:
        return content


def _unreadable(name: str, error: OSError) -> SourceError:
    if isinstance(error, FileNotFoundError):
        return NotFound(f"{display_name(name)} is not there; check the path")
    return SourceError(f"cannot read {display_name(name)}: {error.strerror}; check the path and its permissions")
