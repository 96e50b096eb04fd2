"""Throughput beside the peers on one corpus; size and search latency of indexes of growing size.

*Throughput* is bytes a second of processor time, one thread each, of what turns files into fingerprints; medians of
interleaved runs, ratios taken round by round. What a peer does in that time is not the same everywhere: the table says.

*Growth*: indexes of so many postings are made of blobs with the term statistics of real code. Every synthetic blob has
the terms of a real one, but a term that r of the real blobs have is kept with the probability r*/r only, where
r* = (r + 1) n(r + 1) / n(r) is how many blobs of an equally large second corpus are expected to have it (Good-Turing;
n(r) is how many terms r blobs have), and else replaced by a new one. Its tokens are those of yet another real blob, so
that it is read and judged like any other, but is no copy. Some real blobs are in every index, and edited snippets of
them are searched for.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import math
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import whence
from benchmarks.corpus import Project, add_corpus_option, corpus_folder, projects
from benchmarks.files import SEED, File, sources
from benchmarks.fingerprint import bare_parser, fingerprint_all, parse_all
from benchmarks.memory import run as run_command
from benchmarks.peers import NOT_RUN, PEERS, add_peers_option, ask, default, missing, peers_folder
from benchmarks.search import LINES, STEPS, edited
from benchmarks.timing import Steps, percentile, ratio, table
from whence.analyzers.analysis import analyze_file
from whence.analyzers.fingerprints import document_terms
from whence.analyzers.languages import LANGUAGES
from whence.analyzers.schemes import SCHEMES, scheme_ids
from whence.analyzers.tokens import encode
from whence.engines import open_engine
from whence.model import BlobDocument, Occurrence, RepositoryRecord, Representation, SkipReason

LANGUAGE_NAMES = ("python", "java", "c")
OURS = "whence"

MOST_ADJUSTED = 8
"""Terms in more blobs than this are kept always: n(r) is too small to say more."""

REAL_SHARE = 0.5
"""Of the postings of the smallest index, those of real blobs."""

COMMIT_POSTINGS = 4_000_000
BATCH = 200


def written(files: Sequence[File], language: str, folder: Path) -> Path:
    """The files in a folder of their own, numbered."""
    folder.mkdir(parents=True)
    for number, file in enumerate(files):
        ending = next(each for each in LANGUAGES[language].extensions if file.path.endswith(each))
        (folder / f"{number:05}{ending}").write_bytes(file.content)
    return folder


def processor_seconds(run: Callable[[], object]) -> float:
    """Of this process."""
    begin = time.process_time()
    run()
    return time.process_time() - begin


def indexing_seconds(folder: Path, scratch: Path) -> float:
    """Of a whole `whence index` with one worker, start and imports included."""
    with tempfile.TemporaryDirectory(dir=scratch) as index:
        command = [
            sys.executable,
            "-m",
            "whence",
            "index",
            str(folder),
            "--index",
            f"{index}/i",
            "--jobs",
            "1",
            "--quiet",
        ]
        finished = run_command(command)
    if finished.code:
        sys.exit(f"indexing failed: {finished.stderr.strip()}")
    return finished.processor


def throughputs(
    files: Sequence[File], language: str, rounds: int, peers: Path, ready: Sequence[str]
) -> dict[str, tuple[float, float]]:
    """For each tool MB/s and its ratio to whence; a peer that fails is left out with a word."""
    size = sum(len(file.content) for file in files)
    with tempfile.TemporaryDirectory(prefix="whence-benchmark-") as scratch:
        folder = written(files, language, Path(scratch, "files"))
        contents = [file.content for file in files]
        runs: dict[str, Callable[[], float]] = {
            OURS: partial(processor_seconds, partial(fingerprint_all, files)),
            "bare Tree-sitter": partial(processor_seconds, partial(parse_all, bare_parser(language), contents)),
            "`whence index`": partial(indexing_seconds, folder, Path(scratch)),
        }
        for name in ready:
            runs[name] = partial(_peer_seconds, name, peers, folder, language)
        fingerprint_all(files[:20])
        seconds: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(rounds):
            for name in list(runs):
                try:
                    seconds[name].append(runs[name]())
                except subprocess.SubprocessError as error:
                    print(f"{name} failed on {language}: {error}", file=sys.stderr)
                    del runs[name]
    return {name: (size / 1e6 / statistics.median(seconds[name]), ratio(seconds[OURS], seconds[name])) for name in runs}


def _peer_seconds(name: str, peers: Path, folder: Path, language: str) -> float:
    return ask(PEERS[name], peers, folder, None, default(PEERS[name], language)).seconds


def throughput_report(found: Sequence[Project], megabytes: float, rounds: int, peers: Path) -> str:
    """The table of throughputs, and what was not run."""
    state = {name: missing(peer, peers) for name, peer in PEERS.items()}
    ready = [name for name, why in state.items() if not why]
    files = {language: sources(found, language, megabytes) for language in LANGUAGE_NAMES}
    measured = {name: throughputs(chosen, name, rounds, peers, ready) for name, chosen in files.items()}
    what = {
        OURS: "parsing with Tree-sitter, tokens, k-grams of two representations, winnowing, terms",
        "bare Tree-sitter": "parsing alone",
        "`whence index`": "the whole command with `--jobs 1` and its start: the above, token streams, commit",
        **{name: PEERS[name].fingerprinting for name in ready},
    }
    rows = []
    for name, does in what.items():
        cells = [measured[language].get(name) for language in LANGUAGE_NAMES]
        rows.append([name, *(f"{cell[0]:.2f} ({cell[1]:.2f})" if cell else "failed" for cell in cells), does])
    sizes = ", ".join(
        f"{name} {len(chosen)} files, {sum(len(file.content) for file in chosen) / 1e6:.1f} MB"
        for name, chosen in files.items()
    )
    skipped = [f"{name}: {why}" for name, why in ({name: why for name, why in state.items() if why} | NOT_RUN).items()]
    head = ("tool", *(f"{language}, MB/s (x whence)" for language in LANGUAGE_NAMES), "what is timed")
    return "\n".join([sizes + "\n", table(head, rows), "", *(f"Not run: {line}." for line in skipped)])


def good_turing(frequencies: NDArray[np.int64], most: int = MOST_ADJUSTED) -> NDArray[np.float64]:
    """r*/r, the probability that a term of r blobs is kept.

    Args:
        frequencies: of each distinct term in how many blobs it is, from 1.
        most: from r above this on it is 1.

    Returns:
        the probabilities for r = 0 (which is 0), 1, ..., `most` + 1.
    """
    counts = np.bincount(np.minimum(frequencies, most + 2), minlength=most + 3).astype(np.float64)
    kept = np.ones(most + 2)
    kept[0] = 0.0
    for r in range(1, most + 1):
        if counts[r]:
            kept[r] = min(1.0, (r + 1) * counts[r + 1] / counts[r] / r)
    return kept


class Synthesis:
    """Blobs with the term statistics of real ones."""

    def __init__(self, documents: Sequence[BlobDocument], seed: int = SEED) -> None:
        self._documents = documents
        self._chance = np.random.default_rng(seed)
        self._kept: dict[Representation, list[NDArray[np.float64]]] = {}
        for representation in SCHEMES:
            terms = [document.terms.get(representation, np.empty(0, np.uint64)) for document in documents]
            _, places, counts = np.unique(np.concatenate(terms), return_inverse=True, return_counts=True)
            shares = good_turing(counts)[np.minimum(counts, MOST_ADJUSTED + 1)][places]
            ends = np.cumsum([len(each) for each in terms])
            self._kept[representation] = np.split(shares, ends[:-1])

    def blobs(self) -> Iterator[BlobDocument]:
        """Ever more of them."""
        number = 0
        while True:
            for at in self._chance.permutation(len(self._documents)).tolist():
                number += 1
                tokens = self._documents[int(self._chance.integers(len(self._documents)))]
                terms = {
                    representation: self._varied(
                        each, self._kept[representation][at], SCHEMES[representation].term_bits
                    )
                    for representation, each in self._documents[at].terms.items()
                }
                name = hashlib.sha1(f"synthetic {number}".encode(), usedforsecurity=False).hexdigest()
                yield BlobDocument(name, tokens.language, tokens.size, tokens.token_count, terms, tokens.tokens)

    def _varied(self, terms: NDArray[np.uint64], kept: NDArray[np.float64], bits: int) -> NDArray[np.uint64]:
        new = self._chance.integers(0, 1 << bits, len(terms), np.uint64)
        return np.unique(np.where(self._chance.random(len(terms)) < kept, terms, new))


def document_of(file: File) -> BlobDocument | None:
    """As `whence index` would write it; None where it is skipped."""
    found = analyze_file(file.path, file.content)
    if isinstance(found, SkipReason):
        return None
    header = f"blob {len(file.content)}\0".encode()
    return BlobDocument(
        hashlib.sha1(header + file.content, usedforsecurity=False).hexdigest(),
        found.language,
        len(file.content),
        len(found.tokens),
        document_terms(found.tokens),
        encode(found.tokens),
    )


def postings_of(document: BlobDocument) -> int:
    """How many postings it adds."""
    return sum(map(len, document.terms.values()))


def build(folder: Path, documents: Iterator[BlobDocument], postings: int) -> tuple[int, int, float]:
    """Writes blobs until there are so many postings, each with an occurrence; blobs, postings, processor seconds."""
    blobs = total = uncommitted = 0
    seconds = 0.0
    with closing(open_engine(folder, schemes=scheme_ids(), create=True)) as engine, engine.writer() as writer:
        while total < postings:
            batch: list[BlobDocument] = []
            while total < postings and len(batch) < BATCH:
                batch.append(next(documents))
                total += postings_of(batch[-1])
            begin = time.process_time()
            writer.add_blobs(batch)
            writer.put_occurrences(
                Occurrence("synthetic", f"{blobs + at}.txt", document.blob, "0") for at, document in enumerate(batch)
            )
            blobs += len(batch)
            uncommitted += sum(map(postings_of, batch))
            if uncommitted >= COMMIT_POSTINGS:
                writer.commit()
                uncommitted = 0
            seconds += time.process_time() - begin
        begin = time.process_time()
        record = RepositoryRecord("synthetic", str(folder), "directory", "0", "", blobs, 0, {}, "2026-01-01T00:00:00Z")
        writer.put_repository(record)
        writer.commit()
        seconds += time.process_time() - begin
    return blobs, total, seconds


@dataclass(frozen=True, slots=True)
class Point:
    """What was read at one size; latencies in ms of processor time, one for each query."""

    postings: int
    blobs: int
    building: float
    size: int
    candidates: Sequence[float]
    search: Sequence[float]
    right: int


def queries_of(files: Sequence[File], number: int) -> list[tuple[str, str]]:
    """(blob, edited snippet) of files that are long enough."""
    chance = random.Random(SEED)
    found: list[tuple[str, str]] = []
    for file in files:
        lines = file.content.decode("utf-8", "replace").splitlines()
        length = chance.randint(*LINES)
        document = document_of(file)
        if 4 * length > len(lines) or document is None:
            continue
        begin = chance.randrange(len(lines) // 4, len(lines) - length)
        found.append((document.blob, edited(lines[begin : begin + length], chance)))
        if len(found) == number:
            break
    return found


def latencies(folder: Path, queries: Sequence[tuple[str, str]]) -> tuple[list[float], list[float], int]:
    """For each query ms of the engine's candidates and of the whole search, and how many found their blob first."""
    candidates, search, right = [], [], 0
    steps = Steps()
    with whence.open_index(folder) as opened, steps.watching({"candidates": STEPS["candidates"]}):
        for _, code in queries[:10]:
            opened.search(code)
        for blob, code in queries:
            before, begin = steps.seconds["candidates"], time.process_time()
            hits = opened.search(code).hits
            search.append((time.process_time() - begin) * 1000)
            candidates.append((steps.seconds["candidates"] - before) * 1000)
            right += bool(hits) and hits[0].blob == blob
    return candidates, search, right


