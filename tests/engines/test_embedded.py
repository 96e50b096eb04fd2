"""Features of the embedded engine alone: a folder, other processes, files that can be damaged."""

from __future__ import annotations

import gc
import json
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engines.conftest import SCHEMES, blob_id, document, occurrence, repository
from tests.engines.interrupts import EVENTS, interrupted_at
from wherefrom.engines import open_engine, records
from wherefrom.engines.embedded import engine as embedded_engine
from wherefrom.engines.embedded.contents import Contents
from wherefrom.engines.embedded.folder import RECORDS, RUNS
from wherefrom.engines.embedded.runs import Run
from wherefrom.engines.engine import Engine
from wherefrom.errors import (
    IndexBusy,
    IndexDamaged,
    IndexFormatError,
    IndexMissing,
    SchemeMismatch,
    UnusableIndex,
    UsageError,
)
from wherefrom.mappings import embedded as mapping
from wherefrom.model import TERM_BITS, BoilerplateSet, Refusal, Representation, SkipReason, StoredBlob

EXACT = Representation.EXACT

WRITING = "writer.py", "run_writer.py", "merging.py", "records.py", "blocks.py"
"""The modules that commit."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A closed index with the blob `a`."""
    folder = tmp_path / "index"
    engine = open_engine(folder, schemes=SCHEMES, create=True)
    write(engine, "a")
    engine.close()
    return folder


def write(engine: Engine, name: str) -> None:
    with engine.writer() as writer:
        writer.add_blobs([document(name, [1, 2])])
        writer.put_occurrences([occurrence("r", name, name)])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def change(folder: Path, statement: str, *values: bytes) -> None:
    """Changes the records behind the engine."""
    with closing(sqlite3.connect(folder / RECORDS)) as connection, connection:
        connection.execute(statement, values)


