"""`wherefrom page`: writes the page of the distribution `wherefrom-page` into a folder."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from wherefrom.cli import projects
from wherefrom.errors import ExtraMissing
from wherefrom.support.version import INSTALLED_FROM

Run = Callable[..., "subprocess.CompletedProcess[str]"]

FILES = {"index.html": "<!DOCTYPE html>", "site.json": json.dumps({"wherefrom": "0.1.0"}), "grammars/c.wasm": "c"}


def built_page(folder: Path) -> Path:
    """Makes a distribution of a small site, and returns the folder that Python finds it in."""
    package = folder / "wherefrom_page"
    for name, text in FILES.items():
        path = package / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (package / "__init__.py").write_text("")
    return folder


def written(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_it_writes_the_site_and_says_how_to_serve_it(run: Run, tmp_path: Path) -> None:
    installed = built_page(tmp_path / "installed")
    done = run("page", str(tmp_path / "site"), PYTHONPATH=str(installed))
    assert (done.returncode, done.stdout) == (0, "")
    assert f"python -m http.server --bind 127.0.0.1 --directory {tmp_path / 'site'}" in done.stderr
    assert written(tmp_path / "site") == FILES


def test_it_replaces_the_site_of_another_version_and_no_other_files(run: Run, tmp_path: Path) -> None:
    installed = built_page(tmp_path / "installed")
    site = tmp_path / "site"
    site.mkdir()
    (site / "site.json").write_text('{"wherefrom": "0.0.9"}')
    (site / "index.html").write_text("old")
    assert run("page", str(site), PYTHONPATH=str(installed)).returncode == 0
    assert written(site) == FILES
    other = tmp_path / "other"
    other.mkdir()
    (other / "index.html").write_text("mine")
    done = run("page", str(other), PYTHONPATH=str(installed))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"wherefrom: error: {other} has other files; name a new or empty folder\n"
    assert written(other) == {"index.html": "mine"}


def test_a_folder_that_cannot_be_written_is_an_error_with_a_remedy(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name in ("file", "file/site"):
        done = run("page", str(tmp_path / name), PYTHONPATH=str(built_page(tmp_path / "installed")))
        assert done.returncode == 2
        message = done.stderr.replace("\\", "/")
        assert message.startswith(f"wherefrom: error: cannot write into {tmp_path / name}: ")
        assert message.endswith("; name another folder\n")


def test_without_the_distribution_it_names_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(projects, "__file__", str(tmp_path / "wherefrom" / "cli" / "compare.py"))
    remedy = "build it: ./dev page" if INSTALLED_FROM == "." else r"pip install 'wherefrom\[page\]'"
    with pytest.raises(ExtraMissing, match=f"the page is missing; .*{remedy}"):
        projects._site()
