"""The installed command on real repositories, and what the tests of all of it share."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests import windows
from tests.processes import HANGS, HERE, children, run_here
from tests.repositories import Repository
from wherefrom import Index, open_index
from wherefrom.results import SearchResult

SAMPLES = Path(__file__).parents[1] / "analyzers" / "samples"

INDEXED_MODULES = (
    *("argparse", "ast", "base64", "bisect", "calendar", "cmd", "codecs", "configparser", "contextlib", "copy", "csv"),
    *("dataclasses", "difflib", "doctest", "enum", "fileinput", "fnmatch", "fractions", "functools", "getopt"),
    *("gettext", "glob", "graphlib", "gzip", "hashlib", "heapq", "imaplib", "inspect", "ipaddress", "keyword"),
    *("locale", "mimetypes", "netrc", "numbers", "opcode", "operator", "pickletools", "plistlib", "poplib"),
    *("posixpath", "pprint", "quopri", "random", "reprlib", "sched", "shelve", "shlex", "shutil", "smtplib"),
    *("statistics", "string", "tarfile", "tempfile", "textwrap", "timeit", "tokenize", "trace", "types", "uuid"),
    *("weakref", "zipfile"),
)


class Wherefrom:
    """The installed command, with a home and an index of its own. Whatever it writes must be harmless."""

    is_installed = True
    """Whether it is the program as it is installed."""

    def __init__(self, folder: Path, index: str | None = None) -> None:
        self.folder = folder
        self.index = index or str(folder / "index.wherefrom")
        home = folder / "home"
        home.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("WHEREFROM_", "XDG_"))}
        for name in ("NO_COLOR", "COLUMNS", "TERM"):
            kept.pop(name, None)
        self.environment = {**kept, **windows.home(home), "WHEREFROM_INDEX": self.index, "LC_ALL": "C.UTF-8"}

    @property
    def command(self) -> tuple[str, ...]:
        """The program that the package installs, beside the interpreter that runs the tests."""
        return (str(Path(sys.executable).with_name("wherefrom")),)

    def run(self, *arguments: str | bytes | Path, stdin: bytes = b"", **variables: str) -> tuple[int, str, str]:
        """Runs it; gives the exit code, standard output and standard error.

        A command of `HERE` runs in this process; `run_installed` starts the program in any case.
        """
        if self.is_installed and arguments[0] in HERE:
            return self.run_here(*map(os.fsdecode, arguments), stdin=stdin, **variables)
        return self.run_installed(*arguments, stdin=stdin, **variables)

    def run_here(self, *arguments: str, stdin: bytes, **variables: str) -> tuple[int, str, str]:
        """The same in this process."""
        code, output, errors = run_here(arguments, {**self.environment, **variables}, self.folder, stdin)
        return code, harmless(output), harmless(errors)

    def run_installed(
        self, *arguments: str | bytes | Path, stdin: bytes = b"", **variables: str
    ) -> tuple[int, str, str]:
        """Starts the program and waits for its end."""
        done = subprocess.run(
            [*self.command, *arguments],
            env={**self.environment, **variables},
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            timeout=HANGS,
            check=False,
        )
        return done.returncode, harmless(done.stdout), harmless(done.stderr)

    def __call__(self, *arguments: str | bytes | Path, code: int = 0, stdin: bytes = b"", **variables: str) -> str:
        """Runs the command and returns its output, or the single line of its error. Warnings are allowed only about
        sources without a file to index.
        """
        done, output, errors = self.run(*arguments, stdin=stdin, **variables)
        assert done == code, (done, output, errors)
        printed = [line for line in errors.splitlines() if not line.startswith("wherefrom: warning: no file of ")]
        assert len(printed) <= (code > 1)
        return output or errors

    def json(self, *arguments: str | bytes | Path, code: int = 0, stdin: bytes = b"") -> Any:
        """The same for `--format json`."""
        return json.loads(self(*arguments, "--format", "json", code=code, stdin=stdin))

    def indexes(self, *arguments: str | bytes | Path, code: int = 0, stdin: bytes = b"") -> Report:
        """Indexes."""
        return Report(self.json("index", *arguments, code=code, stdin=stdin))

    def search(self, code: bytes, *options: str) -> dict[str, Any]:
        """Looks a snippet up; the exit code must fit the answer."""
        done, output, errors = self.run("search", "-", *options, "--format", "json", stdin=code)
        answer: dict[str, Any] = json.loads(output)
        assert (done, errors) == (0 if answer["hits"] else 1, "")
        return answer

    def open(self) -> Index:
        """The index, for as many calls of the library as are wanted at the cost of one command."""
        return open_index(self.index)

    def places(self, code: bytes, **options: Any) -> list[str]:
        """The hits of a snippet, the best first: the last part of the repository's key, a slash, the path."""
        with self.open() as index:
            return places(index.search(code, **options))

    def counts(self) -> tuple[int, int, int]:
        """Repositories, occurrences and blobs of the index."""
        with self.open() as index:
            stats = index.stats()
        return stats.repositories, stats.occurrences, stats.blobs


