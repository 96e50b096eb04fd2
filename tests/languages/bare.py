"""Runs programs without the packages of an extra."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from sysconfig import get_path

import wherefrom
from wherefrom.languages import LANGUAGES


def run_bare(folder: Path, code: str, *arguments: str) -> str:
    """The output of a program in a Python that has all packages of this one except those of the extra `languages`.

    Args:
        folder: empty; links to the packages are made in it.
        code: the program.
        arguments: its `sys.argv[1:]`.
    """
    left_out = {grammar.module for it in LANGUAGES.values() if (grammar := it.grammar) and grammar.extra}
    for package in Path(get_path("platlib")).iterdir():
        if package.name.split("-")[0] not in left_out and package.suffix != ".pth":
            (folder / package.name).symlink_to(package)
    source = str(Path(wherefrom.__file__).parents[1])
    command = [sys.executable, "-S", "-c", f"import sys; sys.path += {[source, str(folder)]!r}\n{code}", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