def child(script: str, *arguments: object, ready: bool = False) -> subprocess.Popen[str]:
    """Another process; with `ready`, one that has printed its first line."""
    source = f"from tests.engines.conftest import *\nimport os, sys, time\n{script}"
    process = subprocess.Popen(
        [sys.executable, "-c", source, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    if ready:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    return process


def finish(process: subprocess.Popen[str]) -> str:
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return output


class TestLocations:
    @pytest.mark.parametrize("form", ["{}", "embedded:{}", "{}/"])
    def test_a_path_or_an_embedded_url_opens_the_folder(self, folder: Path, form: str) -> None:
        engine = open_engine(form.format(folder), schemes=SCHEMES)
        assert (engine.name, Path(engine.location)) == ("embedded", folder)
        assert engine.known([blob_id("a")])
        engine.close()

    def test_a_relative_path_is_kept_as_an_absolute_one(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder.parent)
        engine = open_engine("./index", schemes=SCHEMES)
        monkeypatch.chdir("/")
        assert Path(engine.location) == folder
        assert engine.known([blob_id("a")])
        engine.close()

    def test_a_path_below_home_is_found(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(folder.parent))
        engine = open_engine("~/index", schemes=SCHEMES)
        assert Path(engine.location) == folder
        engine.close()

    @pytest.mark.parametrize(
        "location",
        [
            "memory:",
            "memory://x",
            "ftp://example.org",
            "C-3:x",
            "",
            "embedded:",
            "\0",
        ],
    )
    def test_any_other_location_is_refused(
        self, location: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(UsageError, match="folder") as caught:
            open_engine(location, schemes=SCHEMES, create=True)
        assert "\n" not in str(caught.value)
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_named_like_a_url_can_be_written(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        open_engine("./memory:", schemes=SCHEMES, create=True).close()
        assert (tmp_path / "memory:" / "wherefrom.json").is_file()

    def test_the_engine_is_loaded_on_use_only(self) -> None:
        script = "import sys, wherefrom.engines, wherefrom.engines.memory; sys.exit('sqlite3' in sys.modules)"
        assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


class TestOpening:
    @pytest.mark.skipif(sys.platform == "darwin", reason="macOS shows its maps of memory to nobody")
    def test_a_closed_index_has_no_file_open(self, folder: Path) -> None:
        gc.disable()
        try:
            engine = open_engine(folder, schemes=SCHEMES)
            write(engine, "b")
            assert engine.candidates({EXACT: {1: 1.0}}, limit=5)
            engine.close()
            assert not [each.path for each in psutil.Process().memory_maps() if each.path.endswith(".run")]
            shutil.rmtree(folder)
        finally:
            gc.enable()

    def test_nothing_there(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        for path in (tmp_path / "missing", tmp_path / "empty"):
            with pytest.raises(IndexMissing, match="wherefrom index"):
                open_engine(path, schemes=SCHEMES)
        assert not (tmp_path / "missing").exists()
        assert list((tmp_path / "empty").iterdir()) == []

    @pytest.mark.parametrize("place", ["missing/deeper", "empty"])
    def test_create_makes_an_index_once(self, tmp_path: Path, place: str) -> None:
        (tmp_path / "empty").mkdir()
        write(open_engine(tmp_path / place, schemes=SCHEMES, create=True), "a")
        engine = open_engine(tmp_path / place, schemes=SCHEMES, create=True)
        assert engine.known([blob_id("a")])
        assert sorted(path.name for path in (tmp_path / place).iterdir()) == [
            *("records.sqlite", "runs", "wherefrom.json", "writer.lock"),
        ]

    @pytest.mark.parametrize("create", [True, False])
    def test_a_folder_with_something_else_is_left_alone(self, tmp_path: Path, create: bool) -> None:
        (tmp_path / "runs").mkdir()
        (tmp_path / "runs" / "1.run").write_text("{}")
        (tmp_path / "file").write_text("mine")
        before = contents(tmp_path)
        for place in (tmp_path, tmp_path / "file", tmp_path / "file" / "below"):
            with pytest.raises(UnusableIndex, match=r"another|new or empty|there is no index"):
                open_engine(place, schemes=SCHEMES, create=create)
        assert contents(tmp_path) == before

    @pytest.mark.parametrize(
        ("step", "message"),
        [
            (
                1,
                "newer version of wherefrom (format {}; this version reads up to {}); upgrade wherefrom, or index",
            ),
            (
                -1,
                "older version of wherefrom (format {}; this version reads from {} on); index",
            ),
        ],
    )
    @pytest.mark.parametrize("schemes", [SCHEMES, {"none": "that is known"}, 7])
    def test_another_format_version_is_left_alone(self, folder: Path, step: int, message: str, schemes: object) -> None:
        version = mapping.FORMAT.version + step
        card = {"format": version, "reader": version, "schemes": schemes}
        (folder / "wherefrom.json").write_text(json.dumps(card))
        before = contents(folder)
        with pytest.raises(IndexFormatError) as caught:
            open_engine(folder, schemes=SCHEMES, create=True)
        assert str(caught.value).endswith(f"{message.format(version, mapping.FORMAT.version)} again into a new folder")
        assert contents(folder) == before

    def test_a_newer_format_that_this_version_can_read_is_opened(self, folder: Path) -> None:
        card = json.loads((folder / "wherefrom.json").read_text()) | {"format": mapping.FORMAT.version + 1}
        del card["checksum"]
        (folder / "wherefrom.json").write_text(json.dumps({**card, "checksum": records.checksum(card)}))
        open_engine(folder, schemes=SCHEMES, create=True).close()

    @pytest.mark.parametrize("representation", list(SCHEMES))
    def test_another_scheme_is_refused(self, folder: Path, representation: Representation) -> None:
        with pytest.raises(SchemeMismatch, match=f"{representation} scheme .*; index again"):
            open_engine(folder, schemes=SCHEMES | {representation: "other"}, create=True)

    @pytest.mark.parametrize("card", [b"", b"{", b"[]", b"{}", b'{"format": 1, "schemes": 7}', b"\xff\xfe", b"null"])
    def test_a_card_that_cannot_be_read_is_damage(self, folder: Path, card: bytes) -> None:
        (folder / "wherefrom.json").write_bytes(card)
        with pytest.raises(IndexDamaged, match="index again"):
            open_engine(folder, schemes=SCHEMES, create=True)

    def test_every_change_of_the_card_is_damage(self, folder: Path) -> None:
        card = folder / "wherefrom.json"
        whole = card.read_bytes()
        written = json.loads(whole)
        for at in range(len(whole)):
            for bit in (at % 8, 7):
                changed = whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :]
                with suppress(ValueError):
                    if json.loads(changed) == written:
                        continue
                card.write_bytes(changed)
                with pytest.raises(IndexDamaged, match=r"^[^\n]*index again into a new folder$"):
                    open_engine(folder, schemes=SCHEMES)

    def test_making_an_index_goes_on_after_it_was_killed(self, tmp_path: Path) -> None:
        whole = tmp_path / "whole"
        open_engine(whole, schemes=SCHEMES, create=True).close()
        for number, leftover in enumerate([[], ["runs"], ["runs", "records.sqlite"]]):
            place = tmp_path / str(number)
            place.mkdir()
            (place / "wherefrom.json.new").write_text('{"for')
            for name in leftover:
                copy = shutil.copytree if (whole / name).is_dir() else shutil.copy
                copy(whole / name, place / name)
            with pytest.raises(IndexMissing):
                open_engine(place, schemes=SCHEMES)
            write(open_engine(place, schemes=SCHEMES, create=True), "a")
            assert open_engine(place, schemes=SCHEMES).known([blob_id("a")])

    def test_an_index_that_is_being_made_is_busy(self, tmp_path: Path) -> None:
        script = """
import sys
from wherefrom.support.system import system
with open(sys.argv[1], "a", opener=system.opener) as draft:
    system.lock(draft.fileno())
    print("ready", flush=True)
    sys.stdin.read()
"""
        process = subprocess.Popen(
            [sys.executable, "-c", script, tmp_path / "wherefrom.json.new"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        with process:
            assert process.stdout is not None
            process.stdout.readline()
            with pytest.raises(IndexBusy, match="wait"):
                open_engine(tmp_path, schemes=SCHEMES, create=True)
            process.communicate()
        open_engine(tmp_path, schemes=SCHEMES, create=True).close()


DAMAGED = r"^[^\n]*\(a record cannot be decoded: [^\n]*\); index again into a new folder$"

READS: dict[str, Callable[[Engine], object]] = {
    "refusals": lambda engine: engine.refusals([blob_id("refused")]),
    "blobs": lambda engine: engine.blobs([blob_id("b")]),
    "references": lambda engine: engine.references([blob_id("b")]),
    "stored_blobs": lambda engine: list(engine.stored_blobs()),
    "repositories": lambda engine: engine.repositories(),
    "repository": lambda engine: engine.repository("r"),
    "occurrences": lambda engine: list(engine.occurrences()),
    "candidates": lambda engine: engine.candidates({EXACT: {9: 1.0}}, limit=5),
    "boilerplate_names": lambda engine: engine.boilerplate_names(),
    "boilerplate": lambda engine: engine.boilerplate("s"),
    "stats": lambda engine: engine.stats(),
    "verify": lambda engine: engine.verify(),
}
"""Calls of every method that reads stored values, for the index of `write_each_kind`."""


def write_each_kind(engine: Engine) -> None:
    """A record of each kind, with every field that is stored."""
    with engine.writer() as writer:
        writer.add_blobs([document("b", [9], source=b"def b(): ...", references=b"[0,[]]")])
        writer.put_occurrences([occurrence("r", "b.py", "b")])
        writer.put_repository(repository("r", binary=3))
        writer.put_boilerplate(BoilerplateSet("s", ("f",), SCHEMES, {EXACT: np.array([1, 2], np.uint64)}))
        writer.put_refusals([Refusal(blob_id("refused"), SkipReason.PARSE_TIMEOUT, "c=0.24", 5.0)])


class TestDamage:
    @pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff" * 100, b"\0" * 40_000])
    def test_records_that_are_not_there_or_no_database(self, folder: Path, content: bytes | None) -> None:
        path = folder / RECORDS
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(IndexDamaged, match=r"^[^\n]*records\.sqlite[^\n]*index again into a new folder$|tables"):
            open_engine(folder, schemes=SCHEMES, create=True)

    @pytest.mark.parametrize("kept", [1, 2000, -40_000])
    def test_records_that_are_cut_short(self, folder: Path, kept: int) -> None:
        path = folder / RECORDS
        path.write_bytes(path.read_bytes()[:kept])
        with pytest.raises(IndexDamaged, match=r"^[^\n]*index again into a new folder$"):
            open_engine(folder, schemes=SCHEMES).verify()

    @pytest.mark.parametrize("content", [None, b"", b"short"])
    def test_a_run_that_is_missing_or_cut_short(self, folder: Path, content: bytes | None) -> None:
        (path,) = (folder / RUNS).iterdir()
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(IndexDamaged, match=rf"\({path.name} (is missing|has . bytes)[^\n]*; index again"):
            open_engine(folder, schemes=SCHEMES)

    def test_a_run_in_the_place_of_another_one(self, folder: Path) -> None:
        """A file of the same length with matching checksums, so only `verify` can tell."""
        engine = open_engine(folder, schemes=SCHEMES)
        with engine.writer() as writer:
            writer.add_blobs([document("b", [1, 2])])
            writer.put_occurrences([occurrence("r", "b", "b")])
        engine.close()
        with closing(open_engine(folder, schemes=SCHEMES)) as engine, engine.writer():
            pass  # on Windows, a merged run that was open stays until now
        first, second = sorted((folder / RUNS).iterdir()) if len(list((folder / RUNS).iterdir())) == 2 else (None, None)
        if first is None or second is None:  # they were merged
            (first,) = (folder / RUNS).iterdir()
            other = folder.parent / "other"
            with closing(open_engine(other, schemes=SCHEMES, create=True)) as engine:
                write(engine, "c")
                write(engine, "d")
                with engine.writer():
                    pass  # as above
            (second,) = (other / RUNS).iterdir()
        assert second.stat().st_size == first.stat().st_size
        whole = second.read_bytes()
        first.unlink()
        first.write_bytes(whole)
        with pytest.raises(IndexDamaged, match="does not match its checksum"):
            open_engine(folder, schemes=SCHEMES).verify()

    def test_tables_that_are_not_those_that_were_made(self, folder: Path) -> None:
        change(folder, "CREATE TABLE more (value)")
        with pytest.raises(IndexDamaged, match=r"\(its tables are not those that were made\); index again"):
            open_engine(folder, schemes=SCHEMES)

    @pytest.mark.parametrize("record", [b"", b"\xff", b"{", b"[]", b"{}", b"7"])
    def test_a_record_that_cannot_be_decoded(self, folder: Path, record: bytes) -> None:
        sealed = records.seal("record", record)
        for table, more in (("repository", ""), ("boilerplate", ", x''"), ("refusal", "")):
            change(folder, f"INSERT INTO {table} VALUES (?, ?{more})", b"r", sealed)
        engine = open_engine(folder, schemes=SCHEMES)
        for read in (
            engine.repositories,
            lambda: engine.repository("r"),
            engine.boilerplate_names,
            lambda: engine.boilerplate("r"),
            lambda: engine.refusals(["r"]),
            engine.stats,
        ):
            with pytest.raises(IndexDamaged, match=DAMAGED):
                read()
        assert engine.blobs([blob_id("a")])
        engine.close()

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE content SET token_count = 7",
            "UPDATE content SET size = NULL",
            "UPDATE content SET kind = NULL",
            "UPDATE content SET kind = 99",
            "UPDATE content SET block = 'text'",
            "UPDATE content SET seal = x'00'",
            "UPDATE text SET value = x'ff' WHERE number = (SELECT kind FROM content)",
            "UPDATE text SET seal = 'text'",
        ],
    )
    def test_a_content_whose_checksum_does_not_match(self, folder: Path, statement: str) -> None:
        change(folder, statement)
        engine = open_engine(folder, schemes=SCHEMES)
        for read in (
            lambda: engine.known([blob_id("a")]),
            lambda: engine.analyses([blob_id("a")]),
            lambda: engine.blobs([blob_id("a")]),
            lambda: engine.references([blob_id("a")]),
            lambda: engine.candidates({EXACT: {1: 1.0}}, limit=5),
            engine.verify,
        ):
            with pytest.raises(IndexDamaged, match=DAMAGED):
                read()
        engine.close()

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE listing SET first = x'62'",
            "UPDATE listing SET count = 2",
            "UPDATE listing SET count = 'text'",
            "UPDATE listing SET repository = 1 + repository",
            "UPDATE listing SET number = 7",
            "UPDATE listing SET places = 'text'",
            "UPDATE content SET id = zeroblob(20)",
        ],
    )
    def test_an_occurrence_whose_checksum_does_not_match(self, folder: Path, statement: str) -> None:
        change(folder, statement)
        engine = open_engine(folder, schemes=SCHEMES)
        for read in (lambda: list(engine.occurrences()), engine.verify):
            with pytest.raises(IndexDamaged, match=DAMAGED):
                read()
        engine.close()

    @pytest.mark.parametrize(
        "statement",
        [
            "DELETE FROM place",
            "UPDATE place SET content = 7",
            "DELETE FROM content",
            "DELETE FROM block",
            "UPDATE run SET alive = x''",
        ],
    )
    def test_what_only_a_look_at_everything_tells(self, folder: Path, statement: str) -> None:
        change(folder, statement)
        with pytest.raises(IndexDamaged):
            open_engine(folder, schemes=SCHEMES).verify()

    @pytest.mark.thorough
    @pytest.mark.parametrize(
        "damage",
        [
            lambda sealed: bytes([sealed[0] ^ 1]) + sealed[1:],
            lambda sealed: sealed[:-1] + bytes([sealed[-1] ^ 128]),
            lambda sealed: sealed[:-1],
            lambda sealed: sealed[4:],
            lambda sealed: b"",
            lambda sealed: None,
        ],
    )
    @pytest.mark.parametrize(
        ("table", "column", "reads"),
        [
            ("repository", "record", {"repositories", "repository", "stats", "verify"}),
            ("boilerplate", "record", {"boilerplate_names", "boilerplate", "verify"}),
            ("boilerplate", "hashes", {"boilerplate", "verify"}),
            ("refusal", "record", {"refusals", "verify"}),
            ("block", "tokens", {"blobs", "stored_blobs", "candidates", "verify"}),
            ("block", "source", {"blobs", "stored_blobs", "verify"}),
            ("block", "references", {"blobs", "references", "stored_blobs", "verify"}),
            ("block", "contents", {"blobs", "references", "stored_blobs", "candidates", "verify"}),
            ("listing", "places", {"occurrences", "verify"}),
        ],
    )
    def test_a_value_whose_checksum_does_not_match(
        self, tmp_path: Path, table: str, column: str, reads: set[str], damage: Callable[[bytes], bytes | None]
    ) -> None:
        """Every method that reads the field reports the damage; all others answer."""
        folder = tmp_path / "index"
        with closing(open_engine(folder, schemes=SCHEMES, create=True)) as engine:
            write_each_kind(engine)
        with closing(sqlite3.connect(folder / RECORDS)) as connection, connection:
            ((value,),) = connection.execute(f'SELECT "{column}" FROM {table}').fetchall()
            changed = damage(value)
            if changed is None and (table != "block" or column == "contents"):
                changed = b""
            connection.execute(f'UPDATE {table} SET "{column}" = ?', (changed,))
        engine = open_engine(folder, schemes=SCHEMES)
        for name, read in READS.items():
            if name in reads:
                with pytest.raises(IndexDamaged, match=DAMAGED):
                    read(engine)
            else:
                read(engine)
        engine.close()

    def test_a_value_in_the_row_of_another_one(self, folder: Path) -> None:
        write(open_engine(folder, schemes=SCHEMES), "b")
        change(folder, "UPDATE block SET tokens = (SELECT tokens FROM block WHERE number = 1)")
        engine = open_engine(folder, schemes=SCHEMES)
        assert engine.blobs([blob_id("a")])
        with pytest.raises(IndexDamaged, match="the checksum of tokens 2 does not match"):
            engine.blobs([blob_id("b")])
        engine.close()

    def test_a_record_in_the_place_of_another_one(self, folder: Path) -> None:
        """A row with another name, as after damage to the index of a table."""
        description, hashes = records.dump_boilerplate(BoilerplateSet("other", (), SCHEMES, {}))
        refusal = records.dump_refusal(Refusal("0", SkipReason.BINARY, "", 1.0))
        for table, values in (
            ("repository", (records.seal("record", records.dump_repository(repository("other"))),)),
            ("boilerplate", (records.seal("record", description), records.seal("hashes", hashes))),
            ("refusal", (records.seal("record", refusal),)),
        ):
            change(folder, f"INSERT INTO {table} VALUES (?{', ?' * len(values)})", b"wanted", *values)
        engine = open_engine(folder, schemes=SCHEMES)
        for read in (
            lambda: engine.repository("wanted"),
            lambda: engine.boilerplate("wanted"),
            lambda: engine.refusals(["wanted"]),
        ):
            with pytest.raises(IndexDamaged, match=r"\(a record is found in the place of another one\); index again"):
                read()
        engine.close()

    @pytest.mark.slow
    @pytest.mark.parametrize("name", [RECORDS, RUNS])
    def test_a_file_that_is_damaged_gives_no_wrong_answer(self, tmp_path: Path, name: str) -> None:
        folder = tmp_path / "index"
        engine = open_engine(folder, schemes=SCHEMES, create=True)
        write_each_kind(engine)
        expected = {name: str(read(engine)) for name, read in READS.items()}
        engine.close()
        (path,) = (folder / RUNS).iterdir() if name == RUNS else (folder / RECORDS,)
        whole = path.read_bytes()
        used = [at for at, byte in enumerate(whole) if byte]
        reported = 0
        for at in used[:: 1 if name == RUNS else 3]:
            path.unlink()  # it may still be mapped
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
            try:
                engine = open_engine(folder, schemes=SCHEMES)
            except IndexDamaged:
                reported += 1
                continue
            is_reported, is_wrong = False, False
            for name_, read in READS.items():
                try:
                    is_wrong |= str(read(engine)) != expected[name_]
                except IndexDamaged:
                    is_reported = True
            engine.close()
            assert is_reported or not is_wrong, at
            reported += is_reported
        assert reported > len(used) // 6

    @pytest.mark.thorough
    def test_every_flipped_bit_of_a_run_is_found(self, folder: Path) -> None:
        (path,) = (folder / RUNS).iterdir()
        whole = path.read_bytes()
        for at in range(len(whole)):
            path.unlink()
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
            engine = open_engine(folder, schemes=SCHEMES)
            with pytest.raises(IndexDamaged, match=rf"\({path.name} does not match its checksum\); index again"):
                engine.verify()
            engine.close()

    def test_verifying_beside_a_writer_that_removes_what_is_being_verified(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        engine = open_engine(folder, schemes=SCHEMES)
        (path,) = (folder / RUNS).iterdir()
        plain, swept = Run.verify, list[bool]()

        def verify(run: Run) -> None:
            if not swept:
                with closing(open_engine(folder, schemes=SCHEMES)) as other, other.writer() as writer:
                    writer.delete_occurrences("r")
                    writer.sweep()
                swept.append(not path.exists())
            plain(run)

        monkeypatch.setattr(Run, "verify", verify)
        engine.verify()
        engine.close()
        assert swept == [sys.platform != "win32"]  # there, a file that is open stays until the next commit
        with closing(open_engine(folder, schemes=SCHEMES)) as engine, engine.writer():
            pass
        assert not path.exists()

    def test_an_index_that_is_deleted_under_an_open_engine(self, folder: Path) -> None:
        engine = open_engine(folder, schemes=SCHEMES)
        shutil.rmtree(folder)
        with pytest.raises(IndexDamaged, match=r"^[^\n]*index again into a new folder$"):
            engine.known([blob_id("a")])

    def test_an_index_in_whose_place_another_one_is_put(self, folder: Path) -> None:
        engine = open_engine(folder, schemes=SCHEMES)
        other = folder.parent / "other"
        write(open_engine(other, schemes=SCHEMES, create=True), "b")
        shutil.rmtree(folder)
        other.rename(folder)
        assert engine.known([blob_id("a"), blob_id("b")]) == {blob_id("b")}
        assert engine.candidates({EXACT: {1: 1.0}}, limit=5)[0].blob.blob == blob_id("b")
        engine.close()


class TestKeptCandidates:
    """The windows of a query have many candidates in common."""

    @pytest.fixture
    def read_counts(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """The number of candidates that each call reads."""
        counts: list[int] = []
        read = Contents.numbered

        def counted(self: Contents, numbers: Sequence[int], names: Collection[str]) -> dict[int, StoredBlob]:
            counts.append(len(numbers))
            return read(self, numbers, names)

        monkeypatch.setattr(Contents, "numbered", counted)
        return counts

    def test_they_are_read_once_in_a_commit(self, folder: Path, read_counts: list[int]) -> None:
        engine = open_engine(folder, schemes=SCHEMES)
        first = engine.candidates({EXACT: {1: 1.0}}, limit=5)
        assert engine.candidates({EXACT: {2: 1.0}}, limit=5)[0].blob is first[0].blob
        assert read_counts == [1, 0]
        with engine.writer() as writer:
            writer.replace_blobs([document("a", [1, 2], tokens=b"renewed")])
        assert engine.candidates({EXACT: {1: 1.0}}, limit=5)[0].blob.tokens == b"renewed"
        engine.close()

    def test_the_oldest_candidates_are_dropped(
        self, folder: Path, read_counts: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(embedded_engine, "CANDIDATE_BYTES", 10)
        engine = open_engine(folder, schemes=SCHEMES)
        with engine.writer() as writer:
            writer.add_blobs([document(name, [number], tokens=b"12345") for number, name in enumerate("bcd", 10)])
        for term in (10, 11, 10, 12, 10, 11):
            assert len(engine.candidates({EXACT: {term: 1.0}}, limit=5)) == 1
        assert read_counts == [1, 1, 0, 1, 0, 1]
        engine.close()


class TestLeftovers:
    def test_a_writer_removes_runs_that_no_commit_names_and_nothing_else(self, folder: Path) -> None:
        runs = folder / RUNS
        (named,) = runs.iterdir()
        (runs / "77.run").write_bytes(b"half")
        (runs / "notes.txt").write_text("mine")
        engine = open_engine(folder, schemes=SCHEMES)
        engine.verify()
        assert (runs / "77.run").exists()
        with engine.writer():
            assert {path.name for path in runs.iterdir()} == {named.name, "notes.txt"}
        engine.verify()
        engine.close()

    def test_nothing_is_removed_where_a_committed_run_is_missing(self, folder: Path) -> None:
        """The records may be the damaged part; then the other files are those that they should name."""
        engine = open_engine(folder, schemes=SCHEMES)
        (path,) = (folder / RUNS).iterdir()
        path.rename(folder / RUNS / "77.run")
        with pytest.raises(IndexDamaged, match=rf"\({path.name} is missing\); index again"), engine.writer():
            pass
        assert (folder / RUNS / "77.run").exists()
        (folder / RUNS / "77.run").rename(path)
        with engine.writer():
            pass
        engine.verify()
        engine.close()


class TestProcesses:
    @pytest.mark.slow
    def test_a_commit_of_another_process_is_seen(self, folder: Path) -> None:
        engine = open_engine(folder, schemes=SCHEMES)
        assert engine.document_frequencies({EXACT: [1]}) == {EXACT: ([1], 1)}
        finish(
            child(
                """
with open_engine(sys.argv[1], schemes=SCHEMES).writer() as writer:
    writer.add_blobs([document("b", [1])])
""",
                folder,
            )
        )
        assert engine.known([blob_id("b")])
        assert engine.document_frequencies({EXACT: [1]}) == {EXACT: ([2], 2)}

    @pytest.mark.slow
    def test_an_index_that_another_process_writes_is_busy_but_can_be_read(self, folder: Path) -> None:
        process = child(
            """
with open_engine(sys.argv[1], schemes=SCHEMES).writer() as writer:
    print("ready", flush=True)
    time.sleep(60)
""",
            folder,
            ready=True,
        )
        engine = open_engine(folder, schemes=SCHEMES)
        with pytest.raises(IndexBusy, match=r"^[^\n]*wait until it is done$"), engine.writer():
            pass
        assert engine.known([blob_id("a")])
        process.kill()
        process.communicate()
        write(engine, "b")
        assert engine.known([blob_id("b")])

    @pytest.mark.slow
    def test_a_killed_writer_leaves_its_last_commit(self, folder: Path) -> None:
        """The child commits blobs 0, 1, ... each with an occurrence, and writes on until it is killed."""
        process = child(
            """
with open_engine(sys.argv[1], schemes=SCHEMES).writer() as writer:
    for number in range(10**9):
        terms = list(range(number * 1000, number * 1000 + 1000))
        writer.add_blobs([document(number, terms), document(("more", number), terms)])
        writer.put_occurrences([occurrence("r", f"{number:06}", number)])
        if number % 10 == 9:
            writer.commit()
            if number == 29:
                print("ready", flush=True)
""",
            folder,
            ready=True,
        )
        process.kill()
        process.communicate()
        engine = open_engine(folder, schemes=SCHEMES)
        paths = [place.path for place in engine.occurrences(repository="r")][:-1]
        assert paths == [f"{number:06}" for number in range(len(paths))]
        assert len(paths) >= 30
        assert len(paths) % 10 == 0
        assert len(engine.known([blob_id(number) for number in range(len(paths) + 20)])) == len(paths)
        write(engine, "b")
        with engine.writer() as writer:
            assert writer.sweep() == len(paths)
        assert len(list(engine.occurrences())) == len(paths) + 2

    @pytest.mark.slow
    @pytest.mark.parametrize(("contents", "limit"), [(1500, 1_000_000), (1500, 3000)], ids=["records", "run"])
    def test_a_full_disk_is_reported_and_the_last_commit_stays(self, folder: Path, contents: int, limit: int) -> None:
        """A limit on the size of files replaces the disk: it ends the writing of records, or of a run."""
        output = finish(
            child(
                """
from wherefrom.errors import UnusableIndex
engine = open_engine(sys.argv[1], schemes=SCHEMES)
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
try:
    with engine.writer() as writer:
        writer.add_blobs(document(number, [1], source=os.urandom(1000)) for number in range(int(sys.argv[2])))
except UnusableIndex as error:
    print(error)
    kept = error  # its traceback refers to the writer
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(engine.stats().blobs)
with engine.writer() as writer:
    writer.add_blobs([document("b", [1])])
print(engine.stats().blobs)
""",
                folder,
                contents,
                limit,
            )
        )
        message, *counts = output.splitlines()
        assert message.startswith(f"the index {folder} ")
        assert "run again" in message
        assert counts == ["1", "2"]
        with closing(open_engine(folder, schemes=SCHEMES)) as engine:
            engine.verify()


@pytest.mark.slow
def test_a_writer_that_has_failed_writes_nothing_more(folder: Path) -> None:
    output = finish(
        child(
            """
from contextlib import suppress
from wherefrom.errors import UnusableIndex
engine = open_engine(sys.argv[1], schemes=SCHEMES)
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, resource.RLIM_INFINITY))
with suppress(UnusableIndex), engine.writer() as writer:
    with suppress(UnusableIndex):
        writer.add_blobs([document("b", [1], source=os.urandom(2_000_000))])
        writer.commit()
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    for write in (
        lambda: writer.put_repository(repository("r")),
        lambda: writer.add_blobs([document("c", [1])]),
        writer.sweep,
        writer.commit,
    ):
        try:
            write()
        except UnusableIndex as error:
            print(error)
print(engine.stats().blobs, engine.repositories())
""",
            folder,
        )
    )
    *messages, left = output.splitlines()
    assert len(messages) == 4
    assert all("(an earlier error has ended this writing)" in line for line in messages)
    assert left == "1 []"


@pytest.fixture
def read_only() -> Iterator[Path]:
    """An index in a folder that every user can read (pytest's own can be entered by its owner only)."""
    root = Path(tempfile.mkdtemp())
    try:
        engine = open_engine(root / "index", schemes=SCHEMES, create=True)
        write(engine, "a")
        engine.close()
        root.chmod(0o755)
        for path in (root / "index", root / "index" / RUNS):
            path.chmod(0o555)
        yield root / "index"
    finally:
        for path in (root / "index", root / "index" / RUNS):
            path.chmod(0o755)
        shutil.rmtree(root)


def test_blobs_that_are_written_together_are_all_there_or_none(folder: Path) -> None:
    engine = open_engine(folder, schemes=SCHEMES)
    whole, broken = document("b", [2, 3]), document("c", [3, 4])
    broken = replace(broken, stored=replace(broken.stored, blob="no id"))
    with closing(engine):
        with engine.writer() as writer:
            with pytest.raises(ValueError, match="no id"):
                writer.add_blobs([whole, broken])
            writer.add_blobs([document("d", [4])])
        assert engine.blobs([blob_id("a"), blob_id("b"), blob_id("d")]).keys() == {blob_id("a"), blob_id("d")}
        assert engine.document_frequencies({EXACT: [1, 2, 3, 4]}) == {EXACT: ([1, 1, 0, 1], 2)}


def test_a_boilerplate_set_is_read_once_until_it_changes(folder: Path) -> None:
    def put(hashes: list[int]) -> None:
        with closing(open_engine(folder, schemes=SCHEMES)) as other, other.writer() as writer:
            writer.put_boilerplate(BoilerplateSet("s", (), SCHEMES, {EXACT: np.array(hashes, np.uint64)}))

    put([1, 2])
    with closing(open_engine(folder, schemes=SCHEMES)) as engine:
        first = engine.boilerplate("s")
        assert first is not None
        assert first is engine.boilerplate("s")
        put([3])
        second = engine.boilerplate("s")
        assert second is not None
        assert second.hashes[EXACT].tolist() == [3]


def test_of_two_blobs_of_one_id_the_first_is_kept(folder: Path) -> None:
    engine = open_engine(folder, schemes=SCHEMES)
    with closing(engine):
        with engine.writer() as writer:
            writer.add_blobs([document("b", [5]), document("b", [6]), document("a", [7])])
        assert engine.document_frequencies({EXACT: [1, 5, 6, 7]}) == {EXACT: ([1, 1, 0, 0], 2)}


@pytest.mark.thorough
def test_users_who_may_not_roll_back_a_killed_commit_get_a_clear_message(read_only: Path) -> None:
    """The journal of a commit that has begun to change the records is copied in the middle of it."""
    copy = read_only.parent / "copy"
    copy.mkdir()
    with closing(sqlite3.connect(read_only / RECORDS, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE state SET version = 7")
        connection.execute("INSERT INTO block (number, contents, source) VALUES (99, x'', zeroblob(1000000))")
        shutil.copytree(read_only, copy / "index")
    assert (copy / "index" / f"{RECORDS}-journal").stat().st_size
    script = """
import os, sys
from tests.engines.conftest import *
from wherefrom.engines import embedded
from wherefrom.errors import UnusableIndex
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    open_engine(sys.argv[1], schemes=SCHEMES)
except UnusableIndex as error:
    print(error)
"""
    for path in (copy / "index", copy / "index" / RUNS):
        path.chmod(0o555)
    message = finish(child(script, copy / "index"))
    for path in (copy / "index", copy / "index" / RUNS):
        path.chmod(0o755)
    assert message == (
        f"the index {copy / 'index'} cannot be read: a writer was stopped; open it once as somebody who may write to "
        "it\n"
    )
    with closing(open_engine(copy / "index", schemes=SCHEMES)) as engine:
        engine.verify()
        assert engine.known([blob_id("a")])


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_can_be_read(read_only: Path) -> None:
    """The child is another user if this one may write anywhere."""
    script = """
import os, sys
from tests.engines.conftest import *
from wherefrom.support import extension
from wherefrom.engines import embedded
from wherefrom.errors import UnusableIndex
extension.wanted()  # the other user may not be allowed to read what this imports
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
engine = open_engine(sys.argv[1], schemes=SCHEMES)
print(len(engine.blobs([blob_id("a")])), len(list(engine.occurrences())), flush=True)
try:
    with engine.writer():
        pass
except UnusableIndex as error:
    print(error, flush=True)
sys.stdin.readline()
found = engine.blobs([blob_id("a"), blob_id("b")])
counted = engine.document_frequencies({Representation.EXACT: [1]})[Representation.EXACT]
print(len(found), len(list(engine.occurrences())), *counted)
engine.verify()
engine.close()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script, read_only],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1 1\n"
        assert "cannot be written" in process.stdout.readline()
        for path in (read_only, read_only / RUNS):
            path.chmod(0o755)
        write(open_engine(read_only, schemes=SCHEMES), "b")
        for path in (read_only, read_only / RUNS):
            path.chmod(0o555)
        output, _ = process.communicate("go on\n", timeout=60)
    assert output == "2 2 [2] 2\n"
    assert process.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("umask", [0o002, 0o027, 0o077])
def test_files_have_the_permissions_that_the_umask_leaves(tmp_path: Path, umask: int) -> None:
    script = """
os.umask(int(sys.argv[2]))
with open_engine(sys.argv[1], schemes=SCHEMES, create=True).writer() as writer:
    writer.add_blobs([document("b", [1])])
"""
    finish(child(script, tmp_path / "index", umask))
    files = [path for path in (tmp_path / "index").rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".json", ".sqlite", ".run", ".lock"}
    # SQLite gives nobody more than 0644.
    modes = {path.name: path.stat().st_mode & 0o777 & (0o644 if path.name == RECORDS else 0o666) for path in files}
    assert modes == {name: 0o666 & ~umask & (0o644 if name == RECORDS else 0o666) for name in modes}


@pytest.mark.slow
def test_runs_do_not_pile_up(tmp_path: Path) -> None:
    engine = open_engine(tmp_path / "index", schemes=SCHEMES, create=True)
    for number in range(40):
        write(engine, str(number))
    assert len(list((tmp_path / "index" / RUNS).iterdir())) < 10
    with engine.writer() as writer:
        for number in range(40, 80):
            writer.add_blobs([document(str(number), [1])])
            writer.commit()
    assert len(list((tmp_path / "index" / RUNS).iterdir())) < 10
    assert engine.document_frequencies({EXACT: [1]}) == {EXACT: ([80], 80)}


# For a moment a file is open before any object owns it.
@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore:Exception ignored in. <_io.FileIO:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow
def test_a_commit_that_was_interrupted_at_any_moment_may_be_done_again(tmp_path: Path) -> None:
    before = tmp_path / "before"
    with closing(open_engine(before, schemes=SCHEMES, create=True)) as engine:
        for number in range(3):
            write(engine, str(number))
    for stop in count(1, 3):  # of 870 moments; the test also passes with all of them, but takes three times as long
        folder = shutil.copytree(before, tmp_path / "index")
        with closing(open_engine(folder, schemes=SCHEMES)) as engine:
            with engine.writer() as writer:
                writer.replace_blobs([document("0", [1, 3])])
                writer.add_blobs([document("new", [1, 4])])
                writer.put_occurrences([occurrence("r", "new", "new")])
                is_interrupted = interrupted_at(stop, writer.commit, *WRITING, events=EVENTS)
                writer.commit()
            assert engine.document_frequencies({EXACT: [1, 2, 3, 4]}) == {EXACT: ([4, 2, 1, 1], 4)}
            engine.verify()
        shutil.rmtree(folder)
        if not is_interrupted:
            break
    assert stop > 100


@pytest.mark.thorough
def test_a_sweep_gives_the_disk_back(tmp_path: Path) -> None:
    engine = open_engine(tmp_path / "index", schemes=SCHEMES, create=True)
    with engine.writer() as writer:
        for number in range(300):
            writer.add_blobs([document(number, [number], source=random.Random(number).randbytes(20_000))])
            writer.put_occurrences([occurrence("kept" if number % 30 == 0 else "gone", str(number), number)])
    full = engine.stats().stored or 0
    assert full > 6_000_000
    with engine.writer() as writer:
        writer.delete_occurrences("gone")
        assert writer.sweep() == 290
    assert (engine.stats().stored or 0) < full / 4
    engine.verify()
    assert len(list(engine.stored_blobs())) == 10


@pytest.mark.slow
def test_a_reader_that_is_interrupted_while_it_waits_for_a_commit(folder: Path) -> None:
    """This process has the lock with which SQLite writes; the child waits for it."""
    with closing(sqlite3.connect(folder / RECORDS, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        process = child(
            """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
open_engine(sys.argv[1], schemes=SCHEMES)
""",
            folder,
            ready=True,
        )
        wait_for_a_look_at(process.pid, folder / RECORDS)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert errors.endswith("KeyboardInterrupt\n")


def wait_for_a_look_at(pid: int, path: Path) -> None:
    """Waits until a process has opened a file."""
    while True:
        with suppress(OSError):
            if any(link.readlink() == path for link in Path(f"/proc/{pid}/fd").iterdir()):
                return
        time.sleep(0.01)


def test_the_stored_size_is_that_of_the_files(folder: Path) -> None:
    engine = open_engine(folder, schemes=SCHEMES)
    assert engine.stats().stored == sum(map(len, contents(folder).values()))


def test_a_change_of_the_tables_needs_a_new_format() -> None:
    """If you change `TABLES`, raise `FORMAT.version` and then change the version and the digest here."""
    assert (mapping.FORMAT.version, records.checksum(mapping.TABLES)) == (10, 733992459)


def test_every_fact_of_a_blob_has_a_column() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(mapping.TABLES)
        columns = {
            row[1] for table in ("content", "block") for row in connection.execute(f"PRAGMA table_info({table})")
        }
    of_kind = {"language", "analysis"}
    facts = {"id" if name == "blob" else name for name in (*records.FACTS, *records.BULK)} - of_kind
    assert columns == facts | {"number", "kind", "block", "contents", "seal"}


@given(
    st.dictionaries(st.integers(0, 2**64 - 1), st.floats(1e-6, 1e6), min_size=1, max_size=200),
)
def test_scaled_weights_sum_exactly_in_32_bits(weights: dict[int, float]) -> None:
    from wherefrom.engines.terms import EXACT_BITS, scale

    scaled, unit = scale({EXACT: weights}, TERM_BITS)
    total = sum(weights.values())
    assert [term for _, term, _ in scaled] == list(weights)
    assert sum(weight for _, _, weight in scaled) <= 2**EXACT_BITS
    assert all(weight >= 1 and weight == int(weight) for _, _, weight in scaled)
    assert all(abs(weight * unit - weights[term]) <= total * 2**-22 for _, term, weight in scaled)
