"""A file that breaks a rule of pyproject.toml about imports is refused, even in a new package."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

REFUSED = {
    "wherefrom/web/__init__.py": "import sqlite3",
    "wherefrom/web/pages.py": "from elasticsearch.helpers import bulk",
    "wherefrom/web/views.py": "from typer.core import TyperGroup",
    "wherefrom/engines/other.py": "import elastic_transport",
    "wherefrom/engines/embedded/other.py": "import tree_sitter",
    "wherefrom/queries/other.py": "import mmh3",
    "wherefrom/posts/other.py": "import urllib3",
    "wherefrom/serve/desks.py": "from fastapi import FastAPI",
    "wherefrom/serve/mcp/other.py": "import uvicorn",
    "wherefrom/serve/web/other.py": "from mcp.server import MCPServer",
    "wherefrom/lab/other.py": "from matplotlib import colormaps",
    "wherefrom/engines/elasticsearch/address.py": "import elasticsearch",
    "wherefrom/cli/other.py": "import sqlite3",
    **{
        f"wherefrom/analyzers/{module}_of.py": f"import {module}"
        for module in ("subprocess", "pathlib", "io", "socket", "tempfile", "shutil")
    },
    "wherefrom/model.py": "import wherefrom.engines.engine",
    "wherefrom/sources/other.py": "import wherefrom.engines.engine",
    "wherefrom/serve/desk.py": "import wherefrom.serve.mcp.answers",
    "wherefrom/serve/mcp/pages.py": "import wherefrom.serve.web.app",
    "wherefrom/serve/mcp/others.py": "import wherefrom.serve.lsp.answers",
    "wherefrom/serve/jobs/other.py": "import pygls",
    "wherefrom/serve/calls.py": "import wherefrom.index",
    "wherefrom/cli/search.py": "import wherefrom.engines.kinds",
    "wherefrom/reports/sarif.py": "import wherefrom.queries.history",
    "wherefrom/posts/store.py": "import wherefrom.posts.search",
    "wherefrom/projects/check/other.py": "import wherefrom.projects.fixed.finder",
    "wherefrom/projects/changes/other.py": "import wherefrom.projects.check.checker",
}
"""Forbidden imports by file, most of them inside a function."""


def imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs import-linter on the package in a folder."""
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    """The refused imports in a copy of the package with all of `REFUSED` added."""
    folder = tmp_path_factory.mktemp("layers")
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copytree(ROOT / "wherefrom", folder / "wherefrom", ignore=shutil.ignore_patterns("__pycache__"))
    for path, line in REFUSED.items():
        (folder / path).parent.mkdir(exist_ok=True)
        with (folder / path).open("a") as file:
            file.write(f"\n\ndef planted():\n    {line}\n")
    done = imports(folder)
    assert done.returncode == 1, done.stdout + done.stderr
    return set(re.findall(r"(wherefrom[\w.]*) -> ([\w.]+)", done.stdout))


@pytest.mark.parametrize(("path", "line"), REFUSED.items(), ids=[f"{path}: {line}" for path, line in REFUSED.items()])
def test_an_import_that_is_not_allowed_is_refused(refused: set[tuple[str, str]], path: str, line: str) -> None:
    importer = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    imported = line.split()[1]
    assert (importer, imported if imported.startswith("wherefrom") else imported.partition(".")[0]) in refused


@pytest.mark.parametrize(
    "library",
    [
        "elasticsearch",
        "elastic_transport",
        "fastapi",
        "matplotlib",
        "mcp",
        "mmh3",
        "pygls",
        "sqlite3",
        "tree_sitter",
        "typer",
    ],
)
def test_ruff_shows_an_import_that_is_not_allowed(library: str) -> None:
    ruff = [str(Path(sys.executable).with_name("ruff")), "check", "--no-cache", "--select", "TID251"]
    text = f"def planted():\n    import {library}\n"
    done = subprocess.run(
        [*ruff, "--stdin-filename", "wherefrom/web/pages.py", "-"],
        cwd=ROOT,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"`{library}` is banned: only wherefrom/" in done.stdout


@pytest.mark.slow
def test_a_new_package_needs_a_layer(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "wherefrom", tmp_path / "wherefrom", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "wherefrom" / "web").mkdir()
    (tmp_path / "wherefrom" / "web" / "__init__.py").touch()
    done = imports(tmp_path)
    assert done.returncode == 1
    assert "wherefrom.web" in done.stdout
