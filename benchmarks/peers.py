"""Other tools that find copied code, each run in an environment of its own, outside this repository.

`python -m benchmarks.peers --peers FOLDER --install` makes the environments with pip and npm; without `--install` it
says which are there. Nothing of a peer enters this repository: `peer_driver.py` and `peer_driver.mjs` call what is
installed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.timing import table

FOLDER_VARIABLE = "WHENCE_BENCHMARK_PEERS"
HERE = Path(__file__).resolve().parent
SECONDS = 600
"""No run of a peer may last longer."""

Scores = Mapping[str, Mapping[str, float]]
"""For each query the files that a peer names for it, with their scores; greater is more alike."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool.

    Attributes:
        name: also that of the folder of its environment.
        installer: `pip` or `npm`.
        packages: what the installer is given.
        settings: the options of each setting; the first is the tool's default.
        fingerprinting: what a run without queries does.
    """

    name: str
    installer: str
    packages: tuple[str, ...]
    settings: Mapping[str, Mapping[str, Any]]
    fingerprinting: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run came to; `seconds` on a processor, without starting and importing."""

    seconds: float
    scores: Scores = field(default_factory=dict)


PEERS = {
    peer.name: peer
    for peer in (
        Peer(
            "copydetect",
            "pip",
            ("copydetect==0.5.0",),
            {
                "default: -n 25 -g 25 -d 0.33": {},
                "-n 25 -g 25 -d 0": {"display_t": 0.0},
                "-n 15 -g 20 -d 0": {"noise_t": 15, "guarantee_t": 20, "display_t": 0.0},
                "-n 40 -g 40 -d 0": {"noise_t": 40, "guarantee_t": 40, "display_t": 0.0},
            },
            "tokenising with Pygments, filtering, k-grams, winnowing",
        ),
        Peer(
            "compare50",
            "pip",
            ("compare50==1.2.15",),
            {
                "default: -p structure -n 50": {"pass": "structure", "n": 50},
                "-p structure -n 100000": {"pass": "structure", "n": 100_000},
                "-p text -n 100000": {"pass": "text", "n": 100_000},
                "-p structure, k = 12, t = 18, -n 100000": {"pass": "structure", "n": 100_000, "k": 12, "t": 18},
            },
            "tokenising with Pygments, normalising, k-grams, winnowing",
        ),
        Peer(
            "scanoss",
            "pip",
            ("scanoss==1.54.3", "scanoss-winnowing==0.8.0"),
            {
                "default: fast winnowing, files above 256 bytes": {"fast": True, "all_extensions": False},
                "every file": {"fast": True, "all_extensions": True},
            },
            "normalising bytes, k-grams, winnowing in C, writing the fingerprints as text",
        ),
        Peer(
            "jscpd",
            "npm",
            ("jscpd@5.4.1", "jscpd-linux-x64-gnu@5.4.1"),
            {
                "default: -k 50 -l 5": {},
                "-k 25 -l 2 -m weak --ignore-identifiers --ignore-literals": {
                    "arguments": "-k 25 -l 2 -m weak --ignore-identifiers --ignore-literals"
                },
                "-k 15 -l 1 -m weak": {"arguments": "-k 15 -l 1 -m weak"},
                "-k 30 -l 3 -m weak --max-gap-lines 3 --ignore-identifiers --ignore-literals": {
                    "arguments": "-k 30 -l 3 -m weak --max-gap-lines 3 --ignore-identifiers --ignore-literals"
                },
            },
            "everything: reading, tokenising, finding clones, writing the report",
        ),
        Peer(
            "dolos",
            "npm",
            ("@dodona/dolos-lib@3.5.1",),
            {
                "default: -k 23 -w 17, by overlap": {"score": "overlap"},
                "-k 23 -w 17, by longest fragment": {"score": "longest"},
                "-k 12 -w 8, by longest fragment": {"score": "longest", "kgramLength": 12, "kgramsInWindow": 8},
                "-k 12 -w 8, by overlap": {"score": "overlap", "kgramLength": 12, "kgramsInWindow": 8},
            },
            "parsing with Tree-sitter, k-grams, winnowing, an index in memory",
        ),
    )
}

