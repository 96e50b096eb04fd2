"""What a published index costs: bytes and seconds of a search over HTTP, the same answers, and recall without code.

    python -m benchmarks.published http CLONE... [--index INDEX] [--queries 300] [--cold 20] [--server URL]
    python -m benchmarks.published recall CLONE... [--functions 20] [--files 300]
    python -m benchmarks.published guess CLONE --known INDEX

`http` indexes the clones and publishes the index. A proxy on this machine adds 50 ms to each request and connection.
Snippets of 40 lines are drawn from the clones. Each cold search begins without anything kept; the next snippet is from
the same file. All answers are compared with those of the index in its folder. Without `--server`, a small server with
several ranges in one answer is used.

`recall` looks up the edited functions of the mutation benchmark in an index with code, in one without code
(`--fingerprints-only`), and by their fingerprints in the index with code.

`guess` plays somebody who has the fingerprints of a clone, and an index of other code. A k-gram with a fingerprint that
the other code has too is known to him. It tells which share of all tokens is in such k-grams.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO
from unittest.mock import patch
from urllib.parse import urlsplit

import numpy as np

import wherefrom
from benchmarks.effectiveness.corpus import load
from benchmarks.effectiveness.mutation import Answer, answer, cases, figures, lay_out
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import term_of
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine
from wherefrom.languages import LANGUAGES
from wherefrom.model import SkipReason
from wherefrom.options import Limits
from wherefrom.queries.spans import covered
from wherefrom.sources.discover import discover
from wherefrom.support import http

DELAY = 0.05
"""Seconds that are added to each request and to each connection."""

LINES = 40


class _Ranges(BaseHTTPRequestHandler):
    """Serves files, and several ranges of a file in one answer."""

    protocol_version = "HTTP/1.1"
    folder: Path

    def do_GET(self) -> None:
        """Answers a request for a file or for ranges of it."""
        path = self.folder / self.path.lstrip("/")
        if not path.is_file():
            self.send_error(404)
            return
        asked = [tuple(map(int, part.split("-"))) for part in self.headers.get("Range", "")[6:].split(",") if part]
        if not asked:
            self._send(200, path.read_bytes())
            return
        with path.open("rb") as file:
            parts = [(first, last, _read(file, first, last + 1)) for first, last in asked]
        size = path.stat().st_size
        if len(parts) == 1:
            first, last, part = parts[0]
            self._send(206, part, ("Content-Range", f"bytes {first}-{last}/{size}"))
            return
        heads = (f"--B\r\nContent-Range: bytes {first}-{last}/{size}\r\n\r\n" for first, last, _ in parts)
        body = b"".join(head.encode() + part + b"\r\n" for head, (_, _, part) in zip(heads, parts, strict=True))
        self._send(206, body + b"--B--\r\n", ("Content-Type", "multipart/byteranges; boundary=B"))

    def _send(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (*headers, ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Logs nothing."""


def _read(file: IO[bytes], begin: int, end: int) -> bytes:
    file.seek(begin)
    return file.read(end - begin)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serves a folder; gives its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Ranges", (_Ranges,), {"folder": folder}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()


@contextmanager
def delayed(address: str) -> Iterator[str]:
    """The same server behind a proxy that adds `DELAY` to each request and connection."""
    target = urlsplit(address)
    ready: list[int] = []
    loop = asyncio.new_event_loop()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wait: float) -> None:
        while data := await reader.read(1 << 16):
            await asyncio.sleep(wait)
            writer.write(data)
            await writer.drain()
        writer.close()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(DELAY)
        there, to = await asyncio.open_connection(target.hostname, target.port)
        await asyncio.gather(forward(reader, to, DELAY), forward(there, writer, 0), return_exceptions=True)

    async def run() -> None:
        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        ready.append(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True)
    thread.start()
    while not ready:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{ready[0]}{target.path}"


def snippets(clones: Sequence[str], number: int, chance: random.Random) -> Iterator[tuple[bytes, bytes]]:
    """Pairs of neighboring snippets of `LINES` lines, each pair from a file of the clones."""
    listed = []
    for clone in clones:
        tree = subprocess.run(["git", "-C", clone, "ls-tree", "-r", "HEAD"], capture_output=True, text=True, check=True)
        rows = (line.split("\t", 1) for line in tree.stdout.splitlines())
        listed += [(clone, fields.split()[2]) for fields, path in rows if path.endswith((".py", ".c", ".java", ".rs"))]
    while number:
        clone, blob = chance.choice(listed)
        found = subprocess.run(["git", "-C", clone, "cat-file", "blob", blob], capture_output=True, check=True).stdout
        lines = found.splitlines(keepends=True)
        if len(lines) >= 3 * LINES:
            begin = chance.randrange(len(lines) - 2 * LINES)
            yield b"".join(lines[begin : begin + LINES]), b"".join(lines[begin + LINES : begin + 2 * LINES])
            number -= 1


def plain(result: wherefrom.SearchResult) -> str:
    """An answer without what differs from index to index: its engine and its time."""
    values = {**result.to_dict(), "engine": "", "took_ms": 0}
    return json.dumps(values, sort_keys=True)


def over_http(options: argparse.Namespace) -> None:
    """Measures searches over HTTP."""
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folder = Path(scratch)
        location = options.index or folder / "index"
        if not options.index:
            wherefrom.index_sources(options.clones, location)
        published = wherefrom.publish_index(location, folder / "published")
        without_code = wherefrom.publish_index(location, folder / "bare", fingerprints_only=True)
        with wherefrom.open_index(location) as here, serving(folder / "published") as own:
            size = here.stats().size
            print(f"{size / 1e6:,.0f} MB of source, {published.size / size:.3f} bytes for each byte;", end=" ")
            print(f"without code {without_code.size / size:.3f}")
            pairs = list(snippets(options.clones, max(options.queries, options.cold), chance))
            with wherefrom.open_index(own) as there:
                same = sum(plain(here.search(one)) == plain(there.search(one)) for one, _ in pairs[: options.queries])
            print(f"{same} of {options.queries} answers are the same\n")
            with delayed(options.server or own) as address:
                print_cold(address, pairs[: options.cold], folder / "kept")


