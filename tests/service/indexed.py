"""An index of the repositories of the library's page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.polygons import AREA, CLONES, FEET
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


def make_dated_clones(folder: Path) -> list[Path]:
    """Clones with true dates. `atlas` was the first to have `AREA`, which is gone there; `geometry` has it since 2017,
    `maps` since 2019.
    """
    days = {"atlas": "2015-05-06", "geometry": "2017-11-20", "maps": "2019-03-02"}
    owners = {"atlas": "atlases", "geometry": "example", "maps": "roads"}
    made = {name: Repository.make(folder / name) for name in days}
    for name, day in days.items():
        made[name].git("remote", "add", "origin", f"https://github.com/{owners[name]}/{name}.git")
        made[name].commit({f"{name}.py": AREA.encode()}, day=day)
    made["geometry"].git("tag", "v1.0")
    (made["atlas"].folder / "atlas.py").unlink()
    made["atlas"].commit({"feet.py": FEET.encode()}, day="2016-01-02")
    return [clone.folder for clone in made.values()]


@pytest.fixture(scope="session")
def dated_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The location of an index with history, which no test changes."""
    folder = tmp_path_factory.mktemp("dated")
    location = folder / "code.wherefrom"
    index_sources(make_dated_clones(folder / "clones"), location, jobs=1, history=True)
    return location


@pytest.fixture(scope="session")
def code_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The location of an index, which no test changes."""
    folder = tmp_path_factory.mktemp("code")
    location = folder / "code.wherefrom"
    index_sources(make_clones(folder / "clones"), location, jobs=1)
    return location
