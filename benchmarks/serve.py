"""The server under load: how long 50 connections wait, its highest throughput, how it refuses what is too much, and how
it treats those who harm it. With zoekt's programs, its server is measured in the same run, by the same snippets.

The snippets are edited stretches of files of the index itself. Times are valid only while nothing else runs on this
machine; the processor time of a search also on a busy one.
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
import statistics
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
from typing import TypeAlias

import httpx
import psutil
from mcp import Client
from mcp.client.stdio import StdioServerParameters

import wherefrom
from benchmarks.files import SEED
from benchmarks.memory import anonymous_memory
from benchmarks.search import edited
from benchmarks.timing import Target, finish, percentile, table
from wherefrom.options.serving import ServeOptions
from wherefrom.serve.web.search_page import file_url

CONNECTIONS, RATE = 50, 10.0
"""Connections, and searches a second of all of them together."""

MANY_CONNECTIONS = 400
"""Connections of an overload, so that its searches wait at the server."""

MOST_P95 = 0.3
OVERLOAD = 5
"""The overload has this many times the rate."""

LEAST_PER_CORE = 10.0

LINES = (4, 30)
"""A snippet has this many lines, from and to."""

FILES = 1500
"""Snippets are taken from at most this many files of a repository."""

TOKENS = (25, 35)
"""A short snippet has about this many tokens, from and to."""

MOST_WARM, WARM_UP = 0.1, 20

PASTE = 10_000_000
"""Characters of the harmful paste. With the overhead of JSON it is still below the server's limit."""

STEP = 500
"""Requests between two measurements of memory."""

MOST_GROWTH = 1.05
"""The highest ratio of the memory in the last third of many requests to that in the third before."""


