"""Records what the installed command answers to hundreds of calls, and compares two records.

`python -m soak.answers record FILE` makes small repositories in a temporary folder, indexes them, and records the exit
code and the output of each call in `soak/answer_calls.py`. With `--python` it calls the version of another checkout.
`python -m soak.answers compare OLD NEW` prints the calls whose answers differ. Its exit code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from difflib import unified_diff
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from uuid import uuid4

from soak.answer_calls import call_groups, make_world
from tests.repositories import ENVIRONMENT

JOBS = 2
"""Calls that run at the same time."""

SHOWN = 12
"""Lines of a difference that are printed."""

SERVER = """
import importlib, json, os, pkgutil, runpy, sys, wherefrom

for module in pkgutil.walk_packages(wherefrom.__path__, "wherefrom."):
    if not module.name.startswith(("wherefrom.__main__", "wherefrom.serve", "wherefrom.support.system.windows")):
        importlib.import_module(module.name)
for line in sys.stdin:
    folder, variables, paths, words = json.loads(line)
    process = os.fork()
    if process == 0:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
else:
    sys.exit()
for number, path in enumerate(paths):
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY)
    os.dup2(file, number)
    os.close(file)
os.chdir(folder)
os.environ.update(variables)
sys.argv[1:] = words
runpy.run_module("wherefrom", run_name="__main__", alter_sys=True)
"""
"""Runs `python -m wherefrom` for each line of input, in a fork of a process that has already imported the package.
Otherwise the imports would take most of the time.
"""

FIGURES = {
    r"\b\d+(\.\d+)? ?(ms|s|min|h)\b(?!=)": "SECONDS",
    r'("\w*(?:seconds|took_ms)": )[\d.e-]+': r"\1SECONDS",
    r'("\w*(?:bytes|disk)": )\d+': r"\1BYTES",
    r"\b[\d.,]+ [kMG]B\b": "BYTES",
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b": "UUID",
    r"wherefrom[ /]\d+\.\d+\.\d+": "wherefrom VERSION",
    r'("version": )"\d+\.\d+\.\d+"': r'\1"VERSION"',
    r"\(native kernel, |\(no native kernel, ": "(KERNEL, ",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """The exit code, the standard output and the standard error of a call."""

    code: int
    stdout: str
    stderr: str

    def lines(self) -> list[str]:
        """The answer as lines, without the figures that differ from run to run."""
        errors = (f"stderr: {line}" for line in self.stderr.splitlines())
        text = "\n".join((f"exit code {self.code}", *self.stdout.splitlines(), *errors))
        for pattern, replacement in FIGURES.items():
            text = re.sub(pattern, replacement, text)
        return text.splitlines()


@dataclass(frozen=True, slots=True)
class Caller:
    """Makes calls in a folder.

    Attributes:
        server: a process that runs `SERVER`.
        files: a folder for the input and output of a call.
        index: the location of the index.
        copy: the location to which the index is copied.
    """

    server: subprocess.Popen[str]
    folder: Path
    files: Path
    index: str
    copy: str

    def answer(self, call: str) -> Answer:
        """Makes a call that is written as `call_groups` describes."""
        words = shlex.split(call.replace("{index}", self.index).replace("{copy}", self.copy))
        folder, variables = self.folder, {}
        if words[:1] == ["cat"]:
            path = folder / words[1]
            return Answer(0, self._text(path.read_bytes()), "") if path.exists() else Answer(1, "", "absent")
        if words[:1] == ["cd"]:
            folder, words = folder / words[1], words[2:]
        while words and re.match(r"[A-Z_]+=", words[0]):
            name, _, value = words.pop(0).partition("=")
            variables[name] = value
        paths = [os.devnull, str(self.files / "stdout"), str(self.files / "stderr")]
        if words[-2:-1] == ["<"]:
            paths[0], words = str(folder / words[-1]), words[:-2]
        assert self.server.stdin
        assert self.server.stdout
        print(json.dumps([str(folder), variables, paths, words]), file=self.server.stdin, flush=True)
        code = int(self.server.stdout.readline())
        return Answer(code, *(self._text(Path(path).read_bytes()) for path in paths[1:]))

    def _text(self, written: bytes) -> str:
        text = written.decode("utf-8", "backslashreplace")
        for value, name in {self.copy: "COPY", self.index: "INDEX", str(self.folder): "FOLDER"}.items():
            text = text.replace(value, name)
        return re.sub(rf"{datetime.now(UTC):%Y-%m-}\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|\+00:00)?", "NOW", text)


@contextmanager
def index_locations(engine: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Yields the location of the index and that of its copy."""
    if engine == "embedded":
        yield str(folder / "index.wherefrom"), str(folder / "copy.wherefrom")
        return
    from tests.elasticsearch.servers import shared_server  # noqa: PLC0415 - only Elasticsearch needs a server

    name = f"wherefrom-answers-{uuid4().hex[:12]}"
    with shared_server() as server:
        yield server.index(f"{name}-index"), server.index(f"{name}-copy")
        server.remove(name)


