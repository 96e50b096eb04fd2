"""Pages that are kept on this machine: shared, bounded, private, and never trusted."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.engines.conftest import SCHEMES
from tests.engines.published.conftest import answers
from tests.engines.published.server import LyingServer
from tests.processes import HANGS
from wherefrom.engines.published.address import PublishedOptions
from wherefrom.engines.published.engine import PublishedEngine
from wherefrom.engines.published.http import WebPlace
from wherefrom.engines.published.kept import PageFile, clear_kept, kept_bytes


@pytest.fixture
def where(tmp_path: Path) -> Path:
    return tmp_path / "kept"


Read = Callable[[], list[Any]]


@pytest.fixture
def read(server: LyingServer, where: Path) -> Read:
    """Reads the index of the server, with kept pages."""

    def call() -> list[Any]:
        place = WebPlace(server.base, PublishedOptions(timeout=20.0))
        with closing(PageFile(where, "owner")) as kept, closing(PublishedEngine(place, SCHEMES, kept=kept)) as engine:
            return answers(engine)

    return call


def ranges(server: LyingServer) -> int:
    """How many ranges were sent since the last call."""
    number = sum(len(asked.ranges) for asked in server.requests)
    server.requests.clear()
    return number


@pytest.mark.thorough
def test_what_was_read_is_not_read_again(server: LyingServer, read: Read, expected: list[Any]) -> None:
    assert read() == expected
    assert ranges(server) > 10
    assert read() == expected
    assert ranges(server) == 0


@pytest.mark.thorough
def test_a_damaged_page_is_read_again(server: LyingServer, read: Read, where: Path, expected: list[Any]) -> None:
    read()
    ranges(server)
    with closing(sqlite3.connect(where / "pages.sqlite")) as connection:
        connection.execute("UPDATE page SET data = zeroblob(length(data)) WHERE number % 2 = 0")
        connection.execute("UPDATE page SET data = x'00' WHERE number % 2 = 1 AND number > 9")
        for number, other in enumerate(["'text'", "1.5", "1000000000000", "''"], 1):
            connection.execute(f"UPDATE page SET data = {other} WHERE number = {number}")
        connection.commit()
    assert read() == expected
    assert ranges(server) > 0
    assert read() == expected
    assert ranges(server) == 0


@pytest.mark.thorough
@pytest.mark.parametrize("content", [b"", b"no database at all" * 99, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_does_no_harm(read: Read, where: Path, expected: list[Any], content: bytes) -> None:
    where.mkdir()
    (where / "pages.sqlite").write_bytes(content)
    assert read() == expected


def test_a_file_with_other_tables_does_no_harm(read: Read, where: Path, expected: list[Any]) -> None:
    where.mkdir()
    with closing(sqlite3.connect(where / "pages.sqlite")) as connection:
        connection.execute("CREATE TABLE page (other)")
    assert read() == expected


def test_a_place_that_cannot_be_used_does_no_harm(read: Read, where: Path, expected: list[Any]) -> None:
    where.write_text("a file in place of the folder")
    assert read() == expected


@pytest.mark.skipif(os.access("/", os.W_OK), reason="root may write everywhere")
def test_a_read_only_folder_does_no_harm(read: Read, where: Path, expected: list[Any]) -> None:
    where.mkdir(mode=0o500)
    assert read() == expected


def test_the_folder_is_for_its_user_alone(read: Read, where: Path) -> None:
    where.mkdir(mode=0o755)
    read()
    assert stat.S_IMODE(where.stat().st_mode) == 0o700


def test_pages_are_found_by_their_owner_alone(where: Path) -> None:
    with closing(PageFile(where, "one")) as one, closing(PageFile(where, "other")) as other:
        one.put({("file", 1): b"page"})
        assert one.get([("file", 1), ("file", 2)]) == {("file", 1): b"page"}
        assert other.get([("file", 1)]) == {}


def test_credentials_and_address_make_the_owner() -> None:
    places = [
        WebPlace(url, PublishedOptions(user=user, password=user))
        for url in ("http://localhost/a/", "http://localhost/b/")
        for user in ("me", "you")
    ]
    assert len({f"{place.location} {place.secret}" for place in places}) == 4
    assert "me" not in places[0].secret


def test_the_file_is_bounded(where: Path) -> None:
    most = 400_000
    with closing(PageFile(where, "owner", most)) as kept:
        for at in range(0, 3000, 50):
            kept.put({("file", page): os.urandom(1024) for page in range(at, at + 50)})
            assert (where / "pages.sqlite").stat().st_size < 2 * most
        last = [("file", page) for page in range(2950, 3000)]
        assert len(kept.get(last)) == 50
        assert kept.get([("file", 0)]) == {}


WRITER = """
import sys
from pathlib import Path
from wherefrom.engines.published import kept as module

module.PATIENCE = float(sys.argv[3])
kept = module.PageFile(Path(sys.argv[1]), "owner")
for at in range(60):
    kept.put({(sys.argv[2], at): bytes([at]) * 1024, ("both", at): b"same"})
    found = kept.get([(sys.argv[2], at), ("both", at)])
    assert set(found.values()) <= {bytes([at]) * 1024, b"same"}
"""


@pytest.mark.thorough
def test_processes_share_it(where: Path) -> None:
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, where, name, str(HANGS)], stderr=subprocess.PIPE)
        for name in ("a", "b")
    ]
    for process in running:
        _, error = process.communicate(timeout=HANGS)
        assert (process.returncode, error) == (0, b"")
    with closing(PageFile(where, "owner")) as kept:
        assert len(kept.get([(name, at) for name in ("a", "b", "both") for at in range(60)])) == 180


def test_a_new_file_that_another_process_opens_is_waited_for(where: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wherefrom.engines.published.kept.PATIENCE", HANGS)
    where.mkdir()
    with closing(sqlite3.connect(where / "pages.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        # The other process ends after a first try.
        monkeypatch.setattr("time.sleep", lambda _: other.execute("COMMIT"))
        with closing(PageFile(where, "owner")) as kept:
            kept.put({("file", 1): b"page"})
            assert kept.get([("file", 1)]) == {("file", 1): b"page"}


def test_it_can_be_cleared_while_it_is_in_use(where: Path) -> None:
    clear_kept(where)  # there is nothing yet
    with closing(PageFile(where, "owner")) as kept:
        kept.put({("file", page): os.urandom(1024) for page in range(500)})
        assert kept_bytes(where) > 500_000
        clear_kept(where)
        assert kept_bytes(where) < 50_000  # nothing at all, except on Windows
        kept.put({("file", 1): b"page"})  # to a file that is gone, or not at all
    with closing(PageFile(where, "owner")) as kept:
        assert kept.get([("file", 7)]) == {}
