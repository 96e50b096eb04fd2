"""A check as GitLab's code quality report has what GitLab's documentation asks for, and no finding hides another."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.check.bills import report
from wherefrom.model import Rule
from wherefrom.projects.check.findings import Acceptance, CheckReport
from wherefrom.reports.check.text import RENDERERS
from wherefrom.reports.renderer import Look
from wherefrom.reports.sarif import write_gitlab as write

# As the documentation says it; GitLab publishes no schema. A path starts with no `./`.
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "array",
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "additionalProperties": False,
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": r"^(?!\.?/)"},
                    "lines": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}
VALIDATOR = jsonschema_rs.Draft202012Validator(SCHEMA)


def issues(checked: CheckReport) -> list[dict[str, Any]]:
    """The objects of a report that fits the schema."""
    text = "".join(write(checked, Look()))
    assert text.isascii()
    found: list[dict[str, Any]] = json.loads(text)
    VALIDATOR.validate(found)
    return found


def test_the_schema_refuses_a_wrong_report() -> None:
    found = issues(report())
    found[0]["location"]["path"] = "./mine.py"
    assert not VALIDATOR.is_valid(found)


def test_a_finding_has_its_rule_its_lines_and_its_places() -> None:
    checked = report()
    finding, issue = checked.findings[0], issues(checked)[0]
    assert issue["check_name"] == finding.rule
    assert issue["location"] == {"path": "mine.py", "lines": {"begin": finding.region.start_line}}
    assert "also appear elsewhere" in issue["description"]
    assert "github.com/x/y src/<b>.py:" in issue["description"]


def test_a_description_names_few_places_and_counts_the_others() -> None:
    checked = report()
    first = checked.findings[0]
    many = replace(first, places=first.places[:1] * 5, more=7)
    few = replace(first, places=first.places[:1], more=1)
    [all_of_many, all_of_few] = issues(replace(checked, findings=(many, few)))
    assert all_of_many["description"].endswith(" and 9 more locations")
    assert all_of_few["description"].endswith(" and 1 more location")


@pytest.mark.parametrize(
    ("rule", "fail_on", "severity"),
    [
        (Rule.LICENSE_CONFLICT, (Rule.LICENSE_CONFLICT,), "critical"),
        (Rule.COPIED_UNATTRIBUTED, (Rule.COPIED_UNATTRIBUTED,), "major"),
        (Rule.COPIED_ATTRIBUTED, (Rule.COPIED_ATTRIBUTED,), "major"),
        (Rule.COPIED_ATTRIBUTED, (Rule.COPIED_UNATTRIBUTED,), "info"),
        (Rule.COPIED_UNATTRIBUTED, (), "info"),
    ],
)
def test_the_severity_follows_from_the_verdict(rule: Rule, fail_on: tuple[Rule, ...], severity: str) -> None:
    checked = report()
    found = issues(replace(checked, findings=(replace(checked.findings[0], rule=rule),), fail_on=fail_on))
    assert [issue["severity"] for issue in found] == [severity]


def test_a_finding_keeps_its_fingerprint_when_lines_move_and_places_change() -> None:
    checked = report()
    first = checked.findings[0]
    region = replace(first.region, start_line=first.region.start_line + 70, end_line=first.region.end_line + 70)
    [before] = issues(replace(checked, findings=(first,)))
    [after] = issues(replace(checked, findings=(replace(first, region=region, places=(), more=3),)))
    assert before["fingerprint"] == after["fingerprint"]
    assert before["location"] != after["location"]


def test_no_two_findings_have_one_fingerprint() -> None:
    checked = report()
    first = checked.findings[0]
    others = (replace(first, path="b.py"), replace(first, rule=Rule.LICENSE_CONFLICT), replace(first, fingerprint="g"))
    found = issues(replace(checked, findings=(first, first, *others)))
    assert len({issue["fingerprint"] for issue in found}) == len(found) == 5


def test_accepted_findings_are_left_out_and_no_findings_are_an_array() -> None:
    checked = report()
    accepted = tuple(replace(finding, accepted=Acceptance("baseline")) for finding in checked.findings)
    assert issues(replace(checked, findings=accepted)) == []
    assert "gitlab" in RENDERERS


names = st.text(min_size=1, max_size=20)


@given(names, names)
def test_with_any_names_the_report_fits_the_schema(owner: str, path: str) -> None:
    for issue in issues(report(repository=f"github.com/{owner}", path=path)):
        assert "\n" not in issue["description"]
        assert issue["description"].isprintable()
