"""The server under an open load: requests are sent at fixed times, whether or not earlier ones are answered, and a time
counts from when its request was due. So a slow server cannot slow its load down. Then the load is five times as high,
and then as before: the server must refuse what is too much, and be as fast again after it. With zoekt's programs, its
server is measured in the same run, by the same snippets at the same rate.

The snippets are edited stretches of files of the index itself. Times are valid only while little else runs on this
machine, so each row says how many processors other programs used, and the load average at its end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import psutil

import wherefrom
from benchmarks.files import SEED
from benchmarks.search import edited
from benchmarks.timing import Target, finish, percentile, table
from wherefrom.options.serving import ServeOptions
from wherefrom.serve.web.search_page import file_url

RATE = 10.0
"""Requests a second."""

PAGES = 0.1
"""This share of the requests are pages with the code of the hits; the others are searches of the API."""

OVERLOAD, OVERLOAD_SECONDS = 5, 60.0
"""The overload has this many times the rate, and takes this long."""

MOST_P95 = 0.3
"""The highest p95 of the searches at the rate."""

MOST_SLOWER = 1.5
"""The highest p95 after the overload, for that before it."""

REFUSALS = frozenset({429, 503})

LINES = (4, 30)
"""A snippet has this many lines, from and to."""

FILES = 1500
"""Snippets are taken from at most this many files of a repository."""


@dataclass(slots=True)
class SentRequests:
    """The results of some requests: seconds of each that succeeded, and the status of all.

    A refusal that does not say when to come again has a status such as `503 without Retry-After`. A request without an
    answer has the name of the error.
    """

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int | str] = field(default_factory=Counter)
    late: float = 0.0
    """The longest time after which a request was sent that was due. If it is long, this program was too slow."""

    @property
    def errors(self) -> int:
        """The number of requests that did not succeed."""
        return sum(number for status, number in self.statuses.items() if status != 200)

    @property
    def impolite(self) -> int:
        """The number of requests that neither succeeded nor were refused politely."""
        return sum(number for status, number in self.statuses.items() if status not in {200, *REFUSALS})


Asking: TypeAlias = Callable[[str], tuple[str, dict[str, Any]]]
"""Gives the address of the search for a snippet, and its body as arguments of httpx."""

Row: TypeAlias = tuple[str, SentRequests, str]
"""A load, its results, and a note."""


def snippets(location: str, number: int) -> tuple[list[str], list[str]]:
    """`number` edited stretches of indexed files, no two from one file, and the addresses of the files' pages."""
    chance = random.Random(SEED)
    with wherefrom.open_index(location) as index:
        records = index.repositories()
        places = [at for record in records for at in islice(index.files(record.key), FILES)]
        chance.shuffle(places)
        found: list[str] = []
        addresses: list[str] = []
        for place in places:
            content = (index.source(place) or b"").decode("utf-8", "replace")
            # A stretch of a text file with null bytes would be refused as binary.
            lines = [line for line in content.splitlines() if line.strip()] if "\0" not in content else []
            wanted = chance.randint(*LINES)
            if len(lines) > wanted + 1:
                begin = chance.randrange(len(lines) - wanted)
                found.append(edited(lines[begin : begin + wanted], chance))
                addresses.append(file_url(place.repository, place.path))
            if len(found) == number:
                break
    return found, addresses


