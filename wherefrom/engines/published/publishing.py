"""Writes a published index."""

from __future__ import annotations

import json
import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import file_digest, sha256
from itertools import groupby
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded.blocks import LARGEST, SHARED, SMALL, dump, load
from wherefrom.engines.embedded.contents import compress, decompress
from wherefrom.engines.embedded.folder import LOCK, writing_alone
from wherefrom.engines.embedded.ranking import blob_key
from wherefrom.engines.engine import Engine, TermOrdered
from wherefrom.engines.published import frames
from wherefrom.engines.published.address import MANIFEST
from wherefrom.engines.published.blocks import BlockNames, Content, dump_block
from wherefrom.engines.published.layout import (
    HISTORY,
    KINDS,
    ROOT,
    TREES,
    Manifest,
    PublishedFile,
    file_name,
    is_file_name,
    is_hexadecimal,
)
from wherefrom.engines.published.pages import PageWriter
from wherefrom.engines.published.tree import TreeWriter
from wherefrom.engines.records import dump_boilerplate, dump_repository
from wherefrom.errors import IndexBusy, UnusableIndex, UsageError
from wherefrom.model import INDEXED, Hashes, Occurrence
from wherefrom.options import PublishOptions
from wherefrom.results import PublishProgress, PublishReport
from wherefrom.support.chunks import by_key, chunks
from wherefrom.support.printable import visible
from wherefrom.support.system import system
from wherefrom.support.throttle import Throttle
from wherefrom.support.values import dataclass, field, replace
from wherefrom.support.writing import make_folder, write_whole

_DRAFT = ".wherefrom-"  # the beginning of the name of a file that is being written
AT_ONCE = 256  # the number of contents that are read from the index at a time
TOGETHER = 256  # the number of contents whose columns are together
ID_BITS = 32  # the first bits of an id in a column. Few contents share them, and filters look at the places of each
MOST_TOGETHER = 64  # the highest number of contents in a block
ROOM = 1 << 14  # a leaf of occurrences, languages or records ends as soon as it has this many bytes before compression


@dataclass(slots=True)
class _File:
    file: IO[bytes]
    pages: PageWriter = field(init=False)
    tree: TreeWriter = field(init=False)

    def __post_init__(self) -> None:
        self.pages = PageWriter(self.file)
        self.tree = TreeWriter(self.pages)