def record(python: Path, engine: str, kernel: str) -> dict[str, Answer]:
    """The answers to all calls."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WHEREFROM_", "XDG_"))}
    answers: dict[str, Answer] = {}
    with ExitStack() as stack:
        temporary = Path(stack.enter_context(TemporaryDirectory(prefix="answers-"))).resolve()
        folder = temporary / "world"
        make_world(folder)
        index, copy = stack.enter_context(index_locations(engine, folder))
        variables = {**kept, **ENVIRONMENT, "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
        variables |= {"WHEREFROM_KERNEL": "require" if kernel == "on" else "0", "WHEREFROM_INDEX": index}
        variables |= {"WHEREFROM_POSTS": str(folder / "posts.sqlite")}
        free: Queue[Caller] = Queue()
        for number in range(JOBS):
            files = temporary / f"files{number}"
            files.mkdir()
            server = subprocess.Popen(
                [python, "-P", "-c", SERVER],
                env=variables,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            stack.enter_context(server)
            free.put(Caller(server, folder, files, index, copy))

        def answer(call: str) -> Answer:
            caller = free.get()
            answered = caller.answer(call)
            free.put(caller)
            return answered

        pool = stack.enter_context(ThreadPoolExecutor(JOBS))
        for calls in call_groups():
            for call, answered in zip(calls, pool.map(answer, calls), strict=True):
                times = sum(1 for made in answers if made.partition("  # again ")[0] == call)
                answers[f"{call}  # again {times}" if times else call] = answered
            print(f"{len(answers)} calls", end="\r", file=sys.stderr, flush=True)
    return answers


def compare(old: dict[str, Answer], new: dict[str, Answer]) -> int:
    """Prints the calls of both records that differ, each with a short diff, and returns their number."""
    differing = 0
    for call in (call for call in old if call in new):
        before, after = old[call].lines(), new[call].lines()
        if before == after:
            continue
        differing += 1
        lines = [line for line in unified_diff(before, after, n=0, lineterm="") if not line.startswith(("---", "+++"))]
        print(f"wherefrom {call}", *(f"  {line[:200]}" for line in lines[:SHOWN]), sep="\n")
        if len(lines) > SHOWN:
            print(f"  and {len(lines) - SHOWN} more lines")
    print(f"{differing} of {len(old.keys() & new.keys())} calls differ")
    print(f"{len(old.keys() ^ new.keys())} calls are in one record only")
    return differing


def load(path: Path) -> dict[str, Answer]:
    """Reads a record."""
    return {call: Answer(**answer) for call, answer in json.loads(path.read_text()).items()}


def main() -> int:
    """Runs the command and returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m soak.answers", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True, dest="command")
    recording = commands.add_parser("record", help="record the answers in a file")
    recording.add_argument("file", type=Path)
    recording.add_argument("--engine", choices=("embedded", "elasticsearch"), default="embedded")
    recording.add_argument("--kernel", choices=("on", "off"), default="on")
    recording.add_argument("--python", type=Path, default=Path(sys.executable), help="interpreter or wherefrom command")
    comparing = commands.add_parser("compare", help="compare two records")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    options = parser.parse_args()
    if options.command == "compare":
        return 1 if compare(load(options.old), load(options.new)) else 0
    python = options.python.absolute()
    if python.name == "wherefrom":
        python = python.with_name("python")
    answers = record(python, options.engine, options.kernel)
    options.file.write_text(json.dumps({call: asdict(answer) for call, answer in answers.items()}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
