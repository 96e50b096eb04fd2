"""`./dev soak [MINUTES]`: tries faults at random until the time is over, and prints the trials and the failures.

`./dev soak --matrices` instead runs the tests with all cases of their matrices and many examples; the nightly run is
`./dev soak --matrices random`, which draws the cases by a seed that it prints.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from soak.cases import Case, Outcome, State
from soak.kinds import KINDS
from soak.world import Ground


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. The exit code is 0 if nothing failed in this run, else 1."""
    parser = argparse.ArgumentParser(prog="./dev soak", description=__doc__.splitlines()[0])
    parser.add_argument("minutes", nargs="?", type=float, default=10.0, help="how long to go on (default: %(default)s)")
    parser.add_argument("--state", type=Path, default=Path(".soak"), help="the folder that adds up all runs (.soak)")
    parser.add_argument("--only", action="append", choices=sorted(KINDS), help="this kind of trial; repeatable")
    parser.add_argument("--seed", type=int, help="one round of each kind from this seed, which a line of a run names")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes of the fuzzed inputs (2)")
    parser.add_argument("--replay", type=Path, action="append", metavar="FILE", help="try a failing case again")
    parser.add_argument("--figures", action="store_true", help="only print what all runs have added up to")
    parser.add_argument(
        "--matrices", nargs="?", const="all", metavar="SEED|random|all", help="run the tests with these cases (all)"
    )
    options = parser.parse_args(arguments)
    if options.matrices:
        return matrices(options.matrices, options.jobs)
    if options.replay:
        return max(replay(path, options.state.resolve() / "world") for path in options.replay)
    # A process in the background ignores Ctrl-C, and so would its commands, which some trials interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    state = State(options.state.resolve())
    wrong = 0
    if not options.figures:
        kinds = options.only or list(KINDS)
        try:
            wrong = soak(state, kinds, options.jobs, 60 * options.minutes, options.seed)
        except KeyboardInterrupt:
            print("stopped; run it again to go on", file=sys.stderr)
    show(state)
    return 1 if wrong else 0


def soak(state: State, kinds: Sequence[str], jobs: int, seconds: float, seed: int | None) -> int:
    """Tries rounds of these kinds. The next round is always of the kind that has had the least time for its share. With
    a seed, tries one round of each kind. Returns the number of failed trials.
    """
    spent = dict.fromkeys(kinds, 0.0)
    waiting = list(kinds)
    wrong = 0
    end = time.monotonic() + seconds
    with TemporaryDirectory(prefix="wherefrom-soak-", ignore_cleanup_errors=True) as folder:
        while waiting if seed is not None else time.monotonic() < end:
            name = min(waiting, key=lambda kind: spent[kind] / KINDS[kind].share)
            number = state.take_seed() if seed is None else seed
            begin = time.monotonic()
            outcomes = KINDS[name].run(number, Ground(state.world, Path(folder)), jobs)
            took = time.monotonic() - begin
            spent[name] += took
            if seed is not None:
                waiting.remove(name)
            for position, outcome in enumerate(outcomes):
                kept = state.add(outcome, name, 0.0 if position else took)
                wrong += bool(outcome.wrong)
                tell(name, number, outcome, kept)
    return wrong


def tell(kind: str, seed: int, outcome: Outcome, kept: Path | None) -> None:
    """Prints a line for a trial, and its failures."""
    counts = ", ".join(f"{number:,} {what}" for what, number in sorted(outcome.counts.items()))
    print(f"{kind}, seed {seed}: {counts or 'a failing case'}", flush=True)
    for fault in outcome.wrong:
        print(f"  WRONG: {fault.strip()}\n  kept as {kept}", flush=True)


def show(state: State) -> None:
    """Prints the sums of all runs with this state folder."""
    figures = state.figures()
    for kind in sorted(figures["counts"]):
        counts = figures["counts"][kind]
        print(f"\n{kind}, {figures['seconds'].get(kind, 0.0) / 60:.0f} minutes in all")
        for what, number in sorted(counts.items()):
            print(f"  {number:>10,} {what}")
    wrong = sum(counts.get("WRONG", 0) for counts in figures["counts"].values())
    print(f"\n{wrong} wrong" + (f", kept in {state.failures}" if wrong else ""))


def matrices(draw: str, jobs: int) -> int:
    """Runs all tests with a selection of their cases, and thorough examples. Returns pytest's exit code."""
    command = [sys.executable, "-m", "pytest", "-n", str(jobs), "--dist", "loadfile"]
    return subprocess.run([*command, "--hypothesis-profile", "thorough", "--matrix", draw], check=False).returncode


def replay(path: Path, world: Path) -> int:
    """Tries a recorded case again, with the repositories in the folder `world`. Returns the exit code."""
    case = Case.load(path)
    with TemporaryDirectory(prefix="wherefrom-soak-") as folder:
        outcome = KINDS[case.kind].replay(case, Ground(world, Path(folder)))
    tell(case.kind, case.seed, outcome, path)
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
