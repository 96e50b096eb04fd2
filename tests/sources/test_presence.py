"""Sources that no longer exist are reported, but not sources that may only be missing for a day."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.sources.conftest import without_privileges
from wherefrom.model import RepositoryRecord
from wherefrom.results import MissingSource
from wherefrom.sources.indexed import missing_source
from wherefrom.sources.remote import RemoteSource
from wherefrom.support.paths import path_text


def lookup(path: Path | str) -> MissingSource | None:
    """The result for a repository at this location."""
    location = path_text(os.fsencode(path))
    return missing_source(RepositoryRecord("key", location, "git", "r", "s", 3, 10, {}, ""))


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    """A folder with a clone in it."""
    (tmp_path / "clones" / "there").mkdir(parents=True)
    return tmp_path / "clones"


def test_an_existing_source_is_not_missing(clones: Path) -> None:
    assert lookup(clones / "there") is None
    (clones / "a.zip").write_bytes(b"")
    assert lookup(clones / "a.zip") is None
    (clones / "link").symlink_to("nowhere")
    assert lookup(clones / "link") is None


def test_a_source_that_was_deleted_from_a_folder_with_others_is_gone(clones: Path) -> None:
    assert lookup(clones / "away") == MissingSource("key", str(clones / "away"), 3)


@pytest.mark.parametrize(
    ("path", "doubt"),
    [
        ("not-mounted/clones/away", "its folder is not there either"),
        ("empty/away", "its folder is empty, as if a disk is not mounted"),
        ("clones/there/file/away", "its location cannot be read (Not a directory)"),
        ("clones/0123456789abcdef-requests", "it was fetched from a URL, and can be fetched again"),
        ("no-cache/0123456789abcdef-requests", "it was fetched from a URL, and can be fetched again"),
        ("clones/" + "a" * 300, "its location cannot be read (File name too long)"),
    ],
)
def test_in_doubt_it_is_not_gone(clones: Path, path: str, doubt: str) -> None:
    (clones.parent / "empty").mkdir()
    (clones / "there" / "file").touch()
    missing = lookup(clones.parent / path)
    assert missing is not None
    assert (missing.is_gone, missing.doubt) == (False, doubt)


def test_a_folder_that_cannot_be_read_leaves_a_doubt() -> None:
    with TemporaryDirectory() as place:  # other users may not enter the temporary folders of pytest
        Path(place).chmod(0o755)
        folder = Path(place) / "clones"
        folder.mkdir(0o111)
        with without_privileges():
            missing = lookup(folder / "away")
        folder.chmod(0o700)
    assert missing is not None
    assert missing.doubt == "its folder cannot be read (Permission denied)"


@pytest.mark.parametrize("location", ["https://example.org/a.git", "relative/path", "", "/with\0nul"])
def test_a_location_that_is_not_a_path_is_not_gone(location: str) -> None:
    missing = missing_source(RepositoryRecord("key", location, "git", "r", "s", 3, 10, {}, ""))
    assert missing is not None
    assert not missing.is_gone


@pytest.mark.parametrize("url", ["https://example.org/owner/repo.git", "git@example.org:owner/repo", "file:///a/b c"])
def test_the_clone_of_a_url_is_known_by_its_name(clones: Path, url: str) -> None:
    missing = lookup(RemoteSource(url, cache=clones).location)
    assert missing is not None
    assert not missing.is_gone


def test_a_path_that_is_not_utf_8_is_found(clones: Path) -> None:
    name = os.fsdecode(b"caf\xe9")
    assert (lookup(clones / name) or MissingSource("", "", 0)).is_gone
    (clones / name).mkdir()
    assert lookup(clones / name) is None
