"""Files that the user names: snippets to look up, texts to leave out, lists of sources."""

import codecs
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from wherefrom.errors import NotFound, SourceError, UsageError, WherefromError
from wherefrom.support.writing import replaced, write_whole

if TYPE_CHECKING:
    from wherefrom.sources.listed import ListedSource

STANDARD_INPUT = "-"


def display_name(path: str) -> str:
    """A path as text: as it is, percent-encoded where it is not UTF-8."""
    raw = os.fsencode(path)
    try:
        return raw.decode()
    except UnicodeDecodeError:
        from wherefrom.sources.source import path_text  # noqa: PLC0415 -- rarely needed, and `--help` is not to wait for it

        return path_text(raw)


def is_batch(names: list[str]) -> bool:
    """Whether these names give several snippets, or may: more than one, or a folder."""
    return len(names) > 1 or any(name != STANDARD_INPUT and Path(name).is_dir() for name in names)


def read_each(names: Iterable[str], problem: Callable[[str], None]) -> Iterator[tuple[str, bytes]]:
    """The (name, content) of each file; a folder means the regular files in it, at any depth, by path.

    Args:
        names: paths, and `-` for standard input.
        problem: told in one line what could not be read; the others are read all the same.
    """
    for name in names:
        try:
            paths = [name] if name == STANDARD_INPUT or not Path(name).is_dir() else _files_in(name)
        except SourceError as error:
            problem(str(error))
            continue
        for path in paths:
            try:
                yield _read(path)
            except SourceError as error:
                problem(str(error))


def diff_on_standard_input(command: str) -> bytes:
    """The diff that is piped to a command; `UsageError` if there is none."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(f"no diff on standard input; usage: git diff | wherefrom {command} --diff -")
    return sys.stdin.buffer.read()


def texts_and_corpora(names: Iterable[str]) -> tuple[list[tuple[str, bytes]], list[str]]:
    """The (name, content) of each file among the names, and the names that give many: folders, archives, URLs.

    Raises:
        SourceError: a file cannot be read.
    """
    # `--help` is not to wait for them.
    from wherefrom.sources.archive import is_archive  # noqa: PLC0415
    from wherefrom.sources.repository_urls import is_url  # noqa: PLC0415

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
    """The (name, content) of one file, `-` for standard input.

    Raises:
        SourceError: it cannot be read, or is a folder.
    """
    if name != STANDARD_INPUT and Path(name).is_dir():
        raise SourceError(f"{display_name(name)} is a folder; name one file")
    return _read(name)


def check_writable(name: str) -> None:
    """Refuses a file that cannot be written, before there is work that would be lost."""
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
    """Writes a file whole or not at all."""
    try:
        write_whole(Path(name), data)
    except OSError as error:
        raise WherefromError(f"cannot write {display_name(name)}: {error.strerror}; name another file") from error


def source_list(name: str) -> "list[ListedSource]":
    """The sources that a file lists; `wherefrom.sources.listed.read_list` has the forms and the errors."""
    from wherefrom.sources.listed import read_list  # noqa: PLC0415 -- `--help` is not to wait for it

    return read_list(io.StringIO(os.fsdecode(_read(name)[1])))


def check_standard_input(names: Iterable[str]) -> None:
    """Refuses a command that would read standard input twice."""
    if list(names).count(STANDARD_INPUT) > 1:
        raise UsageError("standard input can be read once only; give `-` once")


def _files_in(folder: str) -> list[str]:
    def refuse(error: OSError) -> None:
        raise _unreadable(error.filename or folder, error) from error

    found = sorted(
        str(path)
        for parent, _, names in os.walk(folder, onerror=refuse)
        for path in (Path(parent, name) for name in names)
        if path.is_file() and not path.is_symlink()
    )
    if not found:
        raise NotFound(f"{display_name(folder)} holds no files; name another folder or a file")
    return found


def _read(name: str) -> tuple[str, bytes]:
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise SourceError("standard input is closed; name a file")
        return "<stdin>", _from_utf32(sys.stdin.buffer.read())
    try:
        return display_name(name), _from_utf32(Path(name).read_bytes())
    except OSError as error:
        raise _unreadable(name, error) from error


def _from_utf32(content: bytes) -> bytes:
    """The content, as UTF-8 where it is UTF-32 with a byte order mark: the analysis knows UTF-8, UTF-16 and Latin-1."""
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
