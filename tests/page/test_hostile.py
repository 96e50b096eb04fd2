"""Hostile files: the page skips them, says so, and compares the others."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.dropping import ComparePage, by_the_command, comparable, until
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


def test_a_zip_of_macos_has_the_files_of_its_folder(page: ComparePage, tmp_path: Path) -> None:
    """Its names are UTF-8 without the flag that says so, one folder is around all, and it has files of the system."""
    folder = hand_ins(tmp_path / "hand-ins")
    (folder / "dan").rename(folder / "Zoë")
    archive = tmp_path / "hand-ins.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        for path in sorted(folder.rglob("*.py")):
            name = f"hand-ins/{path.relative_to(folder)}"
            opened.write(path, name)
            opened.writestr(f"__MACOSX/{name.replace('main', '._main')}", b"\0\5\x16\7")
        opened.writestr("hand-ins/.DS_Store", b"\0\0\0\1Bud1")
    archive.write_bytes(flagless(archive.read_bytes()))
    page.choose(archive)
    assert page.listed() == ["hand-ins.zip 4 files"]
    assert comparable(page.compare()) == by_the_command([folder], by="folder")
    assert page.skipped() == {}


def flagless(data: bytes) -> bytes:
    """A zip without the flags that say that a name is UTF-8."""
    changed = bytearray(data)
    for mark, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = data.find(mark)
        while at >= 0:
            changed[at + flags + 1] &= ~8
            at = data.find(mark, at + 1)
    return bytes(changed)


def test_a_zip_of_windows_has_the_names_of_its_files(page: ComparePage, tmp_path: Path) -> None:
    archive = tmp_path / "hand-ins.zip"
    names = [r"ann\main.py", r"jürgen\src\main.py"]
    with zipfile.ZipFile(archive, "w") as opened:
        for name in names:
            info = zipfile.ZipInfo("x" * len(name))
            info.create_system = 0
            opened.writestr(info, sample("python"))
    data = archive.read_bytes()
    for name in reversed(names):
        data = data.replace(b"x" * len(name), name.encode("cp437"))
    archive.write_bytes(data)
    page.choose(archive)
    answer = page.compare("folder")
    assert [one["name"] for one in answer["submissions"]] == ["ann", "jürgen"]
    assert [file["path"] for file in answer["files"]] == ["ann/main.py", "jürgen/src/main.py"]


def test_all_zips_have_one_budget_that_a_further_reading_does_not_use(page: ComparePage, tmp_path: Path) -> None:
    archives = [zipped(hand_ins(tmp_path / name), tmp_path / f"{name}.zip") for name in ("one", "two")]
    read = """async (budget) => {
        const { chosen } = await import("./sources.js");
        const found = (await chosen(document.getElementById("files-input").files)).flatMap(({ entries }) => entries);
        const contents = [];
        for (const entry of found) contents.push(await entry.read(1_000_000, budget));
        for (const entry of found) await entry.read(1_000_000);
        return [contents.map((content) => (typeof content === "string" ? content : content.length)), budget.left];
    }"""
    page.choose(*archives)
    sizes = [path.stat().st_size for name in ("one", "two") for path in sorted((tmp_path / name).rglob("*.py"))]
    assert page.page.evaluate(read, {"left": sum(sizes) + 7}) == [sizes, 7]
    contents, _ = page.page.evaluate(read, {"left": sum(sizes) - 1})
    assert contents == [*sizes[:-1], "too_large"]


def test_a_zip_of_many_repositories_is_listed(page: ComparePage, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as opened:
        for folder in range(25_000):
            for name in ("HEAD", "config"):
                opened.writestr(f"{folder}/{name}", "")
    page.choose(tmp_path / "many.zip")
    assert page.listed() == ["many.zip 50,000 files"]


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


@pytest.mark.parametrize("stage", ["reading", "analyzing", "comparing", "reporting"])
def test_nothing_of_a_stopped_comparison_appears_later(page: ComparePage, tmp_path: Path, stage: str) -> None:
    """The work waits at a stage until it was stopped, and goes on during the next comparison."""
    held = {
        "reading": "hold(Blob.prototype, 'arrayBuffer')",
        "analyzing": "hold(crypto.subtle, 'digest')",
        "comparing": "hold(Worker.prototype, 'postMessage', (message) => 'asked' in message)",
        "reporting": "hold(Response.prototype, 'arrayBuffer')",
    }
    folder = hand_ins(tmp_path / "hand-ins")
    page.choose(folder)
    page.compare("folder")  # the grammar is loaded
    page.again()
    page.page.evaluate(
        """(call) => {
            const waiting = [];
            function hold(owner, name, isHeld = () => true) {
                const before = owner[name];
                owner[name] = function (...given) {
                    if (window.isReleased || !isHeld(...given)) return before.apply(this, given);
                    window.held = true;
                    return new Promise((resolve) => waiting.push(() => resolve(before.apply(this, given))));
                };
            }
            window.release = () => {
                window.isReleased = true;
                waiting.forEach((go) => go());
            };
            eval(call);
        }""",
        held[stage],
    )
    page.start("file")
    until(page.page, "window.held === true")
    page.page.get_by_role("button", name="Stop").click()
    page.page.get_by_role("button", name="Remove hand-ins/").click()
    own = hand_ins(tmp_path / "others", "python", "c")
    page.choose(own)
    page.page.evaluate("window.release()")
    page.page.evaluate("new Promise((resolve) => setTimeout(resolve))")
    expect(page.page.locator("#choose")).to_be_visible()
    assert page.problem() == ""
    assert comparable(page.compare("folder")) == by_the_command([own], by="folder")
    expect(page.page.locator("#report")).not_to_contain_text("hand-ins")


def test_a_folder_that_cannot_be_listed_is_named(page: ComparePage) -> None:
    left_out = page.page.evaluate(
        """async () => {
            const { dropped } = await import("./sources.js");
            const file = (name) => ({ name, isFile: true, file: (found) => found(new File(["x"], name)) });
            const folder = (name, ...batches) => ({ name, isDirectory: true, createReader: () => ({
                readEntries: (found, failed) => (batches.length ? found(batches.shift()) : failed()),
            }) });
            const secret = folder("secret", [file("a.py")]);
            const whole = folder("hand-ins", [file("b.py"), secret, file("c.py")], []);
            const item = { kind: "file", webkitGetAsEntry: () => whole };
            const [{ entries }] = await dropped({ items: [item] });
            return entries.map(({ path, skip }) => [path, skip]);
        }"""
    )
    assert left_out == [["b.py", None], ["c.py", None], ["secret", "unreadable"], ["secret/a.py", None]]
