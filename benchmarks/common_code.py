"""Counts which code many projects have in common: what everyone writes in a language, known by its k-grams.

`common_code.toml` lists the projects. Their sources are downloaded by the package manager (`apt-get source`), or are git
clones that the command names, and only read: nothing of them is run. The k-grams go into
`wherefrom/queries/data/common.npz`; run it again for a new scheme, and for other projects:

    python -m benchmarks.common_code --work FOLDER --clones FOLDER

`--work` keeps the downloads and the k-grams of each project, so that a run that was stopped goes on. `--clones` has a
git clone of each project of the list that is not from Debian, as OWNER/NAME. What cannot be had stops the command;
`--skip` goes on without it.

A k-gram is common where enough families of projects have it, in as many files of different names. So what was copied
counts once, whether it is a project (a fork is of the same family) or a file (its name goes with it).
"""

from __future__ import annotations

import argparse
import bz2
import hashlib
import os
import re
import subprocess
import sys
import tomllib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.frameworks import from_tar, run
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.model import Hashes, SkipReason
from wherefrom.queries import common_code
from wherefrom.workers.analyzer import Analyzer

_LIST = Path(__file__).with_suffix(".toml")

_DATA = Path(common_code.__file__).parent / "data" / "common.npz"

MOST_BYTES = 1 << 20
"""Source of a project that is read, so that no project takes all the time. The files come in an arbitrary order."""

FAMILY_SHARE = 0.3
"""Projects are one family where they share more than this share of the k-grams of the smaller one."""

WIDE = 32
"""A k-gram in more projects than this says nothing of families."""

NAME_BITS = 24
_NAME = np.uint64(NAME_BITS)
_NAME_MASK = np.uint64((1 << NAME_BITS) - 1)

_COPIED = re.compile(
    r"(?i)(^|/)(vendor|vendored|third[-_]?party|3rd[-_]?party|external|externals|extern|deps|node_modules|bundled|"
    r"contrib|gnulib|dist|submodules|godeps|_vendor|thirdparty|packages/.*/lib/net)/"
)
"""Folders of code that others wrote."""


def projects() -> list[str]:
    """All of the list: NAME=VERSION of a Debian source package, or OWNER/NAME@COMMIT of a clone."""
    tables = tomllib.loads(_LIST.read_text("utf-8"))["source"]
    return [str(project) for entry in tables for project in entry["projects"]]


def files_of(project: str, downloads: Path, clones: Path) -> Iterator[tuple[str, bytes]]:
    """Path and content of each file of a project.

    Raises:
        subprocess.CalledProcessError: it cannot be had.
    """
    if "=" not in project:
        name, _, commit = project.partition("@")
        yield from from_tar(run(clones / name, "git", "archive", "--format=tar", commit))
        return
    name, _, version = project.partition("=")
    stem = f"{name}_{version.partition(':')[2] or version}"
    upstream = stem.rpartition("-")[0] or stem
    for _ in range(2):
        for archive in (*sorted(downloads.glob(f"{glob_escape(upstream)}.orig.tar.*")), *sorted(downloads.glob(f"{glob_escape(stem)}.tar.*"))):
            if archive.suffix != ".asc":
                yield from from_tar(archive.read_bytes())
                return
        run(downloads, "apt-get", "source", "-qq", "--download-only", project)
    raise subprocess.CalledProcessError(1, ["apt-get", "source", project])


def glob_escape(text: str) -> str:
    """A text as a glob that fits it alone."""
    return re.sub(r"([*?[])", r"[\1]", text)


@cache
def _analyzer() -> Analyzer:
    return Analyzer()


def marked(path: str, hashes: Hashes) -> Hashes:
    """The k-grams of a file: of each the leading bits, and in the last `NAME_BITS` bits the file's name."""
    stem = path.rpartition("/")[2].partition(".")[0].lower()
    number = np.uint64(zlib.crc32(stem.encode()) & int(_NAME_MASK))
    found: Hashes = hashes & ~_NAME_MASK | number
    return found


def counted(project: str, downloads: Path, clones: Path) -> Hashes:
    """The k-grams of a project as `marked` gives them, ascending."""
    found = [np.empty(0, np.uint64)]
    left = MOST_BYTES
    files = [(path, content) for path, content in files_of(project, downloads, clones) if not _COPIED.search(path)]
    for path, content in sorted(files, key=lambda file: hashlib.sha256(file[0].encode()).digest()):
        if len(content) > left:
            continue
        analysis = _analyzer().file(path, content, common_code.LIMITS)
        if isinstance(analysis, SkipReason):
            continue
        hashes = kgrams(analysis.tokens, common_code.REPRESENTATION, SCHEMES[common_code.REPRESENTATION].k).hashes
        if len(hashes):
            left -= len(content)
            found.append(marked(path, np.unique(hashes)))
    return np.unique(np.concatenate(found))
