"""Completion in the shells themselves, each with the script that the command gives it."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import clean_environment, runner
from tests.processes import HANGS

pytestmark = pytest.mark.slow

Complete = Callable[[str], list[str]]

HOSTILE = "x/$(touch executed)"
"""What a remote may call itself; a shell would act on it."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the command `wherefrom` in `bin`, and an index of three repositories and a boilerplate set."""
    folder = tmp_path_factory.mktemp("completion")
    (folder / "code").mkdir()
    (folder / "code" / "a.py").write_text(
        "def add(a, b, c):\n    return [a + b, b + c, (a - b) * c, a / (b or 1)]\n" * 5
    )
    (folder / "bin").mkdir()
    command = folder / "bin" / "wherefrom"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m wherefrom "$@"\n')
    command.chmod(0o755)
    run = runner(clean_environment(folder), folder)
    for key in ("github.com/example/tools", "github.com/example/maps", HOSTILE):
        assert run("index", "--name", key, "code").returncode == 0
    assert run("boilerplate", "add", "licenses", "code/a.py").returncode == 0
    return folder


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    """The environment of the shells."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WHEREFROM_", "XDG_"))}
    return {
        **kept,
        "HOME": str(home / "home"),
        "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "WHEREFROM_INDEX": str(home / "index"),
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
    }


def installed(shell: str) -> str:
    """The path of a shell; without it the test is skipped."""
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    return path


def answered(command: list[str], environment: dict[str, str], folder: Path) -> list[str]:
    """The lines that a shell prints; it must succeed, and complain about nothing."""
    done = subprocess.run(
        command,
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=HANGS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


BASH = """
eval "$(wherefrom --show-completion)"
read -ra COMP_WORDS <<< "$1"
[[ $1 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
_wherefrom_completion wherefrom
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def in_bash(environment: dict[str, str], home: Path) -> Complete:
    """The completions that bash offers for a line."""
    shell = installed("bash")
    return lambda line: answered([shell, "--norc", "-c", BASH, "bash", line], environment, home)


@pytest.fixture
def in_fish(environment: dict[str, str], home: Path) -> Complete:
    """The completions that fish offers for a line."""
    shell = installed("fish")
    program = "wherefrom --show-completion | source; complete --do-complete $argv[1]"
    return lambda line: [
        offered.partition("\t")[0]
        for offered in answered([shell, "--no-config", "-c", program, line], environment, home)
    ]


OFFERS = [
    ("wherefrom swe", ["sweep"]),
    ("wherefrom list github.com/example/t", ["github.com/example/tools"]),
    ("wherefrom remove github.com/example/tools g", ["github.com/example/maps", "github.com/example/tools"]),
    ("wherefrom search --repository ", ["github.com/example/maps", "github.com/example/tools"]),
    ("wherefrom search --without ", ["frameworks", "licenses"]),
    ("wherefrom boilerplate show l", ["licenses"]),
    ("wherefrom search --language pyt", ["python"]),
    ("wherefrom check --format s", ["sarif", "spdx"]),
    ("wherefrom check --fail-on lic", ["license-conflict"]),
]


@pytest.mark.nightly
@pytest.mark.parametrize(("line", "offers"), OFFERS)
def test_bash(in_bash: Complete, home: Path, line: str, offers: list[str]) -> None:
    assert sorted(in_bash(line)) == offers
    assert not (home / "executed").exists()


@pytest.mark.parametrize(("line", "offers"), OFFERS)
def test_fish(in_fish: Complete, home: Path, line: str, offers: list[str]) -> None:
    assert sorted(in_fish(line)) == offers
    assert not (home / "executed").exists()


def test_zsh(environment: dict[str, str], home: Path) -> None:
    """On a terminal: Tab completes the line, Ctrl-A and `print` show what it has become."""
    shell = installed("zsh")
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(home)
        os.execve(shell, [shell, "-f", "-i"], environment)
    try:
        _type(
            terminal, 'autoload -Uz compinit && compinit -u -D; eval "$(wherefrom --show-completion)"; print rea""dy\n'
        )
        _read(terminal, b"\nready")
        _type(terminal, "wherefrom list github.com/example/t\t")
        _read(terminal, b"github.com/example/tools")
        _type(terminal, "\x01print -r -- \n")
        _read(terminal, b"\nwherefrom list github.com/example/tools")
        _type(terminal, "wherefrom search --language pyt\t")
        _read(terminal, b"python")
        _type(terminal, "\x03exit\n")
    finally:
        os.close(terminal)
        os.waitpid(process, 0)


def _type(terminal: int, text: str) -> None:
    os.write(terminal, text.encode())


def _read(terminal: int, wanted: bytes) -> None:
    """Reads what the terminal shows until it has shown this."""
    shown, end = b"", time.monotonic() + HANGS
    while wanted not in shown.replace(b"\r", b""):
        assert time.monotonic() < end, shown
        if select.select([terminal], [], [], 1.0)[0]:
            shown += os.read(terminal, 65_536)


@pytest.mark.parametrize("location", ["nowhere", "code", "elasticsearch://127.0.0.1:9/code", "no:such://engine"])
def test_without_an_index_nothing_is_offered_and_nothing_said(
    in_bash: Complete, environment: dict[str, str], location: str
) -> None:
    environment["WHEREFROM_INDEX"] = location
    assert in_bash("wherefrom list ") == [""]


def test_the_index_that_the_line_names_is_asked(in_bash: Complete, environment: dict[str, str], home: Path) -> None:
    environment["WHEREFROM_INDEX"] = "nowhere"
    assert in_bash(f"wherefrom --index {home / 'index'} list github.com/example/t") == ["github.com/example/tools"]
    assert in_bash(f"wherefrom list --index {home / 'index'} github.com/example/t") == ["github.com/example/tools"]


@pytest.mark.parametrize(
    ("shell", "script"),
    [
        ("bash", ".bash_completions/wherefrom.sh"),
        ("zsh", ".zfunc/_wherefrom"),
        ("fish", ".config/fish/completions/wherefrom.fish"),
    ],
)
def test_it_is_installed_for_the_shell_that_asks(
    environment: dict[str, str], home: Path, shell: str, script: str
) -> None:
    [first, *_] = answered([installed(shell), "-c", "wherefrom --install-completion; true"], environment, home)
    assert first == f"{shell} completion installed in {home / 'home' / script}"
    assert "_WHEREFROM_COMPLETE" in (home / "home" / script).read_text()
