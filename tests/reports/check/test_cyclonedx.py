"""A check as CycloneDX fits the official schema, and has all known facts and no others."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.check.bills import MADE, REVISION, cyclonedx, is_cyclonedx, packaged, report, written
from tests.results.answers import BLOB
from wherefrom.model import KeyKind, Rule
from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports.check.cyclonedx import write


def component(checked: CheckReport) -> dict[str, Any]:
    [only] = is_cyclonedx(written(write, checked, MADE))["components"]
    assert isinstance(only, dict)
    return only


@pytest.mark.thorough
def test_the_schema_refuses_a_wrong_document() -> None:
    text = written(write, report(), MADE)
    assert cyclonedx().validate_str(text.replace('"ast-fingerprint"', '"tea-leaves"')) is not None


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


def test_a_package_is_named_by_its_purl_with_version_archive_and_declared_license() -> None:
    only = component(packaged(license="MIT OR Apache-2.0"))
    assert (only["group"], only["name"], only["version"]) == ("@vue", "core", "3.5.1")
    assert only["purl"] == "pkg:npm/%40vue/core@3.5.1"
    assert only["hashes"] == [{"alg": "SHA-256", "content": "d" * 64}]
    assert only["licenses"] == [{"expression": "MIT OR Apache-2.0", "acknowledgement": "declared"}]
    [identity] = only["evidence"]["identity"]
    assert (identity["field"], identity["concludedValue"]) == ("purl", only["purl"])
    assert len(only["evidence"]["occurrences"]) == 3
    assert only["pedigree"]["variants"][0]["purl"] == "pkg:npm/%40vue/core@3.5.1#src/%3Cb%3E.py"
    assert not {"swhid", "externalReferences"} & set(only)


@pytest.mark.parametrize("license", ["", "see the file LICENSE", "Made-Up-1.0"])
def test_a_license_that_is_not_a_listed_expression_is_not_declared(license: str) -> None:
    assert "licenses" not in component(packaged(license=license))


def test_pieces_are_occurrences_accepted_ones_too() -> None:
    occurrences = component(report())["evidence"]["occurrences"]
    assert [(item["location"], item["line"], item["offset"]) for item in occurrences] == [
        ("mine.py", 2, 26),
        ("mine.py", 3, 35),
        ("mine.py", 3, 35),
    ]
    assert sorted(item["additionalContext"] for item in occurrences) == [
        "lines 2-12, 31 tokens: copied-unattributed",
        "lines 3-12, 31 tokens: copied-attributed",
        "lines 3-12, 31 tokens: copied-unattributed (accepted by a comment: mine <too>)",
    ]


def test_a_place_that_the_project_names_is_an_ancestor_and_any_other_a_variant() -> None:
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


def test_a_license_conflict_adds_no_piece() -> None:
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
def test_licenses_of_every_kind_are_evidence(licenses: tuple[str, ...], expected: object) -> None:
    assert component(report(licenses=licenses))["evidence"].get("licenses") == expected


def test_a_repository_without_a_remote_has_no_package_url_and_shows_no_local_path() -> None:
    checked = report()
    findings = tuple(
        replace(item, places=(replace(item.places[0], record=_of_a_path(item.places[0].record)),))
        for item in checked.findings
    )
    only = component(replace(checked, findings=findings))
    assert not {"purl", "externalReferences"} & set(only)
    assert only["evidence"]["identity"][0]["field"] == "name"
    assert "/home/me" not in written(write, checked, MADE)


def _of_a_path(record: Any) -> Any:
    return replace(record, key_kind=KeyKind.PATH)


def test_the_same_check_gives_the_same_bytes_and_another_date_changes_only_the_date() -> None:
    text = written(write, report(), MADE)
    assert written(write, replace(report(), seconds=99.0), MADE) == text
    later = written(write, report(), MADE + timedelta(days=1))
    assert later == text.replace("2026-01-02T", "2026-01-03T") != text
    other = is_cyclonedx(written(write, report(path="other.py"), MADE))
    assert other["serialNumber"] != is_cyclonedx(text)["serialNumber"]


def test_a_check_without_findings_is_a_document() -> None:
    value = is_cyclonedx(written(write, replace(report(), findings=()), MADE))
    assert "components" not in value or value["components"] == []


def test_references_are_unique() -> None:
    text = written(write, report(), MADE)
    refs = [line for line in text.splitlines() if '"bom-ref"' in line]
    assert len(set(refs)) == len(refs) > 5


names = st.text(min_size=1, max_size=20)


@pytest.mark.thorough
@given(names, names, names, names)
def test_with_any_names_the_document_fits_the_schema(owner: str, path: str, mine: str, license_name: str) -> None:
    checked = report(repository=f"github.com/{owner}", path=path, licenses=(license_name,))
    findings = tuple(replace(item, path=mine) for item in checked.findings)
    checked = replace(checked, findings=findings, contents={mine: b"x" * 400}, project=f"/home/me/{owner}")
    only = component(checked)
    assert {item["location"] for item in only["evidence"]["occurrences"]} == {mine}
