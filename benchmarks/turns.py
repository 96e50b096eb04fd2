"""Warm searches by two versions of wherefrom in turn: the processor time of each, and whether the answers are equal.

The snippets are lines of files in clones: in each hundred, one is left out and one is new, and one name is changed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.timing import percentile, ratio, table

SEED = 61
ENDINGS = {
    ".py": "python",
    ".c": "c",
    ".java": "java",
    ".ts": "typescript",
    ".js": "javascript",
    ".go": "go",
    ".rs": "rust",
    ".php": "php",
    ".rb": "ruby",
}


def edited(lines: Sequence[str], chance: random.Random) -> str:
    """The lines, lightly edited."""
    changed = list(lines)
    for _ in range(max(1, len(lines) // 100)):
        del changed[chance.randrange(len(changed))]
        changed.insert(chance.randrange(len(changed)), "    unrelated = 17")
    names = sorted({word for line in changed for word in line.split() if word.isidentifier() and len(word) > 3})
    text = "\n".join(changed)
    return text.replace(chance.choice(names), "something_else") if names else text


def snippets(clones: Sequence[Path], lines: int, count: int) -> Iterator[tuple[str, str]]:
    """The language and the code of snippets of `lines` lines, from each clone in turn."""
    chance = random.Random(SEED * lines)
    files = [sorted(path for path in clone.rglob("*") if path.suffix in ENDINGS and path.is_file()) for clone in clones]
    while count:
        for own in files[:count]:
            long = (path for path in chance.sample(own, len(own)) if path.read_bytes().count(b"\n") > 1.1 * lines)
            path = next(long, None)
            if path is None:
                raise SystemExit(f"a clone has no file of more than {lines} lines")
            text = path.read_text("utf-8", "replace").splitlines()
            begin = chance.randrange(len(text) - lines)
            yield ENDINGS[path.suffix], edited(text[begin : begin + lines], chance)
        count -= len(files[:count])


def started(index: Path, version: Path) -> subprocess.Popen[str]:
    """A process that answers searches with the version in a folder."""
    command: list[str | Path] = [sys.executable, Path(__file__).with_name("answering.py"), index.absolute()]
    environment = {**os.environ, "PYTHONPATH": str(version.absolute())}
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def answered(process: subprocess.Popen[str], snippet: tuple[str, str]) -> tuple[float, Any]:
    """The processor seconds of a search, and its answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    print(json.dumps(snippet), file=process.stdin, flush=True)
    seconds, answer = json.loads(process.stdout.readline())
    return seconds, answer


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.turns", description=__doc__)
    parser.add_argument("--index", type=Path, required=True, help="an index of the clones")
    parser.add_argument("--before", type=Path, required=True, help="the folder with the other version's `wherefrom`")
    parser.add_argument(
        "--rounds", type=int, default=7, help="the number of counted searches for each snippet (default: %(default)d)"
    )
    parser.add_argument("--lines", type=int, nargs="+", default=[10, 40, 200, 1000], help="of the snippets")
    parser.add_argument("--counts", type=int, nargs="+", default=[96, 96, 36, 16], help="how many of each length")
    parser.add_argument("clones", type=Path, nargs="+", metavar="CLONE")
    options = parser.parse_args()
    versions = [started(options.index, folder) for folder in (options.before, Path(__file__).parents[1])]
    rows = []
    for lines, count in zip(options.lines, options.counts, strict=True):
        chosen = list(snippets(options.clones, lines, count))
        # The first answers are compared, and do not count.
        different = sum(answered(versions[0], snippet)[1] != answered(versions[1], snippet)[1] for snippet in chosen)
        seconds: list[list[list[float]]] = [[[] for _ in chosen] for _ in versions]
        for turn in range(options.rounds):
            for number, snippet in enumerate(chosen):
                for side in (0, 1) if (turn + number) % 2 else (1, 0):
                    seconds[side][number].append(answered(versions[side], snippet)[0])
        medians = [[1000 * statistics.median(own) for own in side] for side in seconds]
        totals = [[sum(own[turn] for own in side) for turn in range(options.rounds)] for side in seconds]
        shown = (f"{percentile(own, 0.5):.1f} / {percentile(own, 0.95):.1f}" for own in medians)
        rows.append((f"{lines}", f"{len(chosen)}", *shown, f"{ratio(totals[1], totals[0]):.2f}", f"{different}"))
    print(table(("lines", "snippets", "before, ms, p50 / p95", "now", "now / before", "other answers"), rows))
    for version in versions:
        version.kill()


if __name__ == "__main__":
    main()
