"""Answers searches for `benchmarks.turns`, which runs this file with one version of wherefrom on the path.

Argument: the index. Each line of the input is JSON: the language and the code of a snippet. Each line of the output is
JSON: the processor seconds of the search, and its answer without the time that it took.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import wherefrom


def children() -> float:
    """The processor seconds of the processes that this one has started and that still run."""
    processes = (line.split() for line in map(Path.read_text, Path("/proc/self/task").glob("*/children")))
    stats = (Path("/proc", number, "schedstat").read_text() for own in processes for number in own)
    return sum(int(stat.split()[0]) for stat in stats) / 1e9


def main() -> None:
    with wherefrom.open_index(sys.argv[1]) as index:
        for line in sys.stdin:
            language, code = json.loads(line)
            before = children() + time.process_time()
            found = index.search(code, language=language)
            seconds = children() + time.process_time() - before
            answer = {key: value for key, value in found.to_dict().items() if key != "took_ms"}
            print(json.dumps([seconds, answer], default=str), flush=True)


if __name__ == "__main__":
    main()
