"""The help of each command: whole sentences on 80 columns, and examples that do what they say."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from tests.cli.conftest import clean_environment, runner
from tests.cli.test_page import built_page
from tests.polygons import AREA, CLONES, MINE, POSTS
from tests.processes import HANGS
from tests.repositories import Repository
from wherefrom.cli import main
from wherefrom.cli.app import app


def commands(command: Any = None, name: str = "") -> Iterator[tuple[str, Any]]:
    """Each command by its name, without the program's."""
    command = command or get_command(app)
    yield name, command
    if isinstance(command, TyperGroup):
        for sub, found in command.commands.items():
            yield from commands(found, f"{name} {sub}".strip())


EXAMPLES = {name: command.examples for name, command in commands()}
"""What is typed, and what it is for, by command."""


def help_of(name: str) -> list[str]:
    """The lines of a command's help on 80 columns."""
    context = get_command(app).make_context("wherefrom", [], resilient_parsing=True, terminal_width=80)
    for part in name.split():
        command = context.command
        assert isinstance(command, TyperGroup)
        context = command.commands[part].make_context(part, [], context, resilient_parsing=True, terminal_width=80)
    return list(context.get_help().splitlines())


@pytest.mark.parametrize("name", EXAMPLES)
def test_help_fits_80_columns_and_ends_with_the_examples_as_they_are_typed(name: str) -> None:
    lines = help_of(name)
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line.endswith("...") and "Usage:" not in line]
    at = lines.index("Examples:")
    typed = [line.strip() for line in lines[at + 1 :] if not line.strip().startswith("#")]
    assert typed == [command for command, _ in EXAMPLES[name]]
    assert all(command.split("|")[-1].split()[0] == "wherefrom" for command in typed)
    assert any(f"wherefrom {name}".strip() in command for command in typed)


def test_the_first_sentences_fit_beside_the_commands() -> None:
    for name in ("", "posts", "boilerplate", "lab"):
        rows = "\n".join(help_of(name)).split("Commands:\n")[1].partition("\n\n")[0].splitlines()
        assert all(row.endswith(".") for row in rows)


def test_every_command_has_an_example_with_its_purpose() -> None:
    for examples in EXAMPLES.values():
        assert examples
        assert all(command and comment for command, comment in examples)


@pytest.mark.parametrize("name", EXAMPLES)
def test_jargon_is_left_to_the_options_of_experts(name: str) -> None:
    if name.startswith("lab"):
        return
    text = "\n".join(help_of(name)).lower()
    assert not [word for word in ("k-gram", "w'", "window", "winnow", "hash", "idf") if word in text]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the examples name: clones in the home, a project, files, an index, posts."""
    folder = tmp_path_factory.mktemp("examples")
    environment = clean_environment(folder)
    for name, files in CLONES.items():
        clone = Repository.make(
            folder / "home" / "clones" / name, {path: text.encode() for path, text in files.items()}
        )
        clone.git("remote", "add", "origin", f"https://github.com/example/{name}.git")
    project = Repository.make(folder / "project", {"own.py": b"WIDTH = 80\n"})
    project.write({"own.py": AREA.encode()})
    project.git("add", "own.py")
    for name in (
        "hand-ins/ann/own.py",
        "hand-ins/bob/mine.py",
        "handed-out/start.py",
        "last-year/old.py",
        "old/one.py",
    ):
        project.write({name: MINE.encode()})
    project.write({"new/two.py": MINE.replace("points", "corners").encode()})
    project.write(
        {
            "snippet.py": AREA.replace("points", "corners").encode(),
            "parser.py": MINE.encode(),
            "sources.txt": b"../home/clones/tools\n",
            "LICENSE": b"Permission is granted to whoever reads this file to do with it as they please. " * 5,
            "Posts.xml": POSTS.read_bytes(),
            "change.patch": b"--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+LENGTH = 3\n",
        }
    )
    run = runner({**environment, "WHEREFROM_INDEX": "code.wherefrom"}, project.folder)
    for arguments in (
        ("index", str(folder / "home" / "clones")),
        ("boilerplate", "add", "licenses", "LICENSE"),
        ("boilerplate", "learn", "--min-repositories", "2", "--output", "sets.json"),
        ("posts", "import", "Posts.xml"),
    ):
        done = run(*arguments)
        assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.fixture
def project(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the examples, in a copy of that folder."""
    shutil.copytree(template, tmp_path / "copy", symlinks=True)
    for name in os.environ:
        if name.startswith(("WHEREFROM_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "copy" / "home"))
    monkeypatch.setenv("WHEREFROM_INDEX", "code.wherefrom")
    monkeypatch.chdir(tmp_path / "copy" / "project")
    built_page(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path / "copy" / "project"


SERVE = {"lsp", "mcp", "serve"}
"""The commands that do not end by themselves."""


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_run(name: str, project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for command, _ in EXAMPLES[name]:
        if "://" in command or name in SERVE:
            parse(shlex.split(command)[1:])
            continue
        code = in_bash(command, project) if {*command} & {*"|<>"} else main(expanded(command))
        printed = capfd.readouterr()
        assert code in {0, 1}, (command, printed.err)
        assert "error" not in printed.err, command


def parse(arguments: list[str]) -> None:
    """Reads the arguments of a command that needs a network or does not end, and does not run it."""
    command = get_command(app)
    context = command.make_context("wherefrom", arguments)
    assert isinstance(command, TyperGroup)
    name, found, rest = command.resolve_command(context, [*context._protected_args, *context.args])
    assert found is not None
    found.make_context(name, rest, context)


def in_bash(command: str, folder: Path) -> int:
    """Runs a line in bash, with the command on its path; the exit code."""
    programs = folder.parent / "bin"
    programs.mkdir(exist_ok=True)
    (programs / "wherefrom").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m wherefrom "$@"\n')
    (programs / "wherefrom").chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, timeout=HANGS, check=False).returncode


def expanded(command: str) -> list[str]:
    """The arguments of a line, as a shell gives them: `~` is the home, and a pattern in quotes stays one."""
    return [os.path.expanduser(word) for word in shlex.split(command)[1:]]  # noqa: PTH111 -- not all words are paths
