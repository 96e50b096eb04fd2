"""Runs the system's git for programs under Wine: `git.c` is their git, and connects to `serving`.

A call has three connections, for its input, output and errors. Each begins with two numbers: the process, and which of
the three it is. On the first one, texts follow, each with its length before it: the folder, variables up to an empty
text, arguments up to an empty text. After these comes the input. The answer on it is the exit code.
"""

from __future__ import annotations

import os
import re
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, cast

_DRIVE = re.compile(r"(?<![A-Za-z])([A-Za-z]):(?=[\\/])([^;\"]*)")

_OURS = re.compile(r"(?i)(?!GIT_|LC_|LANG|CONTENT_|HTTP_|PATH_INFO|QUERY_STRING|REMOTE_|REQUEST_METHOD)")
"""Variables that git has from this process; the others are those of git, and of a server's program."""


@contextmanager
def serving() -> Iterator[int]:
    """Answers calls in threads; the value is the port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_accept, args=(server,), daemon=True).start()
        yield server.getsockname()[1]


def native(text: str) -> str:
    """The text with its paths as Linux writes them. Drive Z is the root, and the others are links of Wine."""
    drives = Path(os.environ["WINEPREFIX"], "dosdevices")
    return _DRIVE.sub(
        lambda path: ("" if path[1] in "Zz" else f"{drives}/{path[1].lower()}:") + path[2].replace("\\", "/"), text
    )


def _accept(server: socket.socket) -> None:
    calls: dict[int, dict[int, socket.socket]] = {}
    with suppress(OSError):  # the server has ended
        while True:
            connection, _ = server.accept()
            process, which = struct.unpack("<ii", _exactly(connection, 8))
            call = calls.setdefault(process, {})
            call[which] = connection
            if len(call) == len(("input", "output", "errors")):
                threading.Thread(target=_answer, args=[call[at] for at in range(3)], daemon=True).start()
                del calls[process]


def _answer(given: socket.socket, output: socket.socket, errors: socket.socket) -> None:
    with given, output, errors, suppress(OSError):
        (folder, *_), variables, arguments = [_text(given)], list(_texts(given)), list(_texts(given))
        own = {name: value for name, value in os.environ.items() if _OURS.match(name)}
        theirs = dict(native(each).split("=", 1) for each in variables if not _OURS.match(each))
        process = subprocess.Popen(
            ["git", *map(native, arguments)],
            cwd=native(folder) or "/",
            env=own | theirs,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        with process:
            pumps = [
                threading.Thread(target=_pump, args=(*each, process), daemon=True)
                for each in ((process.stdout, output), (process.stderr, errors))
            ]
            for pump in pumps:
                pump.start()
            threading.Thread(target=_feed, args=(given, process), daemon=True).start()
            for pump in pumps:
                pump.join()
            given.sendall(struct.pack("<i", process.wait() & 0xFF))


def _feed(given: socket.socket, process: subprocess.Popen[bytes]) -> None:
    input_ = cast(IO[bytes], process.stdin)
    with suppress(OSError, ValueError), input_:
        while data := given.recv(1 << 16):
            input_.write(data)
            input_.flush()


def _pump(stream: IO[bytes], to: socket.socket, process: subprocess.Popen[bytes]) -> None:
    try:
        while data := os.read(stream.fileno(), 1 << 16):
            to.sendall(data)
        to.shutdown(socket.SHUT_WR)
    except OSError:  # the caller has ended
        process.kill()


def _texts(given: socket.socket) -> Iterator[str]:
    while text := _text(given):
        yield text


def _text(given: socket.socket) -> str:
    (size,) = struct.unpack("<i", _exactly(given, 4))
    return _exactly(given, size).decode()


def _exactly(given: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        if not (more := given.recv(size - len(data))):
            raise OSError("the call was ended")
        data += more
    return data


if __name__ == "__main__":
    with serving() as port:
        print(port, flush=True)
        threading.Event().wait()
