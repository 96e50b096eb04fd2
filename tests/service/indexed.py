"""An index of the repositories of the library's page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.polygons import AREA, CLONES
from tests.repositories import Repository
from wherefrom import index_sources

LICENSED = "# SPDX-License-Identifier: MIT\n"

RENAMED = AREA.replace("total", "twice_the_area").replace("points", "corners")
"""The function that most of the repositories have, with other names."""

UNKNOWN = (
    "def nothing(alpha, beta):\n    while alpha.next(beta):\n        beta = alpha.turn(beta) ^ 77\n    return [beta]\n"
)
"""A function that no repository has."""


def make_clones(folder: Path) -> list[Path]:
    """The clones; one of them states a license."""
    clones = []
    for name, files in CLONES.items():
        contents = {path: text.encode() for path, text in files.items()}
        if name == "geometry":
            contents["geometry.py"] = LICENSED.encode() + contents["geometry.py"]
        clone = Repository.make(folder / name, contents)
        clone.git("remote", "add", "origin", f"https://github.com/example/{name}.git")
        clones.append(clone.folder)
    return clones


@pytest.fixture(scope="session")
def code_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The location of an index, which no test changes."""
    folder = tmp_path_factory.mktemp("code")
    location = folder / "code.wherefrom"
    index_sources(make_clones(folder / "clones"), location, jobs=1)
    return location
