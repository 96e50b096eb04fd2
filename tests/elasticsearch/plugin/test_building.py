"""The plug-in builds as its page says, and its unit tests pass."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
import yaml

from tests.conftest import live_server
from tests.elasticsearch.plugin.building import FOLDER, TARGET, Built, alone, maven
from wherefrom.support.version import __version__


def test_it_has_the_version_of_the_project() -> None:
    project = re.sub("<dependencies>.*", "", (FOLDER / "pom.xml").read_text(), flags=re.DOTALL)
    assert re.findall("<version>(.*)</version>", project) == [__version__]


def test_the_build_leaves_one_zip(plugin: Built) -> None:
    assert [path.name for path in TARGET.glob("*.zip")] == [f"analysis-wherefrom-{__version__}.zip"]
    assert plugin.archive == TARGET / f"analysis-wherefrom-{__version__}.zip"


def test_its_license_is_that_of_the_project() -> None:
    assert (FOLDER / "LICENSE").read_bytes() == (FOLDER.parent / "LICENSE").read_bytes()


@pytest.mark.nightly
def test_it_builds_outside_of_the_project(tmp_path: Path) -> None:
    copy = tmp_path / "elasticsearch-plugin"
    copytree(FOLDER, copy, ignore=ignore_patterns("target"))
    with live_server():
        maven("--quiet", "package", "-DskipTests", folder=copy)
    assert [path.name for path in (copy / "target").glob("*.zip")] == [f"analysis-wherefrom-{__version__}.zip"]


def test_a_release_gets_the_zip() -> None:
    workflow = yaml.safe_load((FOLDER.parent / ".github" / "workflows" / "release.yml").read_text())
    *_, build, upload = workflow["jobs"]["plugin"]["steps"]
    assert FOLDER.parent / build["working-directory"] == FOLDER
    assert build["run"].split()[-1] == "package"
    archive = TARGET / f"analysis-wherefrom-{__version__}.zip"
    assert archive.match(str(FOLDER.parent / upload["with"]["path"]))


def test_the_unit_tests_in_java_pass(plugin: Built) -> None:
    with live_server(), alone():
        output = maven("surefire:test")
    ran = re.findall(r"Tests run: (\d+), Failures: 0, Errors: 0, Skipped: 0\s*$", output, re.MULTILINE)
    assert ran, output
    assert int(ran[-1]) >= 20
    assert plugin.archive.exists()
