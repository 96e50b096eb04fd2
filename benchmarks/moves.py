"""Whether `first` names the commit that began a function which later moved to another file.

    python -m benchmarks.moves CLONE... --index INDEX
    python -m benchmarks.moves CLONE... --planted 40

`INDEX` has the clones with their history. Functions are drawn from HEAD. A function moved if half of its lines were in
another file before they were in the present one, by every commit of the first-parent line. The truth is found by a
search for the function in an index of all states of the files that had its lines: the first state with 25 percent of
it (`first`), and with 50 (`since`). A named commit is

- right if some file that it changed has 20 (45) percent of the function, and none had more than 30 (55) before,
- within if a file had more before, but no file had half of its lines as they are now: what was there before may be
  another function that is like it,
- late if a file had half of its lines before,
- early if no file that it changed has that part.

With `--planted`, a repository grows a function of a clone in 2015 and 2017, another one copies it in 2018, and the
first one moves it in 2019. Which of the two comes first?
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import wherefrom
from benchmarks.first import LIMITS, Drawn, commit, drawn, edited, git
from benchmarks.timing import table
from wherefrom.analyzers.content import name_reason
from wherefrom.results import Age, FirstPlace
from wherefrom.results.attribution import by_age

POOL = 3_000
"""At most this many functions of a clone are looked at, `OF_FILE` of a file."""

OF_FILE = 8

TOKENS = 50
"""A drawn function has at least this many tokens. In less code, few runs of tokens are sampled."""

LINES_LEAST = 6
"""A drawn function has at least this many lines of `DISTINCTIVE` characters that are in few files."""

DISTINCTIVE = 12

MOST_PATHS = 12
"""A line that more paths had is not counted."""

GRAM = 8
"""A run of this many tokens without names and literals is of the function."""

FIRST, SINCE = 25.0, 50.0
BAND = 5.0
"""A commit is right if the percents are within this much of the rule's."""

MOST_STATES = 200

_TOKEN = re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\d[\w.]*|[^\s\w]")
_COMMENT = re.compile(rb"^\s*(?:#(?!include|define)|//|/?\*).*$", re.MULTILINE)
_KEYWORDS = frozenset(
    b"if else elif for while do switch case break continue return def class fn func function let const var new try "
    b"except catch finally raise throw with as in not and or is None True False null true false self this struct enum "
    b"impl pub mut match loop where static void int char unsigned long double float bool public private protected "
    b"final end unless begin rescue ensure module lambda yield await async import from package interface extends "
    b"defer go chan select range map type".split()
)


@dataclass(slots=True)
class Traced:
    """A function, the weights of its lines, and what the commits did to them."""

    one: Drawn
    code: bytes
    weights: dict[bytes, int]
    shares: dict[str, float] = field(default_factory=dict)
    """By path, at the commit that is being read."""
    story: list[tuple[int, str, float]] = field(default_factory=list)
    """Commit, path, and the share of the lines that it has then."""


def history(clone: Path, wanted: set[bytes]) -> Iterator[tuple[int, str, Counter[bytes]]]:
    """For each file of each commit with wanted lines: the number of the commit, the path, what it added (or removed)
    of them.
    """
    command = ["git", "-C", str(clone), "log", "--reverse", "--first-parent", "-m", "-p", "-U0", "--no-renames"]
    command += ["--no-ext-diff", "--no-textconv", "--format=%x00%H", "--diff-filter=AMD", "HEAD"]
    number, path, lines = -1, "", Counter[bytes]()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        is_head = False
        for row in process.stdout:
            if row.startswith((b"\0", b"diff --git ")):
                if lines:
                    yield number, path, lines
                    lines = Counter()
                number += row.startswith(b"\0")
                is_head = True
            elif is_head and row.startswith((b"--- a/", b"+++ b/")):
                path = row[6:].rstrip(b"\n\t").decode("utf-8", "replace")
            elif row.startswith(b"@@"):
                is_head = False
            elif not is_head and row[:1] in (b"+", b"-") and (line := row[1:].strip()) in wanted:
                lines[line] += 1 if row[:1] == b"+" else -1
        if lines:
            yield number, path, lines


