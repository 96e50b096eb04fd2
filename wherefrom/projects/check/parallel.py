"""The lookups of a check, in this process or in several others, and those of an earlier run; the answer is the same."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.model import SkipReason
from wherefrom.projects.check.lookup import Checked, FileLookup, Setup
from wherefrom.support.workers.pool import Died, Pool

if TYPE_CHECKING:
    from wherefrom.projects.changes.comparison import Changed
    from wherefrom.projects.check.unfinished import UnfinishedCheck

FILES_PER_PROCESS = 20
"""At least: to start a process takes as long as looking some files up."""

Task = tuple["Changed", bool]
"""A file, and whether all of it is looked up."""

Outcome = tuple["Changed", "Checked | SkipReason | None"]
"""A file and what `FileLookup.file` gives for it."""


class Lookups:
    """Looks files up.

    Attributes:
        jobs: processes that are used; 1 is this one alone.
    """

    def __init__(
        self,
        setup: Setup,
        engine: Engine,
        analyzer: Analyzer,
        reopen: Callable[[], Engine] | None,
        files: int,
        *,
        unfinished: UnfinishedCheck,
    ) -> None:
        self._setup, self._engine, self._analyzer, self._reopen = setup, engine, analyzer, reopen
        self._unfinished = unfinished
        wanted = setup.options.jobs or os.cpu_count() or 1
        self.jobs = 1 if reopen is None else max(1, min(wanted, files // FILES_PER_PROCESS))

    def run(self, files: Iterable[Task]) -> Iterator[Outcome]:
        """Looks files up, as `FileLookup.file` does; they come as they are ready."""
        resumed: deque[Outcome] = deque()
        for (changed, is_whole), result in self._looked_up(self._others(files, resumed)):
            while resumed:
                yield resumed.popleft()
            if isinstance(result, Checked):
                self._unfinished.keep(changed, result, is_whole=is_whole)
            yield changed, result
        yield from resumed

    def _others(self, tasks: Iterable[Task], resumed: deque[Outcome]) -> Iterator[Task]:
        """The files that an earlier run has not looked up; those that it has go to `resumed` on the way."""
        for changed, is_whole in tasks:
            checked = self._unfinished.found(changed, is_whole=is_whole)
            if checked is None:
                yield changed, is_whole
            else:
                resumed.append((changed, checked))

    def _looked_up(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Checked | SkipReason | None]]:
        if self.jobs == 1 or self._reopen is None:
            lookup = FileLookup(self._setup, self._engine, self._analyzer)
            yield from ((task, lookup.file(task[0], is_whole=task[1])) for task in tasks)
            return
        # Callables of the caller's stay in this process.
        setup = replace(self._setup, options=replace(self._setup.options, progress=None))
        with Pool(_look_up, jobs=self.jobs, memory=None, initialize=partial(_open, setup, self._reopen)) as pool:
            for results in pool.map([task] for task in tasks):
                for task, result in results:
                    yield task, SkipReason.WORKER_DIED if isinstance(result, Died) else result


_lookups: list[FileLookup] = []
"""The one of this process."""


def _open(setup: Setup, reopen: Callable[[], Engine]) -> None:
    """Prepares a process: it has an index of its own, and a process that parses for it."""
    _lookups.append(FileLookup(setup, reopen(), Analyzer(setup.options.parse_memory)))


def _look_up(task: Task) -> Checked | SkipReason | None:
    changed, is_whole = task
    return _lookups[0].file(changed, is_whole=is_whole)
