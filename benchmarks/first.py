"""What the history of an index costs, and whether `first` names the right commit.

    python -m benchmarks.first CLONE...

The clones need over a hundred commits each. Three measurements, each printed as a table:

- cost: the postings of the history beside those of HEAD; processor time, memory; and again after the last 100 commits;
- commits: functions drawn from HEAD, each compared with the oldest commit of `git log -L --first-parent`;
- order: functions of a clone as they once were, edited and pasted into other repositories at a later date.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import wherefrom
from benchmarks.effectiveness.rewriting import rewritten
from benchmarks.effectiveness.syntax import EVERY_SHAPE
from benchmarks.effectiveness.variants import Function, functions, renamed, text
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.content import name_reason
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.units import functions as spans
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine, TermOrdered
from wherefrom.model import SkipReason
from wherefrom.options import Limits
from wherefrom.results import FirstPlace

LINES = (6, 60)
"""A drawn function has this many lines."""

MOST_OF_FILE = 2
"""At most this many functions of a file are drawn."""

LATER_DAYS = (30, 1500)
"""A function is pasted this many days after it was written."""

LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A function of a clone at HEAD, with its first and last line (1-based, inclusive).

    `function` is None if the benchmark cannot edit it.
    """

    clone: Path
    path: str
    lines: tuple[int, int]
    source: bytes
    function: Function | None


def git(clone: Path, *arguments: str, **variables: str) -> bytes:
    """The output of a git command in a clone."""
    command = ["git", "-C", str(clone), *arguments]
    return subprocess.run(command, check=True, capture_output=True, env={**os.environ, **variables}).stdout


def drawn(clone: Path, chance: random.Random, most: int = MOST_OF_FILE) -> Iterator[Drawn]:
    """Functions of a clone at HEAD, at most as many of a file, in random order."""
    found: list[Drawn] = []
    for path in code_files(clone):
        content = git(clone, "cat-file", "blob", f"HEAD:{path}")
        analysis = analyze_file(path, content, LIMITS)
        if isinstance(analysis, SkipReason) or analysis.language not in EVERY_SHAPE:
            continue
        editable = {
            function.source.strip().encode(): function
            for function in functions(analysis.language, content, analysis, LINES)
        }
        tokens = analysis.tokens
        inside = []
        for begin, end in spans(content, analysis):
            lines = int(tokens.start_lines[begin]), int(tokens.end_lines[end - 1])
            if LINES[0] <= lines[1] - lines[0] < LINES[1]:
                text = content[int(tokens.starts[begin]) : int(tokens.ends[end - 1])]
                inside.append(Drawn(clone, path, lines, content, editable.get(text)))
        found += chance.sample(inside, min(len(inside), most))
    chance.shuffle(found)
    yield from found


def code_files(clone: Path) -> list[str]:
    """The paths at HEAD that the index reads, if their names are right."""
    listed = git(clone, "ls-tree", "-r", "-z", "HEAD").decode("utf-8", "replace").split("\0")
    paths = [row.partition("\t")[2] for row in listed if row.startswith("100")]  # no links, no submodules
    return [path for path in paths if name_reason(path, LIMITS) is None]


def began(one: Drawn) -> str | None:
    """The commit that began a function, as git tells it."""
    return next(reversed(_log(one, "%H")), None)


def _log(one: Drawn, form: str) -> list[str]:
    """A line of git's log in this form for each commit that changed a function, the newest first."""
    first, last = one.lines
    lines = f"-L{first},{last}:{one.path}"
    return git(one.clone, "log", "--first-parent", "--no-patch", f"--format={form}", lines, "HEAD").decode().split()


def postings(engine: Engine | None) -> int:
    """The number of postings of an index in a folder."""
    if engine is None or not isinstance(engine, TermOrdered):
        return 0
    blobs = [stored.blob for stored in engine.stored_blobs()]
    return sum(len(part.terms) for part in engine.postings(blobs))


def timed_index(index: Path, clones: Iterable[Path], *flags: str) -> tuple[float, int, Any]:
    """Runs `wherefrom index`: processor seconds, peak memory in bytes of one process, and the report."""
    command = [sys.executable, "-m", "wherefrom", "index", "--index", str(index), "--format", "json", *flags]
    script = (
        "import json,resource,subprocess,sys\n"
        "answer = subprocess.run(sys.argv[1:], capture_output=True, check=True)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, json.loads(answer.stdout)]))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script, *command, *map(str, clones)], check=True, capture_output=True
    )
    seconds, memory, report = json.loads(answer.stdout)
    return seconds, memory, report


def cost(clones: Sequence[Path], folder: Path) -> Iterator[tuple[str, ...]]:
    """A row for each clone, and one for all together."""
    totals = [0.0] * 6
    for clone in clones:
        index = folder / clone.parent.name
        timed_index(index, [clone], "--rev", "HEAD~100")
        seconds, memory, report = timed_index(index, [clone], "--rev", "HEAD~100", "--history")
        again, _, later = timed_index(index, [clone], "--history")
        engine = open_engine(index, schemes=scheme_ids())
        head, past = postings(engine), postings(engine.history())
        engine.close()
        [first], [second] = report["history"], later["history"]
        size, more = first["size"], second["size"]
        numbers = (head, past, size / 1e6, seconds, more / 1e6, again)
        totals = [total + number for total, number in zip(totals, numbers, strict=True)]
        yield _cost_row(clone.parent.name.replace("+", "/"), first["commits"], numbers, f"{memory / 1e6:,.0f}")
    yield _cost_row("all", "", totals, "")


def _cost_row(name: str, commits: object, numbers: Sequence[float], memory: str) -> tuple[str, ...]:
    head, past, size, seconds, more, again = numbers
    return (
        name,
        f"{commits}",
        f"{head:,.0f}",
        f"{past / head:.2f}",
        f"{size:,.0f}",
        f"{10 * seconds / size:.2f}",
        memory,
        f"{more:.1f}",
        f"{again:.1f}",
    )


