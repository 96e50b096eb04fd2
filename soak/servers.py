"""Kills an Elasticsearch server while a command writes to it. The command must wait for it and finish its work."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

from soak.cases import Case, Outcome
from soak.contents import index_contents
from soak.world import Ground
from tests.elasticsearch.installation import Unavailable
from tests.elasticsearch.runs import LONG, Paced, start_in_steps, wait_for_writing
from tests.elasticsearch.servers import Server, server
from wherefrom.errors import WherefromError

NAME = "soak"

KILLS = 3
"""The server is killed at most this many times in one run of a command."""

DOCUMENTS = 30
"""The next kill comes after at most this many documents."""

PATIENCE = 600.0
"""Seconds after which a command counts as hanging."""

AWAY = b"no node answers (any longer; what was committed is safe)"
"""Part of the error if a server does not come back in time."""

COMMANDS = {
    "index": (("index", "{clones}", "--keep-source"), "index.wherefrom"),
    "copy": (("copy", "{world}/newer.wherefrom", "{index}"), "newer.wherefrom"),
}
"""For each command its arguments, and the embedded index that has the same content afterwards."""


def run(seed: int, ground: Ground, _jobs: int) -> list[Outcome]:
    """Runs one round: four commands on one new server."""
    try:
        with server() as node:
            return [trial(Case("servers", seed + number), ground, node) for number in range(4)]
    except Unavailable as error:
        return [Outcome(Case("servers", seed), Counter({f"not tried: {error}": 1}))]


def replay(case: Case, ground: Ground) -> Outcome:
    """Tries one case again, on a new server."""
    with server() as node:
        return trial(case, ground, node)


def trial(case: Case, ground: Ground, node: Server) -> Outcome:
    """One command, with up to `KILLS` kills of the server."""
    made = ground.world()
    outcome = Outcome(case)
    dice = Random(case.seed)
    name = dice.choice(sorted(COMMANDS))
    arguments, same = COMMANDS[name]
    folder = ground.folder / "served"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    place = f"{NAME}-{case.seed}"
    command = Paced(folder, node.index(place))
    command.pace(patience=LONG)
    expected = made.folder / same
    if not expected.exists():
        made.do("index", str(made.clones), "--keep-source", index=str(expected))
    filled = [text.format(clones=made.clones, world=made.folder, index=command.index) for text in arguments]
    running = start_in_steps(command, *filled)
    try:
        _disturb(running, node, place, dice, outcome.counts)
        _, errors = running.communicate(timeout=PATIENCE)
        if running.returncode == 2 and AWAY in errors:
            outcome.counts["runs that gave up waiting and were run again"] += 1
            running = start_in_steps(command, *filled)
            _, errors = running.communicate(timeout=PATIENCE)
        if running.returncode:
            outcome.wrong.append(f"{name} ends with {running.returncode}: {errors.decode(errors='replace')}")
        else:
            node.wait_for_green()
            outcome.wrong += _differences(command.index, expected)
    except (subprocess.TimeoutExpired, TimeoutError) as error:
        outcome.wrong.append(f"{name}: {error}")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        with suppress(OSError):  # it may be down; the next trial has another index
            node.remove(place)
    outcome.counts[f"runs of {name}"] += 1
    return outcome


def _disturb(running: subprocess.Popen[bytes], node: Server, place: str, dice: Random, counts: Counter[str]) -> None:
    """Kills or stops the server at some moments while the command runs."""
    for _ in range(dice.randrange(1, KILLS + 1)):
        with suppress(OSError):  # the command has finished writing, or the server is starting again
            wait_for_writing(node, place, dice.randrange(1, DOCUMENTS), running)
        if running.poll() is not None:
            return
        if dice.randrange(4):
            node.nodes[0].kill()
            counts["kills of the server"] += running.poll() is None
            time.sleep(dice.uniform(0, 3))
            node.nodes[0].start()
        else:
            node.nodes[0].pause()
            counts["stops of the server"] += 1
            time.sleep(dice.uniform(0.5, 5))
            node.nodes[0].resume()


def _differences(location: str, expected: Path) -> list[str]:
    """The differences between an index on the server and the embedded one."""
    try:
        found, right = index_contents(location), index_contents(expected)
    except WherefromError as error:
        return [str(error)]
    differ = [part for part, value in right.items() if found[part] != value]
    return [f"another index than the embedded one: {differ}"] if differ else []
