"""The history of a git repository: its commits along one line, the oldest first, and the changes of each to files.

The line is that of the first parents, as in `git log --first-parent`: a merge counts as one change of the branch that
it was merged into. Commits are numbered from 0, the root of the line. So a number stays the same while the branch only
grows, and after a rewrite it is the same up to the fork. `added_lines` compares texts that are in no repository.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, time
from itertools import islice
from pathlib import Path

import numpy as np

from wherefrom.errors import GitError
from wherefrom.sources.clones import temporary_folder
from wherefrom.sources.command import GitFailed, object_environment, records, run
from wherefrom.sources.git import tags
from wherefrom.sources.git_folder import LOOKUP_SECONDS, common_dir, existing_git_dir, objects
from wherefrom.sources.source import is_object_id
from wherefrom.support.paths import path_text
from wherefrom.support.pattern import later
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field

MOST_COMMITS = 5_000_000  # limit on the commits of a repository. The largest public ones have fewer than two million
MOST_LACKING = 100  # a history cannot be read if more than this many of its commits have contents that the clone lacks
AT_ONCE = 2_000  # one process of git reads the changes of this many commits: it keeps what it has read in memory
_SECONDS = 86_400.0  # limit on reading a history: that of the largest public repositories takes some hours
_BYTES = 1 << 42  # limit on the output of git, which is read as it comes
_GRAPH_BYTES = 400 * MOST_COMMITS

_TAG_SECONDS = 600.0
_DIGITS = 20  # git reads no date with more digits than this
_LATEST = (1 << 63) - 1

_RAW = later(rb":(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([ADMTRC])\d*\t([^\t]+)(?:\t([^\t]+))?")
_ESCAPE = later(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}

_EMPTY_TREES = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""The id of the tree without files, by the length of ids. git knows this tree without an object."""

