"""Starts the installed command as a server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import psutil
import pytest

from tests.processes import HANGS, interrupt
from wherefrom import copy_index

WEB = httpx.Client(timeout=HANGS, limits=httpx.Limits(max_keepalive_connections=0))
"""Asks servers. `httpx.get` would read the certificates of this machine again for each call, which takes 30 ms."""

ENGINES = ["embedded", pytest.param("elasticsearch", marks=pytest.mark.live)]
"""The parameters of a fixture with `serving_copy`, for tests that must pass with both engines."""


@contextmanager
def serving_copy(code_index: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Serves an index, or a copy of it on a real server, by the parameter of a fixture; yields the address."""
    if request.param == "embedded":
        with serving(code_index) as address:
            yield address
        return
    cluster = request.getfixturevalue("elasticsearch")
    name = f"wherefrom-test-{uuid4().hex[:12]}"
    try:
        copy_index(code_index, cluster.index(name), jobs=1)
        with serving(cluster.index(name)) as address:
            yield address
    finally:
        cluster.remove(name)


@contextmanager
def serving(location: Path | str, *flags: str, descriptors: str = "", **variables: str) -> Iterator[str]:
    """Starts `wherefrom serve` at a free port; yields its address.

    Args:
        location: the location of the index.
        flags: more flags of the command.
        descriptors: how many files the command may open (`ulimit -n`); empty: as many as this process.
        variables: more environment variables.
    """
    limited = ["sh", "-c", 'ulimit -n "$0" && exec "$@"', descriptors] if descriptors else []
    command = [sys.executable, "-m", "wherefrom", "serve", "--index", str(location), "--port", "0"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WHEREFROM_")}
    with (
        tempfile.TemporaryDirectory() as reports,
        subprocess.Popen(
            # On a busy machine a call takes long, so it has much time. A flag in `flags` overrides these.
            [*limited, *command, "--call-seconds", "600", "--reports", reports, *flags],
            env={**environment, **variables},
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        ) as process,
    ):
        assert process.stderr is not None
        printed = process.stderr.readline()
        found = re.search(r" at (http://\S+)/$", printed.rstrip("\n"))
        assert found, printed + process.stderr.read()
        try:
            yield found[1]
        finally:
            interrupt(process)
            rest = process.stderr.read()
            process.wait()
    assert "Traceback" not in rest, rest


def server(address: str) -> psutil.Process:
    """The process of a server that `serving` started."""
    port = urlsplit(address).port
    for child in psutil.Process().children():
        if any(item.laddr.port == port for item in child.net_connections() if item.status == psutil.CONN_LISTEN):
            return child
    raise AssertionError(f"no child listens at {address}")
