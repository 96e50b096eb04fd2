"""Kills and stops commands that write: whole process groups, and single children.

After each fault, the index must be intact. When the command runs again, it must have the result of an undisturbed run.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from random import Random

import psutil

from soak.cases import Case, Outcome
from soak.commands import COMMANDS, INDEX, Command, Stage, Undisturbed, group_members
from soak.contents import dangling
from soak.world import Ground, World
from tests.processes import KILL, children
from wherefrom.errors import WherefromError
from wherefrom.support.system import system

ROUNDS = 8
"""A command meets at most this many faults before it may finish."""

PATIENCE = 600.0
"""Seconds after which a command counts as hanging."""

STOPPED = (0.5, 3.0)
"""For how many seconds a process is stopped, from and to."""


class Fault(StrEnum):
    """A fault for a running command."""

    KILL_GROUP = "kill of the group"
    KILL_MAIN = "kill of the main process alone"
    KILL_CHILD = "kill of a child (a worker, or git)"
    INTERRUPT = "interrupt (Ctrl-C)"
    TERMINATE = "termination (SIGTERM)"
    STOP_GROUP = "stop of the group"
    STOP_CHILD = "stop of a child (a worker, or git)"


BY_SIGNAL: tuple[Fault, ...] = () if sys.platform == "win32" else (Fault.INTERRUPT, Fault.TERMINATE)

ENDING = (Fault.KILL_GROUP, Fault.KILL_MAIN, *BY_SIGNAL)
"""Faults that end the command."""

ENDINGS = {-signal.SIGINT, -signal.SIGTERM, -KILL, signal.SIGTERM}
"""The exit codes of a command that was ended; the last one on Windows."""


@lru_cache
def undisturbed(name: str, made: World, folder: Path) -> Undisturbed:
    """The result of the command of this name without faults, measured once."""
    return Undisturbed.measured(COMMANDS[name], folder, made)


def run(seed: int, ground: Ground, _jobs: int) -> list[Outcome]:
    """One command, with up to `ROUNDS` faults."""
    return [trial(Case("kills", seed), ground)]


def trial(case: Case, ground: Ground) -> Outcome:
    """Runs the command that the seed of the case chooses, with faults."""
    made = ground.world()
    dice = Random(case.seed)
    name = dice.choice(sorted(COMMANDS))
    command = COMMANDS[name]
    expected = undisturbed(name, made, ground.folder / "undisturbed")
    outcome = Outcome(case)
    stage = Stage.prepared(command, ground.folder / "trial", made)
    outcome.wrong += _disturbed(stage, name, expected, dice, outcome.counts)
    if not outcome.wrong:
        outcome.wrong += _ended(stage, name, expected)
    outcome.counts[f"runs of {name}"] += 1
    return outcome


def _disturbed(stage: Stage, name: str, expected: Undisturbed, dice: Random, counts: Counter[str]) -> list[str]:
    """Runs the command several times, each time with a fault. Returns the failures."""
    for _ in range(dice.randrange(1, ROUNDS + 1)):
        fault = _chosen(stage.command, dice)
        running = stage.start()
        try:
            met = _met(running, fault, dice, expected.seconds)
            code = running.wait(PATIENCE)
            _wait_for_end(running.pid)
        except (subprocess.TimeoutExpired, TimeoutError):
            return [f"{name} hangs after {fault}: processes {group_members(running.pid)}"]
        finally:
            system.end_group(running.pid)
        if met:
            counts[fault] += 1
            counts["faults"] += 1
        if fault in ENDING and met:
            allowed: tuple[int, ...] = (*ENDINGS, 130, *stage.command.codes)
        elif fault == Fault.KILL_CHILD and met:
            allowed = (*stage.command.codes, 2)  # the child may have been killed before it started
        else:
            allowed = stage.command.codes
        errors = stage.errors()
        is_refused = code == stage.command.again and _is_done(stage, expected)
        if (code not in allowed and not is_refused) or "Traceback" in errors:
            return [f"{name} ends with {code} after {fault}: {errors}"]
        wrong = _broken(stage)
        if wrong:
            return [f"{name} after {fault}: {failure}" for failure in wrong]
        if code in stage.command.codes:
            return []
    return []


def _chosen(command: Command, dice: Random) -> Fault:
    """A fault that is possible for the command."""
    faults = [Fault.KILL_GROUP, Fault.KILL_GROUP, Fault.KILL_GROUP, *ENDING, Fault.STOP_GROUP]
    if command.has_workers:
        faults += [Fault.KILL_CHILD, Fault.KILL_CHILD, Fault.STOP_CHILD]
    return dice.choice(faults)


def _met(running: subprocess.Popen[bytes], fault: Fault, dice: Random, seconds: float) -> bool:
    """Inflicts the fault on a running command at some moment. False if the command had already ended."""
    share, length = dice.uniform(0.1, 1.1), dice.uniform(*STOPPED)
    if fault in (Fault.KILL_CHILD, Fault.STOP_CHILD):
        while not children(running.pid):
            if running.poll() is not None:
                return False
            time.sleep(0.005)
        share /= 2
    with suppress(subprocess.TimeoutExpired):
        running.wait(share * seconds)
    if running.poll() is not None:
        return False
    try:
        match fault:
            case Fault.KILL_GROUP:
                system.end_group(running.pid)
            case Fault.KILL_MAIN:
                system.kill(running.pid)
            case Fault.INTERRUPT:
                os.killpg(running.pid, signal.SIGINT)
            case Fault.TERMINATE:
                os.killpg(running.pid, signal.SIGTERM)
            case Fault.STOP_GROUP:
                _stop(group_members(running.pid), length)
            case _:
                found = children(running.pid)
                if not found:
                    return False
                child = dice.choice(found)
                if fault == Fault.KILL_CHILD:
                    system.kill(child)
                else:
                    _stop([child], length)
    except (ProcessLookupError, psutil.NoSuchProcess):
        return False
    return True


def _stop(processes: Sequence[int], seconds: float) -> None:
    """Stops some processes for a while."""
    stopped = [psutil.Process(process) for process in processes]
    for process in stopped:
        process.suspend()
    time.sleep(seconds)
    for process in stopped:
        process.resume()


def _wait_for_end(group: int) -> None:
    """Waits until no process of a group is left: workers end with the process that started them."""
    end = time.monotonic() + PATIENCE
    while group_members(group):
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)


def _broken(stage: Stage) -> list[str]:
    """The damage that a fault did to the index; empty if there is no index yet."""
    index = stage.folder / INDEX
    if not (index / "wherefrom.json").exists():
        return []
    try:
        return dangling(index)
    except WherefromError as error:
        return [str(error)]


def _is_done(stage: Stage, expected: Undisturbed) -> bool:
    """Whether the result is complete, after running the ending commands."""
    for ending in stage.command.ending:
        stage.start(ending).wait()
    return stage.result() == expected.result


def _ended(stage: Stage, name: str, expected: Undisturbed) -> list[str]:
    """Runs the command without a fault. Returns the differences from the result of an undisturbed one."""
    code = stage.start().wait()
    errors = stage.errors()
    if code != expected.code and code not in stage.command.codes and code != stage.command.again:
        return [f"{name}, run again, ends with {code}: {errors}"]
    for ending in stage.command.ending:
        stage.start(ending).wait()
    try:
        found = stage.result()
    except Exception as error:  # any error while reading the result is a failure
        return [f"{name}, run again: {error!r}"]
    differ = [part for part, value in expected.result.items() if found.get(part) != value]
    return [f"{name}, run again, makes something else: {differ}; it wrote {errors!r}"] if differ else []
