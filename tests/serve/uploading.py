"""Uploads for tests, and the jobs that a server makes of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from tests.processes import HANGS
from tests.serve.running import WEB

Upload = tuple[str, tuple[str, bytes]]
"""A field of a form, and the name and the content of a file."""

HEAVY_FILES = [
    (f"{number}/a.py", "".join(f"def f{name}(a):\n    return a + {name * number}\n" for name in range(400)))
    for number in range(150)
]
"""Paths and texts of hand-ins whose comparison takes long enough to be stopped."""


def send(address: str, kind: str, files: Sequence[Upload], **fields: str) -> dict[str, Any]:
    """Makes a job; returns what the server says of it."""
    answer = WEB.post(f"{address}/api/v1/jobs", data={"kind": kind, **fields}, files=files)
    assert answer.status_code == 202, answer.text
    made: dict[str, Any] = answer.json()
    assert answer.headers["location"] == f"/api/v1/jobs/{made['id']}"
    return made


def when(address: str, job: str, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The job as soon as a condition holds for it."""
    until = time.monotonic() + HANGS
    while time.monotonic() < until:
        found: dict[str, Any] = WEB.get(f"{address}/api/v1/jobs/{job}").raise_for_status().json()
        if is_so(found):
            return found
        time.sleep(0.05)
    raise AssertionError(found)


def ended(address: str, job: str) -> dict[str, Any]:
    return when(address, job, lambda found: found["state"] in {"done", "failed"})
