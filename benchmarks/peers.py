"""Other tools that find copied code, each run in an environment of its own, outside this repository.

`python -m benchmarks.peers --peers FOLDER --install` makes the environments with pip, npm and Maven; without
`--install` it lists the installed ones. No code of a peer enters this repository: `peer_driver.py`, `peer_driver.mjs`
and `peer_driver.java` call the installed tools.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.peer_environments import add_peers_option, installed, java, missing, peers_folder, program
from benchmarks.peer_list import PEERS, Peer
from benchmarks.timing import table

HERE = Path(__file__).resolve().parent
SECONDS = 900
"""No run of a peer may last longer."""

Scores = Mapping[str, Mapping[str, float]]
"""For each query the files that a peer names for it, with their scores; a greater score is more alike."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a run; `seconds` of processor time do not count starting and importing. `megabytes` are the most
    memory of the largest process.
    """

    seconds: float
    scores: Scores = field(default_factory=dict)
    megabytes: float = 0.0


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended, and what it and its descendants used, as in `Answer`."""

    stdout: str
    seconds: float
    megabytes: float


def run(command: Sequence[str], given: str = "", **variables: str) -> Done:
    """Runs a command to its end, with a text on its standard input.

    Raises:
        subprocess.CalledProcessError: it failed; `stderr` is text.
        subprocess.TimeoutExpired: it took longer than `SECONDS`.
    """
    with tempfile.NamedTemporaryFile("r") as used:
        watched = [sys.executable, "-S", "-c", _WATCH, used.name, str(SECONDS), *command]
        environment = {**os.environ, **variables}
        done = subprocess.run(watched, input=given, env=environment, capture_output=True, text=True, check=False)
        if done.returncode == _LATE:
            raise subprocess.TimeoutExpired(command, SECONDS)
        if done.returncode:
            raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
        seconds, megabytes = json.load(used)
    return Done(done.stdout, seconds, megabytes)


_LATE = 124

_WATCH = f"""\
import json, resource, subprocess, sys
try:
    code = subprocess.call(sys.argv[3:], timeout=float(sys.argv[2]))
except subprocess.TimeoutExpired:
    code = {_LATE}
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as file:
    json.dump([used.ru_utime + used.ru_stime, used.ru_maxrss / 1000], file)
sys.exit(code)
"""
"""Runs a command from a small process: the memory of a process counts from before it runs its own program, which is
that of its parent.
"""


def ask(peer: Peer, folder: Path, files: Path, queries: Path | None, options: Mapping[str, Any]) -> Answer:
    """Runs a peer.

    Args:
        peer: one that is not `missing`.
        folder: of the environments.
        files: the folder of the files that are searched.
        queries: the folder of the files to look for, which are sent together by subfolder; None to fingerprint `files`
            only; `files` itself to compare every file with every other.
        options: one of its settings.

    Raises:
        subprocess.CalledProcessError: the peer failed; `stderr` is text.
        subprocess.TimeoutExpired: the peer took longer than `SECONDS`.
    """
    if peer.is_exact:
        with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as index:
            done = run((str(program(peer, folder)), "-index", index, str(files)))
        return Answer(done.seconds, megabytes=done.megabytes)
    if peer.name == "jscpd":
        if queries == files:
            return _ask_jscpd(program(peer, folder), files, files, options)
        groups = [None] if queries is None else sorted({path.parent for path in queries.rglob("*") if path.is_file()})
        parts = [_ask_jscpd(program(peer, folder), files, group, options) for group in groups]
        rows = [
            (str(Path(group or "", query).relative_to(queries or "")), file, score)
            for group, part in zip(groups, parts, strict=True)
            for query, scores in part.scores.items()
            for file, score in scores.items()
        ]
        most = max((part.megabytes for part in parts), default=0.0)
        return Answer(sum(part.seconds for part in parts), scores_of(rows), most)
    job = {
        "peer": peer.name,
        "files": str(files),
        "queries": None if queries is None else str(queries),
        "options": dict(options),
        "package": str(program(peer, folder)),
    }
    # As in compare50's own script, because its hashes are those of Python's strings.
    done = run(_driver(peer, folder), json.dumps(job), PYTHONHASHSEED="50")
    answer = json.loads(done.stdout)
    return Answer(answer["seconds"], scores_of(answer["scores"]), done.megabytes)


def _driver(peer: Peer, folder: Path) -> list[str]:
    """The command that reads a job and runs the peer."""
    there = str(program(peer, folder))
    if peer.installer == "pip":
        return [there, str(HERE / "peer_driver.py")]
    if peer.installer == "npm":
        return ["node", "--max-old-space-size=4096", str(HERE / "peer_driver.mjs")]
    # One thread, besides that of the JVM's compiler.
    return [str(java()), "-XX:+UseSerialGC", "-Xmx4g", "-cp", f"{there}/*", str(HERE / "peer_driver.java")]


def scores_of(rows: Sequence[tuple[str, str, float]]) -> dict[str, dict[str, float]]:
    """The scores by query, then by file; if a pair occurs twice, its best score."""
    scores: dict[str, dict[str, float]] = {}
    for query, file, score in rows:
        known = scores.setdefault(query, {})
        known[file] = max(score, known.get(file, score))
    return scores


_JSCPD = "--silent --no-tips --workers 1 --no-gitignore --absolute --reporters json --output"


def _ask_jscpd(command: Path, files: Path, queries: Path | None, options: Mapping[str, Any]) -> Answer:
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folders = [str(files)] if queries in {None, files} else [str(files), str(queries)]
        start = run((str(command), "--version"))
        arguments = options.get("arguments", "").split()
        done = run((str(command), *_JSCPD.split(), scratch, *arguments, *folders))
        report = json.loads(Path(scratch, "jscpd-report.json").read_text())
    scores = {} if queries is None else clones(report["duplicates"], files, queries)
    return Answer(max(0.0, done.seconds - start.seconds), scores, done.megabytes)


def clones(duplicates: Sequence[Mapping[str, Any]], files: Path, queries: Path) -> dict[str, dict[str, float]]:
    """How many tokens of each query jscpd reports as duplicated in each file."""
    scores: dict[str, dict[str, float]] = {}
    for clone in duplicates:
        names = [Path(clone[side]["name"]) for side in ("firstFile", "secondFile")]
        asked = [name for name in names if name.is_relative_to(queries)]
        known = [name for name in names if name.is_relative_to(files)]
        if files == queries and names[0] != names[1]:
            asked, known = names[:1], names[1:]
        if len(asked) == len(known) == 1:
            query, file = str(asked[0].relative_to(queries)), str(known[0].relative_to(files))
            found = scores.setdefault(query, {})
            found[file] = found.get(file, 0.0) + clone["tokens"]
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    add_peers_option(parser)
    parser.add_argument("--install", action="store_true", help="with pip, npm and Maven, those that are not there")
    options = parser.parse_args()
    folder = peers_folder(options.peers)
    states = installed(folder) if options.install else {name: missing(peer, folder) for name, peer in PEERS.items()}
    rows = [(name, " ".join(PEERS[name].packages), why or "ready") for name, why in states.items()]
    print(table(("peer", "packages", "state"), rows))


if __name__ == "__main__":
    main()
