"""The lookups that a stopped check keeps, and the files that it does not trust."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from wherefrom.model import LicenseJudgment, Occurrence, Representation, Rule, SkipReason
from wherefrom.projects.changes.comparison import Changed
from wherefrom.projects.check import unfinished
from wherefrom.projects.check.findings import FileCopy, Finding, MatchedLocation
from wherefrom.projects.check.judging import CountedFinding
from wherefrom.projects.check.lookup import LookedUpFile, Marks
from wherefrom.projects.check.unfinished import UnfinishedCheck
from wherefrom.results import DecidedBy, Evidence, Region, RegionPair, Where

AT = Occurrence("example.org/them/lib", "src/é\x1b.c", "ab" * 20, "main")
PAIR = RegionPair(Region(3, 40, 1, 2, ((7, 9),)), Region(0, 37, 5, 6), 12, Representation.EXACT, ((1, 5), (2, 6)))
SAID = Evidence(Where.FILE, "url", "https://example.org/them/lib", "# from https://example.org/them/lib", "a.c", 1)
PLACE = MatchedLocation(
    AT, 2, (PAIR,), 12, ("MIT",), evidence=(SAID,), hints=(replace(SAID, line=9),), decided_by=DecidedBy.FILE
)
FINDING = Finding(
    Rule.LICENSE_CONFLICT,
    "a.c",
    PAIR.query,
    12,
    "00ff:1",
    (PLACE,),
    more=3,
    licenses=("GPL-2.0-only",),
    license_judgment=LicenseJudgment.CONFLICT,
    copy=FileCopy(identical=False, share=0.875, functions=4, occurrences=(AT,)),
)
CHECKED = LookedUpFile(
    "a.c",
    Marks({3: "taken over", 8: ""}, frozenset({1, 3, 8})),
    (CountedFinding(FINDING, True, (1, 4), 9, ("ff00:1",)),),
    5,
    has_code=True,
)
FILE = Changed("a.c", b"int a;\n", ((1, 2), (4, 4)))


def opened(folder: Path, identity: str = "x", name: str = "/project") -> UnfinishedCheck:
    return UnfinishedCheck(name, identity, folder)


def kept(folder: Path, *files: Changed) -> Path:
    """Keeps the lookups of some files, as a run that is then stopped does. Returns the file that it leaves."""
    with opened(folder) as check:
        for file in files:
            check.keep(file, replace(CHECKED, path=file.path))
    [path] = folder.iterdir()
    return path


def test_a_later_run_has_all_that_was_found(tmp_path: Path) -> None:
    path = kept(tmp_path / "made" / "here", FILE)
    assert path.stat().st_mode & 0o077 == path.parent.stat().st_mode & 0o077 == 0
    with opened(path.parent) as check:
        found = check.found(FILE)
        assert found is not None
        assert replace(found, found=tuple(found.found)) == CHECKED
        assert check.resumed == 1


@pytest.mark.parametrize(
    "file",
    [
        replace(FILE, content=b"int b;\n"),
        replace(FILE, path="b.c"),
        replace(FILE, added=None),
        replace(FILE, added=((1, 2),)),
        replace(FILE, content=SkipReason.TOO_LARGE),
        replace(FILE, is_whole=True),
    ],
)
def test_another_file_is_looked_up(tmp_path: Path, file: Changed) -> None:
    kept(tmp_path, FILE)
    with opened(tmp_path) as check:
        assert check.found(file) is None
        assert check.resumed == 0


def test_nothing_is_kept_under_another_identity_and_what_was_is_removed(tmp_path: Path) -> None:
    kept(tmp_path, FILE)
    for identity in ("y", "x"):
        with opened(tmp_path, identity) as check:
            assert check.found(FILE) is None


def test_checks_of_different_names_have_different_files(tmp_path: Path) -> None:
    kept(tmp_path, FILE)
    with opened(tmp_path, "y", "/other") as other:
        other.finish()
    with opened(tmp_path) as check:
        assert check.found(FILE) is not None


def test_a_check_that_is_done_leaves_nothing(tmp_path: Path) -> None:
    kept(tmp_path, FILE)
    with opened(tmp_path) as check:
        check.finish()
    assert not [*tmp_path.iterdir()]


def test_a_line_that_was_cut_short_is_dropped_and_the_next_one_is_whole(tmp_path: Path) -> None:
    files = [replace(FILE, path=f"{name}.c") for name in "abc"]
    path = kept(tmp_path, *files[:2])
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    ends = [len(b"".join(lines[:number])) for number in (1, 2, 3)]
    for length in sorted({*range(0, len(whole), 97), *ends, *(end - 1 for end in ends), ends[1] + 1}):
        path.write_bytes(whole[:length])
        survivors = [file for file, end in zip(files, ends[1:], strict=False) if length >= end]
        with opened(tmp_path) as check:
            assert [file for file in files if check.found(file)] == survivors
            check.keep(files[2], CHECKED)
        with opened(tmp_path) as check:
            assert check.found(files[2]) is not None


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    path = kept(tmp_path, FILE)
    whole = path.read_bytes()
    for at in {*range(0, len(whole), 23), whole.index(b"\n"), len(whole) - 1}:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with opened(tmp_path) as check:
            assert check.found(FILE) is None


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"path": "a.c"}',
        b'{"path": "a.c", "marks": {"reasons": {}, "comments": []}, "found": 3, "units": 1, "has_code": true}',
        b'{"path": "a.c", "marks": {"reasons": {}, "comments": []}, "found": [], "units": "x", "has_code": true}',
    ],
)
def test_a_line_of_another_shape_is_looked_up_again(tmp_path: Path, value: bytes) -> None:
    path = kept(tmp_path, FILE)
    header, line = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(header + unfinished._line(b" ".join([line.split(b" ")[1], value])))
    with opened(tmp_path) as check:
        assert check.found(FILE) is None


def test_of_two_runs_at_a_time_one_keeps_what_it_finds(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        with opened(tmp_path) as second:
            second.keep(FILE, CHECKED)
            second.finish()
        first.keep(replace(FILE, path="b.c"), CHECKED)
    with opened(tmp_path) as third:
        assert third.found(FILE) is None
        assert third.found(replace(FILE, path="b.c")) is not None


def test_a_folder_that_cannot_be_written_stops_no_check(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    with opened(blocked / "checks") as check:
        check.keep(FILE, CHECKED)
        assert check.found(FILE) is None
        check.finish()


def test_without_a_home_nothing_is_written_into_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with opened(Path("~", ".cache")) as check:
        check.keep(FILE, CHECKED)
    assert not [*tmp_path.iterdir()]


def test_a_disk_that_is_full_stops_no_check(tmp_path: Path) -> None:
    size = kept(tmp_path, FILE).stat().st_size
    others = [replace(FILE, path=f"{name}.c") for name in "bc"]
    resource = pytest.importorskip("resource", reason="Windows has no limit for the size of a file")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with opened(tmp_path) as check:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 99, limits[1]))
        try:
            for file in others:
                check.keep(file, CHECKED)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with opened(tmp_path) as check:
        assert [check.found(file) is not None for file in (FILE, *others)] == [True, False, False]


def test_what_nobody_goes_on_with_is_removed_in_time(tmp_path: Path) -> None:
    old = kept(tmp_path, FILE)
    other = tmp_path / "something.else"
    other.write_bytes(b"")
    then = time.time() - (unfinished.KEPT_DAYS * 24 + 1) * 60 * 60
    for path in (old, other):
        os.utime(path, (then, then))
    with opened(tmp_path, name="/another"):
        assert not old.exists()
        assert other.exists()
