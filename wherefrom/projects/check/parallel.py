"""Runs the lookups of a check, in this process or in several others; an earlier run may have done some of them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.model import SkipReason
from wherefrom.projects.changes.comparison import Changed
from wherefrom.projects.check.lookup import FileLookup, LookedUpFile, Setup
from wherefrom.projects.check.unfinished import UnfinishedCheck
from wherefrom.support.workers.pool import Died, Pool

FILES_PER_PROCESS = 20
"""Each process gets at least this many files, because its start takes as long as looking some files up."""

Outcome = tuple[Changed, LookedUpFile | SkipReason | None]
"""A file, and the answer of `FileLookup.file`."""


@dataclass(frozen=True, slots=True)
class Lookups:
    """Looks files up.

    Attributes:
        setup: what is the same for all files.
        engine: the index.
        analyzer: analyzes the files in this process.
        reopen: opens the index in another process; None if it cannot be opened again.
        files: the number of files.
        unfinished: has the lookups of an earlier run, and stores those of this run.
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
        for changed, result in self._looked_up(self._others(files, resumed)):
            while resumed:
                yield resumed.popleft()
            if isinstance(result, LookedUpFile):
                self.unfinished.keep(changed, result)
            yield changed, result
        yield from resumed

    def _others(self, files: Iterable[Changed], resumed: deque[Outcome]) -> Iterator[Changed]:
        """The files that an earlier run has not looked up. The lookups that it has done are added to `resumed`."""
        for changed in files:
            checked = self.unfinished.found(changed)
            if checked is None:
                yield changed
            else:
                resumed.append((changed, checked))

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
    """Prepares a new process: it opens the index, and the analyzer starts a process for parsing."""
    _lookups.append(FileLookup(setup, reopen(), Analyzer(setup.options.parse_memory)))


def _look_up(changed: Changed) -> LookedUpFile | SkipReason | None:
    return _lookups[0].file(changed)
