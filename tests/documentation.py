"""Pages of documentation as tests: reads the commands of a page, runs them, and compares what they print."""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from tests.processes import HANGS

ROOT = Path(__file__).parents[1]

VARIES = (
    (re.compile(r"(?<=score )\d+\.\d+"), "SCORE"),  # code weighs more if it is rarer in the index
    (re.compile(r"\b(?:\d+\.\d s|\d+ s|\d+ min(?: \d+ s)?)(?=,|$)", re.MULTILINE), "TIME"),
    (re.compile(r"\b[\d.,]+ [kMG]?B/s$", re.MULTILINE), "SPEED"),
    (re.compile(r"\b\d{4}-\d\d-\d\d$", re.MULTILINE), "DAY"),
    (re.compile(r"^/\S+(?=: commit )", re.MULTILINE), "PATH"),
)
"""Patterns of texts that differ between runs, and the words that replace them for the comparison."""

LEFT_OUT = "..."
"""On a page: any number of lines if it is a whole line, or else any text within a line."""

BLOCK = re.compile(r"^```(bash|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

NOT_RUN = "docker "
"""Beginnings of commands that start or end something that a test has already; `follow` skips them."""

PROMPT = re.compile(r"^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """A command of a page, with the output that the page shows.

    Attributes:
        command: one command, or the whole script of a block without prompts.
        at: the position in the text of the page where the output begins, or would begin.
    """

    page: Path
    line: int
    command: str
    output: str
    at: int

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}: {self.command}"

    def difference(self, printed: str) -> str:
        """Compares the printed text with the page; gives a diff, which is empty if only the parts in `VARIES`
        differ.
        """
        lines = ["(?:.*\n)*?" if line == LEFT_OUT else _pattern(line) for line in self.output.splitlines()]
        if re.fullmatch("".join(lines), _constant(printed)):
            return ""
        shown, updated = self.output.splitlines(), self.updated(printed).splitlines()
        return "\n".join(difflib.unified_diff(shown, updated, str(self), "printed", lineterm=""))

    def updated(self, printed: str) -> str:
        """The output that the page should show now: the printed text, shortened where the page shortens it."""
        shown = self.output.splitlines()
        patterns = {line: re.compile(_pattern(line)) for line in shown if line != LEFT_OUT}
        lines = [
            next((line for line, pattern in patterns.items() if pattern.fullmatch(_constant(f"{new}\n"))), new)
            for new in printed.splitlines()
        ]
        result: list[str] = []
        changes = difflib.SequenceMatcher(None, shown, lines, autojunk=False).get_opcodes()
        for _, start, end, new_start, new_end in changes:
            old, new = shown[start:end], lines[new_start:new_end]
            if LEFT_OUT in old:
                before, after = old.index(LEFT_OUT), old[::-1].index(LEFT_OUT)
                new = [*new[:before], LEFT_OUT, *new[max(before, len(new) - after) :]]
            result += new
        return "".join(f"{line}\n" for line in result)


def _pattern(line: str) -> str:
    """A regular expression for a line of a page, with its end, in a text after `_constant`."""
    return re.escape(_constant(f"{line}\n")).replace(re.escape(LEFT_OUT), ".*")


def _constant(text: str) -> str:
    for pattern, word in VARIES:
        text = pattern.sub(word, text)
    return text


def examples(page: Path) -> list[Example]:
    """Reads the commands of a page in their order.

    A `console` block has commands after `$ `, each with its output; a command goes on after a line that ends with `\\`.
    A `bash` block is one script that prints nothing.
    """
    found, text = [], page.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        if block[1] == "bash":
            commands = [(block.start(2), block[2], "", block.end(2))]
        else:
            commands = [
                (block.start(2) + prompt.start(), prompt[1].strip(), prompt[2], block.start(2) + prompt.start(2))
                for prompt in PROMPT.finditer(block[2])
            ]
        for start, command, output, at in commands:
            found.append(Example(page, text.count("\n", 0, start) + 1, command, output, at))
    return found


class Printed(NamedTuple):
    """The output of a command, standard error included, and its exit code."""

    output: str
    code: int


def run(commands: Sequence[str], folder: Path) -> list[Printed]:
    """Runs commands one after the other in one shell that starts in a folder, which is also the user's home.

    It does not pass on variables of this process that could change an output.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COLUMNS", "WHEREFROM_", "XDG_"))}
    programs = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    mark = uuid4().hex
    script = f"exec 2>&1\nmark() {{ local code=$?; echo '{mark}' $code; return $code; }}\n"
    done = subprocess.run(
        ["bash", "-c", script + "".join(f"{command}\nmark\n" for command in commands)],
        cwd=folder,
        env={**kept, "HOME": str(folder), "PATH": programs, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        timeout=HANGS,
        check=False,
    )
    *parts, rest = re.split(rf"{mark} (\d+)\n", done.stdout)
    printed = [Printed(output, int(code)) for output, code in zip(parts[::2], parts[1::2], strict=True)]
    assert len(printed) == len(commands), f"the shell ended after {len(printed)} of {len(commands)} commands:\n{rest}"
    return printed


def follow(page: Path, folder: Path, stands_for: Mapping[str, str]) -> dict[Example, str]:
    """Runs the commands of a page in their order, and gives their outputs. It skips those in `NOT_RUN`.

    Args:
        folder: an empty folder, which is the reader's home.
        stands_for: texts of the page, such as an address, and their replacements in this run.

    Raises:
        AssertionError: a command failed without a message.
    """
    steps = [example for example in examples(page) if not example.command.startswith(NOT_RUN)]
    actual = {**stands_for, "/home/me": str(folder)}
    printed = run([_replaced(step.command, actual) for step in steps], folder)
    shown = {here: text for text, here in actual.items()}
    for step, (output, code) in zip(steps, printed, strict=True):
        assert output or code == 0, f"{step}\nprints nothing and ends with {code}"
    return {step: _replaced(output, shown) for step, (output, _) in zip(steps, printed, strict=True)}


def _replaced(text: str, replacements: Mapping[str, str]) -> str:
    for old, new in replacements.items():
        text = text.replace(old, new)
    return text
