"""Pages of measurements: the state of the code that was measured, and tables that are written between marks."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from pathlib import Path

import wherefrom

ROOT = Path(__file__).resolve().parents[1]


def state() -> str:
    """The commit of this code, whether the code was changed since, and the versions of wherefrom and Python."""
    commit = _git("rev-parse", "--short=12", "HEAD") or "unknown"
    changed = " with changes that are not committed" if _is_changed() else ""
    return f"commit {commit}{changed}, wherefrom {wherefrom.__version__}, Python {platform.python_version()}"


def _is_changed() -> bool:
    return bool(_git("status", "--porcelain", "--", "wherefrom", "benchmarks", "pyproject.toml"))


def _git(*arguments: str) -> str:
    """The output of git about this repository; empty if git fails."""
    done = subprocess.run(("git", "-C", str(ROOT), *arguments), capture_output=True, text=True, check=False)
    return done.stdout.strip()


def publish(text: str, measured: str, page: Path | None, name: str) -> None:
    """Prints the tables of a run and puts them between the marks of a page, if one is given.

    Args:
        text: the tables.
        measured: the `state` at the begin of the run.
        page: one that `check` has passed.
        name: of the marks `<!-- name: begin -->` and `<!-- name: end -->`.

    Raises:
        SystemExit: the code has changed during the run; the page is not changed.
    """
    print(text + "\n")
    if state() != measured:
        sys.exit(f"the code has changed during the run: it began with {measured}, and is now {state()}")
    if page is None:
        return
    around = _marked(name).split(page.read_text(encoding="utf-8"))
    page.write_text(
        f"{around[0]}{_mark(name, 'begin')}\n{text.strip()}\n{_mark(name, 'end')}{around[1]}", encoding="utf-8"
    )


def check(page: Path, name: str) -> None:
    """Checks before a long run that its tables can be written after it.

    Raises:
        SystemExit: the page does not exist or does not have just one pair of such marks, or the code has changes that
            are not committed, so that no commit would name what was measured.
    """
    if _is_changed():
        sys.exit("the code has changes that are not committed; run this in a clone, or without writing to a page")
    if not page.is_file():
        sys.exit(f"no such page: {page}")
    if len(_marked(name).findall(page.read_text(encoding="utf-8"))) != 1:
        sys.exit(f"{page} needs the lines {_mark(name, 'begin')} and {_mark(name, 'end')}, once, to write between them")


def _marked(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(_mark(name, "begin")) + ".*?" + re.escape(_mark(name, "end")), re.DOTALL)


def _mark(name: str, which: str) -> str:
    return f"<!-- {name}: {which} -->"