def moved(clone: Path, seed: int, number: int) -> list[Traced]:
    """Functions of a clone that moved between files."""
    chance = random.Random(f"{seed} {clone.parent.name}")
    pool: list[Traced] = []
    for one in drawn(clone, chance, OF_FILE):
        code = b"\n".join(one.source.splitlines()[one.lines[0] - 1 : one.lines[1]])
        if len(grams(code)) > TOKENS - GRAM:
            pool.append(Traced(one, code, {line: len(line) for line in distinctive(code)}))
        if len(pool) == POOL:
            break
    by_line: defaultdict[bytes, list[Traced]] = defaultdict(list)
    for each in pool:
        for line in each.weights:
            by_line[line].append(each)
    events = list(history(clone, {*by_line}))
    paths: defaultdict[bytes, set[str]] = defaultdict(set)
    for _, path, changed in events:
        for line in changed:
            paths[line].add(path)
    for each in pool:
        each.weights = {line: size for line, size in each.weights.items() if len(paths[line]) <= MOST_PATHS}
    present: Counter[tuple[str, bytes]] = Counter()
    for at, path, changed in events:
        touched: dict[int, Traced] = {}
        for line, count in changed.items():
            before, now = present[path, line] > 0, present[path, line] + count > 0
            present[path, line] += count
            if before == now:
                continue
            for each in by_line[line]:
                if line in each.weights:
                    share = each.weights[line] / sum(each.weights.values())
                    each.shares[path] = each.shares.get(path, 0.0) + (share if now else -share)
                    touched[id(each)] = each
        for each in touched.values():
            each.story.append((at, path, each.shares[path]))
    found = [each for each in pool if len(each.weights) >= LINES_LEAST and _has_moved(each)]
    return found[:number]


def distinctive(code: bytes) -> set[bytes]:
    """The long lines of a code, without the white space around them."""
    return {line.strip() for line in code.splitlines() if len(line.strip()) >= DISTINCTIVE}


def _has_moved(each: Traced) -> bool:
    here = next((at for at, path, share in each.story if path == each.one.path and 100 * share >= SINCE), None)
    there = next(((at, path) for at, path, share in each.story if 100 * share >= SINCE), None)
    return here is not None and there is not None and there[0] < here and there[1] != each.one.path


def grams(code: bytes) -> list[tuple[bytes, ...]]:
    """The runs of tokens of a code, without names, literals and comments."""
    plain = []
    for token in _TOKEN.findall(_COMMENT.sub(b"", code)):
        if token[:1] in b"\"'" or token[:1].isdigit():
            plain.append(b"1")
        else:
            plain.append(token if token in _KEYWORDS or not (token[:1].isalpha() or token[:1] == b"_") else b"n")
    return [tuple(plain[at : at + GRAM]) for at in range(len(plain) - GRAM + 1)]