_REGULAR = (b"100644", b"100755", b"100664")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit on the line."""

    number: int  # its place, from 0
    id: str
    authored: int  # a date that it records, in seconds since 1970: any number if it is hostile or imported; 0 without
    committed: int  # likewise
    tag: str | None  # the oldest tag that contains it
    is_merge: bool


@dataclass(slots=True)
class FileChange:
    """What a commit did to a file."""

    # its path before and after; None if there was, or is, no regular file
    old: str | None
    new: str | None
    blob: str | None  # its content afterwards; None if there is no regular file
    is_changed: bool  # whether that is another content than before
    # the first and the last new line (from 1) of each part that changed, in the order of the file; if lines were only
    # removed, those after and before them. Empty for a binary or a new empty file
    hunks: list[tuple[int, int]] = field(default_factory=list)


class History:
    """The line of commits that leads to a revision of a clone. Raises GitError if the clone cannot be read, or has too
    many commits. With `is_tags`, the line has the commits of the tags instead, ordered by date, and then `revision`, an
    id. `is_shallow` tells whether the clone lacks older commits. `lacking` counts the commits that `changes` has
    reached and whose contents the clone lacks.
    """

    def __init__(self, folder: Path, revision: str, *, is_tags: bool = False) -> None:
        self._folder, self._revision, self.is_tags = folder, revision, is_tags
        self._objects = objects(folder)
        self._shallow = common_dir(existing_git_dir(folder)) / "shallow"
        self.is_shallow = self._shallow.is_file()
        kinds = [
            ("id", f"S{len(revision)}"),
            *((name, "i8") for name in ("authored", "committed", "tag")),
            ("merge", "?"),
        ]
        with self._failures():
            self._tags = [tag[:2] for tag in tags(folder, len(revision), seconds=_TAG_SECONDS)]
            self._line = np.fromiter(self._read_line(), kinds)[::-1]
        if is_tags:
            order = {commit.encode(): at for at, commit in enumerate(self._tagged())}
            self._line = self._line[np.argsort([order[commit] for commit in self._line["id"].tolist()])]
        self.lacking = 0

    def __len__(self) -> int:
        return len(self._line)

    def id(self, number: int) -> str:
        """The id of the commit with a number."""
        return bytes(self._line["id"][number]).decode("ascii")

    def number(self, commit: str) -> int:
        """The number of a commit; -1 if it is not on the line."""
        found = np.flatnonzero(self._line["id"] == commit.encode("ascii"))
        return int(found[0]) if len(found) else -1

    def commit(self, number: int) -> Commit:
        """The commit with a number."""
        commit, authored, committed, tag, is_merge = self._line[number].item()
        name = self._tags[tag][0] if tag < len(self._tags) else None
        return Commit(number, commit.decode("ascii"), authored, committed, name, is_merge)

    def start(self, since: date | None) -> int:
        """The number of the first commit whose committer's date (UTC) is not before `since`."""
        if since is None:
            return 0
        late = np.flatnonzero(self._line["committed"] >= datetime.combine(since, time(), UTC).timestamp())
        return int(late[0]) if len(late) else len(self)

    def files(self, number: int) -> int:
        """How many files there are at a commit."""
        with self._failures(), self._environment() as environment:
            command = ["ls-tree", "-r", "-z", "--name-only", self.id(number)]
            return sum(1 for _ in records(command, environment, seconds=_TAG_SECONDS, most_bytes=_GRAPH_BYTES))

    def changes(self, first: int, *, is_whole: bool) -> Iterator[tuple[int, list[FileChange]]]:
        """What each commit from number `first` on changed, by number. Leaves out commits that changed no file.

        If the clone lacks a content, the commits that changed its file come without hunks, as if all of their files
        were binary. `lacking` counts them. Raises GitError if git failed, or more than `MOST_LACKING` commits have
        contents that the clone lacks. With `is_whole`, the first commit is compared with nothing, so that all of its
        files are new.
        """
        numbers = range(first, len(self))
        failures = 0
        while numbers:
            part = numbers[:AT_ONCE]
            done = part.start
            try:
                for number, changes in self._diffs(part, is_whole=is_whole, hunks=True):
                    yield number, changes
                    done = number + 1
                numbers, is_whole = numbers[AT_ONCE:], False
                continue
            except GitFailed as error:
                failures += 1
                if failures > MOST_LACKING:
                    raise self._unreadable(error) from None
            # git writes a commit once it begins the next one, so it failed at one of the next two that changed files.
            is_whole = is_whole and done == first
            with self._failures():
                listed = [*islice(self._diffs(range(done, part.stop), is_whole=is_whole, hunks=False), 2)]
            for number, changes in listed:
                known = self._alone(number, is_whole=is_whole)
                yield number, changes if known is None else known
                done, is_whole = number + 1, False
                if known is None:
                    self.lacking += 1
                    break
            numbers = range(done, numbers.stop)

    def _alone(self, number: int, *, is_whole: bool) -> list[FileChange] | None:
        """The changes of a commit with their hunks; None if the clone lacks a content that git needs for them."""
        with suppress(GitFailed):
            found = self._diffs(range(number, number + 1), is_whole=is_whole, hunks=True)
            return next((changes for _, changes in found), [])
        return None

    def _diffs(self, numbers: range, *, is_whole: bool, hunks: bool) -> Iterator[tuple[int, list[FileChange]]]:
        """The changes of some commits as one call of git tells them; without `hunks`, only their files."""
        nothing = _EMPTY_TREES[len(self._revision)]

        def pairs() -> Iterator[bytes]:
            if is_whole:
                yield f"{nothing} {self._tree(self.id(numbers.start))}\n".encode()
            for number in numbers[is_whole:]:
                yield f"{self.id(number)} {self.id(number - 1) if number else ''}\n".encode()

        options = ["-p", "-U0", "-M", "--full-index", "--no-ext-diff", "--no-textconv"] if hunks else ["--no-renames"]
        command = ["diff-tree", "--stdin", "-r", "--root", "--raw", "--no-abbrev", "--no-color", *options]
        with self._environment() as environment:
            lines = records(command, environment, seconds=_SECONDS, most_bytes=_BYTES, stdin=pairs(), separator=b"\n")
            left = iter(numbers)  # git tells the commits in this order
            yield from read_changes(lines, lambda commit: next(at for at in left if commit in (nothing, self.id(at))))

    def _tree(self, commit: str) -> str:
        with self._environment() as environment:
            answer = run(["rev-parse", "--verify", f"{commit}^{{tree}}"], environment, seconds=LOOKUP_SECONDS)
        if answer.returncode:
            raise GitError(
                f"{visible(self._folder)} lacks the files of commit {commit[:12]}; fetch what the clone lacks"
            )
        return answer.stdout.decode("ascii").strip()

    def _tagged(self) -> list[str]:
        """The commits of the tags by date, and the revision as the last one."""
        return [*dict.fromkeys(commit for _, commit in self._tags if commit != self._revision), self._revision]

    def _read_line(self) -> Iterator[tuple[bytes, int, int, int, bool]]:
        """The commits of the line, each as id, dates, number of the oldest tag that contains it, and whether it is a
        merge; the last one first. git tells children before their parents, so only what the parents need is kept.
        """
        wanted = {*self._tagged()} if self.is_tags else {self._revision}
        own = {commit: tag for tag, (_, commit) in reversed([*enumerate(self._tags)])}
        oldest = dict(own)  # by commit, of the tags that contain it
        tips = (f"{tip}\n".encode() for tip in {self._revision, *own})
        command = ["log", "--topo-order", "-z", "--no-show-signature", "--format=%H %at %ct %P", "--stdin"]
        with self._environment() as environment:
            listed = records(command, environment, seconds=_SECONDS, most_bytes=_GRAPH_BYTES, stdin=tips)
            for count, record in enumerate(listed):
                if count == MOST_COMMITS:
                    raise GitError(
                        f"{visible(self._folder)} has more than {MOST_COMMITS:,} commits; index it without --history"
                    )
                commit, authored, committed, *parents = record.decode("ascii").split(" ")
                tag = oldest.pop(commit, len(self._tags))
                for parent in parents:
                    oldest[parent] = min(tag, oldest.get(parent, tag))
                if commit in wanted:
                    if not self.is_tags:
                        wanted = {parents[0]}
                    tag = own.get(commit, len(self._tags)) if self.is_tags else tag
                    yield commit.encode("ascii"), _seconds(authored), _seconds(committed), tag, len(parents) > 1

    @contextmanager
    def _environment(self) -> Iterator[Mapping[str, str]]:
        with object_environment(self._objects, len(self._revision)) as environment:
            if self.is_shallow:
                shutil.copyfile(self._shallow, Path(environment["GIT_DIR"]) / "shallow")
            yield environment

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except GitFailed as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: GitFailed) -> GitError:
        return GitError(
            f"cannot read the history of {visible(self._folder)}: {error}; if the clone is partial or shallow, "
            "fetch what it lacks (`git fetch --unshallow`, `git fetch --refetch`), else run `git fsck` there"
        )


