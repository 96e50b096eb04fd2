"""The audit log: a line of JSON for each request, without code."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from starlette.types import Scope

from wherefrom.errors import UsageError
from wherefrom.serve.web.watched import GONE, Exchange

LONGEST_PATH = 1_000
"""A longer path is cut in the log."""


class AuditLog:
    """Logs who asked for what. The query of a URL and the body are left out, because they may have code.

    Args:
        path: the file that gets the lines. A new file is for its owner alone (mode 0600).
        say: gets a message once if the log cannot be written.

    Raises:
        UsageError: the log cannot be opened.
    """

    def __init__(self, path: Path, say: Callable[[str], None]) -> None:
        self._path, self._say = path, say
        try:
            self._file: int = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        except OSError as error:
            raise UsageError(f"the audit log {path} cannot be written: {error.strerror}; name another file") from error
        self._is_failing = False

    def write(self, scope: Scope, exchange: Exchange) -> None:
        """Writes the line of a request. The guard has put the `Person` into its scope as `person`."""
        person, client = scope.get("person"), scope.get("client")
        row = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "person": None if person is None else person.name,
            "client": None if client is None else client[0],
            "method": scope["method"],
            "path": scope["path"][:LONGEST_PATH],
            "status": None if exchange.status == GONE else exchange.status,
            "received": exchange.received,
            "sent": exchange.sent,
            "seconds": round(exchange.seconds, 3),
        }
        try:
            # One call for the whole line, so that the lines of several servers in one file do not mix.
            os.write(self._file, json.dumps(row).encode("ascii") + b"\n")
            self._is_failing = False
        except OSError as error:
            if not self._is_failing:
                self._say(f"the audit log {self._path} cannot be written: {error.strerror}; requests go on without it")
            self._is_failing = True