class Truth:
    """Reads how much of a function the files of a clone had, by a search for the function in their states."""

    def __init__(self, clone: Path) -> None:
        self.clone = clone
        self.line = git(clone, "rev-list", "--first-parent", "--reverse", "HEAD").decode().split()
        self.number = {commit: at for at, commit in enumerate(self.line)}

    def matches(self, one: Drawn, states: Iterable[tuple[int, str]]) -> dict[tuple[int, str], float]:
        """The percent of a function that a search finds in states of files, each given as commit and path."""
        blobs: dict[bytes, list[tuple[int, str]]] = defaultdict(list)
        for number, path in states:
            with suppress(subprocess.CalledProcessError):
                blobs[git(self.clone, "rev-parse", f"{self.line[number]}:{path}")].append((number, path))
        with tempfile.TemporaryDirectory(prefix="moves-") as made:
            folder = Path(made, "files")
            for blob in blobs:
                to = folder / blob.decode().strip() / f"file{Path(blobs[blob][0][1]).suffix}"
                to.parent.mkdir(parents=True)
                to.write_bytes(git(self.clone, "cat-file", "blob", blob.decode().strip()))
            found: dict[tuple[int, str], float] = {}
            if not blobs:
                return found
            wherefrom.index_sources([folder], Path(made, "index"), jobs=1)
            with wherefrom.open_index(Path(made, "index")) as index:
                answer = index.search(one.source, name=one.path, lines=one.lines, limit=200)
            for place in (place for hit in answer.hits for place in hit.places):
                blob = f"{place.occurrence.path.split('/')[-2]}\n".encode()
                found |= {state: max(found.get(state, 0.0), place.content.match) for state in blobs[blob]}
        return found

    def of(self, each: Traced, commits: Iterable[str | None]) -> Callable[[str | None, float], tuple[str, int | None]]:
        """Looks a function up in the states of files that had its lines, and those that some commits changed. Returns
        what judges one of the commits by the share that began the code, and tells the true one.
        """
        states = dict.fromkeys((number, path) for number, path, _ in each.story[:MOST_STATES])
        numbers = [self.number[commit] for commit in commits if commit in self.number]
        paths = {path for _, path, _ in each.story}
        changed = {number: list(self._changed(each.one, number, paths)) for number in numbers}
        matches = self.matches(each.one, dict.fromkeys([*states, *(it for own in changed.values() for it in own)]))

        lines = next(at for at, _, share in each.story if 100 * share >= SINCE)

        def verdict(commit: str | None, least: float) -> tuple[str, int | None]:
            true = min((number for (number, _), match in matches.items() if match >= least), default=None)
            number = self.number.get(commit or "")
            if number is None:
                return "no date", true
            if number == true:
                return "right", true
            if max((match for (at, _), match in matches.items() if at < number), default=0.0) > least + BAND:
                return ("late" if number > lines else "within"), true
            here = max((matches.get(state, 0.0) for state in changed[number]), default=0.0)
            return ("right" if here >= least - BAND else "early"), true

        return verdict

    def _changed(self, one: Drawn, number: int, paths: set[str]) -> Iterator[tuple[int, str]]:
        parent = [self.line[number - 1]] if number else []
        command = ["diff-tree", "-r", "--root", "--no-commit-id", "--name-only", "-z", "--no-renames", *parent]
        names = git(self.clone, *command, self.line[number]).decode("utf-8", "replace").split("\0")
        code = [name for name in names if name and name_reason(name, LIMITS) is None]
        code.sort(key=lambda name: (name not in paths, Path(name).suffix != Path(one.path).suffix))
        return ((number, name) for name in code[:MOST_STATES])


def dated(index: wherefrom.Index, one: Drawn) -> FirstPlace | None:
    """The place of a function in the answer of `first`."""
    answer = index.first(one.source, name=one.path, lines=one.lines, limit=200)

    def is_at(place: FirstPlace) -> bool:
        lines = place.lines
        is_there = place.occurrence.path == one.path and not place.is_gone
        return is_there and lines is not None and lines.first <= one.lines[1] and lines.last >= one.lines[0]

    return next(filter(is_at, answer.places), None)


def rows(clone: Path, index: wherefrom.Index, seed: int, each: int, say: Callable[[str], None]) -> Iterator[list[str]]:
    """A row for each drawn function: its dates, and the true ones."""
    truth = Truth(clone)
    for traced in moved(clone, seed, each):
        one = traced.one
        place = dated(index, one)
        age = None if place is None else place.age
        named = (None, None) if age is None else (age.first.commit, age.since.commit)
        judge = truth.of(traced, named)
        judged = [judge(commit, least) for commit, least in zip(named, (FIRST, SINCE), strict=True)]
        verdicts, true = [it[0] for it in judged], [it[1] for it in judged]
        day = [_day(truth, truth.number.get(commit or "")) for commit in named]
        doubts = ",".join(age.first.doubts) if age else ""
        yield [
            clone.parent.name.replace("+", "/"),
            f"{one.path}:{one.lines[0]}-{one.lines[1]}",
            *verdicts,
            *day,
            *(_day(truth, at) for at in true),
            doubts,
        ]
        say(" | ".join([*verdicts, f"{one.path}:{one.lines[0]}", *(str(it)[:12] for it in named), str(true)]))


def _day(truth: Truth, number: int | None) -> str:
    return "" if number is None else git(truth.clone, "show", "-s", "--format=%cs", truth.line[number]).decode().strip()


