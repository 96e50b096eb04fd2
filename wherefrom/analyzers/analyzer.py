"""Analyzes untrusted code in another process, since a parser may crash on it or take all memory."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from wherefrom.errors import AnalysisError, ParseTimeout, WherefromError
from wherefrom.model import SkipReason
from wherefrom.support.closing import Closing
from wherefrom.support.workers import PARSE_MEMORY, Died, check_memory
from wherefrom.support.workers.fork import can_fork, forked

if TYPE_CHECKING:
    from wherefrom.analyzers.analyzed import Analysis, Reading
    from wherefrom.analyzers.documents import AnalyzedContent
    from wherefrom.analyzers.units import Unit
    from wherefrom.options import Limits
    from wherefrom.support.workers.pool import Pool


FORKS = 8
"""So many calls are answered by forks of the calling process, if that is safe. For more, a process is started that
stays: to start it takes as long as some twenty forks.
"""

SNIPPET_SECONDS = 60.0  # the limit on the processor time for a snippet, which may be parsed several times
FILE_SECONDS = 30.0  # the limit on the processor time for a file, in addition to the time limits for parsing it


class ParserDied(AnalysisError):
    """Parsing took more memory than the limit, or crashed the process that parses."""


class _Process:
    """What all analyzers with the same limit on memory share: a process that starts after `FORKS` calls, and ends when
    no analyzer uses it any more.
    """

    def __init__(self, memory: int) -> None:
        check_memory(memory)
        self._memory = memory
        self._forks = 0
        self._pool: Pool[Callable[[], object], object] | None = None
        self._lock = threading.Lock()

    def answer(self, call: Callable[[], object], seconds: float) -> object:
        """The result of a call, or `Died`."""
        with self._lock:
            if self._pool is None and self._forks < FORKS and can_fork():
                self._forks += 1
                load()
                found = forked(partial(answer, call), self._memory, seconds)
                if not isinstance(found, Died) or found.reason == "timeout":
                    return found
            batches = self._started().map([[call]], seconds=seconds)
            [found] = [result for batch in batches for _, result in batch]
            return found

    def _started(self) -> Pool[Callable[[], object], object]:
        if self._pool is None:
            from wherefrom.support.workers.pool import Pool  # noqa: PLC0415 -- few calls do not wait for it

            self._pool = Pool(answer, jobs=1, memory=self._memory, initialize=load)
            weakref.finalize(self, _end, self._pool, os.getpid())
        return self._pool


def _end(pool: Pool[Callable[[], object], object], owner: int) -> None:
    if os.getpid() == owner:  # a fork must not end the process of its parent
        pool.close()


_processes: weakref.WeakValueDictionary[tuple[int, int], _Process] = weakref.WeakValueDictionary()
"""The running processes, by the id of the process that started them and their limit on memory."""

_lock = threading.Lock()


class Analyzer(Closing):
    """Calls the functions of `analysis`, `units` and `documents` in another process.

    The first calls run in forks of this process, if that is safe. Later ones share a process, which all analyzers with
    the same limit share too, however many indexes are open. Any thread may call an analyzer; it makes one call at a
    time.

    Args:
        memory: the limit on the memory of that process, in bytes.

    Raises:
        UsageError: the process cannot start with this limit.
    """

    def __init__(self, memory: int = PARSE_MEMORY) -> None:
        self._memory = memory
        self._key = (0, 0)
        self._process: _Process | None = None
        self._joined()

    def close(self) -> None:
        """Ends the process if no other analyzer uses it."""
        self._process = None

    def with_memory(self, memory: int) -> Analyzer:
        """An analyzer with this limit on memory: `self` if its limit is the same, else a new analyzer."""
        return self if memory == self._memory else Analyzer(memory)

    def snippet(
        self, content: bytes, *, name: str = "", language: str | None = None, reading: Reading = "likely"
    ) -> Analysis:
        """Analyzes a snippet in any state, see `analysis.analyze_snippet`.

        Raises:
            LanguageError, GrammarError: as `analysis.analyze_snippet`.
            ParserDied: the process crashed or needed more memory than the limit.
            ParseTimeout: the analysis takes more than `SNIPPET_SECONDS`.
        """
        options = {"name": name, "language": language, "reading": reading}
        found: Analysis | Died = self._ask(SNIPPET_SECONDS, "analysis", "analyze_snippet", content, **options)
        if isinstance(found, Died):
            if found.reason == "timeout":
                raise ParseTimeout(f"to analyze it takes more than {SNIPPET_SECONDS:g} s; look up a part of it")
            raise ParserDied(
                f"to parse it takes more than {self._memory / 1e9:g} GB of memory, or crashes the parser; "
                "allow more with parse_memory, or look up a part of it"
            )
        return found

    def file(self, path: str, content: bytes, limits: Limits) -> Analysis | SkipReason:
        """Analyzes a file, see `analysis.analyze_file`. The limit on memory is the analyzer's, not that of `limits`."""
        found: Analysis | SkipReason = self._of_file("analysis", "analyze_file", path, content, limits)
        return found

    def document(self, path: str, content: bytes, limits: Limits) -> AnalyzedContent | SkipReason:
        """What an index stores of a file, see `documents.document`."""
        found: AnalyzedContent | SkipReason = self._of_file("documents", "document", path, content, limits)
        return found

    def units(
        self, path: str, content: bytes, limits: Limits, least: int, *, is_piece: bool = False
    ) -> tuple[Analysis, list[Unit]] | SkipReason:
        """Analyzes a file and finds its units, see `analysis.analyze_file` and `units.units`."""
        found: tuple[Analysis, list[Unit]] | SkipReason = self._of_file(
            "units", "units_of_file", path, content, limits, least=least, is_piece=is_piece
        )
        return found

    def functions(
        self, path: str, content: bytes, limits: Limits
    ) -> tuple[Analysis, list[tuple[int, int]]] | SkipReason:
        """Analyzes a file and finds its functions, see `analysis.analyze_file` and `units.functions`."""
        found: tuple[Analysis, list[tuple[int, int]]] | SkipReason = self._of_file(
            "units", "functions_of_file", path, content, limits
        )
        return found

    def _of_file(self, module: str, function: str, path: str, content: bytes, limits: Limits, **options: Any) -> Any:
        parses = 1 if module == "analysis" else 2
        seconds = parses * limits.parse_seconds + FILE_SECONDS
        found = self._ask(seconds, module, function, path, content, limits, **options)
        return SkipReason.WORKER_DIED if isinstance(found, Died) else found

    def _ask(self, seconds: float, *given: Any, **options: Any) -> Any:
        process = self._joined()
        try:
            found = process.answer(partial(run, *given, **options), seconds)
        finally:
            del process  # an exception refers to this frame, and would keep the process alive after `close`
        if isinstance(found, Exception):
            raise found
        return found

    def _joined(self) -> _Process:
        """The shared process. After a fork, the child process does not use it but gets a new one."""
        key = (os.getpid(), self._memory)
        if self._process is None or self._key != key:
            with _lock:
                self._process = _processes.get(key) or _Process(self._memory)
                _processes[key] = self._process
            self._key = key
        return self._process


T = TypeVar("T")


def load() -> None:
    """Imports the modules and the kernel that the first call needs. A fork then has them, and so does its caller."""
    import_module("wherefrom.analyzers.analysis")
    import_module("wherefrom.analyzers.kernel").active()


def answer(call: Callable[[], T]) -> T | WherefromError:
    """Makes a call and returns its result, or the `WherefromError` that it raises."""
    try:
        return call()
    except WherefromError as error:
        return error


def run(module: str, function: str, *given: Any, **options: Any) -> Any:
    """Calls a function of a module of this package."""
    return getattr(import_module(f"wherefrom.analyzers.{module}"), function)(*given, **options)
