"""A check of texts that are not saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.polygons import AREA
from tests.repositories import Repository
from tests.service.indexed import UNKNOWN, make_clones
from wherefrom import index_sources, open_index
from wherefrom.errors import NotFound, UsageError
from wherefrom.model import Rule

CREDIT = "# From https://github.com/example/geometry\n"


@pytest.mark.thorough
def test_texts_replace_files_of_the_work_tree(tmp_path: Path) -> None:
    index_sources(make_clones(tmp_path / "clones"), tmp_path / "index", jobs=1)
    project = Repository.make(tmp_path / "mine", {"saved.py": UNKNOWN.encode(), "other.py": AREA.encode()})
    saved, new = (str(project.folder / name) for name in ("saved.py", "folder/new.py"))
    with open_index(tmp_path / "index") as index:
        assert index.check([saved]).findings == ()
        report = index.check([saved], texts={saved: AREA.encode()})
        assert [(found.path, found.rule) for found in report.findings] == [("saved.py", Rule.COPIED_UNATTRIBUTED)]
        assert report.contents == {"saved.py": AREA.encode()}
        report = index.check([saved], texts={saved: f"{CREDIT}{AREA}".encode()})
        assert [found.rule for found in report.findings] == [Rule.COPIED_ATTRIBUTED]
        report = index.check([new], texts={new: AREA.encode()})
        assert [found.path for found in report.findings] == ["folder/new.py"]
        report = index.check([project.folder], texts={new: AREA.encode()}, base="HEAD")
        assert [found.path for found in report.findings] == ["folder/new.py"]
        with pytest.raises(NotFound, match=r"new\.py"):
            index.check([new])
        with pytest.raises(UsageError, match="is not in the project"):
            index.check([saved], texts={str(tmp_path / "elsewhere.py"): b""})
        with pytest.raises(UsageError, match="work tree"):
            index.check([saved], texts={saved: b""}, staged=True)