class Publisher:
    """Publishes an index that can read its postings (`TermOrdered`) into a folder, an absolute path, which is made if
    it is missing. `without_code` makes what is published of a token stream; then sources and history are not.
    """

    def __init__(
        self,
        engine: Engine,
        folder: Path,
        options: PublishOptions,
        without_code: Callable[[bytes], bytes] | None = None,
    ) -> None:
        self._engine, self._folder = engine, folder
        self._progress: Throttle[PublishProgress] = Throttle(options.progress)
        self._files: dict[str, int] = {}
        self._written = 0
        self._without_code = without_code
        self._has_code = without_code is None and engine.has_code

    def run(self) -> PublishReport:
        """Writes the files that are not there already, and last the manifest. Then it removes the files that neither
        this nor the last manifest names, and those that the last one names if only the last one has code. If nothing
        changed, nothing is written, and the files of the publication before stay. Raises UsageError if the folder has
        other files; IndexBusy if the index was changed meanwhile, or others are publishing there; UnusableIndex.
        """
        try:
            make_folder(self._folder)
            _refuse_others(self._folder)
            with writing_alone(self._folder):
                manifest = self._published()
        except OSError as error:
            raise UnusableIndex(
                f"{self._folder} cannot be written: {error.strerror}; fix that and run again"
            ) from error
        stats = self._engine.stats()
        self._tell(stats.blobs, stats.blobs, last=True)
        return PublishReport(
            folder=str(self._folder),
            sha256=sha256(manifest).hexdigest(),
            files=len(self._files),
            written=self._written,
            size=sum(self._files.values()),
            blobs=stats.blobs,
            seconds=round(self._progress.seconds, 3),
        )

    def _tell(self, done: int, total: int, *, last: bool = False) -> None:
        self._progress.report(lambda: PublishProgress(done, total, self._progress.seconds), last=last)

    def _published(self) -> bytes:
        """Publishes the index and its history; returns the manifest."""
        before = _named(self._folder, self._has_code)
        history = self._engine.history() if self._has_code else None
        engines = [self._engine, *([] if history is None else [history])]
        versions = [engine.version for engine in engines]
        named = None
        if history is not None:
            data = self._with_files(history, None).dump()
            with _draft(self._folder, HISTORY) as file:
                file.write(data)
                named = self._finished(HISTORY, file, sha256(data).hexdigest())
        manifest = self._with_files(self._engine, named).dump()
        if [engine.version for engine in engines] != versions:
            raise IndexBusy(f"the index {self._engine.location} was changed meanwhile; publish it when nobody writes")
        is_changed = not _has(self._folder / MANIFEST, sha256(manifest).hexdigest())
        if is_changed:
            write_whole(self._folder / MANIFEST, manifest)
        kept = {*self._files, MANIFEST, LOCK, *before}
        if not is_changed and self._has_code:  # files that no manifest names any more may have code
            kept |= {path.name for path in self._folder.iterdir() if not _is_draft(path)}
        for path in self._folder.iterdir():
            if _is_ours(path) and path.name not in kept:
                system.remove(path)
        return manifest

    def _with_files(self, engine: Engine, history: PublishedFile | None) -> Manifest:
        """Writes the files of an index or of a history; returns its manifest."""
        with ExitStack() as stack:
            made = {kind: _File(stack.enter_context(_draft(self._folder, kind))) for kind in TREES}
            facts, trees = _write(engine, made, self._tell, self._without_code)
            files = {kind: self._finished(kind, file.file, file.pages.finish()) for kind, file in made.items()}
            sums = [file.pages.sums for file in made.values()]
            data = _leaf([json.dumps(facts).encode("ascii"), *trees, *sums])
            whole = stack.enter_context(_draft(self._folder, ROOT))
            whole.write(data)
            files[ROOT] = self._finished(ROOT, whole, sha256(data).hexdigest())
        return Manifest(engine.schemes, engine.term_bits, self._has_code, files, history)

    def _finished(self, kind: str, file: IO[bytes], digest: str) -> PublishedFile:
        """Gives a file its name, unless the same file is there already."""
        file.flush()
        published = PublishedFile(file_name(kind, digest), file.tell(), digest)
        self._files[published.name] = published.size
        target = self._folder / published.name
        if not _has(target, digest):
            os.fsync(file.fileno())
            system.replace(Path(file.name), target)
            self._written += 1
        return published


@contextmanager
def _draft(folder: Path, kind: str) -> Iterator[IO[bytes]]:
    """A new file, which is removed at the end if it did not get its name."""
    path = folder / f"{_DRAFT}{kind}-{secrets.token_hex(4)}"
    try:
        with open(path, "xb", opener=system.opener) as file:
            yield file
    finally:
        path.unlink(missing_ok=True)


def _has(path: Path, digest: str) -> bool:
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest() == digest
    except OSError:
        return False


