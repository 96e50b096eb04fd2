from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Callable

import pytest

import wherefrom
from tests.processes import HANGS
from wherefrom.cli import app
from wherefrom.support import extension

Run = Callable[..., "subprocess.CompletedProcess[str]"]

HEAVY = {"numpy", "sqlite3", "tree_sitter", "mmh3", "elasticsearch", "click", "rich", "zstandard", "matplotlib"}

COMMANDS = (
    "index",
    "search",
    "similar",
    "fingerprint",
    "first",
    "releases",
    "check",
    "fixed",
    "compare",
    "page",
    "sources",
    "trace",
    "watch",
    "mcp",
    "lsp",
    "serve",
    "token",
    "copy",
    "publish",
    "cache",
    "list",
    "stats",
    "remove",
    "prune",
    "sweep",
    "languages",
    "posts",
    "boilerplate",
    "lab",
)


def test_every_command_has_help(run: Run) -> None:
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    rows = done.stdout.split("Commands:\n")[1].partition("\n\n")[0].splitlines()
    listed = [row.split()[0] for row in rows if not row.startswith("   ")]
    assert listed == list(COMMANDS)


@pytest.mark.parametrize(
    "command", [*((name,) for name in COMMANDS), ("boilerplate", "add"), ("posts", "import"), ("lab", "noise")]
)
def test_help_of_a_command(run: Run, command: tuple[str, ...]) -> None:
    done = run(*command, "-h")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: wherefrom {' '.join(command)} ")
    if len(command) == 1:  # the list of all commands has its first sentence
        assert " ".join(done.stdout.split("\n\n")[1].split()).startswith(app.COMMANDS[command[0]][1])


def test_the_help_of_a_large_command_has_what_most_people_need_and_explains_once(run: Run) -> None:
    short, whole = run("search", "--help").stdout, run("search", "--help-all").stdout
    assert "--max-df" not in short
    assert "more options" in short
    assert "--max-df" in whole
    for shown in (short, whole):
        assert shown.count("REPO is a key of a repository") == 1
        assert "WHEREFROM_INDEX" in shown
    assert "--help-all" not in run("stats", "--help").stdout


def test_the_version(run: Run) -> None:
    first, system, *_ = run("--version", "--verbose").stdout.splitlines()
    assert run("--version").stdout == f"{first}\n"
    assert first == f"wherefrom {wherefrom.__version__} ({extension.description()})"
    assert system.startswith(f"{platform.python_implementation()} {platform.python_version()} on ")


@pytest.mark.thorough
@pytest.mark.parametrize("arguments", [["--help"], ["search", "--help"], ["search", "--limit", "x"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import json, sys\n"
        "from wherefrom.cli import main\n"
        "code = main(sys.argv[1:])\n"
        "sys.stderr.write('\\n' + json.dumps(sorted(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=HANGS, check=True
    )
    loaded = {name.split(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}
    assert "typer" in loaded
    assert not loaded & HEAVY


def test_languages(run: Run) -> None:
    done = run("languages", "--format", "json")
    names = [language["name"] for language in json.loads(done.stdout)["languages"]]
    assert "python" in names
    assert [line.split()[0] for line in run("languages").stdout.splitlines()[1:]] == names
