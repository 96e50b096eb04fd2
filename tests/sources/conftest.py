"""Real git repositories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.repositories import Repository

__all__ = ["MakeRepository", "Repository"]

MakeRepository = Callable[..., Repository]


@pytest.fixture
def repository(tmp_path: Path) -> MakeRepository:
    """Makes repositories: `repository("name", {"path": b"content"}, "--bare", ...)`."""

    def make(name: str = "clone", files: dict[str, bytes] | None = None, *options: str) -> Repository:
        return Repository.make(tmp_path / name, files, *options)

    return make
