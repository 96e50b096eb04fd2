"""The locked versions fit pyproject.toml, have hashes and name no address."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from packaging.markers import Marker

from release.lock import LOCKS, PARTS, ROOT, disagreements, pins

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())

PYTHONS = ("3.11.0", "3.11.7", "3.12.1", "3.13.0", "3.14.0")


def lock(part: str) -> str:
    return (LOCKS / f"{part}.txt").read_text()


@pytest.mark.parametrize("part", PARTS)
def test_it_fits_the_project(part: str) -> None:
    """If not: `python -m release.lock`."""
    assert disagreements(PROJECT, part, lock(part)) == []


@pytest.mark.parametrize("part", PARTS)
def test_every_version_has_hashes_and_nothing_an_address(part: str) -> None:
    text = lock(part)
    assert len(pins(text)) == len(re.findall(r"^[^#\s]", text, re.MULTILINE)) > 0
    assert "://" not in text
    assert "--index" not in text


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_each_python_gets_one_version_of_each_package(python: str, system: str) -> None:
    """And with each package, all that requires it."""
    where = {
        "python_version": python.rpartition(".")[0],
        "python_full_version": python,
        "sys_platform": system,
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
    }
    chosen = [pin for pin in pins(lock("dev")) if not pin.marker or Marker(pin.marker).evaluate(where)]
    names = {pin.name for pin in chosen}
    assert len(chosen) == len(names) > 100
    assert all(pin.via <= {*names, "wherefrom"} or pin.via & names for pin in chosen)


def add(project: dict[str, Any]) -> None:
    project["dependencies"].append("leftpad>=1")


def narrow(project: dict[str, Any]) -> None:
    project["optional-dependencies"]["lab"] = ["matplotlib>=99"]


def drop(project: dict[str, Any]) -> None:
    project["dependencies"] = [each for each in project["dependencies"] if not each.startswith("bracex")]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (add, r"leftpad>=1 is not locked"),
        (narrow, r"matplotlib [\d.]+ is locked, and matplotlib>=99 required"),
        (drop, r"bracex is locked and no longer required"),
    ],
)
def test_a_change_of_the_project_is_told(change: Callable[[dict[str, Any]], None], told: str) -> None:
    changed = copy.deepcopy(PROJECT)
    change(changed["project"])
    [found] = disagreements(changed, "dev", lock("dev"))
    assert re.fullmatch(told, found)
