"""Hostile files: the page skips them, says so, and compares the others."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.dropping import ComparePage, by_the_command, comparable
from tests.page.handing_in import hand_ins, lying, sample, zipped
from tests.workers.test_analyzer import BOMBS

NAMES = (
    "<img src=x onerror=alert(1)>.py",
    "'; alert(1); '.py",
    "%3Cscript%3E.py",
    "\u202egnp.py",
    "line\nbreak.py",
    "__proto__",
    "constructor.py",
)


def test_a_worker_that_dies_of_a_file_is_replaced(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    page.choose(folder)
    wanted = comparable(page.compare("folder"))
    page.again()
    for language, ending in {"c": "c", "java": "java"}.items():
        (folder / "dan" / f"bomb.{ending}").write_bytes(BOMBS[language])
    page.page.get_by_role("button", name="Remove hand-ins/").click()
    page.choose(folder)
    assert comparable(page.compare("folder")) == wanted
    assert {*page.skipped()} == {"dan/bomb.c", "dan/bomb.java"}
    assert {*page.skipped().values()} <= {"worker_died", "parse_timeout"}


def test_a_file_of_100_megabytes_is_not_read(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    with (folder / "dan" / "huge.py").open("wb") as file:
        file.truncate(100_000_000)
    page.choose(folder)
    assert comparable(page.compare("folder")) == by_the_command([folder], by="folder")
    assert page.skipped() == {"dan/huge.py": "too_large"}


def test_a_zip_that_unpacks_to_more_than_it_says_is_stopped(page: ComparePage, tmp_path: Path) -> None:
    archive = zipped(hand_ins(tmp_path / "hand-ins"), tmp_path / "hand-ins.zip")
    with zipfile.ZipFile(archive, "a", zipfile.ZIP_DEFLATED) as opened:
        with opened.open("honest.py", "w") as member:
            for _ in range(300):
                member.write(bytes(1_000_000))
        opened.writestr("lying.py", bytes(200_000_000))
    lying(archive, "lying.py", 100)
    page.choose(archive)
    answer = page.compare("folder")
    assert [one["name"] for one in answer["submissions"]] == ["ann", "bob", "cleo", "dan"]
    assert page.skipped() == {"honest.py": "too_large", "lying.py": "too_large"}


def test_members_of_a_zip_that_cannot_be_read_are_skipped(page: ComparePage, tmp_path: Path) -> None:
    archive = zipped(hand_ins(tmp_path / "hand-ins"), tmp_path / "hand-ins.zip")
    link = zipfile.ZipInfo("dan/link.py")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(archive, "a") as opened:
        opened.writestr(link, "main.py")
        opened.writestr("../../outside/up.py", sample("python"))
        opened.writestr("/absolute/root.py", sample("python"))
        opened.writestr("dan/packed.py", sample("python"), zipfile.ZIP_BZIP2)
        opened.writestr("dan/damaged.py", b"damaged = 1\n" * 20)
    data = archive.read_bytes()
    archive.write_bytes(data.replace(b"damaged = 1\n", b"damaged = 2\n", 1))
    page.choose(archive)
    answer = page.compare("folder")
    assert [one["name"] for one in answer["submissions"]] == ["..", "absolute", "ann", "bob", "cleo", "dan"]
    assert page.skipped() == {"dan/link.py": "symlink", "dan/packed.py": "unreadable", "dan/damaged.py": "unreadable"}


@pytest.mark.parametrize("content", [b"", b"PK\5\6" + bytes(18), b"no zip at all" * 100, b"PK\5\6" + b"\xff" * 18])
def test_what_is_no_zip_is_said(page: ComparePage, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.zip").write_bytes(content)
    page.open(tmp_path / "broken.zip")
    if content.startswith(b"PK\5\6\0"):  # a zip without files
        expect(page.page.locator(".sources li")).to_contain_text("0 files")
    else:
        expect(page.page.locator("#problem")).to_contain_text("broken.zip cannot be read as a zip")


def test_names_are_shown_as_they_are(page: ComparePage, tmp_path: Path) -> None:
    folder = tmp_path / "<b>hand-ins"
    for name in NAMES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(sample("python") if name.endswith(".py") else "text\n")
    page.choose(folder)
    assert page.listed() == [f"<b>hand-ins/ {len(NAMES)} files"]
    answer = page.compare("file")
    assert {one["name"] for one in answer["submissions"]} == {*NAMES}
    report = page.page.locator("#report")
    expect(report).to_contain_text("<img src=x onerror=alert(1)>.py")
    expect(report).to_contain_text("<U+202E>gnp.py")
    assert page.page.locator("#report img, #report b script").count() == 0


def test_stop_ends_the_work_and_the_page_goes_on(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    for number in range(8):  # each takes until the limit on the time of a parse
        (folder / "dan" / f"bomb{number}.java").write_bytes(BOMBS["java"] + b" " * number)
    page.choose(folder)
    page.start("folder")
    expect(page.page.locator("#done")).to_contain_text("of 12")
    page.page.get_by_role("button", name="Stop").click()
    expect(page.page.locator("#choose")).to_be_visible()
    assert page.listed() == ["hand-ins/ 12 files"]
    page.page.get_by_role("button", name="Remove hand-ins/").click()
    own = hand_ins(tmp_path / "others")
    page.choose(own)
    assert comparable(page.compare("folder")) == by_the_command([own], by="folder")
