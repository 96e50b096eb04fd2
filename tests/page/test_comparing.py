"""Folders, files and zips that are dropped get the answer of the command."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browsing import opened
from tests.page.dropping import ComparePage, FileServer, by_the_command, comparable
from tests.page.handing_in import ENDINGS, hand_ins, renamed, sample, zipped

LANGUAGES = ("python", "c", "java", "javascript")


@pytest.mark.parametrize("by", ["file", "folder", "repository"])
def test_a_dropped_folder_gets_the_answer_of_the_command(page: ComparePage, tmp_path: Path, by: str) -> None:
    folder = hand_ins(tmp_path / "hand-ins", *LANGUAGES)
    (folder / "ann" / ".svn").mkdir()
    (folder / "ann" / ".svn" / "config.py").write_text(sample("python"))
    (folder / "notes.bin").write_bytes(b"\0\1")
    page.drop(folder)
    if by == "repository":
        page.start(by)
        expect(page.page.locator("#problem")).to_contain_text("there is nothing to compare: only hand-ins was read")
        return
    answer = page.compare(by)
    assert comparable(answer) == by_the_command([folder], by=by)
    assert answer["pairs"]


def test_several_folders_are_a_submission_each(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins", *LANGUAGES)
    paths = [folder / name for name in ("ann", "bob", "cleo")]
    page.drop(*paths)
    assert page.listed() == ["ann/ 4 files", "bob/ 4 files", "cleo/ 4 files"]
    assert comparable(page.compare()) == by_the_command(paths, by="repository")


def test_folders_of_one_name_are_told_apart(page: ComparePage, tmp_path: Path) -> None:
    text = sample("python")
    for parent in ("one", "two"):
        (tmp_path / parent / "work").mkdir(parents=True)
        (tmp_path / parent / "work" / "main.py").write_text(text)
        (tmp_path / parent / "work" / "picture.py").write_bytes(b"\0" * 99)
        page.drop(tmp_path / parent / "work")
    answer = page.compare()
    assert [one["name"] for one in answer["submissions"]] == ["work", "work (2)"]
    assert [pair["similarity"] for pair in answer["pairs"]] == [1]
    assert page.skipped() == {"work/picture.py": "binary", "work (2)/picture.py": "binary"}


def test_template_code_and_earlier_work(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    text = sample("python")
    (tmp_path / "handed-out").mkdir()
    (tmp_path / "handed-out" / "start.py").write_text(text[: len(text) // 4])
    old = tmp_path / "last-year"
    (old / "kim").mkdir(parents=True)
    (old / "kim" / "main.py").write_text(renamed(text))
    page.choose(folder)
    page.drop(tmp_path / "handed-out", role="template")
    page.choose(old, role="archive")
    answer = page.compare("folder")
    wanted = by_the_command([folder], by="folder", template=[tmp_path / "handed-out"], archive=[old])
    assert comparable(answer) == wanted
    assert wanted["counts"]["boilerplate_tokens"] > 0
    assert {one["role"] for one in answer["submissions"]} == {"submission", "archive"}


def test_a_zip_is_compared_like_its_folder(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins", *LANGUAGES)
    archive = zipped(folder, tmp_path / "hand-ins.zip")
    page.choose(archive)
    answer = comparable(page.compare("folder"))
    assert answer == by_the_command([archive], by="folder") == by_the_command([folder], by="folder")


def test_files_are_chosen_together(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    files = []
    for name in ("ann", "bob", "cleo"):
        files.append(tmp_path / f"{name}.py")
        files[-1].write_bytes((folder / name / "main.py").read_bytes())
    page.choose(*files)
    assert comparable(page.compare()) == by_the_command(files)


@pytest.mark.parametrize(
    ("wrap", "language"),
    [
        ("{}", ""),
        ("{}", "python"),
        ("Somebody has this:\n\n```python\n{}\n```\n", ""),
    ],
)
def test_the_pairs_of_a_snippet_are_first(page: ComparePage, tmp_path: Path, wrap: str, language: str) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    text = sample("python")
    own = "\n".join(reversed(text.splitlines()))
    (folder / "dan" / "main.py").write_text(own)
    page.choose(folder)
    page.paste(wrap.format(own[: len(own) // 3]), language)
    answer = page.compare("folder")
    snippet = [one["name"] for one in answer["submissions"]].index("pasted snippet")
    holders = {
        name
        for pair in answer["pairs"]
        if snippet in (pair["left"], pair["right"])
        for name in (answer["submissions"][pair[side]]["name"] for side in ("left", "right"))
    }
    assert "dan" in holders
    first = page.page.locator("#pair-list .list-rows [role=row]").first
    expect(first).to_contain_text("pasted snippet")


def test_a_further_comparison_reads_only_what_is_new(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins", *LANGUAGES)
    page.choose(folder)
    assert comparable(page.compare("file")) == by_the_command([folder])
    page.again()
    assert comparable(page.compare("folder")) == by_the_command([folder], by="folder")
    page.again()
    page.page.get_by_role("button", name="Remove hand-ins/").click()
    assert page.listed() == []
    expect(page.page.locator("#compare")).to_be_disabled()


def test_a_content_is_read_by_its_names(page: ComparePage, tmp_path: Path) -> None:
    """Files with one content are one text for the command, and one of its names decides how it is read. An earlier
    comparison changes nothing.
    """
    text = sample("c")
    for names, languages in (
        (("ann/a.py", "bob/b.c"), {"python"}),
        (("cleo/c.txt", "dan/d.java"), {"java"}),
        (("eve/e.txt", "fay/f.md"), {"markdown"}),
        (("guy/x.py", "guy.rb"), {"ruby"}),
    ):
        folder = tmp_path / names[0].partition("/")[0]
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        page.choose(folder)
        answer = page.compare("folder")
        assert comparable(answer) == by_the_command([folder], by="folder")
        assert {file["language"] for file in answer["files"]} == languages
        page.again()
        page.page.get_by_role("button", name="Remove").click()


def test_no_order_of_sources_decides_how_a_content_is_read(page: ComparePage, tmp_path: Path) -> None:
    """Earlier work is compared as well. Template code is read by its own names."""
    first, second, old, template = (tmp_path / name for name in ("z", "y", "old", "handed-out"))
    for folder, name in ((first, "a.txt"), (second, "a.c"), (old, "a.py"), (template, "start.py"), (tmp_path, "a.md")):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(sample("c"))
    page.choose(old, role="archive")
    page.choose(template, role="template")
    page.choose(first)
    page.choose(second)
    answer = page.compare("folder")
    options = {"by": "folder", "archive": [old], "template": [template]}
    assert comparable(answer) == by_the_command([first, second], **options)
    assert {file["language"] for file in answer["files"]} == {"python"}
    page.again()
    page.choose(tmp_path / "a.md")
    answer = page.compare("folder")
    wanted = by_the_command([first, second, tmp_path / "a.md"], **options)
    assert comparable(answer)["files"] == wanted["files"]
    assert {file["language"] for file in answer["files"]} == {"python"}


def test_a_decision_holds_for_the_contents_of_its_pair(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    page.choose(folder)
    decided = page.page.locator("#pair form.review input[name=note]")
    for content, note in (("", "same lab"), ("more = 1\n", ""), ("", "same lab")):
        if content != "":
            (folder / "bob" / "main.py").write_text(sample("python") + content)
        else:
            (folder / "bob" / "main.py").write_text(sample("python"))
        page.page.get_by_role("button", name="Remove hand-ins/").click()
        page.choose(folder)
        page.compare("folder")
        page.page.locator("#pair-list .list-rows [role=row]").first.click()
        if note and not page.page.evaluate("Object.keys(localStorage).length"):
            decided.fill(note)
        expect(decided).to_have_value(note)
        page.again()


def test_a_saved_report_opens_by_itself(
    page: ComparePage, server: FileServer, browser: Browser, tmp_path: Path
) -> None:
    page.choose(hand_ins(tmp_path / "hand-ins", *LANGUAGES))
    answer = page.compare("folder")
    saved = page.save(tmp_path)
    with opened(browser, saved) as report:
        expect(report.page.locator("#summary")).to_contain_text(f"{len(answer['pairs'])} pairs found")
        report.page.locator("#pair-list .list-rows [role=row]").first.click()
        expect(report.page.locator("#pair pre").first).to_be_visible()
        assert report.violations() == []


@pytest.mark.nightly
def test_ten_thousand_files(page: ComparePage, tmp_path: Path) -> None:
    lines = sample("python").splitlines()
    folder = tmp_path / "many"
    for number in range(10_000):
        path = folder / f"{number % 100:02}" / f"{number}.{ENDINGS['python']}"
        path.parent.mkdir(parents=True, exist_ok=True)
        begin = number % (len(lines) - 10)
        path.write_text("\n".join([f"name_{number} = {number}", *lines[begin : begin + 10], ""]))
    page.choose(folder)
    answer = page.compare("folder")
    assert (answer["counts"]["submissions"], answer["counts"]["files"]) == (100, 10_000)
