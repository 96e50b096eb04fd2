"""Fingerprinting against bare Tree-sitter parsing of the same files, in one process; its steps; two processes.

*Fingerprinting* is all that is done to a file's bytes before they are written: analysis (what kind of file, parsing,
tokens, lines), k-grams of both representations, sampling, terms. *Bare parsing* is one parser and its `parse`.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import statistics
import time
from collections.abc import Sequence
from functools import partial
from multiprocessing.synchronize import Barrier

import tree_sitter

from benchmarks.corpus import Project, add_corpus_option, corpus_folder, projects
from benchmarks.files import File, sources
from benchmarks.timing import Steps, Target, finish, interleaved, ratio, table
from wherefrom.analyzers import analysis, parsing
from wherefrom.analyzers.fingerprints import document_terms, sample
from wherefrom.analyzers.hashing import terms
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import encode
from wherefrom.languages import LANGUAGES
from wherefrom.model import Representation, SkipReason
from wherefrom.options import Limits

LANGUAGE_NAMES = ("python", "java", "c", "javascript")

LEAST_RATIO = 0.5

STEPS = ("parsing", "walk", "codes", "analysis, the rest", "exact", "renamed", "p_match", "sampling", "terms", "encode")

_NO_LIMIT = Limits(include_generated=True, parse_seconds=60.0)


def bare_parser(language: str) -> tree_sitter.Parser:
    """A parser of the grammar that wherefrom uses."""
    grammar = LANGUAGES[language].grammar
    if not grammar:
        raise ValueError(f"{language} has no grammar")
    function = getattr(importlib.import_module(grammar.module), grammar.function)
    return tree_sitter.Parser(tree_sitter.Language(function()))


def parse_all(parser: tree_sitter.Parser, contents: Sequence[bytes]) -> None:
    for content in contents:
        parser.parse(content)


def fingerprint_all(files: Sequence[File]) -> None:
    for file in files:
        found = analysis.analyze_file(file.path, file.content, _NO_LIMIT)
        if not isinstance(found, SkipReason):
            document_terms(found.tokens)


def steps_of(files: Sequence[File]) -> Steps:
    """What each step takes over the files."""
    steps = Steps()
    watched = {
        "parsing": [(parsing, "_tree")],
        "walk": [(parsing, "_walk")],
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
                steps.timed("terms", terms)(grams.hashes[kept], scheme.term_bits)
            steps.timed("encode", encode)(found.tokens)
    return steps


def _work_together(language: str, files: Sequence[File], start: Barrier, end: Barrier, *, bare: bool) -> None:
    """One process of a scaling run: warms up, waits for the others, works, says that it is done."""
    parser, contents = bare_parser(language), [file.content for file in files]
    run = partial(parse_all, parser, contents) if bare else partial(fingerprint_all, files)
    fingerprint_all(files[:20])
    start.wait()
    run()
    end.wait()


def throughput(language: str, files: Sequence[File], processes: int, *, bare: bool) -> float:
    """Bytes a second of so many processes, each of which goes over all files."""
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


def measure(
    found: Sequence[Project], language: str, megabytes: float, rounds: int
) -> tuple[list[str], list[str], Target]:
    """The row of the table of ratios, that of the table of steps, and the target."""
    files = sources(found, language, megabytes)
    contents = [file.content for file in files]
    size = sum(map(len, contents))
    runs = {"bare": partial(parse_all, bare_parser(language), contents), "ours": partial(fingerprint_all, files)}
    seconds = interleaved(runs, rounds)
    of_bare = ratio(seconds["bare"], seconds["ours"])
    bare, ours = (size / statistics.median(seconds[name]) / 1e6 for name in ("bare", "ours"))
    steps = steps_of(files).seconds
    total = sum(steps.values())
    return (
        [language, str(len(files)), f"{size / 1e6:.1f}", f"{bare:.1f}", f"{ours:.1f}", f"{of_bare:.2f}"],
        [language, *(f"{steps[step] / total:.0%}" for step in STEPS)],
        Target(f"fingerprinting / bare parsing, {language}", of_bare, LEAST_RATIO, at_least=True),
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fingerprint", description=__doc__)
    add_corpus_option(parser)
    parser.add_argument("--megabytes", type=float, default=5.0, help="of each language (default: %(default)g)")
    parser.add_argument("--rounds", type=int, default=5, help="A B A B ... (default: %(default)d)")
    parser.add_argument("--processes", type=int, default=2, help="for the scaling (default: %(default)d)")
    options = parser.parse_args()
    found = projects(corpus_folder(options.corpus))
    measured = [measure(found, language, options.megabytes, options.rounds) for language in LANGUAGE_NAMES]
    print(table(("language", "files", "MB", "bare MB/s", "wherefrom MB/s", "ratio"), [row for row, _, _ in measured]))
    print()
    print(table(("share of the time", *STEPS), [row for _, row, _ in measured]))
    print()
    files = sources(found, "python", options.megabytes)
    rows = []
    for name, bare in (("bare parsing", True), ("fingerprinting", False)):
        one, many = (throughput("python", files, processes, bare=bare) / 1e6 for processes in (1, options.processes))
        rows.append((name, f"{one:.1f}", f"{many:.1f}", f"{many / one:.2f}"))
    print(table(("python", "1 process, MB/s", f"{options.processes} processes, MB/s", "times"), rows))
    finish([target for _, _, target in measured])


if __name__ == "__main__":
    main()
