"""A check as SPDX fits the official schema, and has all known facts and no others."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.check.bills import MADE, REVISION, SPDX, is_spdx, packaged, report, written
from tests.results.answers import BLOB, QUERY
from wherefrom.errors import UsageError
from wherefrom.model import Rule
from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports.check.spdx import write
from wherefrom.reports.renderer import made_at


def document(checked: CheckReport) -> dict[str, Any]:
    return is_spdx(written(write, checked, MADE))


def test_the_schema_refuses_a_wrong_document() -> None:
    value = document(report())
    value["snippets"][0]["ranges"][0]["startPointer"]["offset"] = "first"
    assert not SPDX.is_valid(value)


def test_a_file_is_present_once_with_its_checksums() -> None:
    [file] = document(report())["files"]
    assert file["fileName"] == "./mine.py"
    assert {item["algorithm"]: item["checksumValue"] for item in file["checksums"]} == {
        "SHA1": hashlib.sha1(QUERY).hexdigest(),
        "SHA256": hashlib.sha256(QUERY).hexdigest(),
    }


def test_a_snippet_has_its_bytes_and_lines_from_1_and_inclusive() -> None:
    value = document(report())
    region = report().findings[0].region
    [file] = value["files"]
    snippet = value["snippets"][0]
    assert snippet["snippetFromFile"] == file["SPDXID"]
    offsets, numbers = snippet["ranges"]
    first, last = offsets["startPointer"]["offset"], offsets["endPointer"]["offset"]
    assert QUERY[first - 1 : last] == QUERY[region.start_byte : region.end_byte]
    assert QUERY[first - 1 : last].startswith(b"line.split")
    assert QUERY[first - 1 : last].endswith(b"return 0")
    first, last = numbers["startPointer"]["lineNumber"], numbers["endPointer"]["lineNumber"]
    assert QUERY.splitlines()[first - 1].endswith(b"line.split(',')")
    assert QUERY.splitlines()[last - 1] == b"    return 0"


def test_a_repository_is_a_package_with_its_identifiers() -> None:
    value = document(report())
    [package] = value["packages"]
    assert (package["name"], package["versionInfo"]) == ("github.com/x/y", REVISION)
    assert package["downloadLocation"] == f"git+https://github.com/x/y@{REVISION}"
    assert package["filesAnalyzed"] is False
    assert [item["referenceLocator"] for item in package["externalRefs"]] == [
        f"pkg:github/x/y@{REVISION}",
        f"swh:1:rev:{REVISION}",
    ]
    related = [item for item in value["relationships"] if item["relatedSpdxElement"] == package["SPDXID"]]
    assert [item["relationshipType"] for item in related] == ["VARIANT_OF", "VARIANT_OF", "DESCENDANT_OF"]
    assert related[0]["comment"] == (
        f"swh:1:cnt:{BLOB};origin=https://github.com/x/y;anchor=swh:1:rev:{REVISION};path=/src/%3Cb%3E.py;lines=3-25"
    )


def test_a_package_is_named_by_its_purl_with_version_archive_and_declared_license() -> None:
    [package] = document(packaged(license="MIT"))["packages"]
    assert (package["name"], package["versionInfo"]) == ("@vue/core", "3.5.1")
    assert [item["referenceLocator"] for item in package["externalRefs"]] == ["pkg:npm/%40vue/core@3.5.1"]
    assert package["checksums"] == [{"algorithm": "SHA256", "checksumValue": "d" * 64}]
    assert (package["licenseDeclared"], package["licenseConcluded"]) == ("MIT", "NOASSERTION")
    assert package["downloadLocation"] == "NOASSERTION"


def test_a_license_is_concluded_only_if_the_project_names_the_location() -> None:
    snippets = document(report())["snippets"]
    assert [item["licenseConcluded"] for item in snippets] == ["NOASSERTION", "NOASSERTION", "MIT"]
    assert all(item["licenseInfoInSnippets"] == ["NOASSERTION"] for item in snippets)
    assert "github.com/x/y src/<b>.py: MIT. This project does not name" in snippets[0]["licenseComments"]


@pytest.mark.parametrize(
    ("licenses", "expected"),
    [
        (("MIT", "Apache-2.0 OR ISC"), "MIT AND (Apache-2.0 OR ISC)"),
        (
            ("GPL-2.0-only WITH Classpath-exception-2.0",),
            "GPL-2.0-only WITH Classpath-exception-2.0",
        ),
        ((), "NOASSERTION"),
        (("MIT", "Made-Up-1.0"), "NOASSERTION"),
        (("LicenseRef-scancode-public-domain",), "NOASSERTION"),
        (("MIT\x1b[2J <script>",), "NOASSERTION"),
    ],
)
def test_only_a_license_that_spdx_lists_is_concluded(licenses: tuple[str, ...], expected: str) -> None:
    assert document(report(licenses=licenses))["snippets"][2]["licenseConcluded"] == expected


def test_accepted_pieces_are_present_and_a_conflict_adds_no_piece() -> None:
    first, *rest = report().findings
    conflict = replace(first, rule=Rule.LICENSE_CONFLICT)
    snippets = document(replace(report(), findings=(first, conflict, *rest)))["snippets"]
    assert [item["comment"].partition(": ")[2] for item in snippets] == [
        "copied-unattributed, license-conflict",
        "copied-unattributed (accepted by a comment: mine <too>)",
        "copied-attributed",
    ]


def test_the_same_check_gives_the_same_bytes_and_another_date_changes_only_the_date() -> None:
    text = written(write, report(), MADE)
    assert written(write, replace(report(), seconds=99.0), MADE) == text
    later = written(write, report(), MADE + timedelta(days=1))
    assert later == text.replace("2026-01-02T", "2026-01-03T") != text
    assert document(report(path="other.py"))["documentNamespace"] != document(report())["documentNamespace"]
    assert "/home/me" not in text


def test_an_element_keeps_its_identifier_when_others_come_and_go() -> None:
    present = {item["SPDXID"] for item in document(report())["snippets"]}
    [kept] = document(replace(report(), findings=report().findings[1:2]))["snippets"]
    assert kept["SPDXID"] in present


def test_a_check_without_findings_is_a_document() -> None:
    value = document(replace(report(), findings=()))
    assert (value["files"], value["snippets"]) == ([], [])


names = st.text(min_size=1, max_size=20)


@given(names, names, names, names)
def test_with_any_names_the_document_fits_the_schema(owner: str, path: str, mine: str, license_name: str) -> None:
    checked = report(repository=f"github.com/{owner}", path=path, licenses=(license_name,))
    findings = tuple(replace(item, path=mine) for item in checked.findings)
    checked = replace(checked, findings=findings, contents={mine: b"x" * 400}, project=f"/home/me/{owner}")
    [file] = document(checked)["files"]
    assert file["fileName"] == f"./{mine}"


def test_the_environment_may_set_the_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767323045")
    assert f"{made_at()}" == "2026-01-02 03:04:05+00:00"
    for wrong in ("yesterday", "-1", "1.5", "٣", "9" * 40, "\x1b"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
        with pytest.raises(UsageError, match=r"SOURCE_DATE_EPOCH is .*; set it to one, or unset it"):
            made_at()
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert made_at().tzinfo is not None
