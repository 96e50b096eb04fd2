"""A file system that does not lock files: every command says so in one line."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Wherefrom, module_source
from tests.repositories import Repository

NO_LOCKS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

int flock(int file, int operation) { errno = ENOLCK; return -1; }

static int locked(const char *name, int file, int command, void *argument) {
  if ((command == F_SETLK || command == F_SETLKW) && ((struct flock *)argument)->l_type != F_UNLCK) {
    errno = ENOLCK;
    return -1;
  }
  return ((int (*)(int, int, void *))dlsym(RTLD_NEXT, name))(file, command, argument);
}

#define LOCKED(name) int name(int file, int command, ...) { \
  va_list rest; va_start(rest, command); void *argument = va_arg(rest, void *); va_end(rest); \
  return locked(#name, file, command, argument); }
LOCKED(fcntl)
LOCKED(fcntl64)
"""
"""A library before that of the system, whose calls answer as such a file system does."""


@pytest.fixture(scope="module")
def no_locks(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The compiled library."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no compiler")
    folder = tmp_path_factory.mktemp("locks")
    (folder / "locks.c").write_text(NO_LOCKS)
    library = str(folder / "locks.so")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, str(folder / "locks.c"), "-ldl"], check=True)
    return library


def test_what_is_needed_is_said_in_one_line(tmp_path: Path, no_locks: str) -> None:
    wherefrom = Wherefrom(tmp_path)
    Repository.make(tmp_path / "clone", {"bisect.py": module_source("bisect")})
    wherefrom.indexes(tmp_path / "clone", "--name", "clone")
    new = str(tmp_path / "new.wherefrom")
    for location, arguments in (
        (wherefrom.index, ("remove", "clone")),
        (wherefrom.index, ("stats",)),
        (wherefrom.index, ("index", "clone")),
        (new, ("index", "clone")),
    ):
        code, _, errors = wherefrom.run_installed(*arguments, "--index", location, LD_PRELOAD=no_locks)
        assert errors == (
            f"wherefrom: error: the index {location} cannot be used: its file system does not lock files (No locks "
            "available); move the index to a local disk, or mount the file system with locks\n"
        )
        assert code == 2
    assert "clone" in wherefrom("list")
