"""The server under load: what 50 connections wait, how much it answers at most, and what it does for those who harm it.

The snippets are edited stretches of files of the index itself. Times are of this machine while nothing else runs on it;
the processor time of a search holds on a busy one too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice

import httpx
import psutil
from mcp import Client
from mcp.client.stdio import StdioServerParameters

import wherefrom
from benchmarks.files import SEED
from benchmarks.memory import anonymous_memory
from benchmarks.search import edited
from benchmarks.timing import Target, finish, percentile, table

CONNECTIONS, RATE = 50, 10.0
"""Connections, and searches a second of all of them together."""

MOST_P95 = 0.5
LEAST_PER_CORE = 10.0

LINES = (4, 30)
"""Lines of a snippet, from and to."""

TOKENS = (25, 35)
"""Tokens of a short snippet, about."""

MOST_WARM, WARM_UP = 0.1, 20

PASTE = 10_000_000
"""Characters of the paste that must harm nobody else; with what JSON adds it is below the server's limit."""

MOST_GROWTH = 1.15
"""Memory at the end, for that after the first tenth of many requests."""


@dataclass(slots=True)
class Asked:
    """What became of some requests: seconds of each that was answered well, and the status of all."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int | str] = field(default_factory=Counter)

    @property
    def errors(self) -> int:
        """Requests that were not answered well."""
        return sum(number for status, number in self.statuses.items() if status != 200)


def snippets(location: str, number: int) -> list[str]:
    """So many edited stretches of indexed files."""
    chance = random.Random(SEED)
    with wherefrom.open_index(location) as index:
        records = index.repositories()
        places = [at for record in records for at in islice(index.files(record.key), 400)]
        chance.shuffle(places)
        found: list[str] = []
        for place in places:
            content = index.source(place)
            lines = [line for line in (content or b"").decode("utf-8", "replace").splitlines() if line.strip()]
            wanted = chance.randint(*LINES)
            if len(lines) > wanted + 1:
                begin = chance.randrange(len(lines) - wanted)
                found.append(edited(lines[begin : begin + wanted], chance))
            if len(found) == number:
                break
    return found


@asynccontextmanager
async def serving(location: str, processes: int) -> AsyncIterator[tuple[str, psutil.Process]]:
    """A server, warm; its address and its process."""
    command = [*(sys.executable, "-m", "wherefrom", "serve", "--index", location), *("--port", "0")]
    # Nobody is refused for want of a place to wait: what is measured is how long they wait.
    command += ["--processes", str(processes), "--waiting", "1000"]
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
    """Seconds that a process and all below it have been on a processor."""
    total = 0.0
    for process in (root, *root.children(recursive=True)):
        with suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system
    return total


async def search(client: httpx.AsyncClient, snippet: str, asked: Asked) -> None:
    """One search."""
    begin = time.perf_counter()
    try:
        answer = await client.post("/api/v1/search", json={"code": snippet})
    except httpx.HTTPError as error:
        asked.statuses[type(error).__name__] += 1
        return
    asked.statuses[answer.status_code] += 1
    if answer.status_code == 200:
        asked.seconds.append(time.perf_counter() - begin)


async def at_a_rate(address: str, texts: Sequence[str], rate: float, seconds: float) -> Asked:
    """Searches at a steady rate over `CONNECTIONS` connections, whether or not the earlier ones are answered."""
    asked = Asked()
    limits = httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)
    async with (
        httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client,
        asyncio.TaskGroup() as group,
    ):
        begin = time.perf_counter()
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(begin + number / rate - time.perf_counter(), 0))
            group.create_task(search(client, texts[number % len(texts)], asked))
    return asked


async def saturated(address: str, texts: Sequence[str], number: int) -> Asked:
    """So many searches, `CONNECTIONS` at a time."""
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
    """Slow clients, requests that are aborted, and pastes of 10 MB, until told to stop; how many of the latter two."""
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


async def assistant(location: str, texts: Sequence[str]) -> Asked:
    """Short snippets that an assistant asks of `wherefrom mcp`, one after the other, once it is warm."""
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


async def measure(options: argparse.Namespace) -> list[Target]:
    """Measures, and prints the figures."""
    cores = options.processes
    texts = snippets(options.index, 1000)
    short = [
        cut
        for text in texts
        if TOKENS[0] <= len(re.findall(r"\w+|[^\w\s]", cut := "\n".join(text.splitlines()[:5]))) <= TOKENS[1]
    ]
    tool = await assistant(options.index, short[:100])
    rows: list[tuple[str, Asked, str]] = [("a short snippet by `wherefrom mcp`", tool, "")]
    async with serving(options.index, cores) as (address, process):
        await saturated(address, texts[:50], 50)
        steady = await at_a_rate(address, texts, RATE, options.seconds)
        rows.append((f"{RATE:g} a second", steady, ""))
        before, begin = processor(process), time.perf_counter()
        full = await saturated(address, texts, options.searches)
        rate = len(full.seconds) / (time.perf_counter() - begin)
        cost = (processor(process) - before) / max(len(full.seconds), 1)
        rows.append(("saturated", full, f"{rate:.1f} a second, {1000 * cost:.0f} ms of a processor each"))
        until = asyncio.Event()
        harming = asyncio.create_task(harm(address, texts, until))
        harmed = await at_a_rate(address, texts, RATE / 2, options.seconds)
        until.set()
        rows.append((f"{RATE / 2:g} a second, harmed", harmed, f"{await harming} pastes of 10 MB"))
        memory = []
        for _ in range(10):
            many = await saturated(address, texts, options.requests // 10)
            memory.append(anonymous_memory(process.pid))
        rows.append((f"{options.requests:,} requests", many, f"{memory[0] / 1e6:,.0f} to {memory[-1] / 1e6:,.0f} MB"))
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
    return [
        Target("median of a short snippet by `wherefrom mcp`", percentile(tool.seconds, 0.5), MOST_WARM, unit=" s"),
        Target("p95 of 10 searches a second", percentile(steady.seconds, 0.95), MOST_P95, unit=" s"),
        Target("processor time of a search", cost, 1 / LEAST_PER_CORE, unit=" s"),
        Target("errors", float(sum(asked.errors for _, asked, _ in rows)), 0.0),
        Target("memory at the end, for that after a tenth", memory[-1] / memory[0], MOST_GROWTH),
    ]


def main() -> None:
    """Runs from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", required=True, help="an index whose sources are at hand")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each steady load")
    parser.add_argument("--searches", type=int, default=500, help="of the saturated load")
    parser.add_argument("--requests", type=int, default=10_000, help="over which memory is looked at")
    finish(asyncio.run(measure(parser.parse_args())))


if __name__ == "__main__":
    main()