def _seconds(written: str) -> int:
    """A date as git writes it: digits, or nothing if the commit has none; at most that of `_LATEST`."""
    return min(int(written[:_DIGITS] or 0), _LATEST)


def read_changes(lines: Iterator[bytes], number_of: Callable[[str], int]) -> Iterator[tuple[int, list[FileChange]]]:
    """Reads the output of `git diff-tree --raw -p -U0`: for each commit its id, a raw line for each file, and then the
    hunks of each file in the same order. A file that changed its type has two patches.
    """
    number = -1
    listed: list[FileChange] = []
    patches: list[FileChange] = []
    at = -1
    for line in lines:
        if line.startswith(b"@@ ") and (hunk := read_hunk(line, lines)) is not None:
            _, _, first, added = hunk
            if 0 <= at < len(patches):
                patches[at].hunks.append((first + (not added), first + max(added - 1, 0)))
        elif line.startswith(b"diff --git "):
            at += 1
        elif line.startswith(b":") and (raw := _RAW.fullmatch(line)) is not None:
            change = _change(raw)
            listed.append(change)
            patches += [change] * (1 + (raw[5] == b"T"))
        elif len(line) <= 2 * 64 + 1 and is_object_id(commit := line.split(b" ")[0].decode("ascii", "replace")):
            if listed:
                yield number, listed
            number, listed, patches, at = number_of(commit), [], [], -1
    if listed:
        yield number, listed


