from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks import pages

PAGE = "Before.\n<!-- figures: begin -->\nold\n<!-- figures: end -->\nAfter.\n"


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository in place of the project's own."""
    folder = tmp_path / "code"
    (folder / "wherefrom").mkdir(parents=True)
    (folder / "wherefrom" / "a.py").write_text("a = 1\n")
    git(folder, "init", "--quiet")
    commit(folder)
    monkeypatch.setattr(pages, "ROOT", folder)
    return folder


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(("git", "-C", str(folder), *arguments), check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "--message", "t")


def test_only_what_stands_between_the_marks_is_replaced(code: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    for text in ("new \\1", "newer"):
        pages.check(page, "figures")
        pages.publish(text, pages.state(), page, "figures")
        assert page.read_text() == PAGE.replace("old", text)
    assert code.exists()


@pytest.mark.parametrize("text", ["", PAGE + PAGE, PAGE.replace("figures", "others"), "<!-- figures: begin -->"])
def test_a_page_without_just_one_pair_of_marks_is_refused(code: Path, tmp_path: Path, text: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    with pytest.raises(SystemExit, match="needs the lines <!-- figures: begin -->"):
        pages.check(page, "figures")
    with pytest.raises(SystemExit, match="no such page"):
        pages.check(code / "page.md", "figures")


def test_code_that_is_not_committed_is_named_and_writes_no_page(code: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    assert "not committed" not in pages.state()
    (code / "wherefrom" / "b.py").write_text("b = 1\n")
    assert "not committed" in pages.state()
    with pytest.raises(SystemExit, match="not committed"):
        pages.check(page, "figures")


def test_figures_of_code_that_changes_meanwhile_are_printed_but_not_written(
    code: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    before = pages.state()
    (code / "wherefrom" / "a.py").write_text("a = 2\n")
    commit(code)
    with pytest.raises(SystemExit, match="has changed during the run"):
        pages.publish("new", before, page, "figures")
    assert page.read_text() == PAGE
    assert capsys.readouterr().out == "new\n\n"
