"""The command, in the middle of a run against a live server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from tests.elasticsearch.servers import Access, wait_until
from tests.end_to_end.conftest import Wherefrom, harmless
from tests.end_to_end.runs import start

COMMAND_IN_STEPS = '''\
"""The command, with a commit after each 200 kB instead of each 128 MB."""

import sys

from wherefrom.cli import main
from wherefrom.indexer import run

run.BATCH_BYTES, run.COMMIT_BYTES = 20_000, 200_000

if __name__ == "__main__":
    sys.exit(main())
'''


def start_in_steps(wherefrom: Wherefrom, *arguments: str | Path) -> subprocess.Popen[bytes]:
    """Starts the command with many commits."""
    script = wherefrom.folder / "wherefrom_in_steps.py"
    script.write_text(COMMAND_IN_STEPS)
    return start(wherefrom, sys.executable, script, *arguments)


def ended(running: subprocess.Popen[bytes], seconds: float = 240) -> tuple[int, str]:
    """The exit code of a command and its errors, at most one line."""
    _, errors = running.communicate(timeout=seconds)
    assert errors.count(b"\n") <= (running.returncode == 2), errors.decode()
    return running.returncode, harmless(errors)


def finishes(running: subprocess.Popen[bytes]) -> None:
    """Waits for a command, which must do all that it was told without a word."""
    code, said = ended(running)
    assert code == 0, said
    assert said == ""


def kill(running: subprocess.Popen[bytes]) -> None:
    """`kill -9` for a command and its worker processes, where it has not ended yet."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)
    running.communicate()


def written(access: Access, name: str) -> int:
    """How many documents of an index were written since its node started, visible or not."""
    indexing = access("GET", f"/{name}-*/_stats/indexing")["_all"]["primaries"].get("indexing", {})
    count: int = indexing.get("index_total", 0)
    return count


def wait_for_writing(access: Access, name: str, documents: int, running: subprocess.Popen[bytes] | None = None) -> None:
    """Waits until so many more are written, or the command has ended."""
    before = written(access, name)

    def reached() -> bool:
        return written(access, name) >= before + documents or (running is not None and running.poll() is not None)

    wait_until(reached, f"{documents} documents", 60)
