"""Searching a large index: edited snippets and whole files in a warm process, candidates alone, and cold commands."""

from __future__ import annotations

import argparse
import importlib
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import wherefrom
from benchmarks.corpus import add_corpus_option, corpus_folder, projects
from benchmarks.files import SEED, shuffled
from benchmarks.timing import Steps, Target, finish, percentile, table
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.engines.embedded.engine import EmbeddedEngine
from wherefrom.options import SearchOptions

MOST_WARM, MOST_CANDIDATES = 30.0, 2.0
MOST_WHOLE = 0.4
MOST_COLD, MOST_HELP = 0.4, 0.2

LANGUAGE_NAMES = ("python", "c", "cpp", "javascript", "java")
LINES = (10, 40)
"""A snippet has this many lines, from and to."""

WHOLE = (4_500, 5_500)
"""A whole file has this many tokens, from and to."""

_SEARCH = importlib.import_module("wherefrom.queries.searching")
"""The module, imported by name because the package gives a function the same name."""

_CANDIDATES = importlib.import_module("wherefrom.queries.candidates")

STEPS: dict[str, list[tuple[Any, str]]] = {
    "analysis": [(_SEARCH, "analyze_query")],
    "preparation": [(_SEARCH, "prepare")],
    "document frequencies": [(EmbeddedEngine, "document_frequencies")],
    "candidates": [(EmbeddedEngine, "candidates")],
    "occurrences": [(_CANDIDATES, "current_occurrences"), (_SEARCH, "with_records")],
    "alignment": [(_CANDIDATES, "align")],
    "containment": [(_SEARCH, "containment")],
    "regions": [(_SEARCH, "all_runs"), (_SEARCH, "region_pairs")],
}


def edited(lines: Sequence[str], chance: random.Random) -> str:
    """The lines with one left out, one new, and one name changed throughout."""
    changed = list(lines)
    del changed[chance.randrange(len(changed))]
    changed.insert(chance.randrange(len(changed)), "    unrelated = 17")
    words = sorted({word for line in changed for word in line.split() if word.isidentifier() and len(word) > 3})
    text = "\n".join(changed)
    return text.replace(chance.choice(words), "something_else") if words else text


def snippets(folder: Path, number: int) -> list[tuple[str, str]]:
    """`number` pairs (language, edited snippet), the same number for each language."""
    chance = random.Random(SEED)
    found = projects(folder)
    result = []
    for language in LANGUAGE_NAMES:
        wanted = -(-number // len(LANGUAGE_NAMES))
        for file in shuffled(found, language):
            lines = file.content.decode("utf-8", "replace").splitlines()
            length = chance.randint(*LINES)
            if 4 * length > len(lines) or len(file.content) > 500_000:
                continue
            begin = chance.randrange(len(lines) // 4, len(lines) - length)
            result.append((language, edited(lines[begin : begin + length], chance)))
            wanted -= 1
            if not wanted:
                break
    chance.shuffle(result)
    return result[:number]


def whole_files(folder: Path, number: int) -> list[str]:
    """`number` Python files of about 5,000 tokens."""
    found: list[str] = []
    for file in shuffled(projects(folder), "python"):
        if len(found) == number:
            break
        text = file.content.decode("utf-8", "replace")
        # Checks the size first, because each file is parsed to count its tokens, and few other files have this number.
        is_near = 3 * WHOLE[0] < len(file.content) < 8 * WHOLE[1]
        if is_near and WHOLE[0] <= len(analyze_snippet(file.content, language="python").tokens) <= WHOLE[1]:
            found.append(text)
    return found


def seconds_of(command: Sequence[str], rounds: int) -> float:
    """The median seconds over some runs of a command, after one run that does not count."""
    seconds = []
    for _ in range(rounds + 1):
        begin = time.perf_counter()
        subprocess.run(command, check=False, capture_output=True)
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds[1:])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    add_corpus_option(parser)
    parser.add_argument("--index", type=Path, required=True, help="made by: python -m benchmarks.index --keep INDEX")
    parser.add_argument("--snippets", type=int, default=200, help="how many (default: %(default)d)")
    parser.add_argument("--whole", type=int, default=10, help="whole files (default: %(default)d)")
    parser.add_argument("--rounds", type=int, default=5, help="of the cold commands (default: %(default)d)")
    options = parser.parse_args()
    queries = snippets(corpus_folder(options.corpus), options.snippets)
    with wherefrom.open_index(options.index) as opened:
        stats = opened.stats()
        for language, code in queries[:20]:
            opened.search(code, language=language)
        warm, processor, found = [], [], 0
        for language, code in queries:
            begin, used = time.perf_counter(), time.process_time()
            found += bool(opened.search(code, language=language).hits)
            warm.append((time.perf_counter() - begin) * 1000)
            processor.append((time.process_time() - used) * 1000)
        whole = []
        for code in whole_files(corpus_folder(options.corpus), options.whole):
            used = time.process_time()
            opened.search(code, language="python")
            whole.append(time.process_time() - used)
        steps = Steps()
        alone = []
        with steps.watching(STEPS):
            for language, code in queries:
                before = steps.seconds["candidates"]
                steps.timed("the rest", opened.search)(code, SearchOptions(language=language))
                alone.append((steps.seconds["candidates"] - before) * 1000)
    python = [sys.executable, "-m", "wherefrom"]
    cold = seconds_of([*python, "search", "--index", str(options.index), "--code", queries[0][1]], options.rounds)
    helped = seconds_of([*python, "--help"], options.rounds)
    print(
        f"{len(queries)} snippets, {found} found, among {stats.blobs:,} blobs, {stats.size / 1e6:.0f} MB of source.\n"
    )
    rows = [
        (name, f"{percentile(values, 0.5):.1f}", f"{percentile(values, 0.95):.1f}", f"{max(values):.1f}")
        for name, values in (
            ("search", warm),
            ("search, on a processor", processor),
            ("its candidates, on a processor", alone),
        )
    ]
    print(table(("warm, ms", "p50", "p95", "most"), rows))
    total = sum(steps.seconds.values())
    print()
    print(
        table(
            ("step", "share", "ms", "calls"),
            [
                (
                    *(name, f"{seconds / total:.0%}"),
                    *(f"{seconds / len(queries) * 1000:.2f}", f"{steps.calls[name] / len(queries):.1f}"),
                )
                for name, seconds in sorted(steps.seconds.items(), key=lambda item: -item[1])
            ],
        )
    )
    finish(
        [
            Target("warm search, p50", percentile(warm, 0.5), MOST_WARM, unit=" ms"),
            Target("its candidates alone, p50", percentile(alone, 0.5), MOST_CANDIDATES, unit=" ms"),
            Target("a whole file of 5,000 tokens on a processor, p50", percentile(whole, 0.5), MOST_WHOLE, unit=" s"),
            Target("cold `wherefrom search`", cold, MOST_COLD, unit=" s"),
            Target("`wherefrom --help`", helped, MOST_HELP, unit=" s"),
        ]
    )


if __name__ == "__main__":
    main()
