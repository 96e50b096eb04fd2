"""The server's highest throughput, how long others wait while some harm it, its memory over time, and how long an
assistant waits. `benchmarks.load` measures it at a steady rate, and at five times that.

The snippets are edited stretches of files of the index itself. Times are valid only while nothing else runs on this
machine; the processor time of a search also on a busy one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import socket
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

import httpx
import psutil
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from benchmarks.load import (
    MOST_P95,
    RATE,
    Others,
    Row,
    SentRequests,
    at_a_rate,
    by_wherefrom,
    processor,
    search,
    serving,
    shown,
    snippets,
)
from benchmarks.memory import anonymous_memory
from benchmarks.timing import Target, finish, percentile

CONNECTIONS = 50
"""The clients that ask for the highest throughput."""

LEAST_PER_CORE = 10.0

TOKENS = (25, 35)
"""A short snippet has about this many tokens, from and to."""

MOST_WARM, WARM_UP = 0.1, 20

PASTE = 10_000_000
"""Characters of the harmful paste. With the overhead of JSON it is still below the server's limit."""

STEP = 500
"""Requests between two measurements of memory."""

MOST_GROWTH = 1.05
"""The highest ratio of the memory in the last third of many requests to that in the third before."""


async def saturated(address: str, texts: Sequence[str], number: int) -> SentRequests:
    """Sends `number` searches, `CONNECTIONS` at a time."""
    sent = SentRequests()
    waiting = iter(range(number))

    async def one() -> None:
        async with httpx.AsyncClient(base_url=address, timeout=600) as client:
            for at in waiting:
                await search(client, texts[at % len(texts)], sent, by=by_wherefrom, due=time.perf_counter())

    async with asyncio.TaskGroup() as group:
        for _ in range(CONNECTIONS):
            group.create_task(one())
    return sent


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


async def assistant(location: str, texts: Sequence[str]) -> SentRequests:
    """Sends short snippets to `wherefrom mcp` one after the other, as an assistant would; the first ones warm it up."""
    sent = SentRequests()
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "wherefrom", "mcp", "--index", location], env={**os.environ}
    )
    async with Client(command) as client:
        for number, text in enumerate(texts):
            begin = time.perf_counter()
            answer = await client.call_tool("search_code", {"code": text})
            if number >= WARM_UP:
                sent.seconds.append(time.perf_counter() - begin)
                sent.statuses["error" if answer.is_error else 200] += 1
    return sent


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
    """Measures the highest throughput."""
    texts, _ = snippets(options.index, 1000)
    async with serving(options.index, options.processes) as (address, process):
        await saturated(address, texts[:50], 50)
        idle, before, begin = Others(process), processor(process), time.perf_counter()
        full = await saturated(address, texts, options.searches)
        rate = len(full.seconds) / (time.perf_counter() - begin)
        cost = (processor(process) - before) / max(len(full.seconds), 1)
        note = f"{rate:.1f} a second, {1000 * cost:.0f} ms of a processor each; {idle.described()}"
    return [("saturated", full, note)], [
        Target("searches a second for each core", rate / options.processes, LEAST_PER_CORE, at_least=True),
        Target("processor time of a search", cost, 1 / LEAST_PER_CORE, unit=" s"),
        _no_errors(full),
    ]


async def harmed(options: argparse.Namespace) -> tuple[list[Row], list[Target]]:
    """Measures how long others wait while some clients harm the server."""
    texts, _ = snippets(options.index, 1000)
    async with serving(options.index, options.processes) as (address, _):
        await saturated(address, texts[:50], 50)
        until = asyncio.Event()
        harming = asyncio.create_task(harm(address, texts, until))
        sent = await at_a_rate(address, texts, RATE / 2, options.seconds)
        until.set()
        done = await harming
    target = Target("p95 beside harm", percentile(sent.seconds, 0.95), MOST_P95, unit=" s")
    return [(f"{RATE / 2:g} a second, harmed", sent, f"{done} pastes of 10 MB")], [target, _no_errors(sent)]


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


def _no_errors(sent: SentRequests) -> Target:
    return Target("errors", float(sent.errors), 0.0)


PARTS = {
    "assistant": asked_by_assistant,
    "load": loaded,
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
        print(shown(rows))
    return targets


def main() -> None:
    """Runs from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", required=True, help="an index whose sources are at hand")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=[*PARTS], help="what is measured")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=60.0, help="of the load beside harm")
    parser.add_argument("--searches", type=int, default=500, help="of the saturated load")
    parser.add_argument("--requests", type=int, default=20_000, help="over which memory is looked at")
    finish(asyncio.run(measure(parser.parse_args())))


if __name__ == "__main__":
    main()
