"""The test data of peers: what their tests state, and what `compare` finds.

    python -m benchmarks.peers_data FOLDER --save benchmarks/results/peers-data.md

FOLDER has clones of the peers, bare or not, in folders of these names: dolos, JPlag, copydetect, compare50, jscpd and
pmd. A peer that is missing is left out. The files are read from the commit at HEAD, which the table names.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.timing import table
from wherefrom import CompareOptions, compare_sources
from wherefrom.reports.layout import percent
from wherefrom.results import Comparison

JPLAG = "core/src/test/resources/de/jplag/samples"
DOLOS = "samples/python/benchmark_files"
JAVASCRIPT = "lib/src/test/fixtures/javascript"

CPD = "pmd-core/src/test/resources/net/sourceforge/pmd/cpd/files"

HEAD = ("peer", "set", "pair", "stated", "got: similar, of left, of right", "as stated")


@dataclass(frozen=True)
class Case:
    """A pair in a set of a peer.

    Attributes:
        folder: the folder of the set in the clone.
        pair: two submissions, by the ends of their names; empty for the pair with the highest score.
        least, most: what that means for the highest of the three shares, or for the similarity if the peer states one
            figure of both sides. Tokens of a peer are other ones than ours, so such a figure may be a tenth off.
        stated: in the words of the peer.
    """

    peer: str
    folder: str
    pair: tuple[str, str] | tuple[()]
    stated: str
    least: float
    most: float
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def is_of_both(self) -> bool:
        """Whether the peer states one figure of both sides."""
        return self.stated.replace(".", "").isdigit()


def about(stated: float) -> tuple[str, float, float]:
    return f"{stated:g}", max(0.0, stated - 0.1), min(1.0, stated + 0.1)


FOLDERS = {"by": "folder"}

CASES = [
    *(
        Case("dolos", DOLOS, (f"UPGMA_A_{kind}.py", "UPGMA_A.py"), "a match of nearly all", 0.9, 1.0)
        for kind in ("copy", "linesmoved", "functionsmoved", "variablenames", "functioncopied")
    ),
    Case("dolos", DOLOS, ("UPGMA_A_B_combined.py", "UPGMA_A.py"), "the parts of A", 0.3, 0.7),
    Case("dolos", DOLOS, ("UPGMA_A_B_combined.py", "UPGMA_B.py"), "the parts of B", 0.3, 0.9),
    Case("dolos", DOLOS, ("UPGMA_B.py", "UPGMA_A.py"), "loadtxt and savetxt alone", 0.0, 0.3),
    Case(
        "dolos",
        JAVASCRIPT,
        ("alternative.js", "alternative-similar.js"),
        "> 0.5 with the template",
        0.5,
        1.0,
        {"template": ["boilerplate.js"]},
    ),
    Case(
        "dolos",
        JAVASCRIPT,
        ("alternative.js", "unique.js"),
        "0 with the template",
        0.0,
        0.1,
        {"template": ["boilerplate.js"]},
    ),
    *(
        Case("dolos", f"samples/javascript/{name}.zip", (), "the highest pair > 0.75", 0.75, 1.0)
        for name in ("simple-dataset", "simple-dataset-no-csv", "simple-dataset-no-write")
    ),
    Case("copydetect", "tests/sample_py/code", ("sample1.py", "sample2.py"), "0.56 and 0.92", 0.82, 1.0),
    Case("copydetect", "tests/sample_sanity_check", ("rot1.c", "rot2.c"), "> 0.8", 0.8, 1.0),
    Case(
        "pmd",
        CPD,
        ("dup1.txt", "dup2.txt"),
        "matches",
        0.5,
        1.0,
    ),
    Case("compare50", "tests/files", ("sub_a", "sub_c"), "they share a class", 0.5, 1.0, FOLDERS),
    Case("compare50", "tests/files", ("sub_a", "sub_b"), "nothing", 0.0, 0.1, FOLDERS),
    Case("JPlag", f"{JPLAG}/SimpleDuplicate", ("A", "B"), *about(0.666), FOLDERS),
    Case("JPlag", f"{JPLAG}/NoDuplicate", (), "0", 0.0, 0.1, FOLDERS),
    *(
        Case("JPlag", f"{JPLAG}/PartialPlagiarism", (left, right), *about(stated), FOLDERS)
        for left, right, stated in (
            ("A", "C", 0.996),
            ("A", "D", 0.76),
            ("A", "B", 0.237),
            ("B", "D", 0.283),
            ("A", "E", 0),
        )
    ),
    Case("JPlag", f"{JPLAG}/NewJavaFeatures", ("A", "B"), *about(0.898), FOLDERS),
    Case("JPlag", f"{JPLAG}/normalization", ("Squares.java", "SquaresInserted.java"), "a copy", 0.5, 1.0),
    Case("JPlag", f"{JPLAG}/normalization", ("Squares.java", "SquaresReordered.java"), "a copy", 0.5, 1.0),
]


def git(clone: Path, *arguments: str) -> bytes:
    folder = clone / ".git" if (clone / ".git").exists() else clone
    return subprocess.run(["git", "--git-dir", str(folder), *arguments], capture_output=True, check=True).stdout


def written(clone: Path, folder: str, place: Path) -> Path:
    """Writes a folder or a file of a clone at HEAD."""
    with tarfile.open(fileobj=io.BytesIO(git(clone, "archive", "HEAD", folder))) as archive:
        archive.extractall(place, filter="data")
    return place / folder


def compared(clone: Path, folder: str, options: dict[str, Any], place: Path) -> Comparison:
    source = written(clone, folder, place)
    named: dict[str, Any] = {
        name: [source / one for one in value] if name == "template" else value for name, value in options.items()
    }
    return compare_sources([source], replace(CompareOptions(min_containment=0, min_probability=0, jobs=1), **named))


def got(comparison: Comparison, case: Case) -> tuple[str, float]:
    """The shares of a pair as text, and the one that is stated."""
    for pair in comparison.pairs:
        names = [comparison.name(side) for side in (pair.left, pair.right)]
        both = (names, names[::-1])
        if not case.pair or any(all(map(str.endswith, order, case.pair)) for order in both):
            shares = (pair.similarity, pair.left_containment, pair.right_containment)
            return ", ".join(map(percent, shares)), shares[0] if case.is_of_both else max(shares)
    return "no pair", 0.0


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    for (peer, inside, _), cases in groupby(CASES, key=lambda case: (case.peer, case.folder, str(case.options))):
        clone = folder / peer
        if not clone.exists():
            continue
        with tempfile.TemporaryDirectory() as place:
            chosen = [*cases]
            comparison = compared(clone, inside, chosen[0].options, Path(place))
        for case in chosen:
            shares, share = got(comparison, case)
            is_so = "yes" if case.least <= share <= case.most else "NO"
            pair = " - ".join(case.pair) or "the highest"
            yield peer, inside.removeprefix(f"{JPLAG}/"), pair, case.stated, shares, is_so
    if (jscpd := folder / "jscpd").exists():
        yield clones(jscpd)


def clones(jscpd: Path) -> tuple[str, ...]:
    """Of the fixtures of jscpd: how many pairs file1 and file2 of one format are found, each compared alone."""
    listed = git(jscpd, "ls-tree", "-r", "-l", "HEAD", "fixtures").decode().splitlines()
    sizes = {line.partition("\t")[2]: int(line.split()[3]) for line in listed}
    pairs = [(path, path.replace("file1.", "file2.")) for path in sizes if "/file1." in path]
    pairs = [pair for pair in pairs if all(sizes.get(path) for path in pair)]
    lost = []
    with tempfile.TemporaryDirectory() as place:
        written(jscpd, "fixtures", Path(place))
        for pair in pairs:
            files = [Path(place) / path for path in pair]
            if not compare_sources(files, CompareOptions(include_data=True, jobs=1)).pairs:
                lost.append(pair[0].removeprefix("fixtures/"))
    found = f"{len(pairs) - len(lost)} pairs found" + (f", not {', '.join(lost)}" if lost else "")
    return "jscpd", "fixtures", "file1 - file2 of a format", f"{len(pairs)} clones", found, "NO" if lost else "yes"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder with the clones")
    parser.add_argument("--save", type=Path, help="the page to write")
    given = parser.parse_args()
    found = [*rows(given.folder)]
    peers = list(dict.fromkeys(row[0] for row in found))
    commits = ", ".join(f"{peer} {git(given.folder / peer, 'rev-parse', 'HEAD').decode()[:10]}" for peer in peers)
    text = "\n".join(
        [
            "# The test data of peers",
            "",
            "Expected and got, side by side. This command made the page:",
            "",
            "    python -m benchmarks.peers_data FOLDER --save benchmarks/results/peers-data.md",
            "",
            f"Commits: {commits}.",
            "A stated figure is that of `similar`, and may be a tenth off, since peers count other tokens: JPlag has",
            "none for most names, signs and expressions. Other statements are about the highest of the shares.",
            "",
            table(HEAD, found),
            "",
            f"{sum(row[-1] == 'yes' for row in found)} of {len(found)} are as stated.",
        ]
    )
    print(text)
    if given.save is not None:
        given.save.write_text(f"{text}\n")


if __name__ == "__main__":
    main()
