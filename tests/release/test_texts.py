"""What people look for in a repository is there, and invents nobody."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from release.lock import ROOT
from wherefrom.support.version import __version__

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

TEMPLATES = ROOT / ".github" / "ISSUE_TEMPLATE"

TEXTS = ("SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "README.md", ".github/PULL_REQUEST_TEMPLATE.md")


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def test_the_citation_is_of_this_version_and_names_no_person_as_author() -> None:
    """It was validated with `cffconvert --validate` when it was written."""
    citation = load(ROOT / "CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert citation["authors"] == [{"name": "The wherefrom authors"}]
    assert (citation["title"], citation["version"]) == (PROJECT["name"], __version__)
    assert citation["license"] == PROJECT["license"]
    assert citation["repository-code"] == PROJECT["urls"]["Repository"]
    assert citation["url"] == PROJECT["urls"]["Documentation"]


def test_the_extra_of_the_page_is_of_this_version() -> None:
    assert PROJECT["optional-dependencies"]["page"] == [f"wherefrom-page=={__version__}"]


def test_all_addresses_of_the_project_begin_alike() -> None:
    urls = PROJECT["urls"]
    assert {"Repository", "Issues", "Changelog", "Documentation"} == set(urls)
    assert urls["Issues"] == f"{urls['Repository']}/issues"
    assert urls["Changelog"].startswith(f"{urls['Repository']}/")
    [link] = load(TEMPLATES / "config.yml")["contact_links"]
    assert link["url"] == f"{urls['Repository']}/security/advisories/new"


@pytest.mark.parametrize(
    "path", sorted({*TEMPLATES.glob("*.yml")} - {TEMPLATES / "config.yml"}), ids=lambda path: path.name
)
def test_a_template_of_an_issue(path: Path) -> None:
    form = load(path)
    assert form["name"]
    assert form["description"]
    ids = [part["id"] for part in form["body"] if part["type"] != "markdown"]
    assert len(ids) == len(set(ids)) > 0
    assert all(part["attributes"].get("label") or part["attributes"].get("value") for part in form["body"])


def test_a_report_of_a_bug_asks_for_the_versions() -> None:
    assert "wherefrom --version --verbose" in (TEMPLATES / "bug.yml").read_text()


@pytest.mark.parametrize("name", TEXTS)
def test_every_link_to_a_file_leads_to_one(name: str) -> None:
    text = (ROOT / name).read_text()
    links = re.findall(r"\]\((?!https?:)([^)#]+)(?:#([^)]*))?\)", text)
    for target, part in links:
        file = (ROOT / name).parent / target
        assert file.exists(), target
        headings = re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE) if part else []
        assert not part or part in {re.sub(r"[^\w-]", "", each.lower().replace(" ", "-")) for each in headings}


def test_no_text_has_a_mail_address_or_a_badge() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "*.md", "*.cff", ".github"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    names = [name for name in listed.stdout.split() if "/" not in name or name.startswith(".github/")]
    found = {name: re.findall(r"[\w.]+@[\w-]+\.\w+|badge|shields\.io", (ROOT / name).read_text()) for name in names}
    assert {name: each for name, each in found.items() if each} == {}
