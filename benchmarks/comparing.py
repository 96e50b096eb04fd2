"""Compares many files with each other: how well wherefrom and its peers rank the pairs, and what the comparison costs.

`--soco FOLDER`: the average precision of all ranked pairs on the training part of SOCO-14 (`benchmarks/effectiveness/
datasets.py`), one ranking over the whole set; a pair that a tool does not name comes last. Every tool runs in each of
its settings, wherefrom in its default.

`--files FOLDER`: the processor time of comparing the files of a folder with each other, and the wall time and memory of
`wherefrom compare` as a whole command; `--parse python` names the language of a bare Tree-sitter parser, whose time on
the same files is shown beside. The peers' times are without starting and importing.

All figures but times are the same in every run. Exits with 1 if one of them differs from `comparing_expected.json`, or
if the best peer's average precision is higher; `--update NAME` writes the measured figures into that file.

`--markdown PAGE` writes the tables into a page, between its marks `<!-- compare: begin -->` and
`<!-- compare: end -->`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import pages
from benchmarks.effectiveness.metrics import average_precision
from benchmarks.fingerprint import bare_parser, parse_all
from benchmarks.peer_environments import add_peers_option, peers_folder, runnable, versions
from benchmarks.peer_list import Peer
from benchmarks.peers import ask
from benchmarks.timing import table

MARK = "compare"
EXPECTED = Path(__file__).with_name("comparing_expected.json")
OURS = "wherefrom"
PRECISION, BEST_PEER = "average precision", "average precision of the best peer"

BY_PAIRS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "dolos": {
        "default: -k 23 -w 17, by similarity": {"score": "similarity"},
        "-k 12 -w 8, by similarity": {"score": "similarity", "kgramLength": 12, "kgramsInWindow": 8},
    },
    "jplag": {
        "default: -t of the language, average similarity": {"metric": "AVG"},
        "-t 6, average similarity": {"metric": "AVG", "minimumTokenMatch": 6},
    },
}
"""Further settings of the peers, which rank pairs of files. Those in `peer_list` are for finding functions in files."""

Ranked = Mapping[frozenset[str], float]
"""The pairs that a tool names, with their scores."""


def digest(files: Path) -> str:
    """A hash of the names and contents of a set of files."""
    whole = hashlib.sha256()
    for path in sorted(path for path in files.rglob("*") if path.is_file()):
        whole.update(f"{path.relative_to(files)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()[:16]


def figures(answer: Mapping[str, Any]) -> dict[str, float]:
    """The figures of an answer that are the same in every run, and that change if the matches do."""
    matches = [match for pair in answer["pairs"] for files in pair["files"] for match in files["regions"]]
    return {
        "files": len(answer["files"]),
        "pairs of files compared": answer["counts"]["compared_pairs"],
        "pairs found": answer["counts"]["found_pairs"],
        "clusters": len(answer["clusters"]),
        "regions": len(matches),
        "matched tokens": sum(match["tokens"] for match in matches),
        "moved regions": sum(match["is_moved"] for match in matches),
    }


def differing(seen: Mapping[str, float], expected: Mapping[str, float]) -> list[str]:
    """A line for each figure that differs from the expected one, and for a precision below that of the best peer."""
    lines = [
        f"{name}: {seen.get(name)}, expected {value}"
        for name, value in expected.items()
        if name != BEST_PEER and seen.get(name) != value
    ]
    if seen.get(PRECISION, 1.0) < expected.get(BEST_PEER, 0.0):
        lines.append(f"{PRECISION}: {seen[PRECISION]}, the best peer has {expected[BEST_PEER]}")
    return lines


def precision(scores: Ranked, relevant: set[frozenset[str]]) -> float:
    """The average precision of a ranking of pairs; among equal scores, pairs without re-use come first."""
    ordered = sorted(scores, key=lambda pair: (-scores[pair], pair in relevant))
    return average_precision([pair in relevant for pair in ordered], len(relevant))


def relevant_pairs(folder: Path, language: str) -> set[frozenset[str]]:
    """The pairs of files in SOCO-14 that are labelled as re-use."""
    lines = (folder / f"SOCO14-{language}.qrel").read_text().splitlines()
    return {frozenset(line.split()[:2]) for line in lines if line.strip()}


def compared(files: Path) -> tuple[dict[str, Any], dict[str, float]]:
    """The answer of `wherefrom compare` to a folder, and the cost of the command: `seconds` of processor time, `wall`
    seconds, and `megabytes` of memory of its largest process.
    """
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "wherefrom", "compare", "--include-generated", "--limit", "1000000"]
    done = subprocess.run(
        [*command, "--min-containment", "0", "--min-probability", "0", "--format", "json", "--quiet", str(files)],
        capture_output=True,
        check=False,
    )
    if done.returncode not in {0, 1}:
        sys.exit(done.stderr.decode())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    used = {"seconds": seconds, "wall": time.perf_counter() - begin, "megabytes": after.ru_maxrss / 1000}
    return json.loads(done.stdout), used


def ours(files: Path) -> tuple[Ranked, dict[str, float], dict[str, float]]:
    """The scores of `wherefrom compare` for pairs of file names, the cost of the command, and its figures."""
    answer, used = compared(files)
    names = [each["path"] for each in answer["files"]]
    pairs = answer["pairs"]
    return (
        {frozenset((names[each["left"]], names[each["right"]])): each["score"] for each in pairs},
        used,
        figures(answer),
    )


def theirs(
    files: Path, language: str, peers: Path, ready: Mapping[str, Peer], *, only_default: bool = False
) -> Iterator[tuple[str, str, Ranked | str, float]]:
    """Tool, setting, the pairs that the tool names or the reason why it failed, and seconds of processor time."""
    for name, peer in ready.items():
        if peer.is_exact or not peer.knows(language):
            continue
        told = {"language": peer.languages[language]} if peer.languages else {}
        settings = {**BY_PAIRS.get(name, {}), **peer.settings}
        for setting, values in islice(settings.items(), 1 if only_default else None):
            try:
                answer = ask(peer, peers, files, files, {**values, **told})
            except subprocess.CalledProcessError as error:
                yield name, setting, f"failed with {error.returncode}", 0.0
            except subprocess.TimeoutExpired as error:
                yield name, setting, f"more than {error.timeout:.0f} s", 0.0
            else:
                pairs: dict[frozenset[str], float] = {}
                for query, scores in answer.scores.items():
                    for file, score in scores.items():
                        pair = frozenset((query, file))
                        pairs[pair] = max(score, pairs.get(pair, score))
                yield name, setting, pairs, answer.seconds


def parsing_seconds(files: Path, language: str) -> float:
    """The processor seconds that a bare parser takes for the files."""
    contents = [path.read_bytes() for path in sorted(files.rglob("*")) if path.is_file()]
    parser = bare_parser(language)
    parse_all(parser, contents[:1])
    begin = time.process_time()
    parse_all(parser, contents)
    return time.process_time() - begin


def ranking(soco: Path, peers: Path, ready: Mapping[str, Peer], seen: dict[str, dict[str, float]]) -> str:
    """A table of average precision; adds our figures to `seen`, by the digest of the files."""
    rows: dict[tuple[str, str], list[str]] = {}
    languages = ("java", "c")
    for at, language in enumerate(languages):
        relevant = relevant_pairs(soco, language)
        found, _, own = ours(soco / language)
        reached = f"{precision(found, relevant):.4f}"
        rows.setdefault((OURS, "default"), ["-"] * len(languages))[at] = reached
        seen[digest(soco / language)] = {PRECISION: float(reached), **own}
        for name, setting, pairs, _ in theirs(soco / language, language, peers, ready):
            said = pairs if isinstance(pairs, str) else f"{precision(pairs, relevant):.4f}"
            rows.setdefault((name, setting), ["-"] * len(languages))[at] = said
            print(f"{language}, {name}, {setting}: {said}", file=sys.stderr)
    head = ("tool", "setting", *(f"SOCO-14 {language}" for language in languages))
    return table(head, [(*key, *row) for key, row in rows.items()])


def costs(files: Path, language: str, peers: Path, ready: Mapping[str, Peer], seen: dict[str, dict[str, float]]) -> str:
    """A table of times; adds our figures to `seen`, by the digest of the files."""
    bare = parsing_seconds(files, language)
    found, used, seen[digest(files)] = ours(files)
    rows: list[Sequence[str]] = [
        ("bare Tree-sitter", f"{bare:.1f}", "1.0", "", ""),
        (
            "`wherefrom compare`, the whole command",
            f"{used['seconds']:.1f}",
            f"{used['seconds'] / bare:.1f}",
            f"{len(found):,}",
            f"{used['wall']:.1f} s, {used['megabytes']:.0f} MB",
        ),
    ]
    for name, setting, pairs, seconds in theirs(files, language, peers, ready, only_default=True):
        print(f"{name}, {setting}: {seconds:.1f} s", file=sys.stderr)
        said = pairs if isinstance(pairs, str) else ""
        number = "" if isinstance(pairs, str) else f"{len(pairs):,}"
        rows.append((f"{name}, {setting}", f"{seconds:.1f}", f"{seconds / bare:.1f}", number, said))
    size = sum(path.stat().st_size for path in files.rglob("*") if path.is_file())
    count = sum(path.is_file() for path in files.rglob("*"))
    head = ("tool", "processor time, s", "x parsing", "pairs named", "wall time, memory")
    return f"{count:,} files of {language}, {size / 1e6:.1f} MB.\n\n{table(head, rows)}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.comparing", description=__doc__)
    add_peers_option(parser)
    parser.add_argument("--soco", type=Path, metavar="FOLDER", help="the training part of SOCO-14")
    parser.add_argument("--files", type=Path, metavar="FOLDER", help="files that are compared with each other")
    parser.add_argument("--parse", default="python", metavar="LANGUAGE", help="of these files (default: %(default)s)")
    parser.add_argument("--without-peers", action="store_true", help="wherefrom alone")
    parser.add_argument("--markdown", type=Path, metavar="PAGE", help="write the tables between the marks of this page")
    parser.add_argument("--update", metavar="NAME", help="write what is seen as expected, by this name")
    options = parser.parse_args()
    if options.markdown:
        pages.check(options.markdown, MARK)
    state = pages.state()
    peers = Path() if options.without_peers else peers_folder(options.peers)
    ready, absent = ({}, {}) if options.without_peers else runnable(peers)
    seen: dict[str, dict[str, float]] = {}
    parts = [f"State: {state}, {versions(ready)}." if ready else f"State: {state}."]
    parts += [f"Not run: {name}: {why}." for name, why in absent.items()]
    if options.soco:
        parts.append(ranking(options.soco, peers, ready, seen))
    if options.files:
        parts.append(costs(options.files, options.parse, peers, ready, seen))
    pages.publish("\n\n".join(parts), state, options.markdown, MARK)
    known = json.loads(EXPECTED.read_text())
    if options.update:
        for files, own in seen.items():
            before = known.get(files, {}).get("figures", {})
            kept = {BEST_PEER: before[BEST_PEER]} if BEST_PEER in before else {}
            known[files] = {"name": known.get(files, {}).get("name", options.update), "figures": {**own, **kept}}
        EXPECTED.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
        return
    lines = [
        f"{known[files]['name']}, {line}"
        for files, own in seen.items()
        if files in known
        for line in differing(own, known[files]["figures"])
    ]
    if lines:
        sys.exit("\n".join(["\nnot what is expected (--update NAME writes what is seen):", *lines]))


if __name__ == "__main__":
    main()
