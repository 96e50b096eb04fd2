"""What is left out where the tests run on Windows, with the reasons."""

from __future__ import annotations

import errno
import inspect
import os
import shutil
import signal
import sys
from functools import partialmethod
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.processes import KILL

FORKS = "Windows has no fork"
SIGNALS = "Windows has no such signals between processes"
LIMITS = "no process of Windows sets itself a limit on files or memory"
TERMINALS = "Windows has no pseudo terminals"
PIPES = "Windows has no named pipes in folders"
MODES = "Windows has neither a umask nor permissions of files for a group"
CHILDREN = "Windows has no list of children to wait for"
KILLS = "a kill has no signal there"
DEVICES = "Windows has no /dev/stdout"
COLONS = "no name of Windows has a colon"
WORDS = "Windows says what is wrong with such a path in other words"
OPEN = "Windows removes and renames no file that is open"
BROWSERS = "on Windows, no browser is driven"
BUILDS = "on Windows, the page for browsers is not built"

LEFT_OUT = {
    "tests/engines/published/test_hostile_servers.py::test_credentials_are_not": "openssl makes the certificate",
    "tests/engines/published/test_hostile_servers.py::test_errors_are_in_plain": "openssl makes the certificate",
    "tests/engines/test_embedded.py::TestLocations::test_a_folder_named_like_a_url_can_be_written": COLONS,
    "tests/engines/test_embedded.py::TestDamage::test_an_index_that_is_deleted_under_an_open_engine": OPEN,
    "tests/engines/test_embedded.py::TestDamage::test_an_index_in_whose_place_another_one_is_put": OPEN,
    "tests/engines/test_embedded.py::TestLeftovers::test_nothing_is_removed_where_a_committed_run_is_missing": OPEN,
    "tests/engines/published/test_real_servers.py": "the servers in question run on POSIX",
    "tests/cli/test_startup.py::test_a_search_does_not_load_what_only_other_commands_need": (
        "without a fork, another process loads what analyzes"
    ),
    'tests/sources/test_listed.py::test_the_error_for_a_wrong_line_has_its_number[{"source": "\\\\ud800': (
        "any UTF-16 may name a file on Windows"
    ),
    "tests/sources/test_presence.py::test_in_doubt_it_is_not_gone[clones/there/file/away": WORDS,
    "tests/sources/test_presence.py::test_in_doubt_it_is_not_gone[path5": WORDS,
    "tests/sources/test_history.py::test_modes_types_links_and_submodules": MODES,
    "tests/test_writing.py::test_a_reader_sees_the_old_file_or_the_new_one": OPEN,
    "tests/workers/test_fork.py": FORKS,
    "tests/workers/test_pool.py::test_a_death_loses_only_its_task[half]": "a worker writes to its pipe by a descriptor",
    "tests/workers/test_pool.py::test_a_single_batch_is_done_by_a_fork": FORKS,
    "tests/cli/test_completion.py": "the shells that are completed are bash, zsh and fish",
    "tests/compare/test_submissions.py": BUILDS,
    "tests/compare/test_translated.py": BROWSERS,
    "tests/compare/test_wasm.py": BUILDS,
    "tests/lsp/test_editor.py::test_hostile_names_stay_texts": "no file of Windows has such a name",
    "tests/mcp/test_app.py": BROWSERS,
    "tests/serve/test_container.py": "the container is one of Linux",
    "tests/serve/test_page_in_browser.py": BROWSERS,
    "tests/serve/test_pages.py": BROWSERS,
    "tests/workers/test_pool.py::test_a_task_that_takes_more_memory_than_it_may_is_ended[take_n": "calls C by its name",
    "tests/workers/test_pool.py::test_without_limits_of_the_system": LIMITS,
    "tests/workers/test_pool.py::test_a_task_that_loses_its_worker_is_tried_again_before_it_is_given_up[lose_to_kill": (
        KILLS
    ),
    "tests/sources/test_indexed_history.py::test_git_runs_again_if_another_process_kills_it": KILLS,
    "tests/sources/test_git.py::test_a_git_that_is_killed_again": KILLS,
    "tests/workers/test_pool.py::test_a_worker_killed_once_from_outside_loses_nothing": KILLS,
}
"""Tests and files of tests by the beginning of their names, each with the reason."""

PASSED = "git is a program of Linux, which does not read paths of Windows in files"

ON_WINE = {
    "tests/cli/test_lab.py::test_a_plot_beside_the_table": "matplotlib is not installed there",
    "tests/sources/test_discover.py::test_a_repository_with_parts_outside_of_the_named_folder_is_a_warning[com": PASSED,
    "tests/sources/test_git.py::test_a_hostile_clone_runs_nothing": PASSED,
    "tests/sources/test_checkout.py::test_a_remote_on_this_machine_gives_the_key_under_which_it_is_indexed[o": PASSED,
    "tests/sources/test_checkout.py::test_a_remote_without_a_location_gives_no_key": (
        "Wine passes no empty argument on to git"
    ),
    "tests/sources/test_git.py::test_a_file_that_grows_while_git_reads": "Wine bounds no memory of a job",
    "tests/test_system.py::test_a_program_cannot_use_more_memory_than_it_may": "Wine bounds no memory of a job",
    "tests/lsp/test_editor.py::test_an_opened_file_shows_what_is_elsewhere": "a check takes longer than it may",
}
"""As `LEFT_OUT`, for what Wine cannot do and Windows can."""

