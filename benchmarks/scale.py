"""One synthetic collection in the embedded engine, and in Elasticsearch with one shard and with three, side by side.

    python -m benchmarks.scale --server elasticsearch://127.0.0.1:9200

Without a server only the embedded engine is measured.

All engines get the same blobs (`benchmarks.synthesis`), a portion each in turn, until they have the number of postings
of the first size. Then all get the same queries, some in turn, and then they grow to the next size. Seconds are those
of the clock, because other processes do the server's work. On a busy machine the ratios to the embedded engine (the
median over portions or queries) are more reliable. *On a processor* is the average processor time of a query in this
process and in all server processes together, also if shards work at the same time.

A query of n terms has terms of blobs that are in every index, in all representations, weighed as in a search. Its time
is that of the first stage: the document frequencies, and the best 50 candidates with their tokens. *Search* is all of
`wherefrom search` for an edited snippet of 10 to 40 lines. All answers are compared with those of the embedded engine.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from uuid import uuid4

from elasticsearch import Elasticsearch

from benchmarks import pages
from benchmarks.corpus import add_corpus_option, corpus_folder, projects
from benchmarks.files import SEED
from benchmarks.synthesis import Collection, batches, finish, postings_of, write
from benchmarks.timing import percentile, ratio, table
from wherefrom import Index
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import ElasticsearchOptions, open_engine
from wherefrom.engines.elasticsearch.address import parse
from wherefrom.engines.engine import Engine
from wherefrom.model import BlobDocument, Representation
from wherefrom.queries.preparation.query import idf

EMBEDDED = "embedded"
SHARDS = {"elasticsearch, 1 shard": 1, "elasticsearch, 3 shards": 3}

MARK = "scale"

PORTIONS = 8
"""To reach a size, blobs are loaded in this many portions. Each portion gives a ratio."""

BEST = 50
"""How many candidates of the first stage are requested, as in the first batch of a search."""

LOAD = "load"

TURN = 10
"""How many queries an engine gets in one turn."""

WARM_UP = 2 * TURN
"""How many queries of each kind come before those that count, because a server first has to compile itself."""

REFRESHED = 1.1
"""A server measures its processor time again after this many seconds."""

Query = Mapping[Representation, Sequence[int]]

Question = Callable[[Engine], list[str]]
"""Runs a query, and returns the blobs that an engine finds, best first."""


@dataclass(slots=True)
class Seen:
    """Measurements of an engine at one size: seconds by the timed action, one for each portion or query; processor
    seconds by the kind of query; the blobs that each query found, best first; and bytes on disk.
    """

    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    processor: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    answers: list[list[str]] = field(default_factory=list)
    size: int = 0


@dataclass(frozen=True, slots=True)
class Point:
    """The measurements at one size; `loaded` has the postings of each portion."""

    postings: int
    blobs: int
    loaded: Sequence[int]
    seen: Mapping[str, Seen]


class Server:
    """The Elasticsearch cluster, for measurements that an engine does not offer."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._client = Elasticsearch(parse(f"{self._url}/any").nodes)

    def location(self, shards: int) -> str:
        """The location of a new index."""
        return f"{self._url}/wherefrom-benchmark-{uuid4().hex[:12]}-{shards}"

    def processor(self) -> float:
        """Seconds of processor time that all nodes have taken so far."""
        time.sleep(REFRESHED)
        nodes = self._client.nodes.stats(metric="process")["nodes"].values()
        return float(sum(node["process"]["cpu"]["total_in_millis"] for node in nodes)) / 1000

    def settle(self) -> None:
        """Waits for the merges that loading started. The embedded engine does this by itself."""
        while self._client.indices.stats(metric="merge")["_all"]["total"]["merges"]["current"]:
            time.sleep(0.5)

    def remove(self, location: str) -> None:
        """Removes the index at a location."""
        made = self._client.indices.get(index=f"{parse(location).name}-*", features="settings")
        self._client.indices.delete(index=list(made))

    def close(self) -> None:
        """Closes the connection."""
        self._client.close()