def _change(raw: re.Match[bytes]) -> FileChange:
    old_mode, new_mode, before, blob, kind, path, moved = raw.groups()
    old, new = _path(path), _path(moved or path)
    is_new = new_mode in _REGULAR and kind != b"D"
    return FileChange(
        old if old_mode in _REGULAR and kind != b"C" else None,
        new if is_new else None,
        blob.decode("ascii") if is_new else None,
        blob != before,
    )


def _path(written: bytes) -> str:
    return path_text(unescaped(written[1:-1]) if written.startswith(b'"') else written)


def unescaped(quoted: bytes) -> bytes:
    """A name that git has written in quotes (given without them), without the escapes."""
    return _ESCAPE.sub(
        lambda found: bytes([int(found[1], 8) & 0xFF]) if len(found[1]) == 3 else _ESCAPES.get(found[1], found[1]),
        quoted,
    )


_DIFF_SECONDS = 600.0
_HEADER_BYTES = 10_000  # an upper bound on git's headers: those of one hunk, or those before the first hunk of a text
_HUNK = later(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_DIFF_NAME = later(rb"diff --git .*/(\d+)\"?")


def added_lines(pairs: Sequence[tuple[bytes, bytes]]) -> list[list[tuple[int, int]]]:
    """For each pair of an old and a new text, the ranges of lines that only the new text has: (first, last), 1-based
    and inclusive, ascending. A line is not new if only its line end (CR LF) has changed. Raises GitError.
    """
    found: list[list[tuple[int, int]]] = [[] for _ in pairs]
    with temporary_folder("lines") as folder:
        for number, texts in enumerate(pairs):
            for side, text in zip("ab", texts, strict=True):
                (folder / side).mkdir(exist_ok=True)
                (folder / side / str(number)).write_bytes(text)
        size = sum(len(old) + len(new) for old, new in pairs)
        for number, first, last in _hunks(_diff_of(folder, len(pairs), size)) if pairs else ():
            found[number].append((first, last))
    return found


def _diff_of(folder: Path, pairs: int, size: int) -> Iterator[bytes]:
    """The lines of the diff of the folders `a` and `b`, which have `pairs` files each and `size` bytes together."""
    # The files are alone in a temporary folder, with numbers as names. So no attributes and no settings apply to them.
    options = ["--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--text", "--no-renames", "-U0"]
    with object_environment(folder, 40) as environment:
        try:
            yield from records(
                ["diff", *options, "--ignore-cr-at-eol", "--diff-algorithm=histogram", f"{folder}/a", f"{folder}/b"],
                environment,
                seconds=_DIFF_SECONDS,
                most_bytes=_HEADER_BYTES * (pairs + size),
                separator=b"\n",
                success=(0, 1),
            )
        except GitFailed as error:
            raise GitError(f"git cannot compare two texts: {error}; is its installation sound?") from None


def _hunks(lines: Iterator[bytes]) -> Iterator[tuple[int, int, int]]:
    """For each hunk that adds lines: (number of the pair, first added line, last added line)."""
    number = -1
    for line in lines:
        if name := _DIFF_NAME.fullmatch(line):
            number = int(name[1])
        elif hunk := read_hunk(line, lines):
            _, _, first, added = hunk
            if added:
                yield number, first, first + added - 1


def read_hunk(line: bytes, lines: Iterator[bytes]) -> tuple[int, int, int, int] | None:
    """The numbers in the header of a hunk: the first line and the number of lines, old and new; None for another line.
    Skips the lines of the hunk by their number, since they may look like headers.
    """
    if (found := _HUNK.match(line)) is None:
        return None
    old, removed, new, added = (1 if value is None else int(value) for value in found.groups())
    left = removed + added
    while left:
        left -= not next(lines, b"").startswith(b"\\")
    return old, removed, new, added
