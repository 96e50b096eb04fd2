"""Finds the k-grams that many projects have in common, because everyone writes that code in a language.

`common_code.toml` lists the projects. They are downloaded by the package managers (`apt-get source`, `pip`, `cargo`,
`npm`), or are git clones that the command names, and are only read: nothing of them is run. The k-grams go into
`wherefrom/queries/data/common.npz`; run the command again for a new scheme or other projects:

    python -m benchmarks.common_code --work FOLDER --clones FOLDER

`--work` keeps the k-grams of each project, so that a stopped run can continue. `--clones` is the folder of the git
clones, each at OWNER/NAME. A project that cannot be downloaded stops the command; with `--skip` it is left out.

A k-gram is common if enough families of projects have it, in files with as many different names. So copies count once:
a fork is in the family of its original, and a copied file keeps its name.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import tempfile
import tomllib
import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.frameworks import Generator, downloaded
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.representations import kgrams
from wherefrom.fitted import RUN
from wherefrom.model import SkipReason
from wherefrom.options import Limits
from wherefrom.queries.globs import Globs
from wherefrom.queries.preparation import common_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from wherefrom.model import Hashes

_LIST = Path(__file__).with_suffix(".toml")

_DATA = Path(common_code.__file__).parent / "data" / "common.npz"

LEAST_FAMILIES = 4
"""A common k-gram is in at least this many families and file names. With a lower limit the data exceeds a megabyte."""

FAMILY_SHARE = 0.3
"""Two projects are in one family if they share more than this share of the k-grams of the smaller one."""

WIDE = 32
"""A k-gram in more projects than this does not indicate a family."""

SAMPLE = 8
"""One k-gram in this many is examined to find families."""

MOST_BYTES, MOST_OF_FILE = 1 << 20, 200_000
"""At most this many bytes are read of a project, and of one file. Hashes of the paths decide the order of files."""

_COPIED = re.compile(
    r"(?i)(^|/)(_?vendor|vendored|third[-_]?party|3rd[-_]?party|externals?|extern|deps|node_modules|bundled|contrib|"
    r"gnulib|godeps|debian)/"
)
"""Matches paths in folders of third-party code."""

_NAME_BITS = np.uint64(24)
_NAME_MASK = np.uint64((1 << 24) - 1)


def projects() -> list[tuple[str, str]]:
    """The origin of each project in the list, and its name with the version."""
    entries = tomllib.loads(_LIST.read_text("utf-8"))["source"]
    return [(str(entry["from"]), str(project)) for entry in entries for project in entry["projects"]]


@cache
def _analyzer() -> Analyzer:
    return Analyzer()


def kgrams_of(origin: str, project: str, clones: Path) -> Hashes:
    """The distinct k-grams of a project, ascending. Each has the leading 40 bits of the hash of the k-gram, and in the
    lowest 24 bits a hash of the file name.

    Raises:
        subprocess.CalledProcessError: the project cannot be downloaded.
    """
    generator = Generator(name=project, origin=origin, packages=(project,), files=Globs(("**",)))
    name = project.partition("@")[0]
    found = [np.empty(0, np.uint64)]
    left = MOST_BYTES
    with tempfile.TemporaryDirectory() as folder:
        _, contents = downloaded(generator, project, Path(folder), {name: str(clones / name)})
        files = [(path, text) for path, text in contents if len(text) <= MOST_OF_FILE and not _COPIED.search(path)]
    for path, text in sorted(files, key=lambda file: hashlib.sha256(file[0].encode()).digest()):
        analysis = _analyzer().file(path, text, Limits()) if len(text) <= left else SkipReason.TOO_LARGE
        if isinstance(analysis, SkipReason):
            continue
        hashes = kgrams(analysis.tokens, common_code.REPRESENTATION, RUN).hashes
        if len(hashes):
            left -= len(text)
            stem = path.rpartition("/")[2].partition(".")[0].lower()
            number = np.uint64(zlib.crc32(stem.encode())) & _NAME_MASK
            found.append(np.unique(hashes) & ~_NAME_MASK | number)
    return np.unique(np.concatenate(found))


def families(found: Sequence[Hashes]) -> NDArray[np.int64]:
    """For each project the number of its family: the number of the first project in that family."""
    count = len(found)
    distinct = [np.unique(each >> _NAME_BITS) for each in found]
    sampled = [each[each % np.uint64(SAMPLE) == 0] for each in distinct]
    hashes, owners = _with_numbers(sampled)
    sizes = np.array([len(each) for each in sampled])
    _, places, times = np.unique(hashes, return_inverse=True, return_counts=True)
    few = times[places] <= WIDE
    hashes, owners = hashes[few], owners[few]
    shared = np.zeros(count * count, np.int64)
    for step in range(1, WIDE):
        both = hashes[step:] == hashes[:-step]
        shared += np.bincount(owners[:-step][both] * count + owners[step:][both], minlength=count * count)
    table = shared.reshape(count, count)
    family = np.arange(count)
    for one, other in np.argwhere(table > FAMILY_SHARE * np.minimum.outer(sizes, sizes)):
        low, high = sorted((family[one], family[other]))
        family[family == high] = low
    return family


def common(found: Sequence[Hashes], least: int) -> Hashes:
    """The leading bits of the common k-grams, ascending.

    Args:
        found: the k-grams of each project.
        least: a common k-gram is in this many families and file names.
    """
    family = families(found).astype(np.uint64)
    edges = [np.uint64(part << 56) for part in range(256)]
    cuts = [np.append(each.searchsorted(edges), len(each)) for each in found]
    chosen = []
    for part in range(256):
        pieces = [each[cut[part] : cut[part + 1]] for each, cut in zip(found, cuts, strict=True)]
        marked, owners = _with_numbers(pieces)
        hashes, places, times = np.unique(marked >> _NAME_BITS, return_inverse=True, return_counts=True)
        many = times[places] >= least
        numbers = places[many].astype(np.uint64) << _NAME_BITS
        names = _distinct(numbers | marked[many] & _NAME_MASK, len(hashes))
        chosen.append(hashes[np.minimum(names, _distinct(numbers | family[owners[many]], len(hashes))) >= least])
    return np.concatenate(chosen) << _NAME_BITS


def _with_numbers(found: Sequence[Hashes]) -> tuple[Hashes, NDArray[np.int64]]:
    """All k-grams, ascending, and the number of the project of each."""
    hashes = np.concatenate(found)
    owners = np.repeat(np.arange(len(found)), [len(each) for each in found])
    order = np.argsort(hashes, kind="stable")
    return hashes[order], owners[order]


def _distinct(pairs: Hashes, count: int) -> NDArray[np.int64]:
    """For each first number below `count`, how many distinct second numbers it is paired with. A pair has its first
    number in the bits above `_NAME_BITS`.
    """
    return np.bincount((np.unique(pairs) >> _NAME_BITS).astype(np.int64), minlength=count)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.common_code",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--work", type=Path, required=True, help="folder for the k-grams of each project")
    parser.add_argument("--clones", type=Path, default=Path(), help="folder of the clones, as OWNER/NAME")
    parser.add_argument("--skip", action="store_true", help="go on without projects that cannot be had")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    found, sources = [], []
    for origin, project in projects():
        kept = options.work / f"{project.replace('/', '+')}.npy"
        try:
            if not kept.exists():
                np.save(kept, kgrams_of(origin, project, options.clones))
        except (subprocess.CalledProcessError, OSError) as error:
            if not options.skip:
                raise SystemExit(f"{project} cannot be had: {error}") from error
            print(f"{project}: not counted, for it cannot be had")
            continue
        found.append(np.load(kept))
        sources.append(project)
    prefixes = np.unique(common_code.leading(common(found, LEAST_FAMILIES)))
    with _DATA.open("wb") as file:
        common_code.save(file, prefixes, sources)
    print(f"{len(sources)} projects, {len(prefixes):,} k-grams. {_DATA}: {_DATA.stat().st_size:,} bytes.")


if __name__ == "__main__":
    main()
