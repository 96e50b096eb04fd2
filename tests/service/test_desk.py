"""The processes that answer calls: their limits, their turns, and how one call affects the others."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.processes import children
from tests.service.indexed import RENAMED, UNKNOWN, make_clones
from wherefrom import Index, SearchOptions, index_sources, open_index
from wherefrom.engines.embedded.engine import EmbeddedEngine
from wherefrom.errors import BoilerplateError
from wherefrom.options.serving import CallOptions
from wherefrom.serve.calls import Call, answer_of, health
from wherefrom.serve.desk import Busy, CallDied, CallTimeout, Desk, Gone

SEARCH = Call(answer_of, ("search", RENAMED.encode(), SearchOptions()))


def spin(index: Index) -> None:
    """Works without an end."""
    while index is not None:
        pass


def grow(index: Index) -> None:
    """Takes ever more memory."""
    kept = []
    while index is not None:
        kept.append(bytearray(10_000_000))


def wait(_index: Index, folder: Path, name: str = "go") -> str:
    """Creates a file to show that it has begun, and waits for another file."""
    (folder / f"began-{name}").touch()
    while not (folder / name).exists():
        time.sleep(0.01)
    return name


def desk(location: Path, *, processes: int = 1, seconds: float = 60.0, waiting: int = 10, stops: bool = False) -> Desk:
    return Desk(
        partial(open_index, location),
        CallOptions(call_seconds=seconds, call_memory=1_000_000_000),
        processes=processes,
        waiting=waiting,
        stops=stops,
    )


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


@pytest.mark.slow
def test_a_call_is_answered_by_a_process_that_stays(code_index: Path) -> None:
    async def ask() -> None:
        with desk(code_index) as made:
            answer = await made.ask(SEARCH)
            assert json.loads(answer)["total"] == 3
            before = children(os.getpid())
            await made.ask(SEARCH)
            assert children(os.getpid()) == before

    asyncio.run(ask())


@pytest.mark.nightly
@pytest.mark.slow
def test_a_call_that_takes_too_long_is_ended_and_the_next_is_answered(code_index: Path) -> None:
    async def ask() -> None:
        with desk(code_index, seconds=0.5) as made:
            with pytest.raises(CallTimeout, match=r"takes more than 0\.5 s"):
                await made.ask(Call(spin))
            assert made.ended == 1
        with desk(code_index) as made, pytest.raises(CallDied, match="takes more than 1 GB of memory"):
            await made.ask(Call(grow))

    asyncio.run(ask())


@pytest.mark.slow
def test_an_error_is_that_of_the_call(code_index: Path) -> None:
    async def ask() -> None:
        with desk(code_index) as made:
            with pytest.raises(BoilerplateError, match="nothing"):
                await made.ask(Call(answer_of, ("search", b"x", SearchOptions(without=["nothing"]))))
            assert json.loads(await made.ask(SEARCH))["total"] == 3

    asyncio.run(ask())


@pytest.mark.slow
def test_calls_wait_for_their_turn_and_too_many_are_refused(code_index: Path, tmp_path: Path) -> None:
    async def ask() -> None:
        with desk(code_index, waiting=1) as made:
            first = asyncio.create_task(made.ask(Call(wait, (tmp_path,))))
            await until((tmp_path / "began-go").exists)
            second = asyncio.create_task(made.ask(SEARCH))
            await until(lambda: made.waiting == 1)
            with pytest.raises(Busy, match="1 calls are waiting"):
                await made.ask(SEARCH)
            (tmp_path / "go").touch()
            assert await first == "go"
            assert json.loads(await second)["total"] == 3
            assert (made.waiting, made.running) == (0, 0)

    asyncio.run(ask())


@pytest.mark.slow
def test_one_process_is_left_to_short_calls(code_index: Path, tmp_path: Path) -> None:
    async def ask() -> None:
        with desk(code_index, processes=2) as made:
            one = asyncio.create_task(made.ask(Call(wait, (tmp_path, "one"), is_long=True)))
            two = asyncio.create_task(made.ask(Call(wait, (tmp_path, "two"), is_long=True)))
            await until((tmp_path / "began-one").exists)
            assert json.loads(await made.ask(SEARCH))["total"] == 3
            assert not (tmp_path / "began-two").exists()
            (tmp_path / "two").touch()
            (tmp_path / "one").touch()
            assert [await one, await two] == ["one", "two"]

    asyncio.run(ask())


@pytest.mark.slow
def test_nothing_is_done_for_someone_who_has_gone(code_index: Path, tmp_path: Path) -> None:
    async def gone() -> bool:
        return True

    async def ask() -> None:
        with desk(code_index) as made:
            with pytest.raises(Gone):
                await made.ask(Call(wait, (tmp_path,)), gone)
            waiting = asyncio.create_task(made.ask(Call(wait, (tmp_path,))))
            await until((tmp_path / "began-go").exists)
            cancelled = asyncio.create_task(made.ask(SEARCH))
            await until(lambda: made.waiting == 1)
            cancelled.cancel()
            with pytest.raises(asyncio.CancelledError):
                await cancelled
            assert made.waiting == 0
            (tmp_path / "go").touch()
            await waiting
            assert json.loads(await made.ask(SEARCH))["total"] == 3

    asyncio.run(ask())


@pytest.mark.slow
def test_a_desk_may_end_the_process_of_a_call_that_is_cancelled(code_index: Path, tmp_path: Path) -> None:
    async def ask() -> None:
        with desk(code_index, stops=True) as made:
            endless = asyncio.create_task(made.ask(Call(wait, (tmp_path,))))
            await until((tmp_path / "began-go").exists)
            endless.cancel()
            with pytest.raises(asyncio.CancelledError):
                await endless
            assert (made.running, made.ended) == (0, 0)
            assert json.loads(await made.ask(SEARCH))["total"] == 3

    asyncio.run(ask())


@pytest.mark.slow
def test_a_new_commit_is_seen_by_processes_that_run(tmp_path: Path) -> None:
    location = tmp_path / "code.wherefrom"
    clones = make_clones(tmp_path / "clones")
    index_sources(clones[:1], location, jobs=1)

    async def ask() -> None:
        with desk(location) as made:
            assert json.loads(await made.ask(SEARCH))["total"] == 1
            index_sources(clones, location, jobs=1)
            assert json.loads(await made.ask(SEARCH))["total"] == 3
            assert (
                json.loads(await made.ask(Call(answer_of, ("search", UNKNOWN.encode(), SearchOptions()))))["total"] == 0
            )

    asyncio.run(ask())


@pytest.mark.thorough
def test_a_readiness_probe_reads_no_records(code_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it reads the records of all repositories")

    monkeypatch.setattr(EmbeddedEngine, "repositories", refuse)
    with open_index(code_index) as index:
        assert health(index) == 0
