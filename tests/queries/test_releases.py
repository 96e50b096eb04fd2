"""The release of a folder, a file or a function is found among tags of clones and other repositories."""

from __future__ import annotations

from collections.abc import Iterator

import jsonschema
import pytest

from tests.end_to_end.conftest import module_source
from tests.repositories import Repository
from tests.schemas import schema
from wherefrom import Index, index_sources, open_index

NAMES = ("heapq", "textwrap", "sched", "shlex")
VERSIONS = ("v1.0", "v1.1", "v1.2", "v2.0")


def state(version: int) -> dict[str, bytes]:
    """The files of a version: in each, one function more than in the version before."""
    added = b"".join(
        b"\n\ndef extra_%d(value, other):\n    total = value * %d + other\n    return [total, value, other]\n"
        % (at, at)
        for at in range(version)
    )
    return {f"lib/{name}.py": module_source(name) + added for name in NAMES} | {"lib/same.py": b"SAME = 1\n"}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """An index of a clone with four tags, and of a folder with one state."""
    folder = tmp_path_factory.mktemp("releases")
    made = Repository.make(folder / "clone")
    for version, tag in enumerate(VERSIONS):
        made.commit(state(version), day=f"202{version}-01-02")
        made.git("tag", tag)
    other = folder / "other"
    for path, content in state(1).items():
        (other / path).parent.mkdir(parents=True, exist_ok=True)
        (other / path).write_bytes(content)
    index_sources([made.folder, other], folder / "index", jobs=1)
    with open_index(folder / "index") as opened:
        yield opened


def copied(version: int) -> dict[str, bytes]:
    """The folder `lib` of a version, as it would be vendored."""
    return {path.removeprefix("lib/"): content for path, content in state(version).items()}


@pytest.mark.parametrize("version", range(4))
def test_a_copied_folder_is_of_its_version_and_nothing_was_changed(index: Index, version: int) -> None:
    result = index.releases(copied(version), name="vendor")
    best = result.releases[0]
    assert (best.version, best.occurrence.path, best.likeness) == (VERSIONS[version], "lib", 1.0)
    assert (best.identical, best.changed, best.added, best.missing) == (5, (), (), ())
    jsonschema.validate(result.to_dict(), schema("releases"))


def test_what_was_changed_added_and_left_out_is_told(index: Index) -> None:
    files = copied(1)
    files["heapq.py"] = files["heapq.py"].replace(b"heappush", b"push_on_heap", 1)
    files["mine.py"] = files.pop("sched.py")[:200]
    best = index.releases(files).releases[0]
    assert (best.version, best.identical) == ("v1.1", 3)
    assert (best.changed, best.added, best.missing) == (("heapq.py",), ("mine.py",), ("sched.py",))


def test_a_folder_in_which_every_file_was_changed_is_found_by_similar_files(index: Index) -> None:
    files = {path: content + b"\nPATCHED = 1\n" for path, content in copied(2).items()}
    best = index.releases(files).releases[0]
    assert (best.version, best.identical, len(best.changed)) == ("v1.2", 0, 5)


def test_a_repository_without_tags_is_one_release(index: Index) -> None:
    found = {it.occurrence.repository: it for it in index.releases(copied(1), limit=9).releases if it.version is None}
    assert any(key.endswith("/other") and it.likeness == 1.0 for key, it in found.items())


def test_files_that_no_release_has_count_only_if_they_are_code(index: Index) -> None:
    extra = {"logo.svg": b"<svg/>", "notes.txt": b"notes"}
    assert index.releases(copied(1) | extra).files == 5
    assert index.releases({"mine.py": b"x = 1\n"}).releases == ()


def test_a_file_is_of_the_releases_that_have_it(index: Index) -> None:
    content = copied(3)["heapq.py"]
    exact = index.releases({"": content}, name="heapq.py")
    assert [it.identical for it in exact.releases] == [1]
    changed = index.releases({"": content.replace(b"heappush", b"push_on_heap")}, name="heapq.py")
    assert {it.identical for it in changed.releases} == {0}
    assert 0.8 < changed.releases[0].likeness <= 1.0
    jsonschema.validate(changed.to_dict(), schema("releases"))


def test_lines_of_a_file_are_looked_up_alone(index: Index) -> None:
    result = index.releases({"": copied(0)["textwrap.py"]}, name="textwrap.py", lines=(100, 180))
    assert {it.occurrence.path for it in result.releases} == {"lib/textwrap.py"}
    assert result.releases[0].matched_regions
