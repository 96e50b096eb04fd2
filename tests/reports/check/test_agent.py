"""The report for coding agents."""

from __future__ import annotations

import dataclasses

import pytest

from tests.results import answers
from wherefrom.model import Rule
from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports.check.text import RENDERERS
from wherefrom.reports.renderer import Look


def written(report: CheckReport) -> list[str]:
    return "".join(RENDERERS["agent"].write(report, Look())).splitlines()


def test_a_line_says_what_is_copied_from_where_and_the_end_what_to_do() -> None:
    report = answers.check_report()
    lines = written(report)
    failing = [finding for finding in report.failing if finding.rule is Rule.COPIED_UNATTRIBUTED]
    assert failing
    for finding in failing:
        [line] = [line for line in lines if line.startswith(f"{finding.path}:{finding.region.lines}: ")]
        assert finding.places[0].occurrence.path in line
    assert any(line.startswith("copied-unattributed: write your own code") for line in lines)


@pytest.mark.parametrize("number", [0, 1, 32, 33, 500])
def test_it_has_at_most_forty_lines(number: int) -> None:
    report = answers.check_report()
    one = report.failing[0]
    findings = tuple(
        dataclasses.replace(one, path=f"\x1b[31m{at}\u202e.py", rule=rule, copy=None)
        for at in range(number)
        for rule in Rule
    )
    report = dataclasses.replace(report, findings=findings, fail_on=tuple(Rule), folders=())
    lines = written(report)
    assert len(lines) <= 40
    assert not {"\x1b", "\u202e"} & set("".join(lines))
    assert any("more; run" in line for line in lines) == (number > 32)
    assert all(len(line) <= 400 for line in lines)
