"""Fixtures: real git repositories, and a user without the rights of root."""

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
    """Runs a block as a user who may not read everything, even if the tests run as root."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)
