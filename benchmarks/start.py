"""Processor time of short commands, start included, beside another checkout.

Both checkouts have their own `.venv`. Their commands run in turn, and the first round does not count.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.timing import ratio, table

HERE = Path(__file__).parents[1]

SMALL = (
    "def add(first, *others):\n    total = first\n    for other in others:\n        total += other\n    return total\n"
)


def seconds(checkout: Path, arguments: Sequence[str]) -> float:
    """Processor seconds of a command, with those of its children."""
    command = [str(checkout / ".venv" / "bin" / "wherefrom"), *arguments]
    # Else every run would compile every module.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in {0, 1}:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Runs from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="the checkout to compare with")
    parser.add_argument("--index", required=True, help="an index that this one can search")
    parser.add_argument("--other-index", help="an index that the other one can search; by default the same")
    parser.add_argument("--snippet", required=True, help="the file that is looked up")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "source").mkdir()
        (Path(folder) / "source" / "a.py").write_text(SMALL)
        for name in ("--version", "--help", "index", "search"):
            used: list[list[float]] = [[], []]
            for number in range(options.rounds + 1):
                for own, checkout in zip(used, (options.other, HERE), strict=True):
                    made = ["--index", f"{folder}/{number}{checkout == HERE}", f"{folder}/source"]
                    index = options.index if checkout == HERE else options.other_index or options.index
                    given = {"index": made, "search": ["--index", index, options.snippet]}.get(name, [])
                    own.append(seconds(checkout, [name, *given]))
            before, now = (own[1:] for own in used)
            medians = (f"{statistics.median(own):.3f}" for own in (before, now))
            rows.append((name, *medians, f"{ratio(now, before):.2f}"))
    print(table(("command", "other, s", "this, s", "this / other"), rows))


if __name__ == "__main__":
    main()