class Report:
    """The report that `wherefrom index --format json` prints."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.parsed: int = answer["parsed"]
        self.swept: int = answer["swept"]
        self.warnings: list[str] = answer["warnings"]
        self.repositories = {
            item["repository"].rpartition("/")[2]: {key: item[key] for key in item if key != "repository"}
            for item in answer["repositories"]
        }

    def __getitem__(self, name: str) -> dict[str, Any]:
        """The report of the repository whose key ends like this."""
        return self.repositories[name]


def harmless(output: bytes) -> str:
    """The text of an output, which must be UTF-8 that no terminal obeys."""
    text = output.decode()
    raw = {letter for letter in text if not (letter.isprintable() or letter == "\n")}
    assert not raw
    return text


def places(result: SearchResult) -> list[str]:
    """The occurrences of all hits, each by the last part of its repository and its path."""
    return [f"{at.repository.rpartition('/')[2]}/{at.path}" for hit in result.hits for at in hit.occurrences]


def module_source(name: str) -> bytes:
    """The source of a module of the standard library."""
    module = import_module(name)
    assert isinstance(module, ModuleType)
    return inspect.getsource(module).encode()


def wait_for_parsing(running: subprocess.Popen[bytes]) -> list[int]:
    """Waits until a run's worker processes parse, and gives their ids: a grammar is loaded when it is first needed.

    Where processes cannot be looked into, the test is skipped.
    """
    if not Path("/proc/self/task").exists():
        running.kill()
        running.communicate()
        pytest.skip("no /proc here")
    while running.poll() is None:
        found = [child for child in children(running.pid) if "tree_sitter_" in _maps(child)]
        if found:
            return found
        time.sleep(0.002)
    raise AssertionError(f"ended with {running.returncode} before it parsed anything")


def _maps(process: int) -> str:
    try:
        return Path(f"/proc/{process}/maps").read_text()
    except OSError:
        return ""


@pytest.fixture
def wherefrom(tmp_path: Path) -> Wherefrom:
    """The command, with nothing indexed."""
    return Wherefrom(tmp_path)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """The command, with an index of some hundred real files: `python` holds modules of the standard library, `mixed`
    a sample in each language.
    """
    folder = tmp_path_factory.mktemp("library")
    endings = {
        "c": "c", "cpp": "cpp", "go": "go", "java": "java", "javascript": "js", "kotlin": "kt", "lua": "lua",
        "php": "php", "ruby": "rb", "rust": "rs", "scala": "scala", "swift": "swift", "typescript": "ts",
        "csharp": "cs",
    }  # fmt: skip
    Repository.make(folder / "clones/python", {f"lib/{name}.py": module_source(name) for name in INDEXED_MODULES})
    samples = {f"src/{name}.{ending}": (SAMPLES / f"{name}.sample").read_bytes() for name, ending in endings.items()}
    Repository.make(folder / "clones/mixed", samples)
    made = Wherefrom(folder)
    report = made.indexes("clones")
    assert report.parsed == len(INDEXED_MODULES) + len(samples)
    return made
