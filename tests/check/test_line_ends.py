"""A check of a work tree whose lines end as Windows has them, while git stores them in the usual way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.polygons import AREA
from tests.repositories import Repository
from tests.service.indexed import UNKNOWN, make_clones
from wherefrom import index_sources, open_index


@pytest.mark.thorough
def test_line_ends_do_not_count(tmp_path: Path) -> None:
    index_sources(make_clones(tmp_path / "clones"), tmp_path / "index", jobs=1)
    project = Repository.make(tmp_path / "mine")
    project.git("config", "core.autocrlf", "true")
    project.commit({"old.py": AREA.replace("\n", "\r\n").encode(), "own.py": UNKNOWN.replace("\n", "\r\n").encode()})
    assert b"\r" not in project.git("show", "HEAD:old.py").encode()
    with open_index(tmp_path / "index") as index:
        assert [found.path for found in index.check([project.folder]).findings] == ["old.py"]
        assert index.check([project.folder], base="HEAD").findings == ()
        project.write({"own.py": (UNKNOWN + "\n\n" + AREA).replace("\n", "\r\n").encode()})
        changed = index.check([project.folder], base="HEAD").findings
        assert [found.path for found in changed] == ["own.py"]
