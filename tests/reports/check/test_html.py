"""The page of a check has one section for each piece, and leaves out the least important ones if there are many."""

from __future__ import annotations

from dataclasses import replace

import pytest
from turbohtml import parse

from tests.results.answers import check_report
from wherefrom.model import Rule
from wherefrom.projects.check.findings import CheckReport, FileCopy, Finding, FolderCopy
from wherefrom.reports.check import html, words
from wherefrom.reports.renderer import Look


def page(report: CheckReport) -> str:
    return "".join(html.write(report, Look()))


def of_files(*findings: Finding, folders: tuple[FolderCopy, ...] = ()) -> CheckReport:
    made = check_report()
    contents = {finding.path: made.contents["mine.py"] for finding in findings}
    return replace(made, findings=findings, contents=contents, folders=folders, stale=(), unexplained=())


def test_the_rules_of_a_piece_are_one_section_with_its_places_once() -> None:
    failing = check_report().findings[0]
    conflict = replace(failing, rule=Rule.LICENSE_CONFLICT, licenses=("MIT",))
    document = parse(page(of_files(failing, conflict)))
    [section] = document.select("section")
    assert section.attrs["class"] == ["entry", "failing"]
    assert [title.text for title in document.select("h3")] == ["Lines 2-12"]
    assert [badge.text for badge in section.select(".badge")] == ["copied-unattributed", "license-conflict"]
    assert len(document.select("section p")) >= 2
    assert len(document.select("section > ul > li")) == len(failing.places) + 1  # one item says how many more there are
    assert len(document.select(".sides")) == 1


def test_failing_and_long_entries_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    failing, _, note = check_report().findings
    findings = [replace(note, path=f"a{number:02}.py") for number in range(30)]
    findings += [replace(note, path="long.py", tokens=500), replace(failing, path="z.py")]
    monkeypatch.setattr(html, "MOST_BYTES", 30_000)
    monkeypatch.setattr(html, "CODE_BYTES", 15_000)
    document = parse(page(of_files(*findings)))
    shown = [title.text for title in document.select("details h2")]
    assert shown[-2:] == ["long.py", "z.py"]
    assert shown == sorted(shown)
    assert 2 < len(shown) < 30
    [note_on_top] = [part.text for part in document.select("p.soft") if "So that this page opens at once" in part.text]
    without_code = len(shown) - len(document.select(".sides"))
    assert 0 < without_code < len(shown)
    assert (
        f"of its 32 entries the code of {without_code} is left out, and {32 - len(shown)} are left out" in note_on_top
    )
    assert [details.select("section")[0].attrs["class"] for details in document.select("details")][-1] == [
        "entry",
        "failing",
    ]
    assert [details.select("summary")[0].text for details in document.select("details")][
        -1
    ] == "z.py 1 entry, 1 to look at"


@pytest.mark.parametrize(("rule", "kind"), [(Rule.COPIED_UNATTRIBUTED, "failing"), (Rule.COPIED_ATTRIBUTED, "note")])
def test_a_folder_has_the_state_of_its_files(rule: Rule, kind: str) -> None:
    first = replace(check_report().findings[0], rule=rule, copy=FileCopy(True, 1.0, 2))
    paths = tuple(f"deps/{name}.py" for name in "abc")
    folder = FolderCopy("deps", "github.com/x/y", "src", paths, 3)
    document = parse(page(of_files(*(replace(first, path=path) for path in paths), folders=(folder,))))
    [section] = document.select("section")
    assert section.attrs["class"] == ["entry", kind]
    assert len(section.select("li")) == 3


def test_a_copied_file_is_shown_with_both_sides() -> None:
    finding = replace(check_report().findings[0], copy=FileCopy(True, 1.0, 2))
    document = parse(page(of_files(finding)))
    assert "The whole file" in document.select("section h3")[0].text
    piece = parse(page(of_files(replace(finding, copy=None))))
    assert [side.text for side in document.select(".sides")] == [side.text for side in piece.select(".sides")] != []


def test_the_columns_of_the_summary_add_up_to_the_findings() -> None:
    piece = check_report().findings[0]
    file = replace(piece, copy=FileCopy(True, 1.0, 2))
    paths = tuple(f"deps/{name}.py" for name in "abc")
    copied = [replace(file, path=path) for path in paths]
    noted = [replace(it, rule=Rule.COPIED_ATTRIBUTED) for it in copied[:2]]
    older = [replace(copied[2], is_older=True)]
    folder = FolderCopy("deps", "github.com/x/y", "src", paths, 3)
    report = of_files(piece, replace(file, path="mine2.py"), *copied[:2], *noted, *older, folders=(folder,))
    failing, accepted, notes = words.tallies(report)
    assert (failing, accepted, notes) == (3, 0, 2)
    rows = words.counted(report)["rule"].values()
    assert sum(len(row.folders) + row.files + row.pieces for row in rows) == failing + notes