def into_a_file(made: Path, code: bytes, other: bytes, suffix: str) -> None:
    """The function goes into a file that exists."""
    write(made, {f"utils{suffix}": other, f"more{suffix}": other + GAP + code}, MOVED)


def renamed_file(made: Path, code: bytes, other: bytes, suffix: str) -> None:
    """The file gets another name."""
    write(made, {f"utils{suffix}": None, f"lib/tools{suffix}": other + GAP + code}, MOVED)


def changed_rename(made: Path, code: bytes, _other: bytes, suffix: str) -> None:
    """The file gets another name, and loses what else it had."""
    write(made, {f"utils{suffix}": None, f"lib/tools{suffix}": code}, MOVED)


def split_file(made: Path, code: bytes, other: bytes, suffix: str) -> None:
    """The file becomes two."""
    write(made, {f"utils{suffix}": None, f"one{suffix}": other, f"two{suffix}": code}, MOVED)


def away_and_back(made: Path, code: bytes, other: bytes, suffix: str) -> None:
    """The function is deleted, and added again years later in another file."""
    write(made, {f"utils{suffix}": other}, datetime(2018, 9, 16, tzinfo=UTC))
    write(made, {f"again{suffix}": code}, datetime(2024, 9, 16, tzinfo=UTC))


def in_a_merge(made: Path, code: bytes, other: bytes, suffix: str) -> None:
    """The function moves on a branch that is merged."""
    git(made, "checkout", "--quiet", "-b", "topic")
    write(made, {f"utils{suffix}": other, f"moved{suffix}": code}, datetime(2019, 1, 1, tzinfo=UTC))
    git(made, "checkout", "--quiet", "-")
    date = f"{int(MOVED.timestamp())} +0000"
    names = {f"GIT_{who}_{what}": "someone" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    git(made, "merge", "--quiet", "--no-ff", "-m", "Merge", "topic", **names, **dates)


def out_of_a_vendored_folder(made: Path, code: bytes, other: bytes, suffix: str) -> None:
    """The function had been in a folder for code of other projects for a while."""
    write(made, {f"utils{suffix}": other, f"vendor/lib{suffix}": code}, datetime(2018, 9, 16, tzinfo=UTC))
    write(made, {f"vendor/lib{suffix}": None, f"own{suffix}": other + GAP + code}, MOVED)


def into_a_repository(made: Path, code: bytes, other: bytes, suffix: str) -> None:
    """The function goes into another repository of its owner."""
    write(made, {f"utils{suffix}": other}, MOVED)
    library = repository(made.parent, f"{made.name}-library", OWNER + made.name)
    write(library, {f"base{suffix}": other}, datetime(2018, 1, 1, tzinfo=UTC))
    write(library, {f"src/lib{suffix}": code}, MOVED)


MOVES = (into_a_file, renamed_file, changed_rename, split_file, away_and_back, in_a_merge, out_of_a_vendored_folder)
MOVED = datetime(2019, 9, 16, tzinfo=UTC)
OWNER, COPIER = "author", "copier"
GAP = b"\n\n\n"

SIZE = 4_000
"""The files around a planted function have at most this many bytes."""


def repository(folder: Path, name: str, owner: str) -> Path:
    """An empty repository with a remote."""
    made = folder / name
    made.mkdir(parents=True)
    git(made, "init", "--quiet")
    git(made, "remote", "add", "origin", f"https://github.com/{owner}/{name}")
    return made


def write(made: Path, files: Mapping[str, bytes | None], day: datetime) -> None:
    """Commits files; None deletes one."""
    for path, content in files.items():
        if content is None:
            (made / path).unlink()
        else:
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).write_bytes(content)
    commit(made, "change", day)


