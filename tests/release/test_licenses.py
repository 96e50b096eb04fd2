"""All that wherefrom is made of and with is listed with an acceptable license."""

from __future__ import annotations

import re
import subprocess
from importlib import metadata

import pytest

from release.licenses import ALLOWED, DEVELOPMENT, PAGE, Row, grants, license_of, locked, page, problems, read
from release.lock import ROOT

PARTS = read(PAGE.read_text())


def test_the_page_is_complete_and_acceptable() -> None:
    """If not: `python -m release.licenses`."""
    assert [*problems(PARTS)] == []
    assert page(PARTS) == PAGE.read_text()


@pytest.mark.thorough
def test_it_says_what_the_installed_packages_say() -> None:
    versions = locked()
    wrong = {}
    for name, row in PARTS["Python"].items():
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if found.version in versions[name] and license_of(found) != row.license:
            wrong[name] = (row.license, license_of(found))
    assert wrong == {}


@pytest.mark.parametrize(
    ("license", "is_granted"),
    [
        ("MIT", True),
        ("MIT OR GPL-2.0-only", True),
        ("MIT AND GPL-2.0-only", False),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("GPL-3.0-or-later WITH Classpath-exception-2.0", False),
        ("MPL-2.0", False),
    ],
)
def test_an_expression_is_met_with_allowed_licenses_alone(license: str, is_granted: bool) -> None:
    assert grants(license, ALLOWED) is is_granted
    assert license == "MPL-2.0" or grants(license, DEVELOPMENT) is is_granted


def test_what_is_missing_stale_or_not_acceptable_is_told() -> None:
    python = {name: row for name, row in PARTS["Python"].items() if name != "numpy"}
    python |= {"leftpad": Row("leftpad", "MIT", "development"), "pytest": Row("pytest", "MPL-2.0", "development")}
    python["jinja2"] = Row("jinja2", "MPL-2.0", "wherefrom, development")
    assert {*problems(PARTS | {"Python": python})} == {
        "numpy has no license on the page; install it and run this again",
        "leftpad is on the page and no longer used",
        "jinja2: MPL-2.0 is not acceptable for wherefrom, development",
    }


def test_java_has_exact_versions() -> None:
    text = (ROOT / "elasticsearch-plugin" / "pom.xml").read_text()
    versions = re.findall(r"<(?:[a-z]+\.)?version>([^<]+)</", text)
    assert len(versions) > 10
    assert [each for each in versions if not re.fullmatch(r"\d+(\.\d+)+|\$\{[a-z]+\.version\}", each)] == []
    own = len(["project", "elasticsearch.version", "lucene.version"])
    assert len(re.findall("<(?:plugin|dependency)>", text)) + own == len(versions)


def test_no_lock_file_has_an_address() -> None:
    """Cargo names its index in its own way, and nothing here is locked by npm."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    locks = [
        name
        for name in listed
        if re.search(r"(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml)$", name)
    ]
    assert [name for name in locks if "://" in (ROOT / name).read_text()] == []
