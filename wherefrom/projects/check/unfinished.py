"""Stores the lookups of a check in a file, so that a check that was stopped goes on from there when it is run again."""

from __future__ import annotations

import hashlib
import json
import os
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from functools import cache, partial
from inspect import get_annotations
from itertools import repeat
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin

from platformdirs import user_cache_path

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.model import SkipReason
from wherefrom.projects.changes.comparison import Changed
from wherefrom.projects.check.lookup import FileLookup, LookedUpFile, Setup
from wherefrom.support.closing import Closing
from wherefrom.support.formats import Format
from wherefrom.support.system import system
from wherefrom.support.values import asdict, dataclass, is_dataclass, replace
from wherefrom.support.workers import Died
from wherefrom.support.workers.pool import Pool

FILES_PER_PROCESS = 20
"""Each process gets at least this many files, because its start takes as long as looking some files up."""

Outcome = tuple[Changed, LookedUpFile | SkipReason | None]  # a file, and the answer of `FileLookup.file`


@dataclass(frozen=True, slots=True)
class Lookups:
    """Looks a number of files up, in this process or, if an index can be opened again (`reopen`), in several others.
    `unfinished` has the lookups of an earlier run, and stores those of this one.
    """

    setup: Setup
    engine: Engine
    analyzer: Analyzer
    reopen: Callable[[], Engine] | None
    files: int
    unfinished: UnfinishedCheck

    @property
    def jobs(self) -> int:
        """The number of processes. With 1, this process does everything."""
        wanted = self.setup.options.jobs or os.cpu_count() or 1
        return 1 if self.reopen is None else max(1, min(wanted, self.files // FILES_PER_PROCESS))

    def run(self, files: Iterable[Changed]) -> Iterator[Outcome]:
        """Looks files up, as `FileLookup.file` does. Each outcome comes as soon as its lookup ends."""
        resumed: deque[Outcome] = deque()

        def others() -> Iterator[Changed]:
            for changed in files:
                if (checked := self.unfinished.found(changed)) is None:
                    yield changed
                else:
                    resumed.append((changed, checked))

        for changed, result in self._looked_up(others()):
            while resumed:
                yield resumed.popleft()
            if isinstance(result, LookedUpFile):
                self.unfinished.keep(changed, result)
            yield changed, result
        yield from resumed

    def _looked_up(self, files: Iterable[Changed]) -> Iterator[Outcome]:
        if self.jobs == 1 or self.reopen is None:
            lookup = FileLookup(self.setup, self.engine, self.analyzer)
            yield from ((changed, lookup.file(changed)) for changed in files)
            return
        # The function that shows the progress may not be picklable. Only this process calls it, so no other gets it.
        setup = replace(self.setup, options=replace(self.setup.options, progress=None))
        with Pool(_look_up, jobs=self.jobs, memory=None, initialize=partial(_open, setup, self.reopen)) as pool:
            for results in pool.map([changed] for changed in files):
                for changed, result in results:
                    yield changed, SkipReason.WORKER_DIED if isinstance(result, Died) else result


_lookups: list[FileLookup] = []
"""In a process that `Lookups` started: the lookup that it uses for all files."""


def _open(setup: Setup, reopen: Callable[[], Engine]) -> None:
    _lookups.append(FileLookup(setup, reopen(), Analyzer(setup.options.parse_memory)))


def _look_up(changed: Changed) -> LookedUpFile | SkipReason | None:
    return _lookups[0].file(changed)


FORMAT = Format(version=3, reader=3, oldest=3)  # the version of the file's format
KEPT_DAYS = 30  # the file of a check that was not continued is removed after this many days

_SUFFIX = ".lookups"


class UnfinishedCheck(Closing):
    """The lookups of a check so far, in a file in the user's cache; `resumed` counts those of an earlier run.

    The file has a line for each file of the project that was looked up, so a check that is stopped loses only the
    lookups under way. A line begins with its checksum; reading ends before the first line with a wrong checksum. If the
    file cannot be read or written, or another run is using it, the check looks everything up and stores nothing.

    Args:
        name: any text by which the next run finds the file. None: nothing is stored.
        identity: a digest of everything that a lookup depends on, except the file. Others are removed.
        folder: the folder of the file; by default `wherefrom/checks` in the user's cache folder.
    """

    def __init__(self, name: str | None, identity: str = "", folder: Path | None = None) -> None:
        folder = folder or user_cache_path("wherefrom") / "checks"
        self.resumed = 0
        self._path = folder / f"{hashlib.blake2b(os.fsencode(name or ''), digest_size=16).hexdigest()}{_SUFFIX}"
        self._lines: dict[bytes, tuple[int, int]] = {}
        self._file: int | None = None
        if name is None or not folder.is_absolute():  # a relative folder means that there is no home folder
            return
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            oldest = time.time() - KEPT_DAYS * 24 * 60 * 60
            for file in folder.glob(f"*{_SUFFIX}"):
                with suppress(OSError):
                    if file.stat().st_mtime < oldest:
                        file.unlink()
            self._open(_line(json.dumps({**FORMAT.stamp(), "identity": identity}).encode("ascii")))
        except OSError:
            self.close()

    def close(self) -> None:
        """Closes the file and leaves it to the next run."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def finish(self) -> None:
        """Removes the file, since the check is done."""
        with suppress(OSError):
            # Before it is closed, since another run may have it then. Windows removes only what is closed.
            stays = self._file is not None and not system.remove(self._path)
            self.close()
            if stays:
                system.remove(self._path)
        self.close()

    def found(self, changed: Changed) -> LookedUpFile | None:
        """The lookup of a file by an earlier run; None if there is none."""
        if self._file is None or not isinstance(changed.content, bytes) or (key := _key(changed)) not in self._lines:
            return None
        start, length = self._lines[key]
        try:
            *_, value = system.read_at(self._file, length, start).split(b" ", 2)
            checked: LookedUpFile = _decoded(LookedUpFile, json.loads(value))
        except Exception:  # if the line cannot be read, the file is looked up again
            return None
        self.resumed += 1
        return checked

    def keep(self, changed: Changed, checked: LookedUpFile) -> None:
        """Stores the lookup of a file. If that fails, nothing is stored from then on."""
        if self._file is None:
            return
        value = json.dumps(asdict(checked), default=sorted).encode("ascii")
        line = _line(_key(changed) + b" " + value)
        try:
            written = os.write(self._file, line)
        except OSError:
            written = 0
        if written < len(line):
            self.close()

    def _open(self, header: bytes) -> None:
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | system.BINARY, 0o600)
        system.lock(self._file)
        if not os.fstat(self._file).st_nlink:
            raise FileNotFoundError("another run has just finished the check")
        length = self._read(header)
        os.ftruncate(self._file, length)
        if not length:
            os.write(self._file, header)

    def _read(self, header: bytes) -> int:
        """Finds the lines of an earlier run. Returns the length of header and intact lines; 0 if the header differs."""
        assert self._file is not None, "it was opened"
        length = 0
        with os.fdopen(os.dup(self._file), "rb") as lines:
            for line in lines:
                _, _, body = line.rstrip(b"\n").partition(b" ")
                if line != (_line(body) if length else header):
                    break
                if length:
                    self._lines[body.partition(b" ")[0]] = length, len(line) - 1
                length += len(line)
        return length


def _key(changed: Changed) -> bytes:
    assert isinstance(changed.content, bytes), "skipped files are not looked up"
    what = json.dumps([changed.path, changed.added, changed.is_whole])
    digest = hashlib.blake2b(what.encode("ascii"), digest_size=20)
    digest.update(b"\n" + changed.content)
    return digest.hexdigest().encode("ascii")


def _line(body: bytes) -> bytes:
    return b"%08x %b\n" % (zlib.crc32(body), body)


_types = cache(partial(get_annotations, eval_str=True))  # the types of the fields of a dataclass, by name


def _decoded(kind: Any, value: Any) -> Any:
    """Makes a value of a type from its `dataclasses.asdict` as JSON. A wrong shape may raise any exception."""
    if isinstance(kind, type) and is_dataclass(kind):
        types: dict[str, Any] = _types(kind)
        if types.keys() != value.keys():
            raise TypeError("a field is missing, or not known")
        return kind(**{name: _decoded(types[name], part) for name, part in value.items()})
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is UnionType:  # every union here is a type or None
        return None if value is None else _decoded(arguments[0], value)
    if origin is Mapping:
        return {int(key): _decoded(arguments[1], part) for key, part in value.items()}
    if origin in {frozenset, tuple, Sequence}:
        kinds = repeat(arguments[0]) if arguments[-1] in {Ellipsis, arguments[0]} else arguments
        return (frozenset if origin is frozenset else tuple)(map(_decoded, kinds, value))
    if issubclass(kind, Enum):
        return kind(value)
    if type(value) is not kind:
        raise TypeError(f"{value!r} is not a value of {kind}")
    return value
