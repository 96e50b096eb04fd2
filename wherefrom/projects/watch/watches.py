"""What an index keeps of watches, as notes (`engines.engine.Writer.put_note`).

| name of the note | what it has |
| --- | --- |
| `watch/NAME` | a watch, and the labels of its parts |
| `code/NAME` | what is looked up for it |
| `pair/NAME/PART/BLOB` | a content that has a part of the watched code |
| `reported/NAME/ID` | a place that was reported |
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterator, Sequence

from wherefrom.analyzers.schemes import token_scheme_ids
from wherefrom.engines.engine import Engine, Note, Writer
from wherefrom.errors import IndexFormatError, UsageError
from wherefrom.projects.changes.comparison import Pair
from wherefrom.projects.watch.screen import Windows, windows_of
from wherefrom.results import Lines
from wherefrom.support.contract import JsonObject
from wherefrom.support.formats import Format, OtherFormat
from wherefrom.support.values import asdict, dataclass

FORMAT = Format(version=2, reader=2, oldest=1)  # raise the version with each change of a note

_NAME = re.compile(r"\w[\w.+-]{0,99}", re.ASCII)


@dataclass(frozen=True, slots=True)
class WatchedPart:
    """A part of watched code that is looked up by itself: a function, a stretch between two, or a change."""

    searches: tuple[bytes, ...]  # the encoded tokens of each search for it: one for code, several for a change
    change: tuple[Pair, ...] = ()  # the files that a commit changed, before and after it; empty for code


@dataclass(frozen=True, slots=True)
class Watch(JsonObject):
    """Code that an index is watched for.

    Attributes:
        name: its name.
        since: when it was added, in UTC and ISO 8601.
        what: the names of the files, or the commit with the fix.
        is_fix: whether it is a fix. Then the code from before the fix is looked for.
        post: the URL that new places are posted to.
        own: names of the user's own repositories, whose places are not reported.
        labels: the names of its parts: a file with lines, or a change.
    """

    JSON = "name since what is_fix post own"

    name: str
    since: str
    what: tuple[str, ...]
    is_fix: bool
    post: str | None
    own: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WatchedCode:
    """What is looked up for the watch of a name. New contents are screened by the windows of all searches for it."""

    name: str
    parts: tuple[WatchedPart, ...]
    windows: Windows


@dataclass(frozen=True, slots=True)
class WatchedPair:
    """A content that has a part of watched code, by the name of the watch and the number of the part. `lines` match,
    with the probability of a copy (None for a fix). It was found at `since`, in UTC and ISO 8601.
    """

    watch: str
    part: int
    blob: str
    lines: Lines
    probability: float | None
    since: str

    @property
    def name(self) -> str:
        """The name of its note."""
        return f"pair/{self.watch}/{self.part}/{self.blob}"

    @property
    def note(self) -> Note:
        """Its note."""
        return {"lines": [self.lines.first, self.lines.last], "probability": self.probability, "since": self.since}


def check_name(name: str) -> None:
    """Raises UsageError if this is not a name for a watch."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is not a name for a watch; use up to 100 letters, digits and . _ + -")


def watches(engine: Engine, names: Sequence[str] = ()) -> list[Watch]:
    """The watches of these names, or all, by name; UsageError if there is none of a name, IndexFormatError if this
    version cannot read one.
    """
    notes = engine.notes("watch/")
    for name in names:
        check_name(name)
        if f"watch/{name}" not in notes:
            raise UsageError(f"there is no watch {name!r}; `wherefrom watch list` lists them")
    found = []
    for key in map("watch/{}".format, names) if names else notes:
        name, note = key.removeprefix("watch/"), notes[key]
        try:
            FORMAT.checked(note, "remove the watch and add it again")
        except OtherFormat as error:
            raise IndexFormatError(f"the watch {name!r} {error}") from None
        what, own, labels = (tuple(note[field]) for field in ("what", "own", "labels"))
        found.append(Watch(name, note["since"], what, note["is_fix"], note["post"], own, labels))
    return found


def watched_code(engine: Engine, names: Collection[str]) -> list[WatchedCode]:
    """What is looked up for some watches. If another scheme made the terms of one, makes them again."""
    return [
        _code(engine, name.removeprefix("code/"), note)
        for name, note in engine.notes("code/").items()
        if name.removeprefix("code/") in names
    ]


def put(writer: Writer, watch: Watch, code: WatchedCode) -> None:
    """Stores a watch and its code."""
    parts = [
        {
            "searches": [*map(_packed, part.searches)],
            "change": [[pair.path, _packed(pair.old), _packed(pair.new), pair.old_path] for pair in part.change],
        }
        for part in code.parts
    ]
    note = {"schemes": dict(token_scheme_ids()), "parts": parts, "windows": code.windows.dump()}
    writer.put_note(f"code/{watch.name}", note)
    writer.put_note(f"watch/{watch.name}", {**FORMAT.stamp(), **asdict(watch)})


def remove(engine: Engine, name: str) -> None:
    """Removes a watch and all that was found for it; UsageError if there is none."""
    watches(engine, [name])
    with engine.writer() as writer:
        found = [*engine.notes(f"pair/{name}/"), *engine.notes(f"reported/{name}/")]
        for note in (*found, f"code/{name}", f"watch/{name}"):
            writer.put_note(note, None)


def stored(engine: Engine, kind: str, names: Collection[str]) -> dict[str, Note]:
    """The notes of one kind about some watches, by the whole names of the notes."""
    if len(names) == 1:
        return engine.notes(f"{kind}/{next(iter(names))}/")
    return {name: note for name, note in engine.notes(f"{kind}/").items() if name.split("/")[1] in names}


def found_pairs(engine: Engine, names: Collection[str]) -> Iterator[WatchedPair]:
    """The pairs of some watches."""
    for key, note in stored(engine, "pair", names).items():
        _, watch, part, blob = key.split("/")
        yield WatchedPair(watch, int(part), blob, Lines(*note["lines"]), note["probability"], note["since"])


def _code(engine: Engine, name: str, note: Note) -> WatchedCode:
    parts = tuple(
        WatchedPart(
            tuple(map(b64decode, part["searches"])),
            tuple(Pair(path, _read(old), _read(new), old_path) for path, old, new, old_path in part["change"]),
        )
        for part in note["parts"]
    )
    # Earlier versions screened by other values.
    is_current = note["schemes"] == token_scheme_ids() and set(note["windows"]) == set(Windows._fields)
    windows = Windows.load(note["windows"]) if is_current else windows_of(engine, [part.searches for part in parts])
    return WatchedCode(name, parts, windows)


def _packed(content: object) -> str | None:
    return b64encode(content).decode() if isinstance(content, bytes) else None


def _read(packed: str | None) -> bytes | None:
    return None if packed is None else b64decode(packed)
