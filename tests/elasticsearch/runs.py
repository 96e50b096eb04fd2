"""Runs of the command against a live server, which tests stop in the middle."""

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
from wherefrom.engines.elasticsearch.connection import PATIENCE, RetryWaits

COMMAND = '''\
"""The command with other intervals than those that are installed; with `--in-steps` before its arguments, with a commit
after each 200 kB instead of each 128 MB.
"""

import sys

from wherefrom.cli import main
from wherefrom.engines.elasticsearch import connection, leases

leases.BEAT_SECONDS, leases.LEASE_SECONDS, leases.LOOK_SECONDS = {lease} / 12, {lease}, {lease} / 60
connection.PATIENCE = connection.{patience}

if sys.argv[1:2] == ["--in-steps"]:
    from wherefrom.indexer import indexing

    del sys.argv[1]
    indexing.BATCH_BYTES, indexing.COMMIT_BYTES = 20_000, 200_000

if __name__ == "__main__":
    sys.exit(main())
'''

SHORT = RetryWaits(max_retries=3, retry_backoff_base=0.1, retry_backoff_cap=0.2)
"""For tests where all waiting is in vain."""

LONG = RetryWaits(max_retries=60, retry_backoff_base=0.1, retry_backoff_cap=2.0)
"""At least about as long as the installed one, but with a try at least every two seconds."""


class Paced(Wherefrom):
    """The command with intervals of its own.

    Args:
        lease: the seconds after which a writer that does nothing is taken for dead; 30 are installed. With several live
            writers it must be long enough for a busy machine.
        patience: how long a command waits for a server that is away.
    """

    is_installed = False

    def __init__(self, folder: Path, index: str, *, lease: float = 30.0, patience: RetryWaits = PATIENCE) -> None:
        super().__init__(folder, index)
        self.script = folder / "paced.py"
        self.pace(lease=lease, patience=patience)

    def pace(self, *, lease: float = 30.0, patience: RetryWaits = PATIENCE) -> None:
        """Sets the intervals of the commands that are started from now on."""
        self.script.write_text(COMMAND.format(lease=lease, patience=patience))

    @property
    def command(self) -> tuple[str, ...]:
        """The script in place of the installed program."""
        return sys.executable, str(self.script)


def start_in_steps(wherefrom: Paced, *arguments: str | Path) -> subprocess.Popen[bytes]:
    """Starts the command with many commits."""
    return start(wherefrom, *wherefrom.command, "--in-steps", *arguments)


def ended(running: subprocess.Popen[bytes], seconds: float = 240) -> tuple[int, str]:
    """The exit code of a command and its errors, at most one line."""
    _, errors = running.communicate(timeout=seconds)
    assert errors.count(b"\n") <= (running.returncode == 2), errors.decode()
    return running.returncode, harmless(errors)


def finishes(running: subprocess.Popen[bytes]) -> None:
    """Waits for a command, which must succeed without an error message."""
    code, message = ended(running)
    assert code == 0, message
    assert message == ""


def kill(running: subprocess.Popen[bytes]) -> None:
    """`kill -9` for a command and its worker processes, if it has not ended yet."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)
    running.communicate()


def written(access: Access, name: str) -> int:
    """The number of documents of an index that were written since its node started, visible or not."""
    indexing = access("GET", f"/{name}-*/_stats/indexing")["_all"]["primaries"].get("indexing", {})
    count: int = indexing.get("index_total", 0)
    return count


def wait_for_writing(access: Access, name: str, documents: int, running: subprocess.Popen[bytes] | None = None) -> None:
    """Waits until this number of documents more is written, or the command has ended."""
    before = written(access, name)

    def reached() -> bool:
        return written(access, name) >= before + documents or (running is not None and running.poll() is not None)

    wait_until(reached, f"{documents} documents", 60)
