"""`--version` says what a report of a bug needs, whatever is missing."""

from __future__ import annotations

import platform
import re
import runpy
from importlib import metadata

import numpy as np
import pytest

import wherefrom
from wherefrom.cli import version
from wherefrom.mappings.embedded import FORMAT
from wherefrom.support import extension


def test_all_versions() -> None:
    first, system, formats, packages = version.lines()
    assert first == f"wherefrom {wherefrom.__version__} ({extension.description()})"
    assert re.fullmatch(rf"\w+ {re.escape(platform.python_version())} on \S+, git version \S+.*", system)
    assert formats.startswith(f"index format {FORMAT.version}, ")
    assert f"numpy {np.__version__}" in packages
    assert "elasticsearch 9." in packages
    assert "pytest" not in packages
    assert f"tree-sitter-python {metadata.version('tree-sitter-python')}" in packages
    assert max(map(len, packages.splitlines())) <= 100


def test_the_package_is_run_as_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["wherefrom", "--version"])
    with pytest.raises(SystemExit, match=r"^0$"):
        runpy.run_module("wherefrom", run_name="__main__")
    assert capsys.readouterr().out.startswith(f"wherefrom {wherefrom.__version__} ")
    runpy.run_module("wherefrom.__main__", run_name="imported")
    assert capsys.readouterr().out == ""


def test_nothing_that_is_missing_makes_it_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv(extension.VARIABLE, "sometimes")
    monkeypatch.setattr(version, "_required", lambda: ["numpy", "not-there"])
    first, system, _, packages = version.lines()
    assert "WHEREFROM_KERNEL is 0, 1 or require" in first
    assert system.endswith(", no git")
    assert packages == f"packages: numpy {np.__version__}, not-there missing"


def test_without_its_own_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version, "described", lambda _name: "")
    assert [*version.lines()][-1] == "packages: none"