def _named(folder: Path, has_code: bool) -> set[str]:
    """The names of the files of the last publication; empty if none can be read, or if only it has code."""
    names: set[str] = set()
    manifest = MANIFEST
    try:
        while manifest not in names:
            values = json.loads((folder / manifest).read_bytes())
            if values["has_code"] and not has_code:
                return set()
            names |= {manifest, *(str(file["name"]) for file in values["files"].values())}
            if values["history"] is not None:
                manifest = str(values["history"]["name"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        pass
    return names


def _is_ours(path: Path) -> bool:
    is_named_so = path.name in {MANIFEST, LOCK} or is_file_name(path.name) or _is_draft(path)
    return is_named_so and path.is_file() and not path.is_symlink()


def _is_draft(path: Path) -> bool:
    kind, _, digits = path.name.removeprefix(_DRAFT).rpartition("-")
    length = {"": 16, **dict.fromkeys(KINDS, 8)}.get(kind)
    return path.name.startswith(_DRAFT) and len(digits) == length and is_hexadecimal(digits)


def _refuse_others(folder: Path) -> None:
    others = sorted(path.name for path in folder.iterdir() if not _is_ours(path))
    if others:
        raise UsageError(
            f"{folder} has other files, such as {visible(others[0])}; name a new or empty folder, or one with a "
            "published index"
        )


def _write(
    engine: Engine,
    files: dict[str, _File],
    tell: Callable[[int, int], None],
    without_code: Callable[[bytes], bytes] | None,
) -> tuple[dict[str, Any], list[bytes]]:
    """Returns the facts of the root, and its trees: those of the files, in the order of `TREES`, and the one of ids."""
    ids = sorted({*engine.ids(), *(at.blob for at in engine.occurrences())})
    contents = _ContentWriter(files)
    for group in _groups(_read(engine, ids, without_code)):
        contents.add(group)
        tell(contents.count, len(ids))
    contents.finish()
    if not isinstance(engine, TermOrdered):
        raise UsageError("this index cannot be published; copy it into a folder, and publish the copy")
    holding = _write_postings(engine, files["postings"].tree, ids)
    occurrences = _write_leaves(files["places"].tree, map(_place, engine.occurrences()))
    _write_leaves(files["records"].tree, iter(sorted(_records(engine))))
    facts = {
        **contents.facts(),
        "holding": holding,
        "occurrences": occurrences,
        "boilerplate": engine.boilerplate_names(),
    }
    return facts, [*(file.tree.finish() for file in files.values()), contents.by_id.finish()]


class _ContentWriter:
    """Writes contents, their sources and their languages. The tree `by_id` finds the block of a content."""

    def __init__(self, files: dict[str, _File]) -> None:
        self.count = 0
        self.by_id = TreeWriter(files["contents"].pages)
        self._files = files
        self._languages, self._analyses = Counter[str](), Counter[str]()
        self._size = self._tokens = 0
        self._columns: list[tuple[int, int, int]] = []
        """Of each content: the number of its language (from 1), its token count, and the first `ID_BITS` of its id."""

    def add(self, group: Sequence[Content]) -> None:
        """Adds the contents of a block, which come after all others in the order of their ids."""
        for content in group:
            stored, column = content.stored, (0, 0)
            if stored is not None:
                self._languages[stored.language] += 1
                self._analyses[stored.analysis] += 1
                self._size += stored.size
                self._tokens += stored.token_count
                column = 1 + [*self._languages].index(stored.language), stored.token_count
            self._columns.append((*column, blob_key(content.blob) >> (64 - ID_BITS)))
        # A counter keeps the order of its keys, so the positions of names do not change.
        block = dump_block(self.count, group, BlockNames([*self._languages], [*self._analyses]))
        offset = self._files["contents"].tree.add(number_key(self.count), block)
        key = bytes.fromhex(group[0].blob)
        self.by_id.note(key, offset, len(block))
        sources = [
            (bytes.fromhex(content.blob), content.stored.source)
            for content in group
            if content.stored is not None and content.stored.source is not None
        ]
        if sources:
            self._files["sources"].tree.add(key, _leaf([value for row in sources for value in row]))
        self.count += len(group)

    def finish(self) -> None:
        for begin in range(0, len(self._columns), TOGETHER):
            part = np.array(self._columns[begin : begin + TOGETHER], "<u4").reshape(-1, 3)
            self._files["columns"].tree.add(number_key(begin), _leaf([column.tobytes() for column in part.T]))

    def facts(self) -> dict[str, Any]:
        return {
            "contents": self.count,
            "size": self._size,
            "tokens": self._tokens,
            "languages": [*self._languages.items()],
            "analyses": [*self._analyses.items()],
        }


def number_key(number: int) -> bytes:
    """The key of a content's number in a tree."""
    return number.to_bytes(4, "big")


def _read(engine: Engine, ids: Sequence[str], without_code: Callable[[bytes], bytes] | None) -> Iterator[Content]:
    """The contents with these ids, in their order and in the form that is published."""
    for batch in chunks(ids, AT_ONCE):
        blobs = engine.blobs(batch)
        places = by_key((at.blob, at) for at in engine.occurrences(blobs=batch))
        for blob in batch:
            stored = blobs.get(blob)
            if stored is not None and without_code is not None:
                stored = replace(stored, tokens=without_code(stored.tokens), source=None)
            yield Content(blob, stored, places[blob])


def _groups(contents: Iterable[Content]) -> Iterator[list[Content]]:
    """Groups contents that follow each other into blocks. A content with a long token stream has its own block."""
    group: list[Content] = []
    size = 0
    for content in contents:
        length = 0 if content.stored is None else len(content.stored.tokens)
        if group and (size + length > SHARED or length > SMALL or len(group) >= MOST_TOGETHER):
            yield group
            group, size = [], 0
        group.append(content)
        size += length
    if group:
        yield group


def _write_postings(engine: TermOrdered, tree: TreeWriter, ids: Sequence[str]) -> list[int]:
    """Writes all postings; returns the number of contents with terms of each representation."""
    holding = [np.zeros(len(ids), np.bool_) for _ in INDEXED]
    for representation, parts in groupby(engine.postings(ids), key=lambda part: part.representation):
        number = INDEXED.index(representation)
        terms, owners = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        for part in parts:
            holding[number][part.blobs] = True
            terms, owners = np.concatenate((terms, part.terms)), np.concatenate((owners, part.blobs))
            whole = len(terms) // frames.FRAME * frames.FRAME
            _write_frames(tree, number, terms[:whole], owners[:whole])
            terms, owners = terms[whole:], owners[whole:]
        _write_frames(tree, number, terms, owners)
    return [int(np.count_nonzero(has)) for has in holding]


def _write_frames(tree: TreeWriter, representation: int, terms: Hashes, owners: NDArray[np.int64]) -> None:
    for key, frame in frames.dump(representation, terms, owners):
        tree.add(key, frame)


def place_key(repository: str, path: str) -> bytes:
    """The key of an occurrence in the tree of places."""
    return f"{repository}\0{path}".encode()


def _place(at: Occurrence) -> tuple[bytes, bytes]:
    value = json.dumps((at.repository, at.path, at.blob, at.revision)).encode("ascii")
    return place_key(at.repository, at.path), value


def _write_leaves(tree: TreeWriter, rows: Iterator[tuple[bytes, bytes]]) -> int:
    """Writes values by ascending keys, in leaves of about `ROOM` bytes: keys and values in turn. Returns the count."""
    waiting: list[bytes] = []
    count = size = 0
    for key, value in rows:
        count += 1
        waiting += key, value
        size += len(key) + len(value)
        if size >= ROOM:
            tree.add(waiting[0], _leaf(waiting))
            waiting, size = [], 0
    if waiting:
        tree.add(waiting[0], _leaf(waiting))
    return count


def _leaf(values: Sequence[bytes]) -> bytes:
    return len(values).to_bytes(4, "little") + dump(values, compress)


def load_leaf(leaf: bytes) -> Sequence[bytes]:
    """The reverse of `_leaf`. Raises ValueError for other bytes."""
    count = int.from_bytes(leaf[:4], "little")
    found = load(leaf[4:], count, partial(decompress, most=LARGEST))
    return [found[at] for at in range(count)]


def record_key(kind: str, name: str) -> bytes:
    """The key of a record: `repository`, `boilerplate` or `hashes`, and its name."""
    return f"{kind}\0{name}".encode()


def _records(engine: Engine) -> Iterator[tuple[bytes, bytes]]:
    for name in engine.boilerplate_names():
        found = engine.boilerplate(name)
        if found is not None:
            description, hashes = dump_boilerplate(found)
            yield record_key("boilerplate", name), description
            yield record_key("hashes", name), hashes
    for record in engine.repositories():
        # Where the clones are is of use on this machine alone.
        yield record_key("repository", record.key), dump_repository(replace(record, location=""))
