"""The bill of materials of a release has all that it needs, in a form that others read."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from release.bill import KERNEL, main
from tests.reports.check.bills import is_cyclonedx
from wherefrom.support.version import __version__


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("bill") / "wherefrom.cdx.json"
    main([str(path)])
    return is_cyclonedx(path.read_text())


@pytest.fixture(scope="module")
def purls(bill: dict[str, Any]) -> list[str]:
    return [item["purl"] for item in bill["components"]]


@pytest.mark.thorough
def test_it_is_of_this_version(bill: dict[str, Any]) -> None:
    product = bill["metadata"]["component"]
    assert (product["name"], product["version"]) == ("wherefrom", __version__)


@pytest.mark.thorough
def test_it_has_what_users_install_and_not_what_developers_do(purls: list[str]) -> None:
    assert {f"pkg:pypi/{name}@{version(name)}" for name in ("numpy", "fastapi", "elasticsearch", "pydantic")} <= {
        *purls
    }
    assert not {name for name in ("pytest", "mypy", "matplotlib", "zizmor") if f"pkg:pypi/{name}@" in " ".join(purls)}


def test_it_has_the_crates_with_their_hashes_and_the_core(bill: dict[str, Any], purls: list[str]) -> None:
    locked = tomllib.loads((KERNEL / "Cargo.lock").read_text())["package"]
    crates = {item["name"]: item for item in bill["components"] if item["purl"].startswith("pkg:cargo/")}
    assert len(crates) == len(locked) - 1 > 10, "all but the kernel itself"
    [pyo3] = [each for each in locked if each["name"] == "pyo3"]
    assert crates["pyo3"]["hashes"] == [{"alg": "SHA-256", "content": pyo3["checksum"]}]
    assert f"pkg:github/tree-sitter/tree-sitter@v{(KERNEL / 'core/VERSION').read_text().strip()}" in purls


def test_every_component_is_needed_by_another(bill: dict[str, Any], purls: list[str]) -> None:
    assert len({*purls}) == len(purls)
    needed = {ref for item in bill["dependencies"] for ref in item.get("dependsOn", ())}
    assert needed == {*purls}
    assert not [purl for purl in purls if re.search(r"pypi/wherefrom\b", purl)]


def test_it_names_licenses_and_no_path_of_this_machine(bill: dict[str, Any]) -> None:
    [numpy] = [item for item in bill["components"] if item["name"] == "numpy"]
    assert numpy["licenses"]
    assert str(Path.home()) not in json.dumps(bill)