@dataclass(slots=True)
class Asked:
    """The results of some requests: seconds of each that succeeded, and the status of all."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int | str] = field(default_factory=Counter)

    @property
    def errors(self) -> int:
        """The number of requests that did not succeed."""
        return sum(number for status, number in self.statuses.items() if status != 200)


Asking: TypeAlias = Callable[[str], tuple[str, dict[str, object]]]
"""Gives the address and the body of the search for a snippet."""

Row: TypeAlias = tuple[str, Asked, str]
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
        said = process.stderr.readline()
        address = re.search(r"http://\S+[^/\s]", said)
        assert address, said
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

    def said(self) -> str:
        """How many processors other programs used, in words."""
        return f"others used {(self._used() - self._before) / (time.perf_counter() - self._begin):.1f} processors"


def by_wherefrom(snippet: str) -> tuple[str, dict[str, object]]:
    """The address and the body of a search."""
    return "/api/v1/search", {"code": snippet}


def by_zoekt(snippet: str) -> tuple[str, dict[str, object]]:
    """A search of zoekt for the longest line of a snippet: it finds text, not code that was edited."""
    line = max(snippet.splitlines(), key=len).strip()
    query = json.dumps(re.escape(line))  # quoted, as in the language of its queries
    return "/api/search", {"Q": query, "Opts": {"MaxDocDisplayCount": 20}}


async def search(client: httpx.AsyncClient, snippet: str, asked: Asked, by: Asking = by_wherefrom) -> None:
    """Sends one search and records its result. A refusal must say when to come again."""
    begin = time.perf_counter()
    path, body = by(snippet)
    try:
        answer = await client.post(path, json=body)
    except httpx.HTTPError as error:
        asked.statuses[type(error).__name__] += 1
        return
    is_polite = answer.status_code != 503 or "retry-after" in answer.headers
    asked.statuses[answer.status_code if is_polite else "503 without Retry-After"] += 1
    if answer.status_code == 200:
        asked.seconds.append(time.perf_counter() - begin)


async def at_a_rate(
    address: str,
    texts: Sequence[str],
    rate: float,
    seconds: float,
    *,
    by: Asking = by_wherefrom,
    connections: int = CONNECTIONS,
) -> Asked:
    """Searches at a steady rate over some connections, without waiting for earlier answers."""
    asked = Asked()
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    async with (
        httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client,
        asyncio.TaskGroup() as group,
    ):
        begin = time.perf_counter()
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(begin + number / rate - time.perf_counter(), 0))
            group.create_task(search(client, texts[number % len(texts)], asked, by))
    return asked


async def saturated(address: str, texts: Sequence[str], number: int) -> Asked:
    """Sends `number` searches, `CONNECTIONS` at a time."""
    asked = Asked()
    waiting = iter(range(number))

    async def one() -> None:
        async with httpx.AsyncClient(base_url=address, timeout=600) as client:
            for at in waiting:
                await search(client, texts[at % len(texts)], asked)

    async with asyncio.TaskGroup() as group:
        for _ in range(CONNECTIONS):
            group.create_task(one())
    return asked


async def harm(address: str, texts: Sequence[str], until: asyncio.Event) -> int:
    """Harms a server with slow clients, aborted requests and pastes of 10 MB until `until`. Counts the latter two."""
    host, _, port = address.removeprefix("http://").partition(":")
    slow = [socket.create_connection((host, int(port))) for _ in range(10)]
    for connection in slow:
        connection.sendall(b"POST /api/v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n{")
    paste = ("x = compute(y, z)\n" * (PASTE // 18 + 1))[:PASTE]
    done = 0
    async with httpx.AsyncClient(base_url=address, timeout=600) as client:
        while not until.is_set():
            with suppress(httpx.HTTPError, TimeoutError):
                await asyncio.wait_for(client.post("/api/v1/search", json={"code": texts[done % len(texts)]}), 0.01)
            pasting = asyncio.create_task(client.post("/api/v1/search", json={"code": paste}))
            await asyncio.wait([pasting, asyncio.create_task(until.wait())], return_when=asyncio.FIRST_COMPLETED)
            pasting.cancel()
            with suppress(asyncio.CancelledError, httpx.HTTPError):
                await pasting
            done += 1
    for connection in slow:
        connection.close()
    return done


async def visit(client: httpx.AsyncClient, number: int, texts: Sequence[str], pages: Sequence[str]) -> int | str:
    """Sends one of mixed requests: of a hundred, 84 searches, ten pages of a search, five files, lines of one file."""
    text, page = texts[number % len(texts)], pages[number % len(pages)]
    try:
        if number % 100 == 50:
            answer = await client.get(f"/lines/{page.removeprefix('/r/')}")
        elif number % 20 == 5:
            answer = await client.get(page)
        elif number % 10 == 3:
            answer = await client.post("/search", data={"code": text})
        else:
            answer = await client.post("/api/v1/search", json={"code": text})
    except httpx.HTTPError as error:
        return type(error).__name__
    return answer.status_code


async def over_time(
    address: str, process: psutil.Process, texts: Sequence[str], pages: Sequence[str], requests: int
) -> tuple[Counter[int | str], list[tuple[int, int]]]:
    """Sends many requests, a few at a time. Returns their statuses, and after every `STEP` requests the bytes of all
    processes: anonymous memory, and RSS, which also has the mapped pages of the index.
    """
    statuses: Counter[int | str] = Counter()
    memory: list[tuple[int, int]] = []
    async with httpx.AsyncClient(base_url=address, timeout=600) as client:
        for begin in range(0, requests, STEP):
            waiting = iter(range(begin, min(begin + STEP, requests)))

            async def one() -> None:
                for number in waiting:  # noqa: B023 -- all of them end before the next step
                    statuses[await visit(client, number, texts, pages)] += 1

            async with asyncio.TaskGroup() as group:
                for _ in range(4):
                    group.create_task(one())
            resident = sum(each.memory_info().rss for each in (process, *process.children(recursive=True)))
            memory.append((anonymous_memory(process.pid), resident))
            print(
                f"{begin + STEP:>7,} requests: {memory[-1][0] / 1e6:,.0f} MB anonymous, {resident / 1e6:,.0f} MB RSS",
                file=sys.stderr,
            )
    return statuses, memory


async def assistant(location: str, texts: Sequence[str]) -> Asked:
    """Sends short snippets to `wherefrom mcp` one after the other, as an assistant would; the first ones warm it up."""
    asked = Asked()
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "wherefrom", "mcp", "--index", location], env={**os.environ}
    )
    async with Client(command) as client:
        for number, text in enumerate(texts):
            begin = time.perf_counter()
            answer = await client.call_tool("search_code", {"code": text})
            if number >= WARM_UP:
                asked.seconds.append(time.perf_counter() - begin)
                asked.statuses["error" if answer.is_error else 200] += 1
    return asked


async def asked_by_assistant(options: argparse.Namespace) -> tuple[list[Row], list[Target]]:
    """Measures how long an assistant waits for a short snippet."""
    short = [
        cut
        for text in snippets(options.index, 2000)[0]
        if TOKENS[0] <= len(re.findall(r"\w+|[^\w\s]", cut := "\n".join(text.splitlines()[:5]))) <= TOKENS[1]
    ]
    tool = await assistant(options.index, short[:320])
    target = Target("median of a short snippet by `wherefrom mcp`", percentile(tool.seconds, 0.5), MOST_WARM, unit=" s")
    return [("a short snippet by `wherefrom mcp`", tool, "")], [target, _no_errors(tool)]


async def loaded(options: argparse.Namespace) -> tuple[list[Row], list[Target]]:
    """Measures a steady load, and the highest throughput."""
    texts, _ = snippets(options.index, 1000)
    async with serving(options.index, options.processes) as (address, process):
        await saturated(address, texts[:50], 50)
        idle = Others(process)
        steady = await at_a_rate(address, texts, RATE, options.seconds)
        quiet = idle.said()
        idle, before, begin = Others(process), processor(process), time.perf_counter()
        full = await saturated(address, texts, options.searches)
        rate = len(full.seconds) / (time.perf_counter() - begin)
        cost = (processor(process) - before) / max(len(full.seconds), 1)
        note = f"{rate:.1f} a second, {1000 * cost:.0f} ms of a processor each; {idle.said()}"
    return [(f"{RATE:g} a second", steady, quiet), ("saturated", full, note)], [
        Target("p95 of 10 searches a second", percentile(steady.seconds, 0.95), MOST_P95, unit=" s"),
        Target("searches a second for each core", rate / options.processes, LEAST_PER_CORE, at_least=True),
        Target("processor time of a search", cost, 1 / LEAST_PER_CORE, unit=" s"),
        _no_errors(steady, full),
    ]


@asynccontextmanager
async def zoekt_serving(programs: Path, clones: Sequence[str]) -> AsyncIterator[str]:
    """Indexes clones with zoekt, starts its server, and yields the server's address."""
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
                yield f"http://{place}"
            finally:
                process.terminate()