def grow(found: Sequence[Project], megabytes: float, sizes: Sequence[int], number: int) -> list[Point]:
    """Builds an index of each size, measures it and removes it."""
    files = [file for language in LANGUAGE_NAMES for file in sources(found, language, megabytes / len(LANGUAGE_NAMES))]
    random.Random(SEED).shuffle(files)
    known: dict[str, BlobDocument] = {}
    chosen, real = [], 0
    for file in files:
        document = document_of(file)
        if document is not None and document.blob not in known:
            known[document.blob] = document
            if real + postings_of(document) <= REAL_SHARE * min(sizes):
                real += postings_of(document)
                chosen.append((file, document))
    queries = queries_of([file for file, _ in chosen], number)
    points = []
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="whence-benchmark-") as scratch:
            folder = Path(scratch, "index")
            documents = chain((document for _, document in chosen), Synthesis(list(known.values())).blobs())
            blobs, postings, seconds = build(folder, documents, size)
            stored = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            points.append(Point(postings, blobs, seconds, stored, *latencies(folder, queries)))
    return points


def growth_report(points: Sequence[Point]) -> str:
    """The table; after each figure but the first how it grows: the exponent of the size by which it went up."""
    rows = []
    for before, point in zip((None, *points), points, strict=False):
        candidates, search = (percentile(values, 0.5) for values in (point.candidates, point.search))
        cells = [
            _grown(f"{value:.{digits}f}", value, _value(before, at), point, before)
            for at, (value, digits) in enumerate(
                ((point.building, 1), (point.size / 1e6, 1), (candidates, 2), (search, 1))
            )
        ]
        worst = [f"{percentile(values, 0.95):.1f}" for values in (point.candidates, point.search)]
        rows.append(
            (
                *(f"{point.postings:,}", f"{point.blobs:,}", *cells[:2], f"{point.size / point.postings:.1f}"),
                *(cells[2], worst[0], cells[3], worst[1], f"{point.right} of {len(point.search)}"),
            )
        )
    head = (
        *("postings", "blobs", "writing, s", "MB", "bytes / posting"),
        *("candidates p50, ms", "p95", "search p50, ms", "p95", "found first"),
    )
    return table(head, rows)


