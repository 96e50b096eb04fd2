"""Before its release, no text tells anybody to install wherefrom from an index of packages. It is in none of them, so
somebody else could register the name and run code on the machines of those who follow the text.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from wherefrom.support.version import INSTALLED_FROM, __version__

ROOT = Path(__file__).parents[1]

BY_NAME = re.compile(
    r"""
    \b(?: pip[\d.]* | pipx | uv | uvx | poetry | pdm | conda | mamba | brew | apt | apt-get | npx | cargo )\b
    [^\n]*? [\s'"`=] wherefrom (?: \[ | [=<>~!@] | ['"`\s)] | $ )
    | (?<! [/\w] ) wherefrom \[ [a-z{]
    """,
    re.VERBOSE | re.MULTILINE,
)
"""A command that looks up the name in an index, or a requirement with an extra, which is meant for such a command. A
path such as `./wherefrom[web]` is neither.
"""


def installs(text: str) -> list[str]:
    """The parts of a text that look up wherefrom in an index of packages."""
    joined = re.sub(r"\\\n\s*", " ", text)
    commands = re.split(r"&&|[;|\n]", joined)
    return [found[0] for command in commands if (found := BY_NAME.search(command)) and "--no-index" not in command]


def files() -> list[Path]:
    """All files of the project that people read or run, except the tests."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    # If one extra of the project includes another, no index is used. The check of a release has what comes after it.
    names = {name for name in listed.stdout.split("\0") if name} - {"pyproject.toml", "release/check.py"}
    return [path for name in sorted(names) if not name.startswith("tests/") and (path := ROOT / name).is_file()]


@pytest.mark.parametrize(
    "text",
    [
        "run: pip install wherefrom",
        "`pip install 'wherefrom[web]'`:",
        "$ python -m pip install --upgrade wherefrom==0.1.0",
        "uvx wherefrom search",
        "uv tool install wherefrom",
        "RUN pip install \\\n  --no-cache-dir wherefrom",
        "f\"pip install 'wherefrom[{extra}]'\"",
        "needs wherefrom[lab]",
    ],
)
def test_an_install_by_name_is_seen(text: str) -> None:
    assert installs(text) != []


@pytest.mark.parametrize(
    "text",
    [
        "pip install '.[web]'",
        "pip install './wherefrom[web]'",
        "pip install 'git+https://example.org/wherefrom.git@main'",
        "RUN pip install --no-index --find-links /wheels \\\n  'wherefrom[web]'",
        "pip install . && wherefrom index ~/clones",
        "install wherefrom with its extra 'web'",
    ],
)
def test_other_ways_are_not(text: str) -> None:
    assert installs(text) == []


@pytest.mark.slow
@pytest.mark.skipif(INSTALLED_FROM != ".", reason="it is released")
def test_nothing_installs_it_by_name() -> None:
    read = {path: path.read_bytes().decode(errors="replace") for path in files()}
    names = {path.relative_to(ROOT).as_posix() for path in read}
    assert {"README.md", "Dockerfile", ".pre-commit-hooks.yaml", "action.yml", "examples/github/wherefrom.yml"} <= names
    assert {"docs/install.md", ".github/workflows/release.yml", "wherefrom/cli/settings.py", "compose.yaml"} <= names
    found = {path.relative_to(ROOT).as_posix(): installs(text) for path, text in read.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_no_document_names_a_version_that_is_not_released() -> None:
    """Before the release, the reader chooses a commit for `rev`. The release names its own tag before that exists."""
    tags = subprocess.run(["git", "tag"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    named = {
        tag
        for path in files()
        if path.suffix == ".md"
        for tag in re.findall(r"^\s*rev: (\S+)", path.read_text(), re.MULTILINE)
    }
    assert named - {*tags, "COMMIT" if INSTALLED_FROM == "." else f"v{__version__}"} == set()
