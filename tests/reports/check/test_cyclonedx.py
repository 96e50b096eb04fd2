"""A check as CycloneDX is as the official schema says, tells what is known, and no more."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.check.bills import CYCLONEDX, MADE, REVISION, is_cyclonedx, report
from tests.results.answers import BLOB
from wherefrom.model import KeyKind, Rule
from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports.check.cyclonedx import to_cyclonedx


def component(checked: CheckReport) -> dict[str, Any]:
    [only] = is_cyclonedx(to_cyclonedx(checked, MADE))["components"]
    assert isinstance(only, dict)
    return only


def test_the_schema_refuses_what_is_wrong() -> None:
    text = to_cyclonedx(report(), MADE)
    assert CYCLONEDX.validate_str(text.replace('"ast-fingerprint"', '"tea-leaves"')) is not None


def test_a_repository_is_a_component_with_its_evidence() -> None:
    only = component(report())
    assert (only["type"], only["name"], only["version"]) == ("library", "github.com/x/y", REVISION)
    assert (only["purl"], only["swhid"]) == (f"pkg:github/x/y@{REVISION}", [f"swh:1:rev:{REVISION}"])
    assert only["externalReferences"] == [{"type": "vcs", "url": "https://github.com/x/y"}]
    [identity] = only["evidence"]["identity"]
    assert (identity["field"], identity["concludedValue"]) == ("purl", only["purl"])
    [method] = identity["methods"]
    assert (method["technique"], method["confidence"], identity["confidence"]) == ("ast-fingerprint", 1, 1)
    assert only["evidence"]["licenses"] == [{"license": {"id": "MIT"}}]
    assert "licenses" not in only


def test_pieces_are_occurrences_accepted_ones_too() -> None:
    occurrences = component(report())["evidence"]["occurrences"]
    assert [(each["location"], each["line"], each["offset"]) for each in occurrences] == [
        ("mine.py", 2, 26),
        ("mine.py", 3, 35),
        ("mine.py", 3, 35),
    ]
    assert sorted(each["additionalContext"] for each in occurrences) == [
        "lines 2-12, 31 tokens: copied-unattributed",
        "lines 3-12, 31 tokens: copied-attributed",
        "lines 3-12, 31 tokens: copied-unattributed (accepted by a comment: mine <too>)",
    ]


def test_what_the_project_names_is_an_ancestor_and_all_else_a_variant() -> None:
    pedigree = component(report())["pedigree"]
    for kind in ("ancestors", "variants"):
        [file] = pedigree[kind]
        assert (file["type"], file["name"]) == ("file", "src/<b>.py")
        assert file["purl"] == f"pkg:github/x/y@{REVISION}#src/%3Cb%3E.py"
        assert file["swhid"] == [
            f"swh:1:cnt:{BLOB};origin=https://github.com/x/y;anchor=swh:1:rev:{REVISION};path=/src/%3Cb%3E.py"
        ]
    unnamed = replace(report(), findings=report().findings[:1])
    assert "ancestors" not in component(unnamed)["pedigree"]
    assert "not a verdict" in pedigree["notes"]


def test_a_conflict_of_licenses_is_no_piece_of_its_own() -> None:
    first, *rest = report().findings
    conflict = replace(first, rule=Rule.LICENSE_CONFLICT)
    occurrences = component(replace(report(), findings=(first, conflict, *rest)))["evidence"]["occurrences"]
    assert len(occurrences) == 3
    assert occurrences[0]["additionalContext"].endswith(": copied-unattributed, license-conflict")


def test_the_confidence_is_the_share_of_tokens_that_match_and_only_the_whole_is_1() -> None:
    first = report().findings[0]
    place = replace(first.places[0], matched_tokens=99_999)
    long = replace(first, tokens=100_000, places=(place,))
    assert component(replace(report(), findings=(long,)))["evidence"]["identity"][0]["confidence"] == 0.9999


@pytest.mark.parametrize(
    ("licenses", "expected"),
    [
        ((), None),
        (("MIT", "Apache-2.0"), [{"license": {"id": "Apache-2.0"}}, {"license": {"id": "MIT"}}]),
        (("MIT OR Apache-2.0",), [{"expression": "MIT OR Apache-2.0"}]),
        (("MIT OR X11", "ISC"), [{"license": {"id": "ISC"}}, {"license": {"name": "MIT OR X11"}}]),
        (("Made-Up\x1b[2J",), [{"license": {"name": "Made-Up␛[2J"}}]),
    ],
)
def test_licenses_are_evidence_whatever_they_are(licenses: tuple[str, ...], expected: object) -> None:
    assert component(report(licenses=licenses))["evidence"].get("licenses") == expected


def test_what_has_no_remote_has_no_package_url_and_no_path_of_this_machine() -> None:
    checked = report()
    findings = tuple(
        replace(each, places=(replace(each.places[0], record=_of_a_path(each.places[0].record)),))
        for each in checked.findings
    )
    only = component(replace(checked, findings=findings))
    assert not {"purl", "externalReferences"} & set(only)
    assert only["evidence"]["identity"][0]["field"] == "name"
    assert "/home/me" not in to_cyclonedx(checked, MADE)


def _of_a_path(record: Any) -> Any:
    return replace(record, key_kind=KeyKind.PATH)


def test_the_same_check_is_the_same_bytes_and_another_date_changes_the_date_alone() -> None:
    text = to_cyclonedx(report(), MADE)
    assert to_cyclonedx(replace(report(), seconds=99.0), MADE) == text
    later = to_cyclonedx(report(), MADE + timedelta(days=1))
    assert later == text.replace("2026-01-02T", "2026-01-03T") != text
    other = is_cyclonedx(to_cyclonedx(report(path="other.py"), MADE))
    assert other["serialNumber"] != is_cyclonedx(text)["serialNumber"]


def test_nothing_found_is_a_document_too() -> None:
    value = is_cyclonedx(to_cyclonedx(replace(report(), findings=()), MADE))
    assert "components" not in value or value["components"] == []


def test_references_are_unique() -> None:
    text = to_cyclonedx(report(), MADE)
    refs = [line for line in text.splitlines() if '"bom-ref"' in line]
    assert len(set(refs)) == len(refs) > 5


names = st.text(min_size=1, max_size=20)


@given(names, names, names, names)
def test_whatever_things_are_called_the_document_is_as_the_schema_says(
    owner: str, path: str, mine: str, license_name: str
) -> None:
    checked = report(repository=f"github.com/{owner}", path=path, licenses=(license_name,))
    findings = tuple(replace(each, path=mine) for each in checked.findings)
    checked = replace(checked, findings=findings, contents={mine: b"x" * 400}, project=f"/home/me/{owner}")
    only = component(checked)
    assert {each["location"] for each in only["evidence"]["occurrences"]} == {mine}