async def beside(options: argparse.Namespace) -> tuple[list[Row], list[Target]]:
    """Measures zoekt's server at the rate of the steady load."""
    if options.zoekt is None:
        return [], []
    texts, _ = snippets(options.index, 1000)
    async with zoekt_serving(options.zoekt, options.clones) as address:
        await at_a_rate(address, texts[:50], RATE, 5, by=by_zoekt)
        asked = await at_a_rate(address, texts, RATE, options.seconds, by=by_zoekt)
    return [(f"zoekt, {RATE:g} a second", asked, "the longest line of each snippet")], []


async def overloaded(options: argparse.Namespace) -> tuple[list[Row], list[Target]]:
    """Measures how a server refuses `OVERLOAD` times the rate, and how long others wait after it."""
    texts, _ = snippets(options.index, 1000)
    async with serving(options.index, options.processes, waiting=ServeOptions().waiting) as (address, _):
        await saturated(address, texts[:50], 50)
        load = await at_a_rate(address, texts, OVERLOAD * RATE, options.seconds / 10, connections=MANY_CONNECTIONS)
        after = await at_a_rate(address, texts, RATE, options.seconds / 10)
    others = {status: number for status, number in load.statuses.items() if status not in {200, 503}}
    note = f"{load.statuses[503]:,} told to come again; others: {others or 'none'}"
    rows = [(f"{OVERLOAD * RATE:g} a second", load, note), (f"then {RATE:g} a second", after, "")]
    return rows, [
        Target("answers to an overload that are neither good nor a polite refusal", float(sum(others.values())), 0.0),
        Target("p95 after an overload", percentile(after.seconds, 0.95), MOST_P95, unit=" s"),
        _no_errors(after),
    ]


