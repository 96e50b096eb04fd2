"""Runs programs without some of the grammars."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from sysconfig import get_path

import wherefrom

LEFT_OUT = {"tree_sitter_haskell", "tree_sitter_swift"}

NO_HASKELL = "the grammar of haskell is not installed; install it with: pip install 'tree-sitter-haskell>=0.23,<0.25'"


def run_bare(folder: Path, code: str, *arguments: str) -> str:
    """The output of a program in a Python that has all packages of this one except those of `LEFT_OUT`.

    Args:
        folder: empty; links to the packages are made in it.
        code: the program.
        arguments: its `sys.argv[1:]`.
    """
    for package in Path(get_path("platlib")).iterdir():
        if package.name.split("-")[0] not in LEFT_OUT and package.suffix != ".pth":
            (folder / package.name).symlink_to(package)
    source = str(Path(wherefrom.__file__).parents[1])
    command = [sys.executable, "-S", "-c", f"import sys; sys.path += {[source, str(folder)]!r}\n{code}", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