def commits(clones: Sequence[Path], index: wherefrom.Index, seed: int, each: int) -> Iterator[tuple[str, ...]]:
    """How many functions of each clone have the right commit, and how many one beside it."""
    for clone in clones:
        line = git(clone, "rev-list", "--first-parent", "HEAD").decode().split()
        right = near = 0
        took, asked = [], 0
        for one in islice(drawn(clone, random.Random(f"{seed} {clone.parent.name}")), each):
            true = began(one)
            if true is None:
                continue
            asked += 1
            begin = time.perf_counter()
            answer = index.first(one.source, name=one.path, lines=one.lines, limit=50)
            took.append(time.perf_counter() - begin)
            place = next((at for at in answer.places if _is_at(at, one)), None)
            found = place.age.first.commit if place is not None and place.age is not None else None
            right += found == true
            near += found in line and abs(line.index(found) - line.index(true)) <= 1
        yield clone.parent.name.replace("+", "/"), f"{asked}", f"{right}", f"{near}", f"{1000 * median(took):.0f}"


def _is_at(place: FirstPlace, one: Drawn) -> bool:
    is_there = place.occurrence.path == one.path and not place.is_gone
    lines = place.lines
    return is_there and lines is not None and lines.first <= one.lines[1] and lines.last >= one.lines[0]


def order(clones: Sequence[Path], folder: Path, seed: int, number: int) -> Iterator[tuple[str, ...]]:
    """Plants functions of each clone in a repository made of files of the next one, and looks each up."""
    chance = random.Random(f"{seed} order")
    each = -(-number // len(clones))
    hosts, planted = [], []
    for at, clone in enumerate(clones):
        host = folder / f"host-{at}"
        other = clones[(at + 1) % len(clones)]
        editable = ((one, one.function) for one in drawn(clone, chance) if one.function is not None)
        hosts.append(_host(host, other, chance))
        for one, function in islice(editable, each):
            how, code = edited(function, chance)
            day = _planted(host, one, code, chance)
            planted.append((one, host, how, code, day))
    index = folder / "planted"
    wherefrom.index_sources([*clones, *hosts], index, history=True)
    with wherefrom.open_index(index) as opened:
        for one, host, how, code, day in planted[:number]:
            answer = opened.first(code, name=one.path, limit=50)
            keys = [place.occurrence.repository for place in answer.places if place.age is not None]
            original, copy = str(one.clone), str(host)
            is_right = original in keys and copy in keys and keys.index(original) < keys.index(copy)
            state = "right" if is_right else "wrong" if original in keys and copy in keys else "one not found"
            yield one.clone.parent.name, one.path, how, day, state, "unsure" if answer.is_unsure else ""


def edited(function: Function, chance: random.Random) -> tuple[str, str]:
    """A function as a copier leaves it."""
    how = chance.choice(("as it is", "renamed", "rewritten"))
    if how == "as it is":
        return how, function.source
    return how, text(renamed(function, chance)) if how == "renamed" else rewritten(function, chance)


def _host(host: Path, other: Path, chance: random.Random) -> Path:
    """A repository with some files of another project, all of one commit of 2001."""
    host.mkdir(parents=True)
    git(host, "init", "--quiet")
    code = code_files(other)
    for path in chance.sample(code, min(len(code), 15)):
        to = host / "own" / Path(path).name
        to.parent.mkdir(exist_ok=True)
        to.write_bytes(git(other, "cat-file", "blob", f"HEAD:{path}"))
    commit(host, "begin", datetime(2001, 1, 1, tzinfo=UTC))
    return host


def _planted(host: Path, one: Drawn, code: str, chance: random.Random) -> str:
    """Adds a function to a host, some time after its last change; returns the day."""
    written = int(_log(one, "%ct")[0])
    day = datetime.fromtimestamp(written + 86_400 * chance.randint(*LATER_DAYS), UTC)
    to = host / f"taken{len(list(host.iterdir()))}{Path(one.path).suffix}"
    to.write_text(code, encoding="utf-8")
    commit(host, "take it over", day)
    return day.date().isoformat()


def commit(folder: Path, message: str, when: datetime) -> None:
    git(folder, "add", "--all")
    date = f"{int(when.timestamp())} +0000"
    names = {f"GIT_{who}_{what}": "someone" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    git(folder, "commit", "--quiet", "-m", message, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date, **names)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--only", choices=("cost", "commits", "order"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=10, help="functions drawn from each clone")
    parser.add_argument("--planted", type=int, default=40)
    given = parser.parse_args()
    clones = [clone.resolve() for clone in given.clones]
    with tempfile.TemporaryDirectory(prefix="first-") as made:
        folder = Path(made)
        if given.only in (None, "cost"):
            columns = ("clone", "commits", "postings of HEAD", "of history", "MB", "s for 10 MB", "MB of memory")
            print(" | ".join((*columns, "MB of 100 more", "s for them")), flush=True)
            for row in cost(clones, folder):  # each takes minutes
                print(" | ".join(row), flush=True)
        if given.only in (None, "commits"):
            index = folder / "all"
            wherefrom.index_sources(clones, index, history=True)
            with wherefrom.open_index(index) as opened:
                rows = commits(clones, opened, given.seed, given.each)
                print(table(("clone", "functions", "right commit", "within one", "ms, p50"), [*rows]), flush=True)
        if given.only in (None, "order"):
            rows = order(clones, folder, given.seed, given.planted)
            print(table(("clone", "function of", "edited", "planted", "order", "said"), [*rows]), flush=True)


if __name__ == "__main__":
    main()
