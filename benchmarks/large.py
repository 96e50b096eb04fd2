"""One index of up to a billion postings in the embedded engine: how it is made, and how it is searched.

    python -m benchmarks.large build --index INDEX --postings 1000000000 --model CLONE [--model CLONE...] CLONE...
    python -m benchmarks.large measure --index INDEX [--cold 20] CLONE...

`build` writes synthetic files (`benchmarks.synthesis`), modelled on some clones, until the index has the postings. Then
it indexes other clones with their history. It prints a row for each tenth: seconds since the start, those of the
processor, and those of the processor for writing, without making the files. Memory does not count mapped pages of
files; the model is a part of it.

`measure` draws snippets and files from the clones, edits them, and looks them up in two warm rounds. It prints first
hits as a digest, so that indexes of different sizes can be compared. Before a cold question, the system drops the pages
of the index. After it, `fincore` counts the pages in memory, which are those that were read if the system reads nothing
ahead (`blockdev --setra 0 DEVICE`). In a cgroup, the same command measures an index that is larger than memory.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import itertools
import json
import os
import random
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import wherefrom
from benchmarks.files import SEED, File
from benchmarks.scale import BEST, Query, first_stage, queries_of
from benchmarks.search import LINES, edited
from benchmarks.synthesis import Synthesis, document_of, postings_of
from benchmarks.timing import percentile, table
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.engines.embedded.folder import HISTORY, RECORDS, RUNS
from wherefrom.engines.engine import Engine, Writer
from wherefrom.languages import LANGUAGES
from wherefrom.model import STORED_BITS, BlobDocument, Occurrence, RepositoryRecord, Representation
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.snippet import analyze_query
from wherefrom.sources.discover import discover

FILES_OF_REPOSITORY = 500

COMMITTED = 2_000_000
"""A commit follows when at least this many postings are new."""

PARTS = 10
"""How many rows `build` prints."""

TERMS = (8, 40, 200)

BEST_TERMS = (8, 12, 20)


def files_of(clones: Sequence[str], cache: Path) -> Iterator[File]:
    """The files of clones at HEAD in languages with a grammar."""
    for source in discover(clones, cache=cache):
        for entry, content in source.read(source.entries()):
            language = next((one for one in LANGUAGES.values() if entry.path.endswith(one.extensions)), None)
            if isinstance(content, bytes) and language is not None and language.grammar:
                yield File(source.key, entry.path, content)


def real(clones: Sequence[str], cache: Path, megabytes: float) -> list[tuple[File, BlobDocument]]:
    """Files of the clones, drawn at random up to some megabytes, with what an index stores of them."""
    files = list(files_of(clones, cache))
    random.Random(SEED).shuffle(files)
    found: dict[str, tuple[File, BlobDocument]] = {}
    size = 0
    for file in files:
        document = document_of(file) if size < megabytes * 1e6 else None
        if document is not None and postings_of(document) and document.stored.blob not in found:
            found[document.stored.blob] = file, document
            size += len(file.content)
    return list(found.values())


def write(writer: Writer, number: int, documents: Sequence[BlobDocument], paths: Sequence[str]) -> None:
    """Writes a synthetic repository."""
    key, commit = f"example.org/owner{number // 10}/project{number}", f"{number:040x}"
    writer.add_blobs(documents)
    pairs = zip(paths, documents, strict=True)
    writer.put_occurrences(Occurrence(key, path, document.stored.blob, commit) for path, document in pairs)
    made = "2026-01-01T00:00:00Z"
    writer.put_repository(RepositoryRecord(key, f"/{key}", "directory", commit, "none", len(documents), 0, {}, made))


def repositories(
    known: Sequence[tuple[File, BlobDocument]], postings: int
) -> Iterator[tuple[Sequence[BlobDocument], Sequence[str]]]:
    """Synthetic files like the known ones, with paths, a repository at a time, until they have that many postings."""
    documents = Synthesis([document for _, document in known]).blobs()
    paths = itertools.cycle([file.path for file, _ in known])
    done = 0
    while done < postings:
        batch = list(itertools.islice(documents, FILES_OF_REPOSITORY))
        done += sum(map(postings_of, batch))
        yield batch, list(itertools.islice(paths, len(batch)))


class AnonymousMemory:
    """The memory of this process that is not of files, seen every tenth of a second.

    Attributes:
        peak: the most, in bytes.
    """

    def __init__(self) -> None:
        self.peak = 0
        self._look()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look_often)

    def _look(self) -> None:
        # https://docs.kernel.org/filesystems/proc.html: RssAnon, in kB
        status = Path("/proc/self/status").read_text()
        self.peak = max(self.peak, int(status.partition("RssAnon:")[2].split()[0]) * 1024)

    def _look_often(self) -> None:
        while not self._ended.wait(0.1):
            self._look()

    def __enter__(self) -> AnonymousMemory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()


def build(options: argparse.Namespace) -> None:
    """Makes an index, and prints what that took."""
    known = real(options.model, options.index.parent, options.megabytes)
    postings = sum(postings_of(document) for _, document in known)
    print(f"{len(known):,} files of the clones with {postings:,} postings are the model", flush=True)
    rows: list[tuple[str, ...]] = []
    with ExitStack() as stack:
        engine = open_engine(options.index, schemes=scheme_ids(), create=True, term_bits=STORED_BITS[0])
        stack.enter_context(closing(engine))
        writer = stack.enter_context(engine.writer())
        memory = stack.enter_context(AnonymousMemory())
        print(f"they take {memory.peak / 1e6:,.0f} MB of memory", flush=True)
        blobs = done = waiting = 0
        writing = 0.0
        begin, begin_processor = time.perf_counter(), time.process_time()
        for number, (batch, paths) in enumerate(repositories(known, options.postings)):
            before = time.process_time()
            write(writer, number, batch, paths)
            added = sum(map(postings_of, batch))
            blobs, done, waiting = blobs + len(batch), done + added, waiting + added
            if waiting >= COMMITTED or done >= options.postings:
                writer.commit()
                waiting = 0
            writing += time.process_time() - before
            if done >= options.postings * (len(rows) + 1) / PARTS:
                spent = (time.perf_counter() - begin, time.process_time() - begin_processor, writing)
                cells = (done, blobs, *spent, memory.peak / 1e6)
                rows.append(tuple(f"{cell:,.0f}" for cell in cells))
                print(*rows[-1], sep="\t", flush=True)
    print(table(("postings", "files", "s", "processor, s", "of these writing", "peak MB"), rows), flush=True)
    begin = time.perf_counter()
    wherefrom.index_sources(options.clones, options.index, history=True)
    print(f"then the clones with their history: {time.perf_counter() - begin:,.0f} s")
    print(table(("part", "MB"), [(name, f"{size / 1e6:,.0f}") for name, size in sizes(options.index).items()]))


def sizes(index: Path) -> dict[str, int]:
    """The bytes of the parts of an index: postings (runs), records, history."""
    found = dict.fromkeys(("postings", "records", "history"), 0)
    for path in index.rglob("*"):
        if path.is_file():
            part = path.relative_to(index).parts[0]
            found["postings" if part == RUNS else "history" if part == HISTORY else "records"] += path.stat().st_size
    return found


@dataclass(frozen=True, slots=True)
class Question:
    """A question about code whose place is known.

    Attributes:
        kind: what is measured.
        ask: asks an index, and returns the first hits, as blob ids or places, best first.
        expected: what should be among the hits; empty if anything may be.
    """

    kind: str
    ask: Callable[[wherefrom.Index], list[str]]
    expected: str = ""


def drawn(known: Sequence[tuple[File, BlobDocument]], number: int) -> list[tuple[str, bytes, str]]:
    """Edited snippets, each with the edited file that it is from, and the blob id of the unchanged file."""
    chance = random.Random(SEED)
    found: list[tuple[str, bytes, str]] = []
    for file, document in known:
        lines = file.content.decode("utf-8", "replace").splitlines()
        length = chance.randint(*LINES)
        if 4 * length <= len(lines) and len(found) < number:
            begin = chance.randrange(len(lines) // 4, len(lines) - length)
            code = edited(lines[begin : begin + length], chance)
            found.append((code, file.content.replace(b"the", b"a"), document.stored.blob))
    return found


def draw_questions(
    known: Sequence[tuple[File, BlobDocument]], snippets: Sequence[tuple[str, bytes, str]]
) -> Iterator[Question]:
    """The questions of each kind, as many as there are snippets."""
    for terms in TERMS:
        for query in queries_of([document for _, document in known], terms, len(snippets)):
            yield Question(f"candidates, {terms} terms", partial(_candidates, query=query))
    for code, _, blob in snippets:
        yield Question("search", partial(_search, code=code), blob)
    for code, _, blob in snippets:
        yield Question("first", partial(_first, code=code), blob)
    for _, content, blob in snippets:
        yield Question("similar", partial(_similar, content=content), blob)


def _candidates(index: wherefrom.Index, query: Query) -> list[str]:
    return first_stage(index._engine, query)


def _search(index: wherefrom.Index, code: str) -> list[str]:
    return [hit.blob for hit in index.search(code).hits]


def _first(index: wherefrom.Index, code: str) -> list[str]:
    return [place.occurrence.blob for place in index.first(code).places]


def _similar(index: wherefrom.Index, content: bytes) -> list[str]:
    return [hit.blob for hit in index.similar_to(content).hits]


def measure(options: argparse.Namespace) -> None:
    """Asks an index warm and cold, and prints the seconds and the pages that were read."""
    known = real(options.clones, options.index.parent, options.megabytes)
    snippets = drawn(known, options.queries)
    questions = list(draw_questions(known, snippets))
    with wherefrom.open_index(options.index) as index:
        answers = [question.ask(index) for question in questions]  # warms up
        warm = [seconds(question, index) for question in questions]
    rows = []
    for kind in dict.fromkeys(question.kind for question in questions):
        chosen = [at for at, question in enumerate(questions) if question.kind == kind]
        times = [warm[at] * 1000 for at in chosen]
        found = [questions[at].expected in answers[at] for at in chosen if questions[at].expected]
        digest = hashlib.sha256(json.dumps([answers[at][:1] for at in chosen]).encode()).hexdigest()[:8]
        cells = [f"{percentile(times, 0.5):,.1f} / {percentile(times, 0.95):,.1f}"]
        cells += [f"{sum(found)} of {len(found)}" if found else "", digest]
        cells += cold([questions[at] for at in chosen[: options.cold]], options.index) if options.cold else []
        rows.append((kind, *cells))
        print(*rows[-1], sep="\t", flush=True)
    head = ("", "warm ms, p50 / p95", "found", "first hits", "cold ms, p50", "pages, p50 / most", "of the records, p50")
    print(table(head[: len(rows[0])], rows))
    with closing(open_engine(options.index, schemes=scheme_ids())) as engine:
        print(table(("terms", f"among the best {BEST}"), fewer_terms(snippets, engine)))


def fewer_terms(snippets: Sequence[tuple[str, bytes, str]], engine: Engine) -> list[tuple[str, str]]:
    """How often the expected file is among the first candidates when only the best terms of a query are looked up."""
    found = dict.fromkeys((*BEST_TERMS, None), 0)
    numbers = []
    for code, _, blob in snippets:
        query = prepare(analyze_query(code.encode(), name="snippet").tokens, engine)
        weights = [
            (weight, representation, term)
            for part in query.parts
            for representation, terms in part.terms.items()
            for term, weight in terms.items()
        ]
        numbers.append(len(weights))
        for most in found:
            chosen: dict[Representation, dict[int, float]] = {}
            for weight, representation, term in sorted(weights, reverse=True)[:most]:
                chosen.setdefault(representation, {})[term] = weight
            found[most] += blob in {one.blob.blob for one in engine.candidates(chosen, limit=BEST)}
    return [
        (str(most or f"all ({statistics.median(numbers):g})"), f"{count} of {len(snippets)}")
        for most, count in found.items()
    ]


def seconds(question: Question, index: wherefrom.Index) -> float:
    """The seconds that a question takes."""
    begin = time.perf_counter()
    question.ask(index)
    return time.perf_counter() - begin


def cold(questions: Sequence[Question], folder: Path) -> list[str]:
    """The milliseconds of each question with nothing in memory, and the pages read for it."""
    times, pages, of_records = [], [], []
    for question in questions:
        gc.collect()  # the system keeps pages that an earlier index has mapped
        with wherefrom.open_index(folder) as index:
            drop(folder)
            times.append(seconds(question, index) * 1000)
            pages.append(in_memory(path for path in folder.rglob("*") if path.is_file()))
            of_records.append(in_memory(folder.rglob(RECORDS)))
    p50 = statistics.median
    return [f"{p50(times):,.0f}", f"{p50(pages):,.0f} / {max(pages):,}", f"{p50(of_records):,.0f}"]


def drop(folder: Path) -> None:
    """Lets the system forget the pages of all files of a folder."""
    for path in folder.rglob("*"):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def in_memory(files: Iterable[Path]) -> int:
    """How many pages of files are in memory."""
    command = ("fincore", "--noheadings", "--output", "PAGES", *map(str, files))
    return sum(map(int, subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=__doc__)
    parser.add_argument("step", choices=("build", "measure"))
    parser.add_argument("clones", nargs="+")
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--postings", type=int, default=10**7, help="synthetic ones (default: %(default)d)")
    parser.add_argument(
        "--model", action="append", default=[], metavar="CLONE", help="the synthetic files are like its"
    )
    parser.add_argument("--megabytes", type=float, default=30.0, help="of all clones to read (default: %(default)g)")
    parser.add_argument("--queries", type=int, default=100, help="of each kind (default: %(default)d)")
    parser.add_argument("--cold", type=int, default=0, help="of each kind, cold (default: none)")
    options = parser.parse_args()
    {"build": build, "measure": measure}[options.step](options)


if __name__ == "__main__":
    main()
