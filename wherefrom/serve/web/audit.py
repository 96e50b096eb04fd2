"""The audit log: a line of JSON for each request, without code."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wherefrom.errors import UsageError

LONGEST_PATH = 1_000
"""A longer path is cut in the log."""


class Audited:
    """An application that logs who asked for what. The query of a URL and the body are left out: they may have code.

    Args:
        app: the application; it puts the `Person` of a request into its scope as `person`.
        file: gets the lines. A new file is for its owner alone (mode 0600).
        say: gets a message once if the log cannot be written.

    Raises:
        UsageError: the log cannot be opened.
    """

    def __init__(self, app: ASGIApp, file: Path, say: Callable[[str], None]) -> None:
        self._app, self._path, self._say = app, file, say
        try:
            self._file: int = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        except OSError as error:
            raise UsageError(f"the audit log {file} cannot be written: {error.strerror}; name another file") from error
        self._is_failing = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request; see ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = received = sent = 0

        async def receiving() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message

        async def sending(message: Message) -> None:
            nonlocal status, sent
            status = message.get("status", status)
            sent += len(message.get("body", b""))
            await send(message)

        begin = time.perf_counter()
        try:
            await self._app(scope, receiving, sending)
        finally:
            person, client = scope.get("person"), scope.get("client")
            self._write(
                {
                    "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
                    "person": None if person is None else person.name,
                    "client": None if client is None else client[0],
                    "method": scope["method"],
                    "path": scope["path"][:LONGEST_PATH],
                    "status": status or None,  # None if the client went away before the answer began
                    "received": received,
                    "sent": sent,
                    "seconds": round(time.perf_counter() - begin, 3),
                }
            )

    def _write(self, row: dict[str, object]) -> None:
        """Writes a line with one call, so that lines of several servers in one file do not mix."""
        try:
            os.write(self._file, json.dumps(row).encode("ascii") + b"\n")
            self._is_failing = False
        except OSError as error:
            if not self._is_failing:
                self._say(f"the audit log {self._path} cannot be written: {error.strerror}; requests go on without it")
            self._is_failing = True
