"""The forms of an index location, given to the installed command."""

from __future__ import annotations

import heapq
import inspect
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Wherefrom
from wherefrom.engines.kinds import parse_location

HEAPQ = inspect.getsource(heapq).encode()


@pytest.fixture
def project(wherefrom: Wherefrom) -> Wherefrom:
    """The command beside a folder `src` with one file."""
    (wherefrom.folder / "src").mkdir()
    (wherefrom.folder / "src" / "queue.py").write_bytes(HEAPQ)
    return wherefrom


def is_index(folder: Path) -> bool:
    return (folder / "wherefrom.json").is_file()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_embedded_and_a_path_is_that_folder_in_a_flag_and_a_variable(project: Wherefrom) -> None:
    project("--index", "embedded:idx1", "index", "src")
    assert is_index(project.folder / "idx1")
    assert names(project.folder) == {"home", "src", "idx1"}
    assert "queue.py" in project("search", "src/queue.py", WHEREFROM_INDEX="embedded:./idx1")


def test_a_relative_location_in_the_file_starts_at_its_folder(project: Wherefrom) -> None:
    (project.folder / "settings").mkdir()
    file = project.folder / "settings" / "config.toml"
    for location, folder in [("embedded:idx1", "idx1"), ("../idx2", "../idx2")]:
        file.write_text(f'index = "{location}"\n')
        project("index", "src", WHEREFROM_CONFIG=str(file), WHEREFROM_INDEX="")
        assert is_index(project.folder / "settings" / folder)


@pytest.mark.parametrize("location", ["foo:bar", "memory:", "https://example.org/index"])
def test_an_unknown_engine_is_an_error_and_makes_nothing(project: Wherefrom, location: str) -> None:
    before = names(project.folder)
    printed = project("--index", location, "index", "src", code=2)
    assert printed.startswith(f"wherefrom: error: --index: there is no engine '{location.partition(':')[0]}'; ")
    printed = project("copy", location, "idx", code=2)
    assert printed.startswith(f"wherefrom: error: there is no engine '{location.partition(':')[0]}'; ")
    assert names(project.folder) == before


def test_a_folder_named_like_a_url_can_be_used(project: Wherefrom) -> None:
    project("--index", "./foo:bar", "index", "src")
    assert is_index(project.folder / "foo:bar")


def test_copy_takes_the_same_forms(project: Wherefrom) -> None:
    project("--index", "one", "index", "src")
    project("copy", "embedded:one", "embedded:two")
    assert is_index(project.folder / "two")
    assert names(project.folder) == {"home", "src", "one", "two"}


def test_a_password_in_a_location_is_not_repeated(project: Wherefrom) -> None:
    printed = project("--index", "elasticsearch://user:sesame@host/name", "index", "src", code=2)
    assert "sesame" not in printed
    assert "WHEREFROM_ELASTICSEARCH_PASSWORD" in printed


@pytest.mark.parametrize("location", ["elasticsearch:foo", "Elasticsearch+HTTPS:foo"])
def test_elasticsearch_without_its_slashes_is_told_how_to_write_it(project: Wherefrom, location: str) -> None:
    printed = project("--index", location, "index", "src", code=2)
    assert f"; write {location.partition(':')[0].lower()}://HOST:9200/NAME" in printed
    assert "there is no engine" not in printed


def test_a_scheme_is_taken_in_any_case(project: Wherefrom) -> None:
    project("--index", "Embedded:idx1", "index", "src")
    assert is_index(project.folder / "idx1")
    assert str(parse_location("ELASTICSEARCH://h/n")) == "elasticsearch://h:9200/n"
    assert str(parse_location("Elasticsearch+https://h/n")) == "elasticsearch+https://h:9200/n"
