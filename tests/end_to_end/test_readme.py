"""What README.md shows: its commands print what it says, and its example of the library runs.

The commands of `wherefrom fixed`, which need clones of Redis and Valkey, are run by `python -m benchmarks.readme`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.readme import PAGES
from tests import documentation
from tests.documentation import ROOT, Example, examples
from tests.repositories import Repository
from wherefrom.support.version import INSTALLED_FROM

README, _ = PAGES

EXAMPLES = examples(README)
PROGRAM = "wherefrom "
DEPENDENCIES = "wherefrom check --dependencies"
"""It needs registries: `test_check.py` runs it with a server of its own."""


def run(command: str, folder: Path) -> str:
    """What a command prints in a folder, which must succeed."""
    [(output, code)] = documentation.run([command], folder)
    assert code == 0, output
    return output


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder after a run of the demo, as `./dev demo` runs it."""
    folder = tmp_path_factory.mktemp("readme")
    run(f"python {ROOT / 'examples' / 'demo.py'} build/demo", folder)
    return folder


SHOWN = [item for item in EXAMPLES if item.output and not item.command.startswith("wherefrom fixed ")]


@pytest.mark.parametrize("example", SHOWN, ids=lambda item: f"line {item.line}")
def test_a_command_prints_what_is_shown(example: Example, demo: Path) -> None:
    difference = example.difference(run(example.command, demo))
    assert not difference, f"\n{difference}"


def test_every_command_is_run_somewhere() -> None:
    """With its output: here, or by the benchmark that needs clones. Without: by the test of the first minute."""
    assert [item.command.split()[1] for item in SHOWN] == ["search"]
    elsewhere = [item.command for page in PAGES for item in examples(page) if item.output and item not in SHOWN]
    assert elsewhere == ["wherefrom fixed --project redis 3a2669e8a"]
    silent = [item.command.partition("  ")[0] for item in EXAMPLES if not item.output]
    first_minute = [DEPENDENCIES, "wherefrom index ~/clones", "wherefrom search snippet.py"]
    assert silent == [f"pip install {INSTALLED_FROM}", *first_minute, "./dev demo", "./dev test"]
    assert re.findall(r"^```(?!console|python)\S+$", README.read_text(), re.MULTILINE) == []


def test_the_commands_of_the_first_minute(tmp_path: Path) -> None:
    code = "def add(first, *others):\n    return first + sum(each for each in others)\n"
    for name in ("one", "other"):
        Repository.make(tmp_path / "clones" / name, {f"{name}.py": f"NAME = {name!r}\n\n\n{code}".encode()})
    (tmp_path / "snippet.py").write_text(code)
    commands = [item.command for item in EXAMPLES if not item.output and item.command.startswith(PROGRAM)]
    indexed, found = [run(command, tmp_path) for command in commands if not command.startswith(DEPENDENCIES)]
    assert "2 repositories: 2 indexed" in indexed
    assert {"one.py:4-5", "other.py:4-5"} <= set(re.findall(r"\w+\.py:\d-\d", found))


def test_the_example_of_the_library(tmp_path: Path) -> None:
    code = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    [example] = code
    snippet = re.findall(r'index\.search\("(.*)"\)', example)[0].replace("\\n", "\n")
    Repository.make(tmp_path / "path" / "to" / "clones" / "sums", {"sums.py": snippet.encode()})
    (tmp_path / "example.py").write_text(example)
    assert re.fullmatch(r"\d+\.\d+ sums\.py\n", run("python example.py", tmp_path))
