"""The plug-in builds as its page says, and its unit tests hold."""

from __future__ import annotations

import re

from tests.conftest import live_server
from tests.elasticsearch.plugin.building import FOLDER, TARGET, Built, alone, maven
from wherefrom.version import __version__


def test_it_has_the_version_of_the_project() -> None:
    project = re.sub("<dependencies>.*", "", (FOLDER / "pom.xml").read_text(), flags=re.DOTALL)
    assert re.findall("<version>(.*)</version>", project) == [__version__]


def test_the_build_leaves_one_zip(plugin: Built) -> None:
    assert [path.name for path in TARGET.glob("*.zip")] == [f"analysis-wherefrom-{__version__}.zip"]
    assert plugin.archive == TARGET / f"analysis-wherefrom-{__version__}.zip"


def test_the_unit_tests_in_java_pass(plugin: Built) -> None:
    with live_server(), alone():
        said = maven("surefire:test")
    ran = re.findall(r"Tests run: (\d+), Failures: 0, Errors: 0, Skipped: 0\s*$", said, re.MULTILINE)
    assert ran, said
    assert int(ran[-1]) >= 20
    assert plugin.archive.exists()
