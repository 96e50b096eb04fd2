"""The stored samples of all versions: this version opens and searches what each of them wrote."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

import wherefrom
from release.samples import CODE, OTHER, SAMPLES, make
from wherefrom.engines.published import layout
from wherefrom.mappings import embedded
from wherefrom.posts import store
from wherefrom.projects.check import baseline
from wherefrom.support.formats import Format
from wherefrom.support.version import __version__

VERSIONS = sorted(path.name.removesuffix(".tar.xz") for path in SAMPLES.glob("*.tar.xz"))

KEY = "example.org/owner/times"


@pytest.fixture(params=[*VERSIONS, "now"])
def sample(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of a stored sample, or of one that this version makes."""
    if request.param == "now":
        make(tmp_path)
    else:
        with tarfile.open(SAMPLES / f"{request.param}.tar.xz") as archive:
            archive.extractall(tmp_path, filter="data")
    return tmp_path


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["index", "published"])
def test_an_index_of_each_version_is_searched(sample: Path, form: str) -> None:
    with wherefrom.open_index(sample / form) as index:
        [hit] = index.search(CODE.replace(b"moment", b"instant")).hits
        [place] = index.first(OTHER).places
        [repository] = index.repositories()
        text = index.source(hit.occurrences[0])
        assert repository.key == KEY
        assert [watch.name for watch in index.watches()] == (["ring"] if form == "index" else [])
        assert index.stats(verify=True).blobs == 3
    assert [(at.repository, at.path) for at in hit.occurrences] == [(KEY, "times.py")]
    assert place.age is not None
    assert place.age.first.day == "2024-02-02"
    assert text == CODE


@pytest.mark.thorough
def test_an_index_of_each_version_is_written(sample: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    (more / "times.py").write_bytes(CODE)
    wherefrom.index_sources([more], sample / "index")
    with wherefrom.open_index(sample / "index") as index:
        [hit] = index.search(CODE).hits
        index.stats(verify=True)
    assert len(hit.occurrences) == 2


@pytest.mark.thorough
def test_the_posts_of_each_version_are_looked_up(sample: Path) -> None:
    with wherefrom.open_index(sample / "index") as index, wherefrom.open_posts(sample / "posts.sqlite") as posts:
        [found] = index.search_posts(posts)
    assert found.block.post.id == 7
    assert found.result is not None
    assert [at.path for hit in found.result.hits for at in hit.occurrences] == ["times.py"]


@pytest.mark.thorough
def test_a_baseline_of_each_version_is_read(sample: Path) -> None:
    with wherefrom.open_index(sample / "index") as index:
        [without] = index.check([sample / "project"]).findings
        [known] = index.check([sample / "project"], baseline=sample / "baseline.json").findings
    assert without.accepted is None
    assert known.accepted is not None


@pytest.mark.parametrize(
    ("form", "first"), [(embedded.FORMAT, 10), (layout.FORMAT, 3), (store.FORMAT, 1), (baseline.FORMAT, 1)]
)
def test_the_formats_of_the_first_release_are_read(form: Format, first: int) -> None:
    assert form.oldest <= first <= form.version


def test_this_version_has_a_sample() -> None:
    assert __version__ in VERSIONS
