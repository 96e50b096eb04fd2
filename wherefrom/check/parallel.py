"""The lookups of a check, in this process or in several others; the answer is the same."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from wherefrom import queries
from wherefrom.check.lookup import Lookup
from wherefrom.model import SkipReason
from wherefrom.workers.analyzer import Analyzer
from wherefrom.workers.pool import Died, Pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from wherefrom.changes.comparison import Changed
    from wherefrom.check.lookup import Checked
    from wherefrom.check.project import Project
    from wherefrom.engines.engine import Engine
    from wherefrom.options import CheckOptions, SearchOptions

EACH = 20
"""Files for each process, at least: to start one takes as long as some of them."""

Outcome = tuple["Changed", "Checked | SkipReason | None"]
"""A file and what `Lookup.file` gives for it."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What every process is given: what `Lookup` takes, but for what it opens by itself."""

    project: Project
    options: CheckOptions
    search: SearchOptions
    own: frozenset[str]

    def lookup(self, engine: Engine, analyzer: Analyzer) -> Lookup:
        """The lookup in one process."""
        return Lookup(
            engine,
            queries.IndexReferences(engine),
            self.project,
            options=self.options,
            search=self.search,
            own=self.own,
            analyzer=analyzer,
        )


class Lookups:
    """Looks files up.

    Args:
        setup: what to compare them with, and how.
        engine: the index, for this process.
        analyzer: what analyzes the files, for this process.
        reopen: opens the index in another process; None where it cannot be opened again.
        files: how many there are, about.
    """

    def __init__(
        self, setup: Setup, engine: Engine, analyzer: Analyzer, reopen: Callable[[], Engine] | None, files: int
    ) -> None:
        self._setup, self._engine, self._analyzer, self._reopen = setup, engine, analyzer, reopen
        wanted = setup.options.jobs or os.cpu_count() or 1
        self.jobs = 1 if reopen is None else max(1, min(wanted, files // EACH))
        """The processes that are used; with one it is this one."""

    def run(self, files: Iterable[tuple[Changed, bool]]) -> Iterator[Outcome]:
        """Looks files up, as `Lookup.file` does; they come as they are ready.

        Args:
            files: each with whether all of it is looked up.
        """
        if self.jobs == 1 or self._reopen is None:
            lookup = self._setup.lookup(self._engine, self._analyzer)
            for changed, is_whole in files:
                yield changed, lookup.file(changed, is_whole=is_whole)
            return
        # Callables of the caller's stay in this process.
        setup = replace(self._setup, options=replace(self._setup.options, progress=None))
        with Pool(_look_up, jobs=self.jobs, memory=None, initialize=partial(_open, setup, self._reopen)) as pool:
            for results in pool.map([task] for task in files):
                for (changed, _), result in results:
                    yield changed, SkipReason.WORKER_DIED if isinstance(result, Died) else result


_lookups: list[Lookup] = []
"""The one of this process."""


def _open(setup: Setup, reopen: Callable[[], Engine]) -> None:
    """Prepares a process: it has an index of its own, and a process that parses for it."""
    _lookups.append(setup.lookup(reopen(), Analyzer(setup.options.parse_memory)))


def _look_up(task: tuple[Changed, bool]) -> Checked | SkipReason | None:
    changed, is_whole = task
    return _lookups[0].file(changed, is_whole=is_whole)
