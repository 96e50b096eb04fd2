"""Finds files that are similar to an indexed file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest

from tests.end_to_end.conftest import INDEXED_MODULES, Wherefrom, module_source, places
from tests.end_to_end.edits import renamed, with_insertions
from tests.repositories import Repository
from wherefrom import Index
from wherefrom.errors import UnknownRepository, UsageError

By = Literal["either", "containment", "resemblance"]
BYS: tuple[By, By, By] = ("either", "containment", "resemblance")
LEAST = {"either": 0.9, "containment": 0.9, "resemblance": 0.6}
"""Scores of a copy with other names: what is exactly the same counts in resemblance."""

COPIED = ("heapq", "shlex", "textwrap")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """Modules of the standard library in `origin`; `copies` has three of them with other names, one of them besides as
    it is and as a part of something larger.
    """
    folder = tmp_path_factory.mktemp("similar")
    origin = {f"lib/{name}.py": module_source(name) for name in INDEXED_MODULES[::3] + COPIED}
    copies = {f"{name}_copy.py": renamed(module_source(name).decode()).encode() for name in COPIED}
    copies["same.py"] = module_source("heapq")
    copies["larger.py"] = module_source("heapq") + module_source("plistlib") + module_source("csv")
    Repository.make(folder / "clones/origin", origin)
    Repository.make(folder / "clones/copies", copies)
    made = Wherefrom(folder)
    made.indexes("clones")
    return made


@pytest.fixture
def index(world: Wherefrom) -> Iterator[Index]:
    """Its index."""
    with world.open() as opened:
        yield opened


def key(index: Index, name: str) -> str:
    """The key of a repository."""
    return next(record.key for record in index.repositories() if record.key.endswith(f"/{name}"))


@pytest.mark.parametrize("by", BYS)
@pytest.mark.parametrize("name", ["shlex", "textwrap"])
def test_a_renamed_copy_of_a_file_comes_first(index: Index, name: str, by: By) -> None:
    found = index.similar(f"{key(index, 'origin')}:lib/{name}.py", by=by)
    back = index.similar(f"{key(index, 'copies')}:{name}_copy.py", by=by)
    assert places(found)[0] == f"copies/{name}_copy.py"
    assert places(back)[0] == f"origin/lib/{name}.py"
    for result in (found, back):
        assert result.hits[0].score > LEAST[by]
        assert result.hits[0].regions
        assert all(hit.score < 0.5 for hit in result.hits[1:])
        assert not result.truncated


def test_copies_elsewhere_are_hits_and_the_file_itself_is_none(index: Index) -> None:
    found = index.similar(f"{key(index, 'origin')}:lib/heapq.py")
    assert set(places(found)[:3]) == {"copies/same.py", "copies/larger.py", "copies/heapq_copy.py"}
    assert "origin/lib/heapq.py" not in places(found)
    same = next(hit for hit in found.hits if hit.occurrences[0].path == "same.py")
    assert (same.score, same.containment) == (1.0, 1.0)


def test_what_is_part_of_a_larger_file_is_contained_but_less_alike(index: Index) -> None:
    target = f"{key(index, 'origin')}:lib/heapq.py"
    scores = {
        by: {hit.occurrences[0].path: hit.score for hit in index.similar(target, by=by, limit=50).hits} for by in BYS
    }
    assert scores["containment"]["larger.py"] == 1.0
    assert 0.1 < scores["resemblance"]["larger.py"] < 0.5
    assert scores["resemblance"]["heapq_copy.py"] > 0.6
    larger = {
        path: max(scores["containment"].get(path, 0.0), scores["resemblance"].get(path, 0.0))
        for path in scores["either"]
    }
    assert scores["either"] == larger
    back = index.similar(f"{key(index, 'copies')}:larger.py", limit=50)
    [part] = [hit for hit in back.hits if hit.occurrences[-1].path == "lib/heapq.py"]
    assert part.score < 0.5


def test_the_command_explains_itself(world: Wherefrom, index: Index) -> None:
    target = f"{key(index, 'origin')}:lib/textwrap.py"
    answer = world.json("similar", target, "--by", "resemblance", "--explain", "--limit", "1")
    [hit] = answer["hits"]
    assert hit["occurrences"][0]["path"] == "textwrap_copy.py"
    assert {step["kind"] for step in hit["explanation"]} == {"score", "chain", "term"}


def test_what_is_not_there_is_an_error(world: Wherefrom, index: Index) -> None:
    origin = key(index, "origin")
    assert "no indexed file 'lib/nothing.py'" in world("similar", f"{origin}:lib/nothing.py", code=2)
    assert "see `wherefrom list`" in world("similar", "nowhere:lib/heapq.py", code=2)
    for target in (f"{origin}:", f"{origin}x:lib/heapq.py", ":lib/heapq.py", "a:b:c"):
        with pytest.raises(UnknownRepository):
            index.similar(target)
    with pytest.raises(UsageError, match="REPOSITORY:PATH"):
        index.similar(f"{origin}/lib/heapq.py")


def test_a_file_that_nothing_is_like(wherefrom: Wherefrom) -> None:
    edited = with_insertions("def f(a, b):\n    c = a + b\n    d = c * a\n    return [c, d, a - b]\n").encode()
    Repository.make(
        wherefrom.folder / "clone", {"heapq.py": module_source("heapq"), "f.py": edited, "g.py": b"a = 1\n"}
    )
    wherefrom.indexes("clone")
    [record] = wherefrom.json("list")["repositories"]
    assert wherefrom.json("similar", f"{record['repository']}:f.py", code=1)["hits"] == []
    short = wherefrom.json("similar", f"{record['repository']}:g.py", code=1)
    assert short["query"]["too_short"] == {"needed": 8}
