"""What README.md shows: its commands print what it says, and its example of the library runs.

The commands of `wherefrom fixed`, which need clones of Redis and Valkey, are run by `python -m benchmarks.readme`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.readme import PAGES, Example, examples
from tests.repositories import Repository

README, FIXED = PAGES
ROOT = README.parent

EXAMPLES = examples(README)
PROGRAM = "wherefrom "


def run(command: str, folder: Path, code: int = 0) -> str:
    """What a command line prints in a folder that is also the user's own; nothing of this environment is passed on."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COLUMNS", "WHEREFROM_", "XDG_"))}
    programs = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**kept, "HOME": str(folder), "PATH": programs, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the demo was run, as `./dev demo` runs it."""
    folder = tmp_path_factory.mktemp("readme")
    run(f"python {ROOT / 'examples' / 'demo.py'} build/demo", folder)
    return folder


SHOWN = [each for each in EXAMPLES if each.output and not each.command.startswith("wherefrom fixed ")]


@pytest.mark.parametrize("example", SHOWN, ids=lambda each: f"line {each.line}")
def test_a_command_prints_what_is_shown(example: Example, demo: Path) -> None:
    difference = example.difference(run(example.command, demo))
    assert not difference, f"\n{difference}"


def test_every_command_is_run_somewhere() -> None:
    """With its output: here, or by the benchmark that needs clones. Without: by the test of the first minute."""
    assert [each.command.split()[1] for each in SHOWN] == ["search", "search"]
    elsewhere = [each.command for page in PAGES for each in examples(page) if each.output and each not in SHOWN]
    assert [command for command in elsewhere if "--project redis " not in command] == [
        "wherefrom fixed --project zlib eff308af^..1eb7682"
    ]
    assert len(elsewhere) == 4
    silent = [each.command.partition("  ")[0] for each in EXAMPLES if not each.output]
    assert silent == ["./dev demo", "pip install .", "wherefrom index ~/clones", "wherefrom search snippet.py"]
    assert re.findall(r"^```(?!console|python)\S+$", README.read_text(), re.MULTILINE) == []


def test_the_commands_of_the_first_minute(tmp_path: Path) -> None:
    code = "def add(first, *others):\n    return first + sum(each for each in others)\n"
    for name in ("one", "other"):
        Repository.make(tmp_path / "clones" / name, {f"{name}.py": f"NAME = {name!r}\n\n\n{code}".encode()})
    (tmp_path / "snippet.py").write_text(code)
    printed = [run(each.command, tmp_path) for each in EXAMPLES if not each.output and each.command.startswith(PROGRAM)]
    indexed, found = printed
    assert "2 repositories: 2 indexed" in indexed
    assert {"one.py:4-5", "other.py:4-5"} <= set(re.findall(r"\w+\.py:\d-\d", found))


def test_the_example_of_the_library(tmp_path: Path) -> None:
    code = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    [example] = code
    snippet = re.findall(r'index\.search\("(.*)"\)', example)[0].replace("\\n", "\n")
    Repository.make(tmp_path / "path" / "to" / "clones" / "sums", {"sums.py": snippet.encode()})
    (tmp_path / "example.py").write_text(example)
    assert re.fullmatch(r"\d+\.\d+ sums\.py\n", run("python example.py", tmp_path))


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nscore 1.25\n", "a\nscore 9.5\n", True),
        ("a 51%  fair\n", "a 51%  weak\n", False),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nd\n", True),
        ("a\n...\nd\n", "b\nd\n", False),
        ("a\n", "a\nb\n", False),
        ("/home/me/redis: commit 1\n", "/srv/redis: commit 1\n", True),
        ("of 1 function, 0.4 s\n", "of 1 function, 12.9 s\n", True),
    ],
)
def test_what_varies_is_not_compared(shown: str, printed: str, same: bool) -> None:
    assert (Example(README, 1, "wherefrom", shown).difference(printed) == "") is same
