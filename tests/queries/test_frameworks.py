"""The boilerplate set of what generators write."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path

import numpy as np
import pytest

from wherefrom.analyzers.hashing import unpacked
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids, token_scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import Representation
from wherefrom.options import SearchOptions
from wherefrom.queries.boilerplate import framework_set, left_out, save_frameworks
from wherefrom.queries.preparation.preparing import boilerplate_mask
from wherefrom.queries.snippet import analyze_text

MAKE_BAT = rb"""@ECHO OFF

pushd %~dp0

REM Command file for Sphinx documentation

if "%SPHINXBUILD%" == "" (
	set SPHINXBUILD=sphinx-build
)
set SOURCEDIR=.
set BUILDDIR=_build

if "%1" == "" goto help

%SPHINXBUILD% >NUL 2>NUL
if errorlevel 9009 (
	echo.
	echo.The 'sphinx-build' command was not found. Make sure you have Sphinx
	echo.installed, then set the SPHINXBUILD environment variable to point
	echo.to the full path of the 'sphinx-build' executable. Alternatively you
	echo.may add the Sphinx directory to PATH.
	exit /b 1
)

%SPHINXBUILD% -M %1 %SOURCEDIR% %BUILDDIR% %SPHINXOPTS% %O%
goto end

:help
%SPHINXBUILD% -M help %SOURCEDIR% %BUILDDIR% %SPHINXOPTS% %O%

:end
popd
"""
"""What sphinx-quickstart writes for Windows."""

MANAGE = b'''#!/usr/bin/env python
"""Django's command-line utility for administrative tasks."""
import os
import sys


def main():
    """Run administrative tasks."""
    os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')
    try:
        from django.core.management import execute_from_command_line
    except ImportError as exc:
        raise ImportError(
            "Couldn't import Django. Are you sure it's installed and "
            "available on your PYTHONPATH environment variable? Did you "
            "forget to activate a virtual environment?"
        ) from exc
    execute_from_command_line(sys.argv)


if __name__ == '__main__':
    main()
'''
"""What `django-admin startproject shop` writes."""

OWN = b"""def levels(heights, rainfall, rounds):
    for number in range(rounds):
        for at, height in enumerate(heights):
            heights[at] += rainfall * (1.0 if at % 2 else 0.5)
    return [round(level, 6) for level in heights]


NAMES = ["anna", "bert", "carl", "dora", "emil", "fritz", "gerda", "hans", "ida", "jan", "kurt", "lena", "max", "nora"]
"""


def test_its_kgrams_are_those_of_the_current_schemes() -> None:
    made = framework_set()
    assert dict(made.schemes) == token_scheme_ids(), "make it again: python -m benchmarks.frameworks (see its help)"
    for representation in (Representation.EXACT, Representation.TEXT):
        hashes = made.hashes[representation]
        assert hashes.dtype == np.uint64
        assert len(hashes) > 10_000
        assert np.all(hashes[1:] > hashes[:-1])


def test_it_names_every_package_of_the_list() -> None:
    listed = tomllib.loads((Path(__file__).parents[2] / "benchmarks" / "frameworks.toml").read_text("utf-8"))["source"]
    sources = framework_set().files
    assert len(sources) == sum(len(entry["packages"]) for entry in listed)
    for entry in listed:
        for package in entry["packages"]:
            name = package.split("@")[0] if entry["from"] == "clone" else package
            assert any(source.startswith(f"{entry['name']}: {name}") for source in sources), package


@pytest.mark.parametrize(
    ("name", "content", "low", "high"),
    [("make.bat", MAKE_BAT, 0.95, 1), ("manage.py", MANAGE, 0.9, 1), ("levels.py", OWN, 0, 0)],
)
def test_it_covers_what_generators_write_and_no_own_code(name: str, content: bytes, low: float, high: float) -> None:
    masked = boilerplate_mask(analyze_text(content, name=name).tokens, [framework_set()])
    assert low <= masked.mean() <= high


def test_every_index_has_it() -> None:
    assert left_out(MemoryEngine(scheme_ids()), SearchOptions(without=["frame*"])) == [framework_set()]


def test_the_file_references_to_which_schemes_its_kgrams_are() -> None:
    file = io.BytesIO()
    hashes = {each: np.array([3, 5, 2**64 - 1], np.uint64) for each in (Representation.EXACT, Representation.TEXT)}
    save_frameworks(file, hashes, ["sphinx==1"])
    with np.load(io.BytesIO(file.getvalue())) as arrays:
        assert {*arrays} == {SCHEMES[Representation.EXACT].id, SCHEMES[Representation.TEXT].id, "sources"}
        assert unpacked(arrays[SCHEMES[Representation.EXACT].id]).tolist() == [3, 5, 2**64 - 1]
