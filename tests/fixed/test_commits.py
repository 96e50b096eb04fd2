"""Which commit, and which release, brought a fix to a copy."""

from __future__ import annotations

from pathlib import Path

import jsonschema_rs
import pytest

from tests.end_to_end.test_check import LEVELS, OTHERS
from tests.end_to_end.test_fixed import NEW, OLD, renamed
from tests.repositories import Repository
from tests.schemas import schema
from wherefrom import index_sources, open_index
from wherefrom.reports import fixed as text
from wherefrom.reports.renderer import Look
from wherefrom.results import Appearance, FixedReport, Form

pytestmark = pytest.mark.thorough


class Copies:
    """A project whose last commit is a fix, and copies of it in an index."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = self.repository("project", OLD)

    def repository(self, name: str, *contents: bytes, year: int = 2015) -> Repository:
        """A repository with a commit for each content, on the first of January of one year after the other."""
        made = Repository.make(self.folder / name)
        for at, content in enumerate(contents, year):
            made.commit({"blocks.py": content, **(OTHERS if at == year else {})}, day=f"{at}-01-01")
        return made

    def report(self, *names: str, fix: bytes = NEW, history: bool = True) -> FixedReport:
        self.project.commit({"blocks.py": fix})
        index = self.folder / "index"
        index_sources([self.folder / name for name in names], index, history=history, jobs=1)
        with open_index(index) as opened:
            found = opened.fixed("HEAD", project=self.project.folder)
        jsonschema_rs.validate(schema("fixed"), found.to_dict())
        return found


@pytest.fixture
def copies(tmp_path: Path) -> Copies:
    return Copies(tmp_path)


def fixes(report: FixedReport) -> dict[str, Appearance | None]:
    """The commit that fixed each copy with the new form, by the name of its folder."""
    return {
        Path(at.repository).name: fix
        for function in report.functions
        for location in function.of_form(Form.NEW)
        for at, fix in zip(location.occurrences, location.fixed_by, strict=True)
    }


def test_the_commit_that_brought_the_fix_is_named_with_its_release(copies: Copies) -> None:
    fork = copies.repository("fork", OLD, NEW, NEW + b"\n\n" + LEVELS)
    fork.git("tag", "v1", "HEAD~2")
    fork.git("tag", "v2", "HEAD")
    report = copies.report("fork")
    fixed = fork.git("rev-parse", "HEAD~1")
    found = fixes(report)["fork"]
    assert found is not None
    assert (found.commit, found.day, found.tag) == (fixed, "2016-01-01", "v2")
    assert f"    fixed by {fixed[:12]}, since 2016-01-01, released in v2\n" in "".join(text.write(report, Look()))


def test_copies_of_one_content_have_their_own_commits(copies: Copies) -> None:
    early = copies.repository("early", OLD, NEW)
    late = copies.repository("late", OLD, OLD + b"\n\n" + LEVELS, NEW)
    copies.repository("copied", renamed(NEW))
    report = copies.report("early", "late", "copied")
    found = {name: (fix.commit, fix.day, fix.tag) for name, fix in fixes(report).items() if fix is not None}
    assert found["early"] == (early.git("rev-parse", "HEAD"), "2016-01-01", None)
    assert found["late"] == (late.git("rev-parse", "HEAD"), "2017-01-01", None)
    assert found["copied"][1] == "2015-01-01"
    written = "".join(text.write(report, Look()))
    assert "since 2016-01-01, in no release" in written
    assert ", fixed by " in written


def test_a_fix_that_only_removes_code_names_no_commit(copies: Copies) -> None:
    removed = OLD.replace(b'    if kind not in stream.kinds:\n        raise stream.refuse("kind", kind)\n', b"")
    copies.repository("fork", OLD, removed)
    report = copies.report("fork", fix=removed)
    [location] = report.functions[0].of_form(Form.NEW)
    assert not any(location.fixed_by)


def test_without_a_history_no_commit_is_named(copies: Copies) -> None:
    copies.repository("fork", OLD, NEW)
    report = copies.report("fork", history=False)
    assert fixes(report) == {"fork": None}
    assert "fixed by" not in "".join(text.write(report, Look()))
