"""Shared by the tests of bills of materials: the official schemas, and reports with hostile names."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jsonschema_rs

from tests.results import answers
from wherefrom.model import KeyKind, Occurrence, Package, RepositoryRecord
from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports.renderer import DATE_VARIABLE, Look

SPDX_SCHEMA = json.loads(Path(__file__).with_name("schemas").joinpath("spdx-2.3.schema.json").read_text())
"""The schema of the SPDX project."""
SPDX = jsonschema_rs.validator_for(SPDX_SCHEMA)

MADE = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
REVISION = "c" * 40


@cache
def cyclonedx() -> Any:
    """Validates by the schema of the CycloneDX project, which its library contains."""
    from cyclonedx.schema import SchemaVersion  # both take two seconds to load
    from cyclonedx.validation.json import JsonStrictValidator

    return JsonStrictValidator(SchemaVersion.V1_6)


def written(write: Callable[[CheckReport, Look], Iterable[str]], checked: CheckReport, made: datetime) -> str:
    """The document that a check would write on this date."""
    with patch.dict(os.environ, {DATE_VARIABLE: str(int(made.timestamp()))}):
        return "".join(write(checked, Look()))


def is_cyclonedx(text: str) -> dict[str, Any]:
    """Checks that a text fits the schema of CycloneDX, and returns its values."""
    assert cyclonedx().validate_str(text) is None
    assert text.isascii()
    value: dict[str, Any] = json.loads(text)
    return value


def is_spdx(text: str) -> dict[str, Any]:
    """The values of a text that fits the schema. Every element that a relationship names is present once."""
    value: dict[str, Any] = json.loads(text)
    SPDX.validate(value)
    assert text.isascii()
    present = [element["SPDXID"] for kind in ("packages", "files", "snippets") for element in value[kind]]
    assert len(set(present)) == len(present)
    named = {item[end] for item in value["relationships"] for end in ("spdxElementId", "relatedSpdxElement")}
    assert named <= {*present, "SPDXRef-DOCUMENT"}
    return value


def packaged(**metadata: str) -> CheckReport:
    """A report about a version of a package with this metadata."""
    return report(repository="pkg:npm/%40vue/core@3.5.1", revision="d" * 64, package=Package(**metadata))


def report(**places: Any) -> CheckReport:
    """A report about three pieces; `places` changes their best location: `repository`, `path`, `licenses` and more."""
    made = answers.check_report()
    first = made.findings[0]
    region = replace(first.region, start_byte=first.region.start_byte + 9, start_line=first.region.start_line + 1)
    licenses, package = places.pop("licenses", ("MIT",)), places.pop("package", None)
    at = Occurrence(
        **{"repository": "github.com/x/y", "path": "src/<b>.py", "blob": answers.BLOB, "revision": REVISION} | places
    )
    record = RepositoryRecord(at.repository, "/c", "git", REVISION, "", 1, 1, {}, "", key_kind=KeyKind.REMOTE)
    if package is not None:
        record = replace(record, kind="package", key_kind=KeyKind.PACKAGE, package=package)
    place = replace(first.places[0], occurrence=at, record=record, licenses=licenses)
    findings = (
        replace(first, places=(place, first.places[1])),
        replace(made.findings[1], region=region, places=(place,), fingerprint="f:4"),
        replace(made.findings[2], region=replace(region, end_byte=region.end_byte - 3), places=(place,)),
    )
    return replace(made, findings=findings)