NOT_RUN = {
    "JPlag": "its command line is not on Maven Central (there is no de.jplag:cli), only libraries without one",
}
"""Peers that are never run, with the reason."""


def with_language(peer: Peer, options: Mapping[str, Any], language: str) -> dict[str, Any]:
    """The options for files of one language; Dolos takes one language at a time, the others go by file names."""
    return {**options, "language": language} if peer.name == "dolos" else dict(options)


def default(peer: Peer, language: str) -> dict[str, Any]:
    """The default setting, for files of one language."""
    return with_language(peer, next(iter(peer.settings.values())), language)


def peers_folder(argument: str | None) -> Path:
    """The folder of the environments: the argument, else what `FOLDER_VARIABLE` says.

    Raises:
        SystemExit: neither is given, or the folder lies inside this repository.
    """
    chosen = argument or os.environ.get(FOLDER_VARIABLE)
    if not chosen:
        sys.exit(f"no folder for the peers; give --peers FOLDER or set {FOLDER_VARIABLE}")
    folder = Path(chosen).expanduser().resolve()
    if folder.is_relative_to(HERE.parent):
        sys.exit(f"the peers must not lie inside this repository: {folder}; choose a folder outside")
    return folder


def add_peers_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--peers", metavar="FOLDER", help=f"where the peers are installed (default: ${FOLDER_VARIABLE})"
    )


def program(peer: Peer, folder: Path) -> Path:
    """What is there if the peer is: the interpreter of its environment, its program or its library."""
    inside = folder / peer.name
    return {
        "jscpd": inside / "node_modules" / ".bin" / "jscpd",
        "dolos": inside / "node_modules" / "@dodona" / "dolos-lib",
    }.get(peer.name, inside / "bin" / "python")


def missing(peer: Peer, folder: Path) -> str:
    """Why the peer cannot be run; empty where it can."""
    if not program(peer, folder).exists():
        return "not installed"
    if peer.installer == "pip":
        module = peer.packages[0].partition("==")[0]
        command = [str(program(peer, folder)), "-c", f"import {module}"]
    elif peer.name == "jscpd":
        command = [str(program(peer, folder)), "--version"]
    else:
        command = ["node", "--version"]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        return f"installed, but does not start: {error}"
    return ""


def install(peer: Peer, folder: Path) -> str:
    """Makes the peer's environment; the last line of what the installer says where it fails, else empty."""
    inside = folder / peer.name
    inside.mkdir(parents=True, exist_ok=True)
    if peer.installer == "npm":
        commands = [["npm", "install", "--silent", "--prefix", str(inside), *peer.packages]]
    else:
        pip = [str(inside / "bin" / "python"), "-m", "pip"]
        commands = [[sys.executable, "-m", "venv", str(inside)], [*pip, "install", "--quiet", *peer.packages]]
    try:
        for command in commands:
            subprocess.run(command, check=True, capture_output=True, text=True, cwd=inside)
    except OSError as error:
        return str(error)
    except subprocess.CalledProcessError as error:
        return str(error.stderr).strip().rpartition("\n")[2] or str(error)
    return ""


