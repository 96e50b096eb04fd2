"""Runs the command on a real terminal: one of the system's pseudo-terminals."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import termios
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from tests.processes import HANGS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

TERMINAL_COLUMNS = 80


class Ended(NamedTuple):
    """What became of a command: its exit code, what it wrote to standard output, what the terminal was sent."""

    code: int
    output: str
    terminal: str


def on_terminal(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path, *, typed: str = "", until: str = ""
) -> Ended:
    """Runs Python with standard input and standard error on a terminal of 80 columns, and standard output in a file.

    Args:
        arguments: of Python, such as `-m wherefrom list`.
        environment: of the process.
        folder: the working directory.
        typed: what the user types, line ends included; all of it waits in the terminal from the beginning.
        until: the process is interrupted, as by Ctrl-C, when the terminal shows this text.
    """
    controller, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, TERMINAL_COLUMNS))
    shown = bytearray()
    output = folder / "standard-output"
    with output.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            env={**environment, "TERM": "xterm"},
            cwd=folder,
            stdin=terminal,
            stdout=file,
            stderr=terminal,
        )
        os.close(terminal)
        os.write(controller, typed.encode())
        # Reading ends with an error once the last process with the terminal has ended.
        with suppress(OSError):
            while read := os.read(controller, 65_536):
                shown += read
                if until and until.encode() in shown:
                    process.send_signal(signal.SIGINT)
                    until = ""
        os.close(controller)
        code = process.wait(timeout=HANGS)
    return Ended(code, output.read_text(encoding="utf-8"), shown.decode().replace("\r\n", "\n"))
