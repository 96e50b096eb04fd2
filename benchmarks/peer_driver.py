"""Runs one Python peer on a folder of files, in the peer's own environment: standard library only, no wherefrom.

Reads a job as JSON on standard input and writes the answer as JSON:

- job: `peer`, `files` (a folder), `queries` (a folder, or null: fingerprint the files only; `files` again: every file
  with every other, each pair once), `options`; queries in one folder are sent together; if the peer also compares
  queries with each other, each subfolder is sent separately;
- answer: `seconds` on a processor without starting and importing, `scores`: (query, file, score) with paths relative to
  the folders.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import itertools
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Score = tuple[str, str, float]
Options = Mapping[str, Any]


def paths(folder: str | None) -> list[Path]:
    """The files below a folder, ascending."""
    return sorted(path for path in Path(folder).rglob("*") if path.is_file()) if folder else []


def copydetect(files: Sequence[Path], queries: Sequence[Path], options: Options) -> Iterator[Score]:
    """The share of the query's fingerprinted code that the file has, above the display threshold."""
    detector = importlib.import_module("copydetect").CopyDetector(silent=True, **options)
    if not queries:
        detector.ref_files = list(map(str, files))
        detector._preprocess_code(detector.ref_files)
        return
    detector.test_files, detector.ref_files = list(map(str, queries)), list(map(str, files))
    detector.run()
    for at, query in enumerate(queries):
        for to, file in enumerate(files):
            score = float(detector.similarity_matrix[at, to, 0])
            if score > detector.conf.display_t and query != file:
                yield str(query), str(file), score


def compare50(files: Sequence[Path], queries: Sequence[Path], options: Options) -> Iterator[Score]:
    """The score of compare50's ranking pass for its `n` best pairs; the files are an archive."""
    api: Any = importlib.import_module("compare50._api")
    data: Any = importlib.import_module("compare50._data")
    api.Executor = api.FauxExecutor
    chosen = getattr(importlib.import_module("compare50.passes"), options["pass"])
    if "k" in options:
        chosen.comparator = importlib.import_module("compare50.comparators").Winnowing(k=options["k"], t=options["t"])
    prepared = data.Preprocessor(chosen.preprocessors)

    def submissions(of: Sequence[Path], *, archive: bool) -> list[Any]:
        return [data.Submission(path.parent, [path.name], preprocessor=prepared, is_archive=archive) for path in of]

    with api.progress_bar("", disable=True):
        if not queries:
            winnowing = importlib.import_module("compare50.comparators._winnowing")
            index = winnowing.ScoreIndex(chosen.comparator.k, chosen.comparator.t)
            for submission in submissions(files, archive=False):
                for file in submission:
                    index.include(file)
            return
        # The same files are compared many times, so their tokens are cached.
        data.File.tokens = functools.cache(data.File.tokens)
        if queries is files:
            asked = submissions(files, archive=False)
            paths_of = dict(zip((each.id for each in asked), files, strict=True))
            for score in api.rank(asked, [], set(), chosen, n=options["n"]):
                yield str(paths_of[score.sub_a.id]), str(paths_of[score.sub_b.id]), float(score.score)
            return
        # compare50 sees a pair only if the archive's submission is the later one, so the archive is made last.
        asked = submissions(queries, archive=False)
        archive = submissions(files, archive=True)
        paths_of = dict(zip((each.id for each in (*asked, *archive)), (*queries, *files), strict=True))
        known = {submission.id for submission in archive}
        for _, group in itertools.groupby(asked, key=lambda submission: submission.path):
            for score in api.rank(list(group), archive, set(), chosen, n=options["n"]):
                if score.sub_b.id in known:
                    yield str(paths_of[score.sub_a.id]), str(paths_of[score.sub_b.id]), float(score.score)


def scanoss(files: Sequence[Path], queries: Sequence[Path], options: Options) -> Iterator[Score]:
    """The number of distinct hashes that both files have. SCANOSS's matching service is not used."""
    module = "scanoss_winnowing.winnowing" if options["fast"] else "scanoss.winnowing"
    winnowing = importlib.import_module(module).Winnowing(quiet=True, all_extensions=options["all_extensions"])

    def hashes(path: Path) -> set[str]:
        lines = winnowing.wfp_for_contents(path.name, False, path.read_bytes()).splitlines()
        found = (line.partition("=") for line in lines)
        return {each for number, _, kept in found if number.isdigit() for each in kept.split(",")}

    kept = {path: hashes(path) for path in files}
    for query in queries:
        asked = hashes(query)
        for path, known in kept.items():
            if asked & known:
                yield str(query), str(path), float(len(asked & known))


PEERS = {"copydetect": copydetect, "compare50": compare50, "scanoss": scanoss}
MODULES = {"copydetect": ["copydetect"], "compare50": ["compare50"], "scanoss": ["scanoss.winnowing"]}


def main() -> None:
    job = json.load(sys.stdin)
    if job["options"].get("fast"):
        importlib.import_module("scanoss_winnowing.winnowing")
    for module in MODULES[job["peer"]]:
        importlib.import_module(module)
    files = paths(job["files"])
    queries = files if job["queries"] == job["files"] else paths(job["queries"])
    begin = time.process_time()
    with contextlib.redirect_stdout(sys.stderr):
        scores = list(PEERS[job["peer"]](files, queries, job["options"]))
    seconds = time.process_time() - begin
    relative = [
        (str(Path(query).relative_to(job["queries"])), str(Path(file).relative_to(job["files"])), score)
        for query, file, score in scores
    ]
    json.dump({"seconds": seconds, "scores": relative}, sys.stdout)


if __name__ == "__main__":
    main()
