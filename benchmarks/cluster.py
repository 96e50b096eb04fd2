"""One index on three Elasticsearch nodes with a replica: how fast it is, and what the loss of a node does.

    python -m benchmarks.cluster --postings 10000000 --embedded --model CLONE [--model CLONE...] CLONE...
    python -m benchmarks.cluster --postings 10000000 --shards 1 3 6 --model CLONE [--model CLONE...] CLONE...

It starts three nodes on this machine, with a gigabyte of heap each. It writes the clones at HEAD and synthetic files
(`benchmarks.large`) through the engine. When half is written, `kill -9` ends a node that has primary shards; at three
quarters the node is started again. Seconds include those of making the files. At the end each content is looked for.

Then it asks for edited snippets of the clones and for the first stage of 40 terms. It asks again while the elected
master is killed, and again with the two nodes that are left. Answers are compared with those before, and with
`--embedded` with those of an embedded index of the same files. Last, it merges each shard into one segment.

With several numbers of `--shards`, it writes the same files to an index of each, kills nothing, merges, and asks each
in turn.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.files import File
from benchmarks.large import Question, draw_questions, drawn, real, repositories, write
from benchmarks.synthesis import postings_of
from benchmarks.timing import percentile, table
from tests.elasticsearch.servers import Access, Node, Server, server, wait_until
from wherefrom import Index
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import ElasticsearchOptions, open_engine
from wherefrom.engines.engine import Engine, Writer
from wherefrom.errors import WherefromError
from wherefrom.model import BlobDocument

NODES = 3

NAME = "benchmark"

COMMITTED = 4_000_000
"""A commit follows when at least this many postings are new."""

PARTS = 20
"""How many rows a load prints."""

KILLED, STARTED = 0.5, 0.75
"""The shares of the load after which a node is killed and started again."""

HEAD = ("question", "with", "ms, p50 / p95", "errors", "answers")

KINDS = ("candidates, 40 terms", "search")

COUNTED = 4
"""How many rounds of questions count when indexes with several numbers of shards are compared."""

WAIT = 1_800.0
"""The longest wait for a cluster that gets its copies back, and for a merge."""

REAL_MEGABYTES = 5.0
"""Of the clones for each million of postings."""

SETTLED = 11.0
"""A server measures its files again after this many seconds."""


@dataclass
class Cluster:
    """The nodes, with those that run."""

    server: Server
    down: set[Node] = field(default_factory=set)

    def make(self, shards: int, name: str = NAME) -> Engine:
        """Makes an index with a replica, and opens it with all hosts."""
        location = f"elasticsearch://{','.join(node.host for node in self.server.nodes)}/{name}"
        settings = ElasticsearchOptions(shards=shards, replicas=1)
        return open_engine(location, schemes=scheme_ids(), create=True, options=settings)

    def __call__(self, method: str, path: str, *, timeout: float = 30) -> Any:
        """The answer of a node that runs."""
        node = next(node for node in self.server.nodes if node not in self.down)
        return json.loads(Access(f"http://{node.host}").send(method, path, None, timeout=timeout) or b"null")

    def copies(self) -> list[dict[str, str]]:
        """A row for each copy of each shard of the index."""
        columns = "index,shard,prirep,state,docs,node"
        found: list[dict[str, str]] = self("GET", f"/_cat/shards/{NAME}-*?format=json&h={columns}")
        return found

    def master(self) -> Node:
        """The elected master."""
        return self._named(self("GET", "/_cat/master?format=json")[0]["node"])

    def primary(self) -> Node:
        """The node with the primary of the first shard of the contents."""
        rows = [row for row in self.copies() if row["prirep"] == "p" and "-blobs-" in row["index"]]
        return self._named(min(rows, key=lambda row: row["shard"])["node"])

    def _named(self, name: str) -> Node:
        return next(node for node in self.server.nodes if node.folder.name == name)

    def kill(self, node: Node) -> None:
        """`kill -9`."""
        self.down.add(node)
        node.kill()

    def start(self) -> None:
        """Begins to start the nodes that are down; `wait_for_green` waits for them."""
        for node in self.down:
            node.launch()

    def wait_for_green(self) -> float:
        """Waits until every node is there and every copy is complete; returns the seconds."""
        begin = time.perf_counter()
        query = f"wait_for_nodes={NODES}&wait_for_status=green&timeout=1s"

        def is_green() -> bool:
            return not self("GET", f"/_cluster/health?{query}")["timed_out"]

        wait_until(is_green, "a green cluster", WAIT)
        self.down.clear()
        return time.perf_counter() - begin

    def sizes(self, name: str = NAME) -> tuple[int, int]:
        """The bytes of the primary shards, and of all copies."""
        time.sleep(SETTLED)
        found = self("GET", f"/{name}-*/_stats/store")["_all"]
        return found["primaries"]["store"]["size_in_bytes"], found["total"]["store"]["size_in_bytes"]

    def merge(self, name: str = NAME) -> float:
        """Merges each shard into one segment; returns the seconds."""
        begin = time.perf_counter()
        self("POST", f"/{name}-*/_forcemerge?max_num_segments=1", timeout=WAIT)
        self("POST", f"/{name}-*/_flush", timeout=WAIT)
        return time.perf_counter() - begin


@dataclass
class Load:
    """What was written."""

    blobs: set[str] = field(default_factory=set)
    places: set[tuple[int, str]] = field(default_factory=set)
    postings: int = 0

    def add(self, writers: Sequence[Writer], number: int, batch: Sequence[BlobDocument], paths: Sequence[str]) -> None:
        """Writes a repository to all indexes."""
        for writer in writers:
            write(writer, number, batch, paths)
        self.blobs.update(document.stored.blob for document in batch)
        self.places.update((number, path) for path in paths)
        self.postings += sum(map(postings_of, batch))


class Inputs(NamedTuple):
    """Files of clones, the files that synthetic ones are like, and questions about the clones."""

    clones: Sequence[tuple[File, BlobDocument]]
    model: Sequence[tuple[File, BlobDocument]]
    questions: Sequence[Question]


def say(*cells: object) -> None:
    """Prints a line at once, with the time of day."""
    print(time.strftime("%H:%M:%S"), *cells, sep="\t", flush=True)


def load(
    cluster: Cluster,
    engines: Sequence[Engine],
    inputs: Inputs,
    postings: int,
    *,
    kills: bool,
) -> Load:
    """Writes the clones, then synthetic files; meanwhile a node is killed and started again."""
    done = Load()
    begin = time.perf_counter()
    last, printed, waiting = begin, 0, 0
    events: list[tuple[float, Callable[[], None]]] = [
        (KILLED, lambda: killed(cluster, cluster.primary(), "with primary shards")),
        (STARTED, lambda: started(cluster)),
    ]
    if not kills:
        events.clear()
    with ExitStack() as stack:
        writers = [stack.enter_context(engine.writer()) for engine in engines]
        sources = sorted({file.project for file, _ in inputs.clones})
        for number, source in enumerate(sources):
            own = [(file.path, document) for file, document in inputs.clones if file.project == source]
            done.add(writers, number, [document for _, document in own], [path for path, _ in own])
        missing = postings - done.postings
        for number, (batch, paths) in enumerate(repositories(inputs.model, missing), len(sources)):
            before = done.postings
            done.add(writers, number, batch, paths)
            waiting += done.postings - before
            if events and done.postings >= events[0][0] * postings:
                events.pop(0)[1]()
            if waiting >= COMMITTED:
                for writer in writers:
                    writer.commit()
                waiting = 0
            if done.postings >= postings * (printed + 1) / PARTS or done.postings >= postings:
                now = time.perf_counter()
                say(f"{done.postings:,}", f"{now - begin:,.0f} s", f"{now - last:,.1f} s more")
                last, printed = now, int(done.postings * PARTS / postings)
    seconds = time.perf_counter() - begin
    say(
        f"{done.postings:,} postings of {len(done.blobs):,} files",
        f"{seconds:,.0f} s",
        f"{done.postings / seconds:,.0f} / s",
    )
    return done


def killed(cluster: Cluster, node: Node, why: str) -> None:
    """Kills a node."""
    role = "the master" if node is cluster.master() else "not the master"
    cluster.kill(node)
    say(f"killed {node.folder.name}, {why}, {role}")


def started(cluster: Cluster) -> None:
    """Begins to start the nodes that are down."""
    cluster.start()
    say("began to start it again")


def check(cluster: Cluster, engine: Engine, done: Load) -> None:
    """Prints what of a load is missing."""
    stats = engine.stats()
    missing = done.blobs - engine.known(done.blobs)
    listed = {blob.blob for blob in engine.stored_blobs()}
    say(
        f"contents: {stats.blobs:,} of {len(done.blobs):,}, {len(missing)} missing by id, "
        f"{len(done.blobs ^ listed)} different in the list; places: {stats.occurrences:,} of {len(done.places):,}"
    )
    cluster("POST", f"/{NAME}-*/_refresh")
    counts: dict[tuple[str, str], set[str]] = {}
    for row in cluster.copies():
        counts.setdefault((row["index"], row["shard"]), set()).add(row["docs"])
    different = [f"{index} {shard}: {found}" for (index, shard), found in counts.items() if len(found) > 1]
    say("copies of shards with different counts:", *(different or ["none"]))


@dataclass
class Round:
    """The answers to some questions, the seconds of each, and the errors."""

    answers: list[list[str] | None] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def extend(self, other: Round) -> None:
        """Adds another one."""
        self.answers += other.answers
        self.seconds += other.seconds
        self.errors += other.errors

    def __str__(self) -> str:
        p50, p95 = (1000 * percentile(self.seconds, share) for share in (0.5, 0.95))
        return f"{p50:,.1f} / {p95:,.1f}, slowest {1000 * max(self.seconds):,.0f} ms"


def _list(index: Index) -> list[str]:
    places = [f"{place.repository} {place.path}" for place in index._engine.occurrences()]
    return [blob.blob for blob in index._engine.stored_blobs()] + places


LIST = Question("list", _list)
"""All contents and places, a page at a time."""


def repeat(found: Round, ended: threading.Event, run: Callable[[], Round]) -> None:
    """Adds to a round until it is ended."""
    while not ended.is_set():
        found.extend(run())


def ask(index: Index, questions: Iterable[Question]) -> Round:
    """Asks an index."""
    found = Round()
    for question in questions:
        begin = time.perf_counter()
        try:
            found.answers.append(question.ask(index))
        except WherefromError as error:
            found.answers.append(None)
            found.errors.append(str(error))
        found.seconds.append(time.perf_counter() - begin)
    return found


def search(
    cluster: Cluster, index: Index, other: Index | None, questions: Sequence[Question], rounds: int, *, kills: bool
) -> None:
    """Asks with all nodes, while the master is killed, and with two nodes."""
    for _ in range(rounds):
        ask(index, questions)  # a server compiles itself
    rows = []
    answers: list[list[str] | None] = []
    for kind in KINDS:
        chosen = [question for question in questions if question.kind == kind]
        whole = ask(index, chosen)
        pairs = [
            (one.expected, answer or []) for one, answer in zip(chosen, whole.answers, strict=True) if one.expected
        ]
        found = f"found {sum(blob in answer for blob, answer in pairs)} of {len(pairs)}" if pairs else ""
        rows.append((kind, "3 nodes", str(whole), str(len(whole.errors)), found))
        answers += whole.answers
    if other is not None:
        for kind in KINDS:
            ask(other, [question for question in questions if question.kind == kind])
            own = ask(other, [question for question in questions if question.kind == kind])
            theirs = [answer for question, answer in zip(questions, answers, strict=True) if question.kind == kind]
            first = sum((one or [])[:1] == (two or [])[:1] for one, two in zip(own.answers, theirs, strict=True))
            all_ = sum(one == two for one, two in zip(own.answers, theirs, strict=True))
            rows.append((kind, "embedded", str(own), str(len(own.errors)), f"equal first hits {first}, answers {all_}"))
    print(table(HEAD, rows), flush=True)
    if not kills:
        return
    rows.clear()
    during, lists = Round(), Round()
    with ThreadPoolExecutor(1) as pool:
        ended = threading.Event()
        listing = pool.submit(lambda: repeat(lists, ended, lambda: ask(index, [LIST])))
        killing = threading.Timer(sum(whole.seconds) / 2, killed, (cluster, cluster.master(), "amid questions"))
        killing.start()
        while killing.is_alive() or len(during.answers) < 3 * len(questions):
            during.extend(ask(index, questions))
        ended.set()
        listing.result()
    rows.append(("both", "while one is killed", str(during), str(len(during.errors)), same(during, answers)))
    rows.append(("list", "while one is killed", str(lists), str(len(lists.errors)), same(lists, lists.answers[:1])))
    for kind in KINDS:
        chosen = [question for question in questions if question.kind == kind]
        left = ask(index, chosen)
        before = [answer for question, answer in zip(questions, answers, strict=True) if question.kind == kind]
        rows.append((kind, "2 nodes", str(left), str(len(left.errors)), same(left, before)))
    print(table(HEAD, rows), flush=True)
    for error in dict.fromkeys(during.errors + lists.errors):
        say("error:", error)


def same(found: Round, before: Sequence[list[str] | None]) -> str:
    """How many answers are the same as before."""
    equal = sum(answer == before[at % len(before)] for at, answer in enumerate(found.answers))
    return f"the same {equal} of {len(found.answers)}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("clones", nargs="+")
    parser.add_argument("--postings", type=int, nargs="+", default=[10**6], help="sizes (default: 10^6)")
    parser.add_argument("--shards", type=int, nargs="+", default=[3], help="of each of the two indices (default: 3)")
    parser.add_argument("--model", action="append", metavar="CLONE", required=True, help="synthetic files are like its")
    parser.add_argument("--megabytes", type=float, default=30.0, help="of all clones to read (default: %(default)g)")
    parser.add_argument("--queries", type=int, default=100, help="of each kind (default: %(default)d)")
    parser.add_argument("--rounds", type=int, default=3, help="of all questions before those that count")
    parser.add_argument("--embedded", action="store_true", help="also make an embedded index, and compare")
    parser.add_argument("--no-kills", action="store_true", help="kill no node")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-")))
        model = real(options.model, folder, options.megabytes)
        size = min(options.megabytes, min(options.postings) / 10**6 * REAL_MEGABYTES)
        clones = real(options.clones, folder, size)
        questions = [one for one in draw_questions(clones, drawn(clones, options.queries)) if one.kind in KINDS]
        inputs = Inputs(clones, model, questions)
        begin = time.perf_counter()
        cluster = Cluster(stack.enter_context(server(NODES, heap=1024, java=())))
        say(f"{len(questions)} questions; {NODES} nodes started in {time.perf_counter() - begin:,.0f} s")
        for postings in options.postings:
            if len(options.shards) > 1:
                compare(cluster, inputs, postings=postings, options=options)
            else:
                measure(cluster, inputs, postings=postings, options=options)
            cluster.server.remove(NAME)


def compare(
    cluster: Cluster,
    inputs: Inputs,
    *,
    postings: int,
    options: argparse.Namespace,
) -> None:
    """Makes indexes with several numbers of shards, and asks them in turn."""
    with ExitStack() as stack:
        engines = {}
        for shards in options.shards:
            engines[shards] = stack.enter_context(closing(cluster.make(shards, f"{NAME}{shards}")))
        done = load(cluster, list(engines.values()), inputs, postings, kills=False)
        for shards in engines:
            say(f"{shards} shards merged in {cluster.merge(f'{NAME}{shards}'):,.0f} s")
        rounds = {(shards, kind): Round() for shards in engines for kind in KINDS}
        for number in range(options.rounds + COUNTED):
            for (shards, kind), found in rounds.items():
                new = ask(Index(engines[shards]), [one for one in inputs.questions if one.kind == kind])
                if number >= options.rounds:  # a server compiles itself
                    found.extend(new)
        rows = []
        for shards in engines:
            size = cluster.sizes(f"{NAME}{shards}")[0]
            rows.append((str(shards), f"{size / done.postings:.1f}", *(str(rounds[shards, kind]) for kind in KINDS)))
        print(table(("shards", "bytes / posting, primary", *KINDS), rows), flush=True)


def measure(
    cluster: Cluster,
    inputs: Inputs,
    *,
    postings: int,
    options: argparse.Namespace,
) -> None:
    """Makes an index of a size, and asks it."""
    say(f"--- {postings:,} postings, {options.shards[0]} shards")
    kills = not options.no_kills
    with ExitStack() as stack:
        made = cluster.make(options.shards[0])
        engines = [stack.enter_context(closing(made))]
        if options.embedded:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-")))
            folded = open_engine(folder / "index", schemes=scheme_ids(), create=True)
            engines.append(stack.enter_context(closing(folded)))
        done = load(cluster, engines, inputs, postings, kills=kills)
        say(f"green after {cluster.wait_for_green():,.0f} s more")
        check(cluster, made, done)
        rows = [("loaded", *cluster.sizes())]
        say("bytes: primary, all copies", *rows[0][1:])
        index, other = Index(made), Index(engines[1]) if options.embedded else None
        search(cluster, index, other, inputs.questions, options.rounds, kills=kills)
        if kills:
            cluster.start()
            say(f"started it again; green after {cluster.wait_for_green():,.0f} s")
        say(f"merged in {cluster.merge():,.0f} s")
        rows.append(("merged", *cluster.sizes()))
        if options.embedded:
            stored = engines[1].stats().stored or 0
            rows.append(("embedded", stored, stored))
        each = [
            (name, *(f"{size / 1e6:,.0f} MB, {size / done.postings:.1f}" for size in sizes)) for name, *sizes in rows
        ]
        print(table(("bytes, and for each posting", "primary", "all copies"), each), flush=True)
        for kind in KINDS:
            say("merged,", kind, ask(index, [one for one in inputs.questions if one.kind == kind]))
        check(cluster, made, done)


if __name__ == "__main__":
    main()
