"""Searches for unchanged pieces of indexed files, cut at any line, and prints those that do not find their file.

A piece counts only if its lines have enough tokens for a certain match. A piece inside a docstring has none.

python -m benchmarks.pieces CLONE... --suffix .py
python -m benchmarks.pieces CLONE... --suffix .kt --closer --lines 20 20 --pieces 50
"""

from __future__ import annotations

import argparse
import random
import subprocess
import tempfile
from pathlib import Path

import wherefrom
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.model import Representation, SkipReason
from wherefrom.options import Limits

CLOSERS = b")}]"


LEAST = SCHEMES[Representation.EXACT].guarantee
"""A piece has at least this many tokens."""


def files_of(clone: str, suffix: str) -> list[tuple[str, list[bytes]]]:
    """The paths and lines of a clone's files with this ending."""

    def git(*arguments: str) -> bytes:
        return subprocess.run(("git", "-C", clone, *arguments), check=True, capture_output=True).stdout

    paths = [path.decode() for path in git("ls-tree", "-rz", "--name-only", "HEAD").split(b"\0")]
    return [(path, git("show", f"HEAD:{path}").splitlines(keepends=True)) for path in paths if path.endswith(suffix)]


def token_lines(path: str, lines: list[bytes]) -> list[int]:
    """The 0-based line of each token of a file."""
    analysis = analyze_file(path, b"".join(lines), Limits())
    return [] if isinstance(analysis, SkipReason) else (analysis.tokens.start_lines - 1).tolist()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pieces", description=__doc__)
    parser.add_argument("clones", nargs="+", metavar="CLONE")
    parser.add_argument("--suffix", required=True, help="of the files")
    parser.add_argument("--lines", nargs=2, type=int, default=(8, 60), help="of a piece, from and to")
    parser.add_argument("--pieces", type=int, default=700)
    parser.add_argument("--closer", action="store_true", help="only pieces that begin with a closing bracket")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    files = [file for clone in options.clones for file in files_of(clone, options.suffix)]
    shortest, longest = options.lines
    files = [(path, lines) for path, lines in files if len(lines) > longest]
    counts = {"found first": 0, "found": 0, "too short to be looked up": 0, "not found": 0}
    with tempfile.TemporaryDirectory() as folder:
        wherefrom.index_sources(options.clones, Path(folder, "index"))
        with wherefrom.open_index(Path(folder, "index")) as index:
            while sum(counts.values()) < options.pieces:
                path, lines = draw.choice(files)
                begin = draw.randrange(len(lines) - shortest)
                piece = lines[begin : begin + draw.randint(shortest, longest)]
                if options.closer and not piece[0].lstrip().startswith(tuple(bytes([each]) for each in CLOSERS)):
                    continue
                end = begin + len(piece)
                if sum(begin <= line < end for line in token_lines(path, lines)) < LEAST:
                    continue
                result = index.search(b"".join(piece), name=f"piece{options.suffix}", limit=50)
                places = [{occurrence.path for occurrence in hit.occurrences} for hit in result.hits]
                if places and path in places[0]:
                    counts["found first"] += 1
                elif any(path in each for each in places):
                    counts["found"] += 1
                elif result.query.needed is not None:
                    counts["too short to be looked up"] += 1
                else:
                    counts["not found"] += 1
                    print(f"not found: {path}:{begin + 1}-{end}, {result.query.tokens} tokens")
    for what, count in counts.items():
        print(f"{count:5} {what}")


if __name__ == "__main__":
    main()
