"""Since when the project and others have a piece of code, and when that makes a finding a note."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest

from tests.end_to_end.test_check import LEVELS, OTHERS, OWN, ROUTES
from tests.repositories import Repository
from tests.schemas import schema
from wherefrom import index_sources, open_index
from wherefrom.projects.check.findings import CheckReport, Finding
from wherefrom.reports import sarif
from wherefrom.reports.check import html, text
from wherefrom.reports.renderer import Look
from wherefrom.results import Doubt

pytestmark = pytest.mark.thorough

CODE = b"import heapq\n\n\n" + ROUTES


class World:
    """Repositories with commits of given days, an index with their history, and a project that is checked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = self.repository("project", {"2009-01-01": {"ledger.py": OWN}})

    def repository(self, name: str, commits: dict[str, dict[str, bytes]]) -> Repository:
        """A repository with a commit for each day."""
        made = Repository.make(self.folder / name)
        for day, files in commits.items():
            made.commit(files, day=day)
        return made

    def index(self, *names: str, history: bool = True) -> Path:
        index = self.folder / "index"
        report = index_sources([self.folder / name for name in names], index, history=history, jobs=1)
        assert {found.status for found in report.repositories} == {"indexed"}
        return index

    def report(self, *names: str, history: bool = True) -> CheckReport:
        with open_index(self.index(*names, history=history)) as opened:
            return opened.check([self.project.folder])

    def finding(self, *names: str) -> Finding:
        report = self.report(*names)
        jsonschema_rs.validate(schema("check"), report.to_dict())
        [finding] = report.findings
        assert (report.failing == ()) == finding.is_older
        return finding


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def days(finding: Finding) -> tuple[str | None, str | None]:
    since, age = finding.since, finding.places[0].age
    return None if since is None else since.day, None if age is None else age.first.day


def theirs(world: World, day: str = "2018-03-04", *, root: str = "2012-01-01") -> Repository:
    return world.repository("theirs", {root: dict(OTHERS), day: {"routes.py": CODE}})


def test_code_that_was_here_first_is_a_note(world: World) -> None:
    theirs(world)
    written = world.project.commit({"src/routes.py": CODE}, day="2015-06-07")
    world.project.commit({"src/routes.py": CODE + b"\n\n" + OWN}, day="2020-01-01")
    finding = world.finding("theirs")
    assert finding.is_older
    assert days(finding) == ("2015-06-07", "2018-03-04")
    assert finding.since is not None
    assert (finding.since.commit, finding.since.doubts) == (written, ())


def test_code_that_was_elsewhere_first_fails(world: World) -> None:
    theirs(world)
    world.project.commit({"src/routes.py": CODE}, day="2019-06-07")
    finding = world.finding("theirs")
    assert not finding.is_older
    assert days(finding) == ("2019-06-07", "2018-03-04")


def test_without_a_history_nothing_is_dated(world: World) -> None:
    theirs(world)
    world.project.commit({"src/routes.py": CODE}, day="2015-06-07")
    [finding] = world.report("theirs", history=False).findings
    assert (days(finding), finding.is_older) == ((None, None), False)


def test_the_history_of_the_project_may_be_in_the_index(world: World) -> None:
    theirs(world)
    world.project.commit({"src/routes.py": CODE}, day="2015-06-07")
    world.project.git("clone", "--quiet", "--depth", "1", f"file://{world.project.folder}", world.folder / "shallow")
    for clone in (world.project, Repository(world.folder / "shallow")):
        clone.git(
            "remote", *(("add",) if clone is world.project else ("set-url",)), "origin", "https://example.org/me/p"
        )
    with open_index(world.index("theirs")) as opened:
        [finding] = opened.check([world.folder / "shallow"]).findings
    assert (days(finding), finding.is_older) == ((None, "2018-03-04"), False)
    with open_index(world.index("project")) as opened:
        [finding] = opened.check([world.folder / "shallow"]).findings
    assert (days(finding), finding.is_older) == (("2015-06-07", "2018-03-04"), True)


def test_a_change_that_is_not_committed_has_no_day(world: World) -> None:
    theirs(world)
    world.project.commit({"src/routes.py": CODE}, day="2015-06-07")
    world.project.write({"src/routes.py": CODE + b"\n\n" + OWN})
    finding = world.finding("theirs")
    assert (days(finding), finding.is_older) == ((None, "2018-03-04"), False)


def test_one_newer_line_here_is_enough_to_fail(world: World) -> None:
    theirs(world)
    older = CODE.replace(
        b"        distance, place = heapq.heappop(waiting)\n", b"        distance, place = waiting.pop()\n"
    )
    world.project.commit({"src/routes.py": older}, day="2015-06-07")
    world.project.commit({"src/routes.py": CODE}, day="2019-06-07")
    finding = world.finding("theirs")
    assert (days(finding), finding.is_older) == (("2019-06-07", "2018-03-04"), False)