NAMES = {
    "os.mkfifo": PIPES,
    "os.fork(": FORKS,
    "os.killpg": SIGNALS,
    "pthread_": SIGNALS,
    "SIGALRM": SIGNALS,
    "SIGHUP": SIGNALS,
    "SIGINT": SIGNALS,
    "SIGSTOP": SIGNALS,
    "INTERRUPTED": SIGNALS,
    "RLIMIT_": LIMITS,
    "openpty": TERMINALS,
    "pty.fork": TERMINALS,
    '["sh", "-c"': "Windows has no sh",
    "os.WNOHANG": CHILDREN,
    "time.tzset": "Windows has no time zone of a process",
    "AF_UNIX": "Python on Windows has no sockets in folders",
    "umask": MODES,
    "os.geteuid": MODES,
    "without_privileges()": MODES,
    "S_IMODE": MODES,
    ".st_mode & 0o": MODES,
    "mode(tmp_path": MODES,
    'fsdecode(b"': "names of files are Unicode on Windows",
    "~no-such-user": "Windows guesses the home of a user, by any name",
    "/dev/stdout": DEVICES,
    "WRITE_OUT": DEVICES,
}
"""What only POSIX has, each with the reason why tests are left out that name it."""

MODULES = "fcntl", "pty", "resource", "termios"
"""Modules that only POSIX has, and that modules with other tests import."""


def reason(test: pytest.Item) -> str | None:
    """Why a test is left out; None if it runs."""
    for begin, why in (LEFT_OUT | ON_WINE if "WINEPREFIX" in os.environ else LEFT_OUT).items():
        if test.nodeid.startswith(begin):
            return why
    source = inspect.getsource(test.function) if isinstance(test, pytest.Function) else ""
    return next((why for name, why in NAMES.items() if name in source), None)


def home(folder: Path) -> dict[str, str]:
    """The variables that make a folder the user's home."""
    names = {"USERPROFILE": folder, "WIN_PD_OVERRIDE_LOCAL_APPDATA": folder / "AppData"}
    return {name: str(path) for name, path in (names if sys.platform == "win32" else {"HOME": folder}).items()}


def prepare() -> None:
    """Lets modules with tests be loaded on Windows, and files be written with the bytes that a test gives."""

    make, remove, write, set_ = Path.symlink_to, Path.unlink, Path.write_bytes, pytest.MonkeyPatch.setenv
    remove_folder = shutil.rmtree

    def called_by_a_test() -> bool:
        return bool(sys._getframe(2).f_globals["__name__"].startswith("tests."))

    def link(path: Path, target: str | Path, target_is_directory: bool = False) -> None:
        try:
            make(path, target, target_is_directory or (path.parent / target).is_dir())
            made = os.path.lexists(path)  # Wine makes none, and says nothing
        except OSError:
            made = False
        if not made and called_by_a_test():
            pytest.skip("symbolic links cannot be made here")

    def unlink(path: Path, missing_ok: bool = False) -> None:
        if path.exists() and called_by_a_test():  # git makes files that cannot be removed
            path.chmod(0o600)
        remove(path, missing_ok)

    def rmtree(folder: str | Path, *given: Any, **others: Any) -> None:
        if called_by_a_test():
            for place, _, names in os.walk(folder):
                for name in names:
                    Path(place, name).chmod(0o600)
        remove_folder(folder, *given, **others)

    def write_bytes(path: Path, data: bytes) -> int:
        try:
            return write(path, data)
        except OSError as error:
            if error.errno == errno.EINVAL and called_by_a_test():
                pytest.skip("no file of Windows has such a name")
            raise

    def setenv(patch: pytest.MonkeyPatch, name: str, value: str, prepend: str | None = None) -> None:
        for each, given in (home(Path(value)) if name == "HOME" else {name: value}).items():
            set_(patch, each, given, prepend)

    def mktemp(factory: pytest.TempPathFactory, name: str, numbered: bool = True) -> Path:
        return Slashed(new(factory, name, numbered))

    new = pytest.TempPathFactory.mktemp
    for name, own in {
        "symlink_to": link,
        "unlink": unlink,
        "write_bytes": write_bytes,
        "write_text": partialmethod(Path.write_text, newline="\n"),
    }.items():
        setattr(Path, name, own)
    setattr(shutil, "rmtree", rmtree)  # noqa: B010 -- for the type checker
    setattr(pytest.MonkeyPatch, "setenv", setenv)  # noqa: B010 -- for the type checker
    setattr(pytest.TempPathFactory, "mktemp", mktemp)  # noqa: B010 -- as above
    for name, number in {"SIGKILL": KILL, "SIGHUP": 1}.items():
        setattr(signal, name, number)
    for name in MODULES:
        sys.modules[name] = _Missing(name)


class Slashed(type(Path())):  # type: ignore[misc]  # the class for this system
    """A path that is written with slashes, as keys of repositories are."""

    def __str__(self) -> str:
        return str(super().__str__()).replace("\\", "/")

    @property
    def _str_normcase(self) -> str:  # what newer versions of Python compare
        return str(super().__str__()).lower()


class _Missing(ModuleType):
    """Skips a test that uses the module. A package that tries to import it gets an ImportError."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if not sys._getframe(1).f_globals["__name__"].startswith("tests."):
            raise ImportError(self.__name__)
        pytest.skip(f"Windows has no {self.__name__}.{name}")