def _value(point: Point | None, at: int) -> float:
    if point is None:
        return 0.0
    values = (point.building, point.size / 1e6, percentile(point.candidates, 0.5), percentile(point.search, 0.5))
    return values[at]


def _grown(cell: str, value: float, before: float, point: Point, earlier: Point | None) -> str:
    if earlier is None or not before or not value:
        return cell
    return f"{cell} ({exponent(earlier.postings, before, point.postings, value):.2f})"


def exponent(size: float, cost: float, larger: float, greater: float) -> float:
    """The power of the size with which cost grows: 1 is in step with it, 0 not at all."""
    return math.log(greater / cost) / math.log(larger / size)


def plot(points: Sequence[Point], path: Path) -> None:
    """Size and latency over postings, both axes logarithmic; needs the extra `whence[lab]`."""
    figure = importlib.import_module("matplotlib.figure").Figure(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot()
    postings = [point.postings for point in points]
    axes.loglog(postings, [percentile(point.candidates, 0.5) for point in points], "o-", label="candidates, p50, ms")
    axes.loglog(postings, [percentile(point.search, 0.5) for point in points], "o-", label="search, p50, ms")
    axes.loglog(postings, [point.size / 1e6 for point in points], "o-", label="index, MB")
    axes.set_xlabel("postings")
    axes.legend()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    add_corpus_option(parser)
    add_peers_option(parser)
    parser.add_argument("--only", choices=("throughput", "growth"), help="one of the two parts")
    parser.add_argument("--megabytes", type=float, default=2.0, help="of each language (default: %(default)g)")
    parser.add_argument("--rounds", type=int, default=3, help="A B A B ... (default: %(default)d)")
    parser.add_argument(
        "--postings", type=int, nargs="+", default=[10**5, 10**6, 10**7], help="sizes (default: 10^5, 10^6 and 10^7)"
    )
    parser.add_argument("--snippets", type=int, default=60, help="that are searched for (default: %(default)d)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="the growth, as SVG or PNG")
    options = parser.parse_args()
    found = projects(corpus_folder(options.corpus))
    if options.only != "growth":
        print(throughput_report(found, options.megabytes, options.rounds, peers_folder(options.peers)))
    if options.only != "throughput":
        points = grow(found, 3 * options.megabytes, sorted(options.postings), options.snippets)
        print("\n" + growth_report(points))
        if options.plot:
            plot(points, options.plot)


if __name__ == "__main__":
    main()
