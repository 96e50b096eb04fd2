"""The first tenths of a second: Ctrl-C while the command line itself is being loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.processes import HANGS

PROGRAM = """
import signal, sys
left = int(sys.argv.pop(1))

def trace(frame, event, argument):
    # Counts the lines of this project's modules, from the first one behind the entry point on, and sends Ctrl-C.
    global left
    name = frame.f_globals.get("__name__", "")
    if not name.startswith("wherefrom.") or name == "wherefrom.cli":
        return None if event == "call" and not name.startswith("wherefrom") else trace
    if event == "line":
        left -= 1
        if left == 0:
            sys.settrace(None)
            signal.raise_signal(signal.SIGINT)
    return trace

def trace_exec(frame, event, argument):
    if frame.f_code.co_filename == "<string>":
        sys.settrace(None)
        signal.raise_signal(signal.SIGINT)

# A shell starts what runs in its background with SIGINT ignored, and Python leaves it so.
signal.signal(signal.SIGINT, signal.default_int_handler)
from wherefrom.cli import main
sys.settrace(trace if left else trace_exec)
sys.exit(main())
"""


def interrupted_at(line: int, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the command, with Ctrl-C at that line; 0 for the first time that a text is executed."""
    (folder / "starting.py").write_text(PROGRAM)  # run with -m, as the command is: `-c` ends in another way
    return subprocess.run(
        [sys.executable, "-m", "starting", str(line), "--version"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=HANGS,
        check=False,
    )


@pytest.mark.slow
def test_an_interrupt_while_it_starts_is_one_line(tmp_path: Path) -> None:
    interrupted = 0
    for line in (4**power for power in range(10)):
        done = interrupted_at(line, tmp_path)
        if done.returncode == 0:
            break
        assert (done.returncode, done.stderr) == (130, "wherefrom: interrupted\n"), line
        interrupted += 1
    else:
        raise AssertionError("it never came to its end")
    assert interrupted > 3


def test_an_interrupt_in_the_making_of_a_data_class_ends_with_the_same_code(tmp_path: Path) -> None:
    done = interrupted_at(0, tmp_path)
    assert (done.returncode, done.stderr) == (130, "wherefrom: interrupted\n")


def test_the_entry_point_loads_nothing_but_the_version_before_it_can_catch_an_interrupt() -> None:
    program = "import sys, wherefrom.cli\nprint(*sorted(name for name in sys.modules if name.startswith('wherefrom')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=HANGS, check=True)
    assert done.stdout.split() == ["wherefrom", "wherefrom.cli", "wherefrom.support", "wherefrom.support.version"]


def loaded(folder: Path, *arguments: str) -> list[str]:
    """The modules that a command loads, in order."""
    program = "import sys\nfrom wherefrom.cli import main\ncode = main(sys.argv[1:])\nprint(code, *sys.modules)"
    plain = {name: value for name, value in os.environ.items() if not name.startswith("WHEREFROM_")}
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=folder, env=plain, capture_output=True, text=True, timeout=HANGS, check=True)
    code, *modules = done.stdout.splitlines()[-1].split()
    assert code == "0", done.stderr
    return modules


def own(modules: Iterable[str]) -> list[str]:
    return sorted(name for name in modules if name.startswith("wherefrom."))


@pytest.mark.slow
def test_a_search_does_not_load_what_only_other_commands_need(tmp_path: Path) -> None:
    """`modules_of_a_search.txt` lists what it loads of wherefrom; `WHEREFROM_WRITE_SNAPSHOTS=1` writes that again."""
    (tmp_path / "source").mkdir()
    code = "def add(first, *others):\n    return first + sum(other * 2 for other in others if other is not None)\n"
    (tmp_path / "source" / "a.py").write_text(code)
    to_index = loaded(tmp_path, "index", "--index", "made", "source")
    assert len(own(to_index)) <= 260
    assert {"http.client", "importlib.metadata", "numpy.ma", "pydantic"}.isdisjoint(to_index)
    modules = loaded(tmp_path, "search", "--index", "made", "--code", code)
    assert "wherefrom.queries.searching" in modules
    listed = Path(__file__).with_name("modules_of_a_search.txt")
    if os.environ.get("WHEREFROM_WRITE_SNAPSHOTS"):
        listed.write_text("".join(f"{name}\n" for name in own(modules)))
    assert own(modules) == listed.read_text().split()
    assert {"jinja2", "turbohtml", "fastapi", "pydantic", "tomllib", "importlib.metadata", "numpy.ma"}.isdisjoint(
        modules
    )


@pytest.mark.parametrize(("option", "most"), [("--version", 15), ("--help", 45)])
def test_what_needs_no_library_loads_little(tmp_path: Path, option: str, most: int) -> None:
    modules = loaded(tmp_path, option)
    assert len(own(modules)) <= most
    assert {"numpy", "importlib.metadata", "wherefrom.languages"}.isdisjoint(modules)


CYCLE = """
import os
from wherefrom.cli import main

class Cycle:
    def __init__(self):
        self.itself = self

    def __del__(self, write=os.write):
        write(1, b"looked for cycles")

main(["--version"])
Cycle()
"""


def test_it_ends_without_looking_for_cycles() -> None:
    done = subprocess.run([sys.executable, "-c", CYCLE], capture_output=True, text=True, timeout=HANGS, check=True)
    assert done.stdout.startswith("wherefrom ")
    assert "cycles" not in done.stdout