def planted(clones: Sequence[Path], seed: int, number: int) -> Iterator[list[str]]:
    """A row for each function of a clone that a repository grew, another one copied, and the first one moved."""
    chance = random.Random(f"{seed} planted")
    each = -(-number // len(clones))
    plants: list[tuple[str, str, bytes, str]] = []
    with tempfile.TemporaryDirectory(prefix="moves-") as made:
        folder = Path(made)
        for clone in clones:
            editable = [(one, one.function) for one in islice(drawn(clone, chance), 200) if one.function is not None]
            long = [pair for pair in editable if len(grams(pair[1].source.encode())) > TOKENS - GRAM]
            for one, function in long[:each]:
                at, suffix = len(plants), Path(one.path).suffix
                move = (*MOVES, into_a_repository)[at % (len(MOVES) + 1)]
                how, copied = edited(function, chance)
                code = function.source.encode()
                # A file with much of the function would be an older copy of it.
                own, others = distinctive(code), (it for it, _ in editable if it.path != one.path)
                unlike = [it for it in others if 2 * len(distinctive(it.source) & own) <= len(own)]
                other, main = (it.source[:SIZE] for it in chance.sample(unlike, 2))
                rows = code.splitlines(keepends=True)
                origin = repository(folder / "clones", f"a{at}", f"{OWNER}a{at}")
                write(origin, {f"more{suffix}": other}, datetime(2014, 1, 1, tzinfo=UTC))
                begun = other + GAP + b"".join(rows[: len(rows) // 2])
                write(origin, {f"utils{suffix}": begun}, datetime(2015, 6, 1, tzinfo=UTC))
                write(origin, {f"utils{suffix}": other + GAP + code}, datetime(2017, 6, 1, tzinfo=UTC))
                copy = repository(folder / "clones", f"b{at}", f"{COPIER}b{at}")
                write(copy, {f"main{suffix}": main}, datetime(2012, 1, 1, tzinfo=UTC))
                write(copy, {f"taken{suffix}": copied.encode()}, datetime(2018, 6, 1, tzinfo=UTC))
                move(origin, code, other, suffix)
                plants.append((move.__name__, how, code, one.path))
        wherefrom.index_sources(sorted((folder / "clones").iterdir()), folder / "index", history=True)
        with wherefrom.open_index(folder / "index") as index:
            for at, (name, how, code, path) in enumerate(plants[:number]):
                answer = index.first(code, name=path, limit=200)
                hits = index.search(code, name=path, limit=50, oldest=True).hits
                aged = [(place.occurrence.repository, place.age) for hit in hits for place in hit.places if place.age]
                aged.sort(key=lambda pair: by_age(pair[1]))
                firsts = [(place.occurrence.repository, place.age) for place in answer.places if place.age]
                yield [name, how, _order(at, firsts), _order(at, aged), "unsure" if answer.is_unsure else ""]


def _order(at: int, ages: Sequence[tuple[str, Age]]) -> str:
    """Whether the origin is before its copy."""
    keys = [key for key, _ in ages]
    ours = [number for number, key in enumerate(keys) if key.startswith(f"github.com/{OWNER}a{at}/")]
    theirs = [number for number, key in enumerate(keys) if key == f"github.com/{COPIER}b{at}/b{at}"]
    if not ours or not theirs:
        return "one not found"
    if ours[0] < theirs[0]:
        return "right"
    return "in doubt" if ages[ours[0]][1].first.doubts else "wrong"


COLUMNS = ("clone", "function", "first", "since", "its days", "", "true days", "", "doubts")


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--index", type=Path, help="needed without --planted")
    parser.add_argument("--planted", type=int, default=0, help="plant N functions instead, and ask for their order")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=10, help="functions of each clone")
    given = parser.parse_args(arguments)
    if given.planted:
        planted_ones = planted([*map(Path.resolve, given.clones)], given.seed, given.planted)
        table_of = [*map(tuple, planted_ones)]
        print(table(("moved", "copied", "order of first", "order of search", "doubt"), table_of))
        for column in (2, 3, 4):
            print(dict(Counter(row[column] for row in table_of)))
        return
    found: list[list[str]] = []
    with wherefrom.open_index(given.index) as index:
        for clone in given.clones:
            found += rows(clone.resolve(), index, given.seed, given.each, lambda text: print(text, flush=True))
    print(table(COLUMNS, [tuple(row) for row in found]))
    for column in (2, 3):
        print(COLUMNS[column], dict(Counter(row[column] for row in found)))


if __name__ == "__main__":
    main()