def print_cold(address: str, pairs: Sequence[tuple[bytes, bytes]], kept: Path) -> None:
    """Searches pairs of neighboring snippets, each pair without anything kept, and prints what that costs."""
    figures: list[tuple[float, ...]] = []
    read = [0, 0]

    def counted(body: Callable[..., bytes], *arguments: object) -> bytes:
        data = body(*arguments)
        read[0] += len(data)
        read[1] += 1
        return data

    with patch.object(http, "body", partial(counted, http.body)):
        for number, (one, other) in enumerate(pairs):
            with patch("wherefrom.engines.published.engine.folder", lambda number=number: kept / str(number)):
                read[:] = 0, 0
                begin = time.perf_counter()
                with wherefrom.open_index(address) as index:
                    index.search(one)
                    cold = (time.perf_counter() - begin, read[0] / 1e6, float(read[1]))
                    begin = time.perf_counter()
                    index.search(other)
                    figures.append((*cold, time.perf_counter() - begin))
    names = ("cold, s", "cold, MB", "cold, responses", "the next snippet, s")
    rows = []
    for name, values in zip(names, zip(*figures, strict=True), strict=True):
        rows.append((name, f"{statistics.median(values):.2f}", f"{max(values):.2f}"))
    print(table(("", "median", "most"), rows))


def recall(options: argparse.Namespace) -> None:
    """Measures what is found without code."""
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folder = Path(scratch)
        corpus = load(options.clones, sorted(SHAPES), options.files, options.seed, folder / "clones")
        every = list(cases(corpus, options.functions, options.seed))
        lay_out(corpus, folder / "files")
        found: dict[str, list[Answer]] = {}
        for name, has_code in (("with code", True), ("index without code", False)):
            location = folder / name
            wherefrom.index_sources([str(folder / "files")], location, jobs=1, fingerprints_only=not has_code)
            with wherefrom.open_index(location) as index:
                found[name] = [answer(index, case) for case in every]
                if has_code:
                    by_terms = [answer(_ByTerms(index), case) for case in every]  # type: ignore[arg-type] # only `search` is used
        found["query without code"] = by_terms
    seen = {name: figures(answers) for name, answers in found.items()}
    variants = [name for name in seen["with code"] if ": " not in name]
    rows = [
        (variant, *(f"{seen[name][variant].top_1:.3f} / {seen[name][variant].top_10:.3f}" for name in found))
        for variant in variants
    ]
    print(f"{len(every)} cases; first hit / first ten\n")
    print(table(("variant", *found), rows))
    true = {name: [each for each in answers if each.case.places] for name, answers in found.items()}
    for name, answers in true.items():
        print(f"\n{name}: first ten {sum(each.rank is not None for each in answers) / len(answers):.4f}", end="")
    print()


class _ByTerms:
    """An index, searched by fingerprints in place of code."""

    def __init__(self, index: wherefrom.Index) -> None:
        self._index = index

    def search(self, code: str, *, language: str | None, limit: int) -> wherefrom.SearchResult:
        """Searches by the fingerprints of the code."""
        made = wherefrom.fingerprint(code, language=language)
        return self._index.search(made, limit=limit)


def guess(options: argparse.Namespace) -> None:
    """Measures how many tokens of a clone are known by the fingerprints of other code."""
    known = open_engine(options.known, schemes=scheme_ids())
    tokens: Counter[str] = Counter()
    for source in discover(options.clones, cache=Path(options.known)):
        for entry, content in source.read(source.entries()):
            if isinstance(content, bytes):
                _add_guessed(tokens, known, entry.path, content)
    whole = tokens.pop("all")
    rows = [(name, f"{count / whole:.3f}") for name, count in tokens.items()]
    print(f"{whole:,} tokens of code\n")
    print(table(("known by fingerprints of", "share of all tokens"), rows))


def _add_guessed(tokens: Counter[str], known: Engine, path: str, content: bytes) -> None:
    analysis = analyze_file(path, content, Limits())
    if isinstance(analysis, SkipReason) or not LANGUAGES[analysis.language].grammar:
        return
    stream = analysis.tokens
    tokens["all"] += len(stream)
    either = np.zeros(len(stream), np.bool_)
    for representation, scheme in SCHEMES.items():
        grams = sampled_kgrams(stream, scheme)
        if not len(grams.hashes):
            continue
        kept = sample(grams, scheme)
        terms, numbers = np.unique(term_of(grams.hashes[kept]), return_inverse=True)
        counts = known.document_frequencies({representation: terms.tolist()})[representation].counts
        held = grams.positions[kept][np.array(counts)[numbers] > 0]
        is_known = covered(held, held + grams.k, len(stream))
        tokens[representation] += int(np.count_nonzero(is_known))
        either |= is_known
    tokens["any of them"] += int(np.count_nonzero(either))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.published", description=__doc__)
    parser.add_argument("measured", choices=("http", "recall", "guess"))
    parser.add_argument("clones", nargs="+")
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--cold", type=int, default=20)
    parser.add_argument("--server")
    parser.add_argument("--index", type=Path, help="an index with the clones (default: a new one of the clones alone)")
    parser.add_argument("--known")
    parser.add_argument("--functions", type=int, default=20)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    {"http": over_http, "recall": recall, "guess": guess}[options.measured](options)


if __name__ == "__main__":
    main()