async def harmed(options: argparse.Namespace) -> tuple[list[Row], list[Target]]:
    """Measures how long others wait while some clients harm the server."""
    texts, _ = snippets(options.index, 1000)
    async with serving(options.index, options.processes) as (address, _):
        await saturated(address, texts[:50], 50)
        until = asyncio.Event()
        harming = asyncio.create_task(harm(address, texts, until))
        asked = await at_a_rate(address, texts, RATE / 2, options.seconds)
        until.set()
        done = await harming
    target = Target("p95 beside harm", percentile(asked.seconds, 0.95), MOST_P95, unit=" s")
    return [(f"{RATE / 2:g} a second, harmed", asked, f"{done} pastes of 10 MB")], [target, _no_errors(asked)]


async def remembered(options: argparse.Namespace) -> tuple[list[Row], list[Target]]:
    """Measures the memory of a server over many requests."""
    texts, pages = snippets(options.index, options.requests)
    async with serving(options.index, options.processes) as (address, process):
        statuses, memory = await over_time(address, process, texts, pages, options.requests)
    third = len(memory) // 3
    middle, last = (
        statistics.median(anonymous for anonymous, _ in part)
        for part in (memory[third : -third or None], memory[-third:])
    )
    # 422 is a correct answer: a call on the lines of one of the longest files exceeds a limit.
    errors = sum(number for status, number in statuses.items() if status not in {200, 422})
    print(f"{len(texts):,} different snippets; {dict(statuses)}", file=sys.stderr)
    return [], [
        Target(
            f"memory in the last third of {options.requests:,} requests, for that before", last / middle, MOST_GROWTH
        ),
        Target("errors over time", float(errors), 0.0),
    ]


def _no_errors(*loads: Asked) -> Target:
    return Target("errors", float(sum(asked.errors for asked in loads)), 0.0)


PARTS = {
    "assistant": asked_by_assistant,
    "load": loaded,
    "beside": beside,
    "overload": overloaded,
    "harm": harmed,
    "memory": remembered,
}


async def measure(options: argparse.Namespace) -> list[Target]:
    """Measures, and prints the figures."""
    rows: list[Row] = []
    targets: list[Target] = []
    for name in options.parts:
        of_part, targets_of_part = await PARTS[name](options)
        rows += of_part
        targets += targets_of_part
    if rows:
        print(
            table(
                ["load", "answered", "errors", "p50 ms", "p95 ms", ""],
                [
                    [
                        name,
                        f"{len(asked.seconds):,}",
                        f"{asked.errors:,}",
                        f"{1000 * percentile(asked.seconds, 0.5):.0f}",
                        f"{1000 * percentile(asked.seconds, 0.95):.0f}",
                        note,
                    ]
                    for name, asked, note in rows
                ],
            )
        )
    return targets


def main() -> None:
    """Runs from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", required=True, help="an index whose sources are at hand")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=[*PARTS], help="what is measured")
    parser.add_argument("--zoekt", type=Path, help="a folder with zoekt-git-index and zoekt-webserver, to be compared")
    parser.add_argument("--clones", nargs="+", default=[], help="the indexed clones, for zoekt")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each steady load")
    parser.add_argument("--searches", type=int, default=500, help="of the saturated load")
    parser.add_argument("--requests", type=int, default=20_000, help="over which memory is looked at")
    finish(asyncio.run(measure(parser.parse_args())))


if __name__ == "__main__":
    main()
