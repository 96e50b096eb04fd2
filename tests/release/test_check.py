"""`./dev release` refuses placeholders, and leaves no line that says how to install from a checkout."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from release.check import ADDRESS, ROOT, VERSION, changes_of, main, problems, released, texts
from wherefrom.support.version import INSTALLED_FROM, __version__, remedy

FILES = {
    VERSION: '__version__ = "1.2.0"\n\nINSTALLED_FROM = "."\n',
    "pyproject.toml": (
        '[project]\nmaintainers = [{ name = "Them" }]\n'
        '[project.urls]\nRepository = "https://code.example/wherefrom"\nDocumentation = "https://pages.example"\n'
    ),
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n## 1.2.0 - a day\n\n- It does more.\n\n## 1.1.0\n\n- Older.\n",
    "README.md": (
        "$ pip install .      # in this folder\n$ git clone URL-OF-WHEREFROM\n\n<!-- until the release -->\nNot yet.\n"
        "<!-- end -->\n\n`pip install './wherefrom[web]'`, `pip install ./wherefrom`, [site](https://site.invalid/wherefrom/a)\n"
    ),
    "CITATION.cff": "authors:\n  - name: MAINTAINERS-OF-WHEREFROM\n",
    "docs/ci.md": "  - repo: URL-OF-WHEREFROM\n    rev: COMMIT\n",
    "examples/check.yml": f"      - uses: a/b@{'1' * 40}\n        run: pip install 'git+URL-OF-WHEREFROM@COMMIT'\n",
    "benchmarks/notes/kernel.md": "`pip install .` builds it.\n",
}

RELEASED = FILES | {
    VERSION: '__version__ = "1.2.0"\n\nINSTALLED_FROM = "wherefrom"\n',
    "README.md": (
        "$ pip install wherefrom\n\n"
        "`pip install 'wherefrom[web]'`, `pip install wherefrom`, [site](https://pages.example/a)\n"
    ),
    "CITATION.cff": "authors:\n  - name: Them\n",
    "docs/ci.md": "  - repo: https://code.example/wherefrom\n    rev: v1.2.0\n",
    "examples/check.yml": f"      - uses: a/b@{'1' * 40}\n        run: pip install wherefrom==1.2.0\n",
}

Tree = Callable[[dict[str, str]], Path]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Makes a repository with files."""

    def make(files: dict[str, str]) -> Path:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        subprocess.run("git init --quiet && git add --all", shell=True, cwd=tmp_path, check=True)
        return tmp_path

    return make


def read(root: Path) -> dict[str, str]:
    return {name: (root / name).read_text() for name in texts(root)}


def test_a_release_changes_every_line(tree: Tree) -> None:
    root = tree(FILES)
    assert main([], root) == 0
    assert read(root) == RELEASED
    assert main(["--check", "--tag", "v1.2.0"], root) == 0


def test_only_checking_changes_nothing_and_names_file_and_line(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    root = tree(FILES)
    assert main(["--check"], root) == 1
    assert read(root) == FILES
    places = {line.split(": ")[0] for line in capsys.readouterr().err.splitlines()[:-1]}
    assert places == {
        *(f"README.md:{line}" for line in (1, 2, 4, 8)),
        "CITATION.cff:2",
        "docs/ci.md:1",
        "examples/check.yml:2",
        f"{VERSION}:3",
    }


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        (
            "pyproject.toml",
            FILES["pyproject.toml"].replace("pages.example", "site.invalid/wherefrom"),
            "toml:5: https://s",
        ),
        ("pyproject.toml", FILES["pyproject.toml"].replace("code.example", "repository.invalid"), "toml:4: https://r"),
        (
            "pyproject.toml",
            FILES["pyproject.toml"].replace("Them", "MAINTAINERS-OF-WHEREFROM"),
            "toml:2: MAINTAINERS-OF",
        ),
        (".github/workflows/a.yml", "steps:\n  - uses: actions/checkout@v5\n", "a.yml:2: - uses: actions/checkout@v5"),
        ("action.yml", f"steps:\n\n  - uses: a/b@{'0' * 40}\n", "action.yml:3: - uses: a/b@000"),
        ("CHANGELOG.md", "# Changelog\n\n## Unreleased\n", "CHANGELOG.md:1: no section for version 1.2.0"),
        ("docs/new.md", "Clone URL-OF-WHEREFROM.\n", "docs/new.md:1: URL-OF-WHEREFROM"),
    ],
)
def test_what_is_missing_is_refused_and_nothing_is_changed(
    tree: Tree, capsys: pytest.CaptureFixture[str], name: str, text: str, problem: str
) -> None:
    root = tree(FILES | {name: text})
    assert main([], root) == 1
    assert problem in capsys.readouterr().err
    assert read(root) == FILES | {name: text}


def test_a_tag_that_is_not_the_version_is_refused() -> None:
    assert [*problems(RELEASED, "v1.2.1")] == [f"{VERSION}:1: the version is 1.2.0, and the tag v1.2.1"]


def test_an_action_of_this_repository_needs_no_pin() -> None:
    assert [*problems(RELEASED | {"a.yml": "    uses: ./.github/workflows/b.yml\n"})] == []


def test_the_changes_of_a_version() -> None:
    assert changes_of(FILES, "1.2.0") == "- It does more."
    assert changes_of(FILES, "1.0.0") == ""
    assert changes_of(FILES, "1.2") == ""


def test_the_addresses_come_from_one_place() -> None:
    """Until they exist, and then nowhere is a placeholder left."""
    files = texts(ROOT)
    found = {name for name, text in files.items() if ADDRESS.search(text)}
    assert not found or "pyproject.toml" in found


@pytest.mark.thorough
@pytest.mark.skipif(INSTALLED_FROM != ".", reason="it is released")
def test_this_tree_can_be_released() -> None:
    """All that is missing are the addresses and the changelog."""
    files = texts(ROOT)
    files["pyproject.toml"] = ADDRESS.sub(
        lambda found: f"https://{found[1]}.example/them/wherefrom" if found[1] else "Them",
        files["pyproject.toml"],
    )
    files["CHANGELOG.md"] += f"\n## {__version__}\n\n- All of it.\n"
    new = released(files)
    assert [*problems(new)] == []
    assert f"uses: them/wherefrom@v{__version__}\n" in new["examples/github/wherefrom.yml"]
    assert f"pip install wherefrom=={__version__}\n" in new["examples/gitlab/wherefrom.yml"]
    assert any("pip install 'wherefrom[web]'" in new[name] for name in ("README.md", "docs/how-to/serve.md"))
    assert re.search(r"^\$ pip install wherefrom$", new["docs/install.md"], re.MULTILINE)


def test_the_remedy_of_a_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for place, line in (
        (".", "install wherefrom with its extra 'web', in a checkout: pip install '.[web]'"),
        ("wherefrom", "install wherefrom with its extra 'web': pip install 'wherefrom[web]'"),
    ):
        monkeypatch.setattr("wherefrom.support.version.INSTALLED_FROM", place)
        assert remedy("web") == line


@pytest.mark.thorough
def test_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "release.check", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == (1 if [*problems(texts(ROOT))] else 0)