def ask(peer: Peer, folder: Path, files: Path, queries: Path | None, options: Mapping[str, Any]) -> Answer:
    """Runs a peer.

    Args:
        peer: one that is not `missing`.
        folder: of the environments.
        files: the folder with the files among which it looks.
        queries: the folder with the files that it looks for, those in one folder together; None to fingerprint
            `files` only.
        options: one of its settings.

    Raises:
        subprocess.SubprocessError: it failed, or took too long.
    """
    if peer.name == "jscpd":
        groups = [None] if queries is None else sorted({path.parent for path in queries.rglob("*") if path.is_file()})
        parts = [_ask_jscpd(program(peer, folder), files, group, options) for group in groups]
        rows = [
            (str(Path(group or "", query).relative_to(queries or "")), file, score)
            for group, part in zip(groups, parts, strict=True)
            for query, scores in part.scores.items()
            for file, score in scores.items()
        ]
        return Answer(sum(part.seconds for part in parts), scores_of(rows))
    job = {
        "peer": peer.name,
        "files": str(files),
        "queries": None if queries is None else str(queries),
        "options": dict(options),
        "package": str(program(peer, folder)),
    }
    if peer.installer == "npm":
        command = ["node", "--max-old-space-size=4096", str(HERE / "peer_driver.mjs")]
    else:
        command = [str(program(peer, folder)), str(HERE / "peer_driver.py")]
    # What compare50's own script sets: its hashes are those of Python's strings.
    environment = {**os.environ, "PYTHONHASHSEED": "50"}
    done = subprocess.run(
        command, input=json.dumps(job), env=environment, check=True, capture_output=True, text=True, timeout=SECONDS
    )
    answer = json.loads(done.stdout)
    return Answer(answer["seconds"], scores_of(answer["scores"]))


def scores_of(rows: Sequence[tuple[str, str, float]]) -> dict[str, dict[str, float]]:
    """By query, then by file; the best where a pair stands twice."""
    scores: dict[str, dict[str, float]] = {}
    for query, file, score in rows:
        known = scores.setdefault(query, {})
        known[file] = max(score, known.get(file, score))
    return scores


_JSCPD = "--silent --no-tips --workers 1 --no-gitignore --absolute --reporters json --output"


def _ask_jscpd(command: Path, files: Path, queries: Path | None, options: Mapping[str, Any]) -> Answer:
    with tempfile.TemporaryDirectory(prefix="whence-benchmark-") as scratch:
        folders = [str(files)] if queries is None else [str(files), str(queries)]
        at_start = _of_children()
        subprocess.run([str(command), "--version"], check=True, capture_output=True, timeout=SECONDS)
        begin = _of_children()
        subprocess.run(
            [str(command), *_JSCPD.split(), scratch, *options.get("arguments", "").split(), *folders],
            check=True,
            capture_output=True,
            timeout=SECONDS,
        )
        seconds = max(0.0, _of_children() - begin - (begin - at_start))
        report = json.loads(Path(scratch, "jscpd-report.json").read_text())
    return Answer(seconds, {} if queries is None else clones(report["duplicates"], files, queries))


def clones(duplicates: Sequence[Mapping[str, Any]], files: Path, queries: Path) -> dict[str, dict[str, float]]:
    """The duplicated tokens of each pair of a query and a file in a report of jscpd."""
    scores: dict[str, dict[str, float]] = {}
    for clone in duplicates:
        names = [Path(clone[side]["name"]) for side in ("firstFile", "secondFile")]
        asked = [name for name in names if name.is_relative_to(queries)]
        known = [name for name in names if name.is_relative_to(files)]
        if len(asked) == len(known) == 1:
            query, file = str(asked[0].relative_to(queries)), str(known[0].relative_to(files))
            found = scores.setdefault(query, {})
            found[file] = found.get(file, 0.0) + clone["tokens"]
    return scores


def _of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    add_peers_option(parser)
    parser.add_argument("--install", action="store_true", help="with pip and npm, those that are not there")
    options = parser.parse_args()
    folder = peers_folder(options.peers)
    rows = []
    for peer in PEERS.values():
        why = missing(peer, folder)
        if why and options.install:
            why = install(peer, folder) or missing(peer, folder)
        rows.append((peer.name, " ".join(peer.packages), why or "ready"))
    rows += [(name, "", why) for name, why in NOT_RUN.items()]
    if not shutil.which("node"):
        rows.append(("node", "", "not installed: the peers from npm need it"))
    print(table(("peer", "packages", "state"), rows))


if __name__ == "__main__":
    main()
