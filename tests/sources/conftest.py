"""Real git repositories, and a user who may not read everything."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.repositories import Repository

__all__ = ["MakeRepository", "Repository", "without_privileges"]

MakeRepository = Callable[..., Repository]


@pytest.fixture
def repository(tmp_path: Path) -> MakeRepository:
    """Makes repositories: `repository("name", {"path": b"content"}, "--bare", ...)`."""

    def make(name: str = "clone", files: dict[str, bytes] | None = None, *options: str) -> Repository:
        return Repository.make(tmp_path / name, files, *options)

    return make


@contextmanager
def without_privileges() -> Iterator[None]:
    """Root may read everything, so the tests of root become somebody else for a while."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)
