"""Timing shared by the benchmarks: interleaved runs, medians, the steps of a run, and tables with their targets."""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from unittest.mock import patch

_P = ParamSpec("_P")
_T = TypeVar("_T")


def interleaved(runs: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """The seconds of each run in each round: A B A B ..., so that a slow phase of the machine affects all runs.

    Seconds are processor time of this process, which depends little on other programs. The first round does not count.
    """
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name, run in runs.items():
            gc.collect()
            begin = time.process_time()
            run()
            if number:
                seconds[name].append(time.process_time() - begin)
    return seconds


def ratio(of: Sequence[float], to: Sequence[float]) -> float:
    """The median of the ratios, round by round."""
    return statistics.median(one / other for one, other in zip(of, to, strict=True))


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0 to 1) of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, min(len(ordered) - 1, -int(-share * len(ordered) // 1) - 1))]


class Steps:
    """Processor seconds spent in chosen functions, without the time of other such functions that they call."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.calls: defaultdict[str, int] = defaultdict(int)
        self._running: list[str] = []
        self._since = 0.0

    @contextmanager
    def watching(self, steps: Mapping[str, Sequence[tuple[Any, str]]]) -> Iterator[None]:
        """Times functions while the block runs.

        Args:
            steps: for each step (module or class, name) pairs of functions, as callers look them up.
        """
        with ExitStack() as stack:
            for step, functions in steps.items():
                for owner, name in functions:
                    stack.enter_context(patch.object(owner, name, self.timed(step, getattr(owner, name))))
            yield

    def timed(self, step: str, function: Callable[_P, _T]) -> Callable[_P, _T]:
        """The function, timed as part of a step."""

        @wraps(function)
        def timed(*arguments: _P.args, **named: _P.kwargs) -> _T:
            self._switch()
            self._running.append(step)
            self.calls[step] += 1
            try:
                return function(*arguments, **named)
            finally:
                self._switch()
                self._running.pop()

        return timed

    def _switch(self) -> None:
        now = time.process_time()
        if self._running:
            self.seconds[self._running[-1]] += now - self._since
        self._since = now


@dataclass(frozen=True, slots=True)
class Target:
    """A figure with the bound that it must keep: at least, or at most, `bound`."""

    name: str
    value: float
    bound: float
    at_least: bool = False
    unit: str = ""

    @property
    def met(self) -> bool:
        """Whether the value keeps the bound."""
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    @property
    def row(self) -> tuple[str, str, str, str]:
        """As a row of the table of targets."""
        wanted = f"{'at least' if self.at_least else 'at most'} {self.bound:g}{self.unit}"
        return self.name, f"{self.value:.3g}{self.unit}", wanted, "yes" if self.met else "**no**"


def finish(targets: Sequence[Target]) -> None:
    """Prints the targets and ends the program with 1 if one is missed."""
    print()
    print(table(("figure", "seen", "target", "met"), [target.row for target in targets]))
    sys.exit(not all(target.met for target in targets))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def processor_seconds(run: Callable[[], object]) -> float:
    """The processor seconds of this process for a call."""
    begin = time.process_time()
    run()
    return time.process_time() - begin
