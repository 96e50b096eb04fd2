"""Many copies in your own repositories do not hide a copy elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.test_check import LEVELS, ROUTES
from tests.repositories import Repository
from wherefrom import Index
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.indexer.indexing import IndexingRun
from wherefrom.options import IndexOptions
from wherefrom.queries.filters import OwnPlaces
from wherefrom.sources.discover import discover

COPIES, OTHERS = 60, 300
"""More copies than candidates that are compared at a time, and enough other files that the copies are not
everywhere."""


def indexed(folder: Path, *names: str) -> Index:
    engine = MemoryEngine(scheme_ids())
    IndexingRun(
        engine, discover([str(folder / name) for name in names], cache=folder / "cache"), IndexOptions(jobs=1)
    ).run()
    return Index(engine)


@pytest.mark.slow
def test_a_copy_behind_many_of_ones_own_is_found(tmp_path: Path) -> None:
    own = {
        f"{number}.py": ROUTES + LEVELS.replace(b"levels", b"level_%d" % number) + b"\n\nNUMBER = %d\n" % number
        for number in range(COPIES)
    }
    own |= {
        f"else/{number}.py": b"def work_%d(a_%d):\n    return a_%d.first(%d) + a_%d.next_%d(%d)\n" % ((number,) * 7)
        for number in range(OTHERS)
    }
    Repository.make(tmp_path / "own", own)
    # It lacks the end of the function, so that all others come before it.
    other = b"".join(ROUTES.splitlines(keepends=True)[:-2])
    Repository.make(tmp_path / "other", {"other.py": other})
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_bytes(ROUTES)
    with indexed(tmp_path, "own", "other") as index:
        report = index.check([project], own=["*/own"])
        assert [key.rpartition("/")[2] for key in report.own] == ["own"]
        [finding] = report.findings
        assert [place.occurrence.path for place in finding.places] == ["other.py"]
        found = index.search(ROUTES, own=["*/own"])
        assert [at.path for hit in found.hits for at in hit.occurrences] == ["other.py"]
        assert len(index.search(ROUTES).hits) > 1
        explained = index.sources(ROUTES, own=["*/own"])
        assert [at.path for document in explained.documents for at in document.occurrences] == ["other.py"]
        everywhere = index.check([project])
        [finding] = everywhere.findings
        assert len(finding.places) <= 10
        assert sum(place.count for place in finding.places) + finding.more > 10


@pytest.mark.slow
def test_a_clone_is_the_projects_own_by_key_in_any_case_and_by_its_place(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "clone", {"a.py": ROUTES})
    made.git("remote", "add", "origin", "https://github.com/Me/Project")
    with indexed(tmp_path, "clone") as index:
        records = index.repositories()
        assert [record.key for record in records] == ["github.com/Me/Project"]
        for keys, patterns in (
            (["github.com/me/project"], []),
            ([str(made.folder)], []),
            ([], ["github.com/Me/*"]),
        ):
            assert OwnPlaces.named(index._engine, patterns, keys).keys == {"github.com/Me/Project"}
        assert OwnPlaces.named(index._engine, ["gitlab.com/*"], ["github.com/me/projects"]).keys == frozenset()
        assert index.check([made.folder]).findings == ()
