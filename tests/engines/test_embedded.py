"""What only the embedded engine has: a folder, other processes, files that can be damaged."""

from __future__ import annotations

import fcntl
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engines.conftest import SCHEMES, blob_id, document, occurrence, repository
from wherefrom.engines import open_engine, records, segments
from wherefrom.engines.embedded import EmbeddedEngine
from wherefrom.engines.engine import Engine
from wherefrom.engines.records import digest
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
from wherefrom.mappings.embedded import Kind
from wherefrom.model import BoilerplateSet, Refusal, Representation, SkipReason

EXACT = Representation.EXACT


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
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def child(script: str, *arguments: object, ready: bool = False) -> subprocess.Popen[str]:
    """Another process; with `ready`, one that has printed its first line."""
    source = f"from tests.engines.conftest import *\nimport os, resource, sys, time\n{script}"
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
        assert (engine.name, engine.location) == ("embedded", str(folder))
        assert engine.known([blob_id("a")])
        engine.close()

    def test_a_relative_path_is_kept_as_an_absolute_one(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder.parent)
        engine = open_engine("./index", schemes=SCHEMES)
        monkeypatch.chdir("/")
        assert engine.location == str(folder)
        assert engine.known([blob_id("a")])
        engine.close()

    def test_a_path_below_home_is_found(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(folder.parent))
        engine = open_engine("~/index", schemes=SCHEMES)
        assert engine.location == str(folder)
        engine.close()

    @pytest.mark.parametrize(
        "location",
        [
            "memory:",
            "memory://x",
            "https://example.org",
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

    def test_tantivy_is_loaded_on_use_only(self) -> None:
        script = "import sys, wherefrom.engines, wherefrom.engines.memory; sys.exit('tantivy' in sys.modules)"
        assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


class TestOpening:
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
        assert sorted(path.name for path in (tmp_path / place).iterdir()) == ["tantivy", "wherefrom.json"]

    @pytest.mark.parametrize("create", [True, False])
    def test_a_folder_with_something_else_is_left_alone(self, tmp_path: Path, create: bool) -> None:
        (tmp_path / "tantivy").mkdir()
        (tmp_path / "tantivy" / "meta.json").write_text("{}")
        (tmp_path / "file").write_text("mine")
        before = contents(tmp_path)
        for place in (tmp_path, tmp_path / "file", tmp_path / "file" / "below"):
            with pytest.raises(UnusableIndex, match=r"another|new or empty"):
                open_engine(place, schemes=SCHEMES, create=create)
        assert contents(tmp_path) == before

    @pytest.mark.parametrize(
        ("step", "said"),
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
    def test_another_format_version_is_left_alone(self, folder: Path, step: int, said: str, schemes: object) -> None:
        version = mapping.FORMAT.version + step
        card = {"format": version, "reader": version, "schemes": schemes}
        (folder / "wherefrom.json").write_text(json.dumps(card))
        before = contents(folder)
        with pytest.raises(IndexFormatError) as caught:
            open_engine(folder, schemes=SCHEMES, create=True)
        assert str(caught.value).endswith(f"{said.format(version, mapping.FORMAT.version)} again into a new folder")
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
        for number, leftover in enumerate([[], ["tantivy"]]):
            place = tmp_path / str(number)
            place.mkdir()
            (place / "wherefrom.json.new").write_text('{"for')
            for name in leftover:
                shutil.copytree(whole / name, place / name)
            with pytest.raises(IndexMissing):
                open_engine(place, schemes=SCHEMES)
            write(open_engine(place, schemes=SCHEMES, create=True), "a")
            assert open_engine(place, schemes=SCHEMES).known([blob_id("a")])

    def test_an_index_that_is_being_made_is_busy(self, tmp_path: Path) -> None:
        script = """
import fcntl
with open(sys.argv[1], "a") as draft:
    fcntl.flock(draft, fcntl.LOCK_EX)
    print("ready", flush=True)
    sys.stdin.read()
"""
        process = subprocess.Popen(
            [sys.executable, "-c", "import sys\n" + script, tmp_path / "wherefrom.json.new"],
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
    "verify": lambda engine: engine.verify(),
}
"""Every method that reads stored values, of what `write_each_kind` writes."""


def write_each_kind(engine: Engine) -> None:
    """A record of each kind, with every field that is stored."""
    with engine.writer() as writer:
        writer.add_blobs([document("b", [9], source=b"def b(): ...", references=b"[0,[]]")])
        writer.put_occurrences([occurrence("r", "b.py", "b")])
        writer.put_repository(repository("r", binary=3))
        writer.put_boilerplate(BoilerplateSet("s", ("f",), SCHEMES, {EXACT: np.array([1, 2], np.uint64)}))
        writer.put_refusals([Refusal(blob_id("refused"), SkipReason.PARSE_TIMEOUT, "c=0.24", 5.0)])


class TestDamage:
    @pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff" * 100])
    def test_damaged_meta_data(self, folder: Path, content: bytes | None) -> None:
        meta = folder / "tantivy" / "meta.json"
        meta.unlink()
        if content is not None:
            meta.write_bytes(content)
        with pytest.raises(IndexDamaged, match=r"^[^\n]*index again into a new folder$"):
            open_engine(folder, schemes=SCHEMES, create=True)

    @pytest.mark.parametrize("content", [None, b"", b"short"])
    @pytest.mark.parametrize("ending", ["term", "idx", "store", "fast"])
    def test_a_file_that_is_missing_or_cut_short(self, folder: Path, ending: str, content: bytes | None) -> None:
        (path,) = (folder / "tantivy").glob(f"*.{ending}")
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(IndexDamaged, match=r"^[^\n]*index again into a new folder$"):
            open_engine(folder, schemes=SCHEMES).candidates({EXACT: {1: 1.0}}, limit=5)

    @pytest.mark.parametrize("record", [b"", b"\xff", b"{", b"[]", b"{}", b"7"])
    def test_a_record_that_cannot_be_decoded(self, folder: Path, record: bytes) -> None:
        engine = open_engine(folder, schemes=SCHEMES)
        assert isinstance(engine, EmbeddedEngine)
        blob = blob_id("broken")
        with engine.writer() as writer:
            for kind, name in ((Kind.REPOSITORY, "r"), (Kind.BOILERPLATE, "b"), (Kind.OCCURRENCE, "o")):
                writer._replace(digest(kind, name), {"kind": kind, "record": record, "refers_to": blob})
            writer._add({"kind": Kind.BLOB, "blob": blob, "key": 1, "terms_exact": [9], "record": record})
        for read in (
            engine.repositories,
            lambda: engine.repository("r"),
            engine.boilerplate_names,
            lambda: engine.boilerplate("b"),
            lambda: list(engine.occurrences(blobs=[blob])),
            lambda: engine.blobs([blob]),
            lambda: list(engine.stored_blobs()),
            lambda: engine.candidates({EXACT: {9: 1.0}}, limit=5),
            engine.stats,
        ):
            with pytest.raises(IndexDamaged, match=DAMAGED):
                read()
        assert engine.blobs([blob_id("a")])
        engine.close()

    @pytest.mark.parametrize(
        "damage",
        [
            lambda sealed: bytes([sealed[0] ^ 1]) + sealed[1:],
            lambda sealed: sealed[:-1] + bytes([sealed[-1] ^ 128]),
            lambda sealed: sealed[:-1],
            lambda sealed: sealed[4:],
            lambda sealed: b"",
        ],
    )
    @pytest.mark.parametrize(
        ("field", "reads"),
        [
            ("record", set(READS)),
            ("tokens", {"blobs", "references", "stored_blobs", "candidates", "verify"}),
            ("source", {"blobs", "stored_blobs", "verify"}),
            ("references", {"blobs", "references", "stored_blobs", "verify"}),
            ("hashes", {"boilerplate", "verify"}),
        ],
    )
    def test_a_value_whose_checksum_does_not_match(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        field: str,
        reads: set[str],
        damage: Callable[[bytes], bytes],
    ) -> None:
        """What is written is changed behind the checksum; whatever reads that field says so, all else answers."""
        plain = records.seal

        def changed(name: str, payload: bytes) -> bytes:
            return damage(plain(name, payload)) if name == field else plain(name, payload)

        engine = open_engine(folder, schemes=SCHEMES)
        with monkeypatch.context() as patch:
            patch.setattr(records, "seal", changed)
            write_each_kind(engine)
        for name, read in READS.items():
            if name in reads:
                with pytest.raises(IndexDamaged, match=DAMAGED):
                    read(engine)
            else:
                read(engine)
        engine.close()

    @pytest.mark.parametrize("field", ["tokens", "source", "references"])
    def test_a_value_that_is_missing(self, folder: Path, field: str) -> None:
        engine = open_engine(folder, schemes=SCHEMES)
        assert isinstance(engine, EmbeddedEngine)
        stored = document("b", [9], source=b"def b(): ...", references=b"[0,[]]").stored
        values = {name: value for name, value in records.bulk(stored).items() if name != field}
        with engine.writer() as writer:
            writer._add({"kind": Kind.BLOB, "blob": stored.blob, "record": records.dump_blob(stored), **values})
        with pytest.raises(IndexDamaged, match=f"{field} has no checksum"):
            engine.blobs([stored.blob])
        engine.close()

    def test_a_stored_file_that_is_damaged_gives_no_wrong_answer(self, tmp_path: Path) -> None:
        folder = tmp_path / "index"
        engine = open_engine(folder, schemes=SCHEMES, create=True)
        write_each_kind(engine)
        expected = {name: read(engine) for name, read in READS.items()}
        engine.close()
        (path,) = (folder / "tantivy").glob("*.store")
        whole = path.read_bytes()
        found = 0
        for at in range(0, len(whole), 5):
            path.unlink()  # it may still be mapped
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
            try:
                engine = open_engine(folder, schemes=SCHEMES)
            except IndexDamaged:
                continue
            for name, read in READS.items():
                try:
                    assert str(read(engine)) == str(expected[name]), at
                except IndexDamaged:
                    found += 1
            engine.close()
        assert found > len(whole) // 5

    def test_a_record_in_the_place_of_another_one(self, folder: Path) -> None:
        """As a damaged dictionary of terms or list of documents leads to it."""
        engine = open_engine(folder, schemes=SCHEMES)
        assert isinstance(engine, EmbeddedEngine)
        other, asked, blob = document("other", [9]).stored, blob_id("asked"), {"kind": Kind.BLOB, "key": 1}
        description, hashes = records.dump_boilerplate(BoilerplateSet("other", (), SCHEMES, {}))
        held: dict[str, dict[str, Any]] = {
            digest(Kind.REPOSITORY, "r"): {"record": records.dump_repository(repository("other"))},
            digest(Kind.REFUSAL, asked): {"record": records.dump_refusal(Refusal("0", SkipReason.BINARY, "", 1.0))},
            digest(Kind.BOILERPLATE, "b"): {"record": description, "hashes": hashes},
            "o": {
                "record": records.dump_occurrence(occurrence("other", "o", "other")),
                "kind": Kind.OCCURRENCE,
                "refers_to": asked,
                "repository": digest("r"),
            },
        }
        with engine.writer() as writer:
            for identity, fields in held.items():
                writer._add({"id": identity, **fields})
            writer._add({**blob, "blob": asked, "record": records.dump_blob(other), **records.bulk(other)})
        reads: tuple[Callable[[], object], ...] = (
            lambda: engine.repository("r"),
            lambda: engine.refusals([asked]),
            lambda: engine.boilerplate("b"),
            lambda: list(engine.occurrences(blobs=[asked])),
            lambda: list(engine.occurrences(repository="r")),
            lambda: engine.blobs([asked]),
            lambda: engine.references([asked]),
            lambda: engine.analyses([asked]),
        )
        for read in reads:
            with pytest.raises(IndexDamaged, match=r"\(a record is found in the place of another one\); index again"):
                read()
        engine.close()

    def test_a_blob_that_has_lost_its_key(self, folder: Path) -> None:
        """Candidates with one score are ordered by it."""
        engine = open_engine(folder, schemes=SCHEMES)
        assert isinstance(engine, EmbeddedEngine)
        stored = document("b", [9]).stored
        with engine.writer() as writer:
            for key in ({}, {"key": 1}):
                writer._add({"kind": Kind.BLOB, "blob": stored.blob, "terms_exact": [9], **key})
        with pytest.raises(IndexDamaged, match=r"\(a blob has no key\); index again into a new folder$"):
            engine.candidates({EXACT: {9: 1.0}}, limit=5)
        engine.close()

    def test_a_changed_number_or_name_in_the_description_of_segments(self, folder: Path) -> None:
        """Each change is noticed, or changes nothing that is described."""
        engine = open_engine(folder, schemes=SCHEMES)
        write_each_kind(engine)
        with engine.writer() as writer:
            writer.delete_occurrences("r", ["b.py"])
        engine.verify()
        engine.close()
        meta = folder / "tantivy" / "meta.json"
        whole = meta.read_bytes()
        described = segments.committed(meta.parent)
        assert [segment.deleted for segment in described] == [1, 0]
        start, schema = whole.index(b'"segments"'), whole.index(b'"schema"')
        for at in (*range(start, schema), *range(whole.rindex(b'"opstamp"'), len(whole))):
            for bit in range(3):
                meta.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
                try:
                    engine = open_engine(folder, schemes=SCHEMES)
                    engine.verify()
                    engine.close()
                except IndexDamaged:
                    continue
                else:
                    assert segments.committed(meta.parent) == described

    def test_verifying_beside_a_writer_that_removes_what_is_being_verified(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        engine = open_engine(folder, schemes=SCHEMES)
        names = {path.name for path in (folder / "tantivy").glob("*.store")}
        plain, commits = segments.committed, iter([True])

        def committed(data: Path) -> tuple[segments.Segment, ...]:
            found = plain(data)
            if next(commits, False):
                with open_engine(folder, schemes=SCHEMES).writer() as writer:
                    writer.delete_occurrences("r")
                    writer.sweep()
            return found

        monkeypatch.setattr(segments, "committed", committed)
        engine.verify()
        assert not names & {path.name for path in (folder / "tantivy").glob("*.store")}
        engine.close()

    def test_an_index_that_is_deleted_under_an_open_engine(self, folder: Path) -> None:
        engine = open_engine(folder, schemes=SCHEMES)
        shutil.rmtree(folder)
        with pytest.raises(IndexDamaged, match=r"^[^\n]*index again into a new folder$"):
            engine.known([blob_id("a")])


class TestLeftovers:
    @pytest.fixture
    def data(self, folder: Path) -> Path:
        """The files of tantivy of a closed index, and some that a killed writer left behind."""
        data = folder / "tantivy"
        for name in (f"{'0' * 32}.store", f"{'0' * 32}.7.del", ".tmpAb3dEf"):
            (data / name).write_bytes(b"half")
        return data

    def test_whoever_writes_removes_them_and_nothing_else(self, folder: Path, data: Path) -> None:
        (data / "notes.txt").write_text("mine")
        committed = {name for segment in segments.committed(data) for name in segment.files}
        engine = open_engine(folder, schemes=SCHEMES)
        engine.verify()
        assert (data / ".tmpAb3dEf").exists()
        with engine.writer():
            assert {path.name for path in data.iterdir()} == {
                *committed,
                *("meta.json", ".managed.json", ".tantivy-meta.lock", ".tantivy-writer.lock", "notes.txt"),
            }
        engine.verify()
        engine.close()

    def test_nothing_is_removed_where_a_committed_file_is_missing(self, folder: Path, data: Path) -> None:
        """What `meta.json` names may then be wrong, and the rest may be what it should name."""
        engine = open_engine(folder, schemes=SCHEMES)
        (path,) = data.glob("*.pos")
        path.rename(folder / "kept")
        with pytest.raises(IndexDamaged, match=rf"\({path.name} is missing\); index again"), engine.writer():
            pass
        assert (data / ".tmpAb3dEf").exists()
        (folder / "kept").rename(path)
        with engine.writer():
            assert not (data / ".tmpAb3dEf").exists()
        engine.close()

    @pytest.mark.skipif(not Path("/proc/locks").exists(), reason="no /proc here")
    def test_a_reader_that_is_opening_an_earlier_commit_is_waited_for(self, data: Path) -> None:
        lock = data / segments.META_LOCK
        with lock.open() as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            removing = threading.Thread(target=segments.remove_leftovers, args=[data])
            removing.start()
            waiting = re.compile(rf"-> FLOCK .*:{lock.stat().st_ino} ")
            while removing.is_alive() and not waiting.search(Path("/proc/locks").read_text()):
                time.sleep(0.001)
            assert (data / ".tmpAb3dEf").exists()
        removing.join()
        assert not (data / ".tmpAb3dEf").exists()


class TestProcesses:
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
        process.send_signal(signal.SIGKILL)
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

    @pytest.mark.parametrize("contents", [150, 3000])
    def test_a_full_disk_is_told_and_the_last_commit_stays(self, folder: Path, contents: int) -> None:
        """A limit on the size of files replaces the disk; few contents fail in the commit, many before."""
        output = finish(
            child(
                """
from wherefrom.errors import UnusableIndex
engine = open_engine(sys.argv[1], schemes=SCHEMES)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
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
            )
        )
        told, *counts = output.splitlines()
        assert told.startswith(f"the index {folder} ")
        assert "run again" in told
        assert counts == ["1", "2"]


@pytest.fixture
def read_only() -> Iterator[Path]:
    """An index in a folder that every user can read (pytest's own can be entered by its owner only)."""
    root = Path(tempfile.mkdtemp())
    try:
        engine = open_engine(root / "index", schemes=SCHEMES, create=True)
        write(engine, "a")
        engine.close()
        root.chmod(0o755)
        for path in (root / "index", root / "index" / "tantivy"):
            path.chmod(0o555)
        yield root / "index"
    finally:
        for path in (root / "index", root / "index" / "tantivy"):
            path.chmod(0o755)
        shutil.rmtree(root)


def test_a_folder_that_cannot_be_written_can_be_read(read_only: Path) -> None:
    """The child is another user where this one may write anywhere."""
    script = """
import os, sys
from tests.engines.conftest import *
from wherefrom.engines import embedded
from wherefrom.errors import UnusableIndex
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
        (read_only / "tantivy").chmod(0o755)
        write(open_engine(read_only, schemes=SCHEMES), "b")
        (read_only / "tantivy").chmod(0o555)
        output, _ = process.communicate("go on\n", timeout=60)
    assert output == "2 2 [2] 2\n"
    assert process.returncode == 0


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o775])
def test_every_commit_can_be_read_by_whoever_may_read_the_folder(folder: Path, mode: int) -> None:
    data = folder / "tantivy"
    data.chmod(mode)
    with open_engine(folder, schemes=SCHEMES).writer() as writer:
        for _ in range(2):
            writer.commit()
            assert (data / "meta.json").stat().st_mode & 0o777 == mode & 0o666
    assert (data / "meta.json").stat().st_mode & 0o777 == mode & 0o666


def test_segments_do_not_pile_up(tmp_path: Path) -> None:
    engine = open_engine(tmp_path / "index", schemes=SCHEMES, create=True)
    for number in range(40):
        write(engine, str(number))
    assert len(list((tmp_path / "index" / "tantivy").glob("*.store"))) < 10
    with engine.writer() as writer:
        for number in range(40, 80):
            writer.add_blobs([document(str(number), [1])])
            writer.commit()
    assert len(list((tmp_path / "index" / "tantivy").glob("*.store"))) < 10
    assert engine.document_frequencies({EXACT: [1]}) == {EXACT: ([80], 80)}


def test_the_stored_size_is_that_of_the_files(folder: Path) -> None:
    engine = open_engine(folder, schemes=SCHEMES)
    assert engine.stats().stored == sum(map(len, contents(folder).values()))


def test_a_change_of_the_schema_needs_a_new_format() -> None:
    """Whoever changes `FIELDS` adds a line to `HISTORY` and then the fields here."""
    assert max(mapping.HISTORY) == mapping.FORMAT.version
    assert [field.name for field in mapping.FIELDS] == [
        *("kind", "id", "repository", "refers_to", "blob", "key", "language", "analysis", "size", "token_count", "has"),
        *(
            "terms_exact",
            "terms_renamed",
            "terms_p_match",
            "terms_text",
            "record",
            "tokens",
            "source",
            "references",
            "hashes",
        ),
    ]
    assert {field.name for field in mapping.FIELDS if field.stored} == {
        *("record", "tokens", "source", "references", "hashes")
    }
    assert {field.name for field in mapping.FIELDS if field.fast} == {
        "key",
        "language",
        "analysis",
        "size",
        "token_count",
    }


@given(
    st.dictionaries(st.integers(0, 2**64 - 1), st.floats(1e-6, 1e6), min_size=1, max_size=200),
)
def test_scaled_weights_sum_exactly_in_32_bits(weights: dict[int, float]) -> None:
    from wherefrom.engines.scoring import EXACT_BITS, scale

    scaled, unit = scale({EXACT: weights})
    total = sum(weights.values())
    assert [term for _, term, _ in scaled] == list(weights)
    assert sum(weight for _, _, weight in scaled) <= 2**EXACT_BITS
    assert all(weight >= 1 and weight == int(weight) for _, _, weight in scaled)
    assert all(abs(weight * unit - weights[term]) <= total * 2**-22 for _, term, weight in scaled)