def test_a_date_here_that_is_before_earlier_commits_proves_nothing(world: World) -> None:
    theirs(world)
    world.project.commit({"ledger.py": b"# 2020\n" + OWN}, day="2020-01-01")
    world.project.commit({"other.py": b"x = 1\n"}, day="2010-01-01")
    world.project.commit({"src/routes.py": CODE}, day="2010-01-02")  # in order with its parent
    finding = world.finding("theirs")
    assert finding.since is not None
    assert finding.since.doubts == (Doubt.OUT_OF_ORDER,)
    assert (days(finding), finding.is_older) == (("2010-01-02", "2018-03-04"), False)


def test_vendored_code_is_not_older(world: World) -> None:
    theirs(world)
    world.project.commit({"vendor/routes.py": CODE}, day="2015-06-07")
    finding = world.finding("theirs")
    assert finding.since is not None
    assert finding.since.doubts == (Doubt.VENDORED,)
    assert not finding.is_older


@pytest.mark.parametrize("how", ["root", "author", "merge", "moved"])
def test_code_that_may_be_older_elsewhere_fails(world: World, how: str) -> None:
    world.project.commit({"src/routes.py": CODE}, day="2015-06-07")
    made = world.repository("theirs", {"2012-01-01": {**OTHERS, "first.py": LEVELS}} if how != "root" else {})
    match how:
        case "root":
            made.commit({**OTHERS, "routes.py": CODE}, day="2018-03-04")
        case "author":
            made.commit({"routes.py": CODE}, day="2018-03-04", written="2011-01-01")
        case "merge":
            made.git("checkout", "--quiet", "-b", "topic")
            made.commit({"routes.py": CODE}, day="2014-01-01")
            made.git("checkout", "--quiet", "main")
            dates = dict.fromkeys(("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"), "2018-03-04T00:00:00Z")
            made.git("merge", "--quiet", "--no-ff", "-m", "Merge", "topic", variables=dates)
        case "moved":
            made.commit({"first.py": LEVELS + b"\n\n" + ROUTES}, day="2013-01-01")
            made.commit({"first.py": LEVELS, "routes.py": CODE}, day="2018-03-04")
    finding = world.finding("theirs")
    there = "2013-01-01" if how == "moved" else "2018-03-04"
    assert (days(finding), finding.is_older) == (("2015-06-07", there), False)


def test_code_that_another_repository_had_before_fails(world: World) -> None:
    theirs(world)
    world.repository(
        "gone", {"2010-01-01": {"a.py": LEVELS}, "2011-01-01": {"b.py": CODE}, "2012-01-01": {"b.py": b"x = 1\n"}}
    )
    world.project.commit({"src/routes.py": CODE}, day="2015-06-07")
    finding = world.finding("theirs", "gone")
    assert (days(finding), finding.is_older) == (("2015-06-07", "2018-03-04"), False)


def test_code_that_another_repository_of_unknown_age_has_fails(world: World) -> None:
    theirs(world)
    world.repository("zzz", {"2019-01-01": {"a.py": LEVELS, "b.py": CODE}})
    world.project.commit({"src/routes.py": CODE}, day="2015-06-07")
    world.index("zzz", history=False)
    finding = world.finding("theirs")
    assert finding.places[0].count == 2
    assert not finding.is_older


def test_reports_say_both_days(world: World) -> None:
    theirs(world)
    world.project.commit({"src/routes.py": CODE}, day="2015-06-07")
    with open_index(world.index("theirs")) as opened:
        report = opened.check([world.project.folder])
        page = "".join(html.write(report, Look()))
    both = "here since 2015-06-07, there since 2018-03-04"
    written = "".join(text.write(report, Look()))
    assert "with no credit here; older here (a note)" in written
    assert f"        {both}\n" in written
    assert "nothing to look at, 1 note in" in written
    [result] = json.loads("".join(sarif.write_check(report, Look())))["runs"][0]["results"]
    assert result["level"] == "note"
    assert result["message"]["text"].split(" [")[0].endswith(f" Older here: {both}.")
    [issue] = json.loads("".join(sarif.write_gitlab(report, Look())))
    assert issue["severity"] == "info"
    assert both in issue["description"]
    assert both in page


def test_a_baseline_does_not_take_what_is_older_here(world: World) -> None:
    theirs(world)
    world.project.commit({"src/routes.py": CODE}, day="2015-06-07")
    baseline = world.folder / "baseline.json"
    with open_index(world.index("theirs")) as opened:
        opened.check([world.project.folder], baseline=baseline, update_baseline=True)
    assert json.loads(baseline.read_text())["findings"] == []