@contextmanager
def engines(server: Server | None) -> Iterator[dict[str, Engine]]:
    """Empty indexes, which are removed at the end."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-"))
        opened: dict[str, Engine] = {EMBEDDED: open_engine(Path(folder, "index"), schemes=scheme_ids(), create=True)}
        for name, shards in SHARDS.items():
            if server is None:
                break
            location = server.location(shards)
            options = ElasticsearchOptions(shards=shards, replicas=0)
            opened[name] = open_engine(location, schemes=scheme_ids(), create=True, options=options)
            stack.callback(server.remove, location)
        for engine in opened.values():
            stack.enter_context(closing(engine))
        yield opened


def load(
    opened: Mapping[str, Engine], documents: Iterator[BlobDocument], postings: int, before: int
) -> tuple[dict[str, list[float]], list[int], int]:
    """Adds postings to all engines in turn.

    Args:
        opened: the engines.
        documents: what to add.
        postings: how many to add.
        before: how many blobs the engines have already.

    Returns:
        for each engine the seconds of each portion, with its commit; the postings of each portion; how many blobs are
        there now.
    """
    seconds: dict[str, list[float]] = {name: [] for name in opened}
    loaded: list[int] = []
    for _ in range(PORTIONS):
        portion = list(batches(documents, postings // PORTIONS))
        before += sum(map(len, portion))
        loaded.append(sum(postings_of(document) for batch in portion for document in batch))
        for name, engine in opened.items():
            begin = time.perf_counter()
            with engine.writer() as writer:
                for batch in portion:
                    write(writer, batch)
                finish(writer, before)
            seconds[name].append(time.perf_counter() - begin)
    return seconds, loaded, before


def queries_of(documents: Sequence[BlobDocument], terms: int, number: int) -> list[Query]:
    """`number` queries of `terms` terms each, from randomly chosen blobs."""
    chance = random.Random(SEED + terms)
    found: list[Query] = []
    for _ in range(number):
        held: list[tuple[Representation, int]] = []
        while len(held) < terms:
            document = chance.choice(documents)
            held += [(key, term) for key, values in document.terms.items() for term in values.tolist()]
            held = list(dict.fromkeys(held))
        query: dict[Representation, list[int]] = defaultdict(list)
        for key, term in chance.sample(held, terms):
            query[key].append(term)
        found.append(query)
    return found


def first_stage(engine: Engine, query: Query) -> list[str]:
    """The best candidates, requested as a search does."""
    counted = engine.document_frequencies(query)
    weights = {}
    for representation, terms in query.items():
        counts, blobs = counted[representation]
        weights[representation] = {term: idf(count, blobs) for term, count in zip(terms, counts, strict=True)}
    return [candidate.blob.blob for candidate in engine.candidates(weights, limit=BEST)]


def search(engine: Engine, code: str) -> list[str]:
    """The blobs that a search finds."""
    return [hit.blob for hit in Index(engine).search(code).hits]


def questions(made: Collection, terms: Sequence[int], number: int) -> dict[str, list[Question]]:
    """`number` queries of each kind, after those for warming up."""
    number += WARM_UP
    asked: dict[str, list[Question]] = {
        f"{size} terms": [partial(first_stage, query=query) for query in queries_of(made.chosen, size, number)]
        for size in terms
    }
    return asked | {"search": [partial(search, code=code) for _, code in made.queries]}


def ask(
    opened: Mapping[str, Engine],
    seen: Mapping[str, Seen],
    asked: Mapping[str, Sequence[Question]],
    server: Server | None,
) -> None:
    """Runs all queries in every engine; the engines take turns of `TURN` queries."""
    for kind, each in asked.items():
        for begin in range(0, len(each), TURN):
            turn = each[begin : begin + TURN]
            for name, engine in opened.items():
                before = processor(name, server)
                timed = [clocked(question, engine) for question in turn]
                spent = processor(name, server) - before
                if begin >= WARM_UP:
                    seen[name].seconds[kind] += [seconds for _, seconds in timed]
                    seen[name].answers += [answer for answer, _ in timed]
                    seen[name].processor[kind] += [spent / len(turn)] * len(turn)


def clocked(question: Question, engine: Engine) -> tuple[list[str], float]:
    """The answer to a query, and the seconds that it took."""
    begin = time.perf_counter()
    return question(engine), time.perf_counter() - begin


def processor(name: str, server: Server | None) -> float:
    """Seconds of processor time that an engine has taken so far."""
    return time.process_time() + (server.processor() if server and name != EMBEDDED else 0.0)


def measure(
    opened: Mapping[str, Engine],
    documents: Iterator[BlobDocument],
    sizes: Sequence[int],
    asked: Mapping[str, Sequence[Question]],
    server: Server | None,
) -> list[Point]:
    """Grows all engines to each size in turn, and measures the queries at each size."""
    points: list[Point] = []
    postings = blobs = 0
    for size in sizes:
        seconds, loaded, blobs = load(opened, documents, size - postings, blobs)
        postings += sum(loaded)
        if server:
            server.settle()
        # Hides the collection from the garbage collector: a process that only searches does not have it.
        gc.collect()
        gc.freeze()
        seen = {name: Seen() for name in opened}
        ask(opened, seen, asked, server)
        for name, engine in opened.items():
            seen[name].seconds[LOAD] = seconds[name]
            # The size is read last, because Elasticsearch measures its files only every ten seconds.
            seen[name].size = engine.stats().stored or 0
        points.append(Point(postings, blobs, loaded, seen))
    return points


def loading_report(points: Sequence[Point]) -> str:
    """Speed of loading and size, for each size and engine."""
    rows = []
    for point in points:
        own = point.seen[EMBEDDED]
        for name, seen in point.seen.items():
            speed = sum(point.loaded) / sum(seen.seconds[LOAD])
            times = 1 / ratio(seen.seconds[LOAD], own.seconds[LOAD])
            rows.append(
                (
                    *(f"{point.postings:,}", f"{point.blobs:,}", name, f"{speed:,.0f}", f"{times:.2f}"),
                    *(f"{seen.size / 1e6:,.0f}", f"{seen.size / point.postings:.1f}", f"{seen.size / own.size:.2f}"),
                )
            )
    head = ("postings", "blobs", "engine", "terms / s", "x embedded", "MB", "bytes / posting", "x embedded")
    return table(head, rows)


def latency_report(points: Sequence[Point]) -> str:
    """Latencies in ms, for each size and engine."""
    rows = []
    for point in points:
        own = point.seen[EMBEDDED]
        for name, seen in point.seen.items():
            cells = [_latency(seen.seconds[kind], own.seconds[kind]) for kind in own.processor]
            alike = sum(one == other for one, other in zip(seen.answers, own.answers, strict=True))
            rows.append((f"{point.postings:,}", name, *cells, f"{alike} of {len(own.answers)}"))
    return table(("postings", "engine", *points[0].seen[EMBEDDED].processor, "same answer"), rows)


def processor_report(points: Sequence[Point]) -> str:
    """Processor time of a query in ms, for each size and engine."""
    rows = [
        (f"{point.postings:,}", name, *(f"{statistics.mean(spent) * 1000:.1f}" for spent in seen.processor.values()))
        for point in points
        for name, seen in point.seen.items()
    ]
    return table(("postings", "engine", *points[0].seen[EMBEDDED].processor), rows)


def _latency(seconds: Sequence[float], own: Sequence[float]) -> str:
    p50, p95 = (percentile(seconds, share) * 1000 for share in (0.5, 0.95))
    return f"{p50:.1f} / {p95:.1f} ({ratio(seconds, own):.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    add_corpus_option(parser)
    parser.add_argument(
        "--server", metavar="URL", help="elasticsearch://HOST:PORT (default: the embedded engine alone)"
    )
    parser.add_argument("--megabytes", type=float, default=6.0, help="of real source (default: %(default)g)")
    parser.add_argument(
        "--postings", type=int, nargs="+", default=[10**6, 10**7], help="sizes (default: 10^6 and 10^7)"
    )
    parser.add_argument(
        "--terms", type=int, nargs="+", default=[8, 40, 200, 500], help="of a query (default: 8 to 500)"
    )
    parser.add_argument("--queries", type=int, default=60, help="of each kind (default: %(default)d)")
    parser.add_argument("--page", type=Path, help=f"write the tables between the marks `{MARK}` of this page")
    options = parser.parse_args()
    if options.page:
        pages.check(options.page, MARK)
    measured = pages.state()
    sizes = sorted(options.postings)
    found = projects(corpus_folder(options.corpus))
    made = Collection.of(found, options.megabytes, sizes[0], options.queries + WARM_UP)
    asked = questions(made, options.terms, options.queries)
    with ExitStack() as stack:
        stack.enter_context(Analyzer())  # the analyzer of snippets stays loaded, as it does with an open index
        server = stack.enter_context(closing(Server(options.server))) if options.server else None
        opened = stack.enter_context(engines(server))
        points = measure(opened, made.documents(), sizes, asked, server)
    text = "\n\n".join(
        (
            f"State: {measured}.",
            loading_report(points),
            "Milliseconds, p50 / p95 (x embedded):",
            latency_report(points),
            "Milliseconds on a processor, mean:",
            processor_report(points),
        )
    )
    pages.publish(text, measured, options.page, MARK)


if __name__ == "__main__":
    main()
