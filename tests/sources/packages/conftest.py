"""A user without settings, and a registry of each ecosystem on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources.packages.registries import KINDS, Kind, Server, serving


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without settings, and no variables that the clients of registries read."""
    for name in os.environ:
        if (
            name.lower().startswith(("pip_", "uv_", "npm_", "cargo_", "go", "netrc", "xdg_"))
            or "_proxy" in name.lower()
        ):
            monkeypatch.delenv(name)
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setattr("wherefrom.sources.packages.client.RETRY_SECONDS", (0.0, 0.0, 0.0))
    return folder


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


@pytest.fixture
def other() -> Iterator[Server]:
    """Another server, at another port and so at another host."""
    with serving() as made:
        yield made


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest, home: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Kind:
    """An ecosystem whose package is on the server, which is configured without credentials."""
    found: Kind = request.param
    found.publish(server)
    found.configure(server, home, monkeypatch, False)
    return found
