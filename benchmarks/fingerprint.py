"""Fingerprinting against bare Tree-sitter parsing of the same files, in one process; its steps; and in two processes.

*Fingerprinting* is all that makes the terms of a file from its bytes: finding its language, parsing, tokens, lines,
k-grams of all representations, sampling. *All of a worker* also includes the compressed token stream and the
references. *Bare parsing* is one parser and its `parse`. Each is measured with the native kernel and in Python; the
kernel makes the uncompressed token stream in the same call as the terms.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing.synchronize import Barrier
from unittest.mock import patch

import tree_sitter

from benchmarks.corpus import add_corpus_option, corpus_folder, projects
from benchmarks.files import File, sources
from benchmarks.timing import Steps, Target, finish, interleaved, ratio, table
from wherefrom.analyzers import analysis, documents, kernel, parsing
from wherefrom.analyzers.fingerprints import document_terms, sample
from wherefrom.analyzers.hashing import terms
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import encode
from wherefrom.languages import LANGUAGES
from wherefrom.model import Representation, SkipReason
from wherefrom.options import Limits
from wherefrom.support import extension

LANGUAGE_NAMES = ("python", "java", "c", "javascript")

LEAST_RATIO, LEAST_RATIO_SMALL = 0.85, 0.8

SMALL = "javascript, 0.5 to 1.5 kB"
SMALLEST, LARGEST_SMALL = 500, 1500
"""A small file has this many bytes, from and to."""

STEPS = ("parsing", "walk", "codes", "analysis, the rest", "exact", "renamed", "p_match", "sampling", "terms", "encode")

COLUMNS = ("python, terms", "kernel, terms", "python, all", "kernel, all")

_NO_LIMIT = Limits(include_generated=True, parse_seconds=60.0)


def bare_parser(language: str) -> tree_sitter.Parser:
    """A parser with the grammar that wherefrom uses for the language."""
    grammar = LANGUAGES[language].grammar
    if not grammar:
        raise ValueError(f"{language} has no grammar")
    function = getattr(importlib.import_module(grammar.module), grammar.function)
    return tree_sitter.Parser(tree_sitter.Language(function()))


def parse_all(parser: tree_sitter.Parser, contents: Sequence[bytes]) -> None:
    for content in contents:
        parser.parse(content)


def fingerprint_all(files: Sequence[File]) -> None:
    native = kernel.active()
    for file in files:
        opened = analysis.open_file(file.path, file.content, _NO_LIMIT)
        if isinstance(opened, SkipReason):
            continue
        if native is not None:
            documents.Steps(file.content, opened, _NO_LIMIT).parse()
        else:
            document_terms(analysis.analyze(file.content, opened, _NO_LIMIT.parse_seconds).tokens)


def work_all(files: Sequence[File]) -> None:
    for file in files:
        documents.document(file.path, file.content, _NO_LIMIT)


def in_python(run: Callable[[], None]) -> None:
    """Calls a function without the kernel."""
    with patch.dict(os.environ, {extension.VARIABLE: "0"}):
        run()


def steps_of(files: Sequence[File]) -> Steps:
    """Measures how much time each step takes over the files."""
    steps = Steps()
    watched = {
        "parsing": [(parsing, "tree_of")],
        "walk": [(parsing, "_leaves")],
        "codes": [(analysis, "parse")],
    }
    with steps.watching(watched):
        for file in files:
            found = steps.timed("analysis, the rest", analysis.analyze_file)(file.path, file.content, _NO_LIMIT)
            if isinstance(found, SkipReason):
                continue
            for representation in (Representation.EXACT, Representation.RENAMED, Representation.P_MATCH):
                scheme = SCHEMES[representation]
                grams = steps.timed(representation, kgrams)(found.tokens, representation, scheme.k)
                kept = steps.timed("sampling", sample)(grams, scheme)
                steps.timed("terms", terms)(grams.hashes[kept])
            steps.timed("encode", encode)(found.tokens)
    return steps


def _work_together(language: str, files: Sequence[File], start: Barrier, end: Barrier, *, bare: bool) -> None:
    """One process of a scaling run: warms up, waits for the others, works, and reports that it has finished."""
    parser, contents = bare_parser(language), [file.content for file in files]
    run = partial(parse_all, parser, contents) if bare else partial(fingerprint_all, files)
    fingerprint_all(files[:20])
    start.wait()
    run()
    end.wait()


def throughput(language: str, files: Sequence[File], processes: int, *, bare: bool) -> float:
    """Bytes per second of `processes` processes that each read all files."""
    context = multiprocessing.get_context("spawn")
    start, end = context.Barrier(processes + 1), context.Barrier(processes + 1)
    workers = [
        context.Process(target=_work_together, args=(language, files, start, end), kwargs={"bare": bare}, daemon=True)
        for _ in range(processes)
    ]
    for worker in workers:
        worker.start()
    start.wait()
    begin = time.perf_counter()
    end.wait()
    seconds = time.perf_counter() - begin
    for worker in workers:
        worker.join()
    return processes * sum(len(file.content) for file in files) / seconds


def measure(label: str, language: str, files: Sequence[File], rounds: int) -> tuple[list[str], list[str], list[Target]]:
    """A row of the table of ratios, a row of the table of steps, and the targets."""
    contents = [file.content for file in files]
    size = sum(map(len, contents))
    both = {"terms": partial(fingerprint_all, files), "all": partial(work_all, files)}
    runs = {"bare": partial(parse_all, bare_parser(language), contents)}
    runs |= {f"python, {name}": partial(in_python, run) for name, run in both.items()}
    has_kernel = kernel.active() is not None
    if has_kernel:
        runs |= {f"kernel, {name}": run for name, run in both.items()}
    seconds = interleaved(runs, rounds)
    ratios = {name: ratio(seconds["bare"], spent) for name, spent in seconds.items()}
    bare = size / statistics.median(seconds["bare"]) / 1e6
    with patch.dict(os.environ, {extension.VARIABLE: "0"}):
        steps = steps_of(files).seconds
    total = sum(steps.values())
    least = LEAST_RATIO_SMALL if label == SMALL else LEAST_RATIO
    wanted = f"fingerprinting with the kernel / bare parsing, {label}"
    return (
        [label, str(len(files)), f"{size / 1e6:.1f}", f"{bare:.1f}"]
        + [f"{ratios[name]:.2f}" if name in ratios else "" for name in COLUMNS],
        [label, *(f"{steps[step] / total:.0%}" for step in STEPS)],
        [Target(wanted, ratios["kernel, terms"], least, at_least=True)] if has_kernel else [],
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fingerprint", description=__doc__)
    add_corpus_option(parser)
    parser.add_argument("--megabytes", type=float, default=5.0, help="of each language (default: %(default)g)")
    parser.add_argument("--rounds", type=int, default=5, help="A B A B ... (default: %(default)d)")
    parser.add_argument("--processes", type=int, default=2, help="for the scaling (default: %(default)d)")
    options = parser.parse_args()
    found = projects(corpus_folder(options.corpus))
    chosen = [(name, name, sources(found, name, options.megabytes)) for name in LANGUAGE_NAMES]
    scripts = sources(found, "javascript", 1000.0)
    small = [file for file in scripts if SMALLEST <= len(file.content) <= LARGEST_SMALL]
    chosen.append((SMALL, "javascript", small))
    measured = [measure(label, language, files, options.rounds) for label, language, files in chosen if files]
    print(f"analyzed by: {extension.description()}\n")
    print(table(("language", "files", "MB", "bare MB/s", *COLUMNS), [row for row, _, _ in measured]))
    print()
    print(table(("share of the time", *STEPS), [row for _, row, _ in measured]))
    print()
    files = sources(found, "python", options.megabytes)
    rows = []
    for name, bare in (("bare parsing", True), ("fingerprinting", False)):
        one, many = (throughput("python", files, processes, bare=bare) / 1e6 for processes in (1, options.processes))
        rows.append((name, f"{one:.1f}", f"{many:.1f}", f"{many / one:.2f}"))
    print(table(("python", "1 process, MB/s", f"{options.processes} processes, MB/s", "times"), rows))
    finish([target for _, _, targets in measured for target in targets])


if __name__ == "__main__":
    main()