@asynccontextmanager
async def serving(location: str, processes: int, *, waiting: int = 1000) -> AsyncIterator[tuple[str, psutil.Process]]:
    """Starts a server, and yields its address and its process when it is warm. By default, there are enough places to
    wait for everybody: no request is refused, and their waiting time is measured.
    """
    command = [*(sys.executable, "-m", "wherefrom", "serve", "--index", location), *("--port", "0")]
    command += ["--processes", str(processes), "--waiting", str(waiting)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        address = re.search(r"http://\S+[^/\s]", line)
        assert address, line
        try:
            async with httpx.AsyncClient(base_url=address[0], timeout=600) as client:
                while (await client.get("/readyz")).status_code != 200:
                    await asyncio.sleep(0.1)
            yield address[0], psutil.Process(process.pid)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def processor(root: psutil.Process) -> float:
    """Processor seconds of a process and all its descendants."""
    total = 0.0
    for process in (root, *root.children(recursive=True)):
        with suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system
    return total


class Others:
    """Measures what other programs do during a load: the load could only use the rest of the machine."""

    def __init__(self, server: psutil.Process) -> None:
        self._server = server
        self._before, self._begin = self._used(), time.perf_counter()

    def _used(self) -> float:
        times = psutil.cpu_times()
        busy = sum(times) - times.idle - times.iowait - times.guest - times.guest_nice
        own = psutil.Process().cpu_times()
        return float(busy - processor(self._server) - own.user - own.system)

    def described(self) -> str:
        """How many processors other programs used, and the load average, in words."""
        used = (self._used() - self._before) / (time.perf_counter() - self._begin)
        return f"others used {used:.1f} processors; load average {os.getloadavg()[0]:.1f}"


def by_wherefrom(snippet: str) -> tuple[str, dict[str, Any]]:
    """A search of the API."""
    return "/api/v1/search", {"json": {"code": snippet}}


def by_page(snippet: str) -> tuple[str, dict[str, Any]]:
    """The page with the hits, as a browser asks for it."""
    return "/search", {"data": {"code": snippet}, "headers": {"Accept": "text/html"}}


def by_zoekt(snippet: str) -> tuple[str, dict[str, Any]]:
    """A search of zoekt for the longest line of a snippet: it finds text, not code that was edited."""
    line = max(snippet.splitlines(), key=len).strip()
    query = json.dumps(re.escape(line))  # quoted, as in the language of its queries
    return "/api/search", {"json": {"Q": query, "Opts": {"MaxDocDisplayCount": 20}}}


async def search(client: httpx.AsyncClient, snippet: str, sent: SentRequests, *, by: Asking, due: float) -> None:
    """Sends a search that was due at `due` (`time.perf_counter`), and records its result."""
    path, arguments = by(snippet)
    sent.late = max(sent.late, time.perf_counter() - due)
    try:
        answer = await client.post(path, **arguments)
    except httpx.HTTPError as error:
        sent.statuses[type(error).__name__] += 1
        return
    is_polite = answer.status_code not in REFUSALS or "retry-after" in answer.headers
    sent.statuses[answer.status_code if is_polite else f"{answer.status_code} without Retry-After"] += 1
    if answer.status_code == 200:
        sent.seconds.append(time.perf_counter() - due)


async def at_a_rate(
    address: str, texts: Sequence[str], rate: float, seconds: float, *, by: Asking = by_wherefrom
) -> SentRequests:
    """Sends searches at fixed times, each over a connection of its own. Ends when all are answered."""
    sent = SentRequests()
    # A server may close a kept connection at the moment when the client sends over it, so none is kept.
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
    async with (
        httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client,
        asyncio.TaskGroup() as group,
    ):
        begin = time.perf_counter()
        for number in range(round(rate * seconds)):
            due = begin + number / rate
            # Even a sleep of no seconds would let other tasks go first, and a late load would be later still.
            if (early := due - time.perf_counter()) > 0:
                await asyncio.sleep(early)
            group.create_task(search(client, texts[number % len(texts)], sent, by=by, due=due))
    return sent


@asynccontextmanager
async def zoekt_serving(programs: Path, clones: Sequence[str]) -> AsyncIterator[tuple[str, psutil.Process]]:
    """Indexes clones with zoekt, starts its server, and yields the server's address and its process."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as free:
        for clone in clones:
            index = [str(programs / "zoekt-git-index"), "-index", folder, "-submodules=false", clone]
            subprocess.run(index, check=True, stderr=subprocess.DEVNULL)
        place = f"127.0.0.1:{free.getsockname()[1]}"
        free.close()
        command = [str(programs / "zoekt-webserver"), "-index", folder, "-listen", place, "-rpc"]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            try:
                async with httpx.AsyncClient(base_url=f"http://{place}") as client:
                    while True:
                        with suppress(httpx.HTTPError):
                            if (await client.get("/healthz")).status_code == 200:
                                break
                        await asyncio.sleep(0.1)
                yield f"http://{place}", psutil.Process(process.pid)
            finally:
                process.terminate()


async def phase(server: tuple[str, psutil.Process], texts: Sequence[str], rate: float, seconds: float) -> list[Row]:
    """Searches of the API and pages of a server, at `rate` together."""
    address, process = server
    others, used = Others(process), processor(process)
    rates = {"searches": (by_wherefrom, rate * (1 - PAGES)), "pages": (by_page, rate * PAGES)}
    sent = await asyncio.gather(*(at_a_rate(address, texts, own, seconds, by=by) for by, own in rates.values()))
    cost = (processor(process) - used) / max(sum(len(each.seconds) for each in sent), 1)
    note = f"{1000 * cost:.0f} ms of a processor for each answer; {others.described()}"
    return [
        (f"{own:g} {name} a second", each, note) for (name, (_, own)), each in zip(rates.items(), sent, strict=True)
    ]


async def of_wherefrom(options: argparse.Namespace, texts: Sequence[str]) -> tuple[list[Row], list[Target]]:
    """Measures the server at the rate, at `OVERLOAD` times the rate, and again at the rate."""
    waiting = ServeOptions().waiting
    async with serving(options.index, options.processes, waiting=waiting) as server:
        for by in (by_wherefrom, by_page):
            await at_a_rate(server[0], texts[:50], RATE, min(5, options.seconds), by=by)
        before = await phase(server, texts, RATE, options.seconds)
        over = await phase(server, texts, OVERLOAD * RATE, options.overload_seconds)
        again = await phase(server, texts, RATE, options.seconds)
    after = [(f"then {name}", sent, note) for name, sent, note in again]
    first, second = (percentile(rows[0][1].seconds, 0.95) for rows in (before, after))
    return [*before, *over, *after], [
        Target(f"p95 of {before[0][0]}", first, MOST_P95, unit=" s"),
        Target("p95 after an overload, for that before", second / first, MOST_SLOWER),
        Target("errors before and after", float(sum(sent.errors for _, sent, _ in (*before, *after))), 0.0),
        Target("impolite refusals and failures of an overload", float(sum(each.impolite for _, each, _ in over)), 0.0),
    ]


async def of_zoekt(options: argparse.Namespace, texts: Sequence[str]) -> list[Row]:
    """Measures zoekt's server at the rate."""
    async with zoekt_serving(options.zoekt, options.clones) as (address, process):
        await at_a_rate(address, texts[:50], RATE, 5, by=by_zoekt)
        others = Others(process)
        sent = await at_a_rate(address, texts, RATE, options.seconds, by=by_zoekt)
        return [(f"zoekt: {RATE:g} longest lines a second", sent, others.described())]


def shown(rows: Sequence[Row]) -> str:
    """The rows as a table."""
    head = ["load", "answered", "other statuses", "p50 ms", "p95 ms", "longest ms", "sent late, ms", ""]
    return table(
        head,
        [
            [
                name,
                f"{len(sent.seconds):,}",
                ", ".join(f"{status}: {number:,}" for status, number in sent.statuses.items() if status != 200),
                *(f"{1000 * percentile(sent.seconds, share):.0f}" if sent.seconds else "" for share in (0.5, 0.95, 1)),
                f"{1000 * sent.late:.0f}",
                note,
            ]
            for name, sent, note in rows
        ],
    )


async def measure(options: argparse.Namespace) -> list[Target]:
    """Measures, and prints the figures."""
    texts, _ = snippets(options.index, 1000)
    rows, targets = await of_wherefrom(options, texts)
    if options.zoekt is not None:
        rows += await of_zoekt(options, texts)
    print(shown(rows))
    return targets


def main() -> None:
    """Runs from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", required=True, help="an index whose sources are at hand")
    parser.add_argument("--zoekt", type=Path, help="a folder with zoekt-git-index and zoekt-webserver, to be compared")
    parser.add_argument("--clones", nargs="+", default=[], help="the indexed clones, for zoekt")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=600.0, help="of the load before and after the overload")
    parser.add_argument("--overload-seconds", type=float, default=OVERLOAD_SECONDS)
    finish(asyncio.run(measure(parser.parse_args())))


if __name__ == "__main__":
    main()
