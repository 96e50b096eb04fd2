"""The site is complete, its service worker knows all files by their hashes, and the wheel has the site."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from release import page, wasm
from wherefrom.support.version import __version__


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A small folder in the form of `./dev wasm`."""
    for name in ("kernel.wasm", "rules.json", "grammars/c.wasm", "grammars/python.wasm", "LICENSES/tree-sitter.txt"):
        path = tmp_path / "made" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path / "made"


def hash_of(content: bytes) -> str:
    return b64encode(sha256(content).digest()).decode()


def test_the_service_worker_keeps_all_files_but_grammars_and_licenses(made: Path) -> None:
    site = dict(page.contents(made))
    [line] = re.findall(r"^const SITE = (.*);$", site["service-worker.js"].decode(), re.MULTILINE)
    found = json.loads(line)
    kept = {name for name in site if not name.startswith(("grammars/", "licenses/"))} - {"service-worker.js"}
    assert found["files"] == {name: hash_of(site[name]) for name in kept}
    assert {"index.html", "page.css", "drawing.js", "skeleton.html", "kernel.js", "comparison.js", "app.js"} <= kept
    (made / "kernel.wasm").write_text("other")
    assert found["version"] not in dict(page.contents(made))["service-worker.js"].decode()


def test_the_site_has_the_grammars_with_hashes(made: Path) -> None:
    site = dict(page.contents(made))
    facts = json.loads(site["site.json"])
    assert facts["wherefrom"] == __version__
    assert facts["grammars"] == {
        name: {"hash": hash_of(site[f"grammars/{name}.wasm"]), "size": len(site[f"grammars/{name}.wasm"])}
        for name in ("c", "python")
    }
    assert {"licenses/LICENSE", "licenses/tree-sitter.txt"} <= {*site}


def test_every_file_that_a_file_names_is_there(made: Path) -> None:
    site = dict(page.contents(made))
    for name, content in site.items():
        if name.endswith((".js", ".html")):
            text = content.decode()
            named = re.findall(
                r'(?:from|import|Worker\(|loaded\(|register\(|src=|href=)\s*\(?"(?:\./)?([\w.-]+\.\w+)"', text
            )
            assert {*named} <= {*site}, name


def test_the_policy_allows_nothing_inline_and_no_other_site(made: Path) -> None:
    text = dict(page.contents(made))["index.html"].decode()
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert rules["style-src"] == rules["connect-src"] == "'self'"
    assert rules["worker-src"] == "'self' blob:"
    assert not re.search(r'<script(?! type="application/json")(?![^>]*src=)|<style|\son\w+=|\sstyle=', text)


@pytest.mark.nightly
@pytest.mark.slow
def test_the_wheel_has_the_site_and_the_licenses(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "SITE", tmp_path / "site")
    monkeypatch.setattr(wasm, "build", lambda: made)
    site = page.build()
    built = page.wheel(tmp_path / "wheels")
    assert built.name == f"wherefrom_page-{__version__}-py3-none-any.whl"
    with ZipFile(built) as opened:
        names = {*opened.namelist()}
        assert opened.read("wherefrom_page/site/index.html") == (site / "index.html").read_bytes()
    assert {"wherefrom_page/__init__.py", "wherefrom_page/site/grammars/c.wasm"} <= names
    info = f"wherefrom_page-{__version__}.dist-info"
    assert {f"{info}/licenses/LICENSE", f"{info}/licenses/licenses/tree-sitter.txt"} <= names
