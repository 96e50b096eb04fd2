# ruff: noqa: D102 - the methods are documented in the protocol
"""The published engine: reads an index that `publishing.publish` wrote, from a folder or from a web server."""

from __future__ import annotations

import json
import struct
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from functools import wraps
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Concatenate, ParamSpec, TypeVar

import numpy as np

from wherefrom.engines.engine import (
    TIES,
    DocumentFrequencies,
    Engine,
    Postings,
    Promising,
    Schemes,
    Wanted,
    Writer,
    closed,
    index_stats,
)
from wherefrom.engines.published import frames
from wherefrom.engines.published.address import MANIFEST, PublishedAddress, PublishedOptions
from wherefrom.engines.published.blocks import ContentBlock
from wherefrom.engines.published.http import WebPlace
from wherefrom.engines.published.kept import PageFile, kept_folder
from wherefrom.engines.published.layout import (
    FORMAT,
    LARGEST_MANIFEST,
    LARGEST_ROOT,
    REMEDY,
    ROOT,
    TREES,
    Manifest,
    PublishedFile,
    is_id,
)
from wherefrom.engines.published.pages import WHOLE, FolderPlace, PublishedFiles
from wherefrom.engines.published.publication import Publication, known
from wherefrom.engines.published.publishing import load_leaf, number_key, place_key
from wherefrom.engines.published.tree import Leaf
from wherefrom.engines.records import load_boilerplate, load_repository, load_skipped
from wherefrom.engines.terms import scale, with_ties
from wherefrom.errors import IndexDamaged, IndexMissing, UnusableIndex, UsageError
from wherefrom.model import (
    INDEXED,
    TERM_BITS,
    BoilerplateSet,
    Candidate,
    Occurrence,
    Refusal,
    RepositoryRecord,
    Representation,
    StoredBlob,
)
from wherefrom.results import IndexStats

_T = TypeVar("_T")
_P = ParamSpec("_P")

LOOK_AGAIN = 30.0  # a reader looks for another publication when a call begins, but not again within this many seconds
BLOCKS_KEPT = 512  # the number of blocks that are kept in memory
LISTED = 64  # the number of blocks that a listing reads in one round


class _Gone(IndexDamaged):
    """A file of the open publication is missing."""


class _Foreign(Exception):
    """The cause is an error of a caller's function, which says nothing of the index."""


def _reads(
    method: Callable[Concatenate[PublishedEngine, Publication, _P], _T],
) -> Callable[Concatenate[PublishedEngine, _P], _T]:
    """Gives a method the newest publication: it is looked for now and then, and if a file is gone."""

    @wraps(method)
    def call(engine: PublishedEngine, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        with engine._lock:
            engine._follow()
            try:
                with engine._reading() as opened:
                    return method(engine, opened, *args, **kwargs)
            except _Gone:
                if not engine._look():
                    raise
                with engine._reading() as opened:
                    return method(engine, opened, *args, **kwargs)

    return call


class PublishedEngine(Engine):
    """A published index; `engines.engine.Engine` documents the methods. Threads may share it, and read in turn. When
    the index is published again, the engine goes on with the new publication. With `expected` it never does.
    """

    name = "published"

    def __init__(
        self,
        place: PublishedFiles,
        schemes: Schemes,
        *,
        expected: str | None = None,
        kept: PageFile | None = None,
        manifest: bytes | None = None,
    ) -> None:
        """Opens an index. Its manifest must have the SHA-256 `expected`, if that is given; `manifest` is the manifest
        of a history. `kept` has pages that earlier processes read. Raises IndexMissing, IndexFormatError,
        SchemeMismatch, IndexDamaged, and UnusableIndex if its files cannot be read.
        """
        self.location = place.location
        self._place, self._wanted, self._expected, self._kept = place, schemes, expected, kept
        self._manifest = manifest
        self._lock = threading.RLock()
        self._is_closed = False
        self._digest = ""
        self._look()

    @classmethod
    def open(cls, address: PublishedAddress, schemes: Schemes, options: PublishedOptions) -> PublishedEngine:
        """Opens an index in a folder, or on a server. What is read from a server is kept on this machine. Raises the
        errors of `__init__`, and UsageError if the credentials cannot be read.
        """
        if isinstance(address.place, Path):
            return cls(FolderPlace(address.place), schemes, expected=address.pin)
        place = WebPlace(address.place, options)
        kept = PageFile(kept_folder(), f"{place.location} {place.secret}")
        return cls(place, schemes, expected=address.pin, kept=kept)

    def _follow(self) -> None:
        """Opens the newest publication, if nobody looked for it for some time."""
        is_fixed = self._is_closed or self._expected is not None or self._manifest is not None
        if not is_fixed and monotonic() - self._looked >= LOOK_AGAIN:
            # As long as the files of the open publication are there, it can be read without the manifest.
            with suppress(UnusableIndex):
                self._look()

    def _look(self) -> bool:
        """Opens the newest publication; returns whether it is another one than before."""
        self._looked = monotonic()
        data = self._read_manifest() if self._manifest is None else self._manifest
        digest = sha256(data).hexdigest()
        if digest == self._digest:
            return False
        self._current = self._opened(data)
        self._digest = digest
        self._history: PublishedEngine | None = None
        self.schemes: Schemes = self._current.manifest.schemes
        self.term_bits, self.has_code = self._current.manifest.term_bits, self._current.manifest.has_code
        return True

    def _read_manifest(self) -> bytes:
        try:
            data = self._place.whole(MANIFEST, LARGEST_MANIFEST)
        except FileNotFoundError as error:
            raise IndexMissing(f"there is no published index at {self.location}; check the address") from error
        except ValueError as error:
            raise self._damaged("its manifest is too large") from error
        digest = sha256(data).hexdigest()
        if self._expected is not None and digest != self._expected:
            raise IndexDamaged(
                f"the manifest of {self.location} has the SHA-256 {digest}, not the expected one: the expected "
                "publication was replaced, or somebody changed it; ask its publisher for the new SHA-256, or leave the "
                "option out"
            )
        return data

    def _opened(self, data: bytes) -> Publication:
        try:
            manifest = Manifest.load(data, self.location, self._wanted)
            root = self._whole(manifest.files[ROOT], LARGEST_ROOT)
            return Publication(manifest, root, self._place, self._kept)
        except FileNotFoundError as error:
            raise self._damaged("a file is missing") from error
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, struct.error) as error:
            raise self._damaged("its manifest or its root cannot be read") from error

    def _whole(self, file: PublishedFile, most: int) -> bytes:
        key = file.sha256, WHOLE
        data = b"" if self._kept is None else self._kept.get([key]).get(key, b"")
        if sha256(data).hexdigest() != file.sha256:
            data = self._place.whole(file.name, min(file.size, most))
            if sha256(data).hexdigest() != file.sha256:
                raise self._damaged(f"{file.name} does not match its manifest")
            if self._kept is not None:
                self._kept.put({key: data})
        return data

    def _damaged(self, detail: str) -> IndexDamaged:
        return IndexDamaged(f"the published index {self.location} is damaged ({detail}); {REMEDY}")

    @contextmanager
    def _reading(self) -> Iterator[Publication]:
        with self._lock:
            if self._is_closed:
                raise closed(self.location)
            try:
                yield self._current
            except _Foreign as foreign:
                raise known(foreign.__cause__) from None
            except FileNotFoundError as error:
                raise _Gone(
                    f"the published index {self.location} lacks a file; run again if it was published meanwhile, or "
                    f"else {REMEDY}"
                ) from error
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError, struct.error) as error:
                raise self._damaged(str(error) if isinstance(error, ValueError) else "it cannot be decoded") from error

    @property
    def version(self) -> object | None:
        return self._digest

    def writer(self) -> AbstractContextManager[Writer]:
        raise UsageError(f"{self.location} is published and cannot be changed; change the index, and publish it again")

    @_reads
    def analyses(self, opened: Publication, blobs: Collection[str]) -> dict[str, str]:
        return {blob: stored.analysis for blob, stored in self._stored(opened, blobs).items()}

    @_reads
    def count_analyses(self, opened: Publication) -> dict[str, int]:
        return dict(opened.analyses)

    def refusals(self, blobs: Collection[str]) -> dict[str, Refusal]:  # noqa: ARG002 -- only writers need them
        return {}

    @_reads
    def blobs(self, opened: Publication, blobs: Collection[str]) -> dict[str, StoredBlob]:
        found = self._stored(opened, blobs, "tokens", "references")
        sources = self._sources(opened, list(found))
        return {blob: replace(stored, source=sources.get(blob)) for blob, stored in found.items()}

    @_reads
    def analyzed(self, opened: Publication, blobs: Collection[str]) -> dict[str, StoredBlob]:
        return self._stored(opened, blobs, "tokens")

    @_reads
    def references(self, opened: Publication, blobs: Collection[str]) -> dict[str, bytes]:
        return {blob: stored.references for blob, stored in self._stored(opened, blobs, "references").items()}

    @_reads
    def texts(self, opened: Publication, blobs: Collection[str]) -> dict[str, bytes | None]:
        found = self._stored(opened, blobs)
        sources = self._sources(opened, list(found))
        return {blob: sources.get(blob) for blob in found}

    def _stored(self, opened: Publication, blobs: Collection[str], *names: str) -> dict[str, StoredBlob]:
        found = {blob: block.stored(at, names) for blob, (block, at) in self._located(opened, blobs).items()}
        return {blob: stored for blob, stored in found.items() if stored is not None}

    def _located(self, opened: Publication, blobs: Collection[str]) -> dict[str, tuple[ContentBlock, int]]:
        """The block, and the place in it, of each of these contents that the index has."""
        wanted = [*filter(is_id, dict.fromkeys(blobs))]
        # A block that was just read is found without reading the tree of ids, which takes a round of requests.
        places = {blob: opened.leaf_of[blob] for blob in wanted if blob in opened.leaf_of}
        others = [blob for blob in wanted if blob not in places]
        leaves = opened.by_id.find([bytes.fromhex(blob) for blob in others])
        places |= {blob: leaf for blob, leaf in zip(others, leaves, strict=True) if leaf is not None}
        blocks = self._blocks(opened, list(places.values()))
        found = ((blob, blocks[places[blob]]) for blob in wanted if blob in places)
        return {blob: (block, block.ids.index(blob)) for blob, block in found if blob in block.ids}

    def _blocks(self, opened: Publication, leaves: Sequence[Leaf]) -> dict[Leaf, ContentBlock]:
        wanted = list(dict.fromkeys(leaves))
        missing = [leaf for leaf in wanted if leaf not in opened.blocks]
        for leaf, data in zip(missing, opened.trees["contents"].read(missing), strict=True):
            opened.blocks[leaf] = block = ContentBlock(data, opened.names)
            opened.leaf_of.update(dict.fromkeys(block.ids, leaf))
        found = {leaf: opened.blocks[leaf] for leaf in wanted}
        for leaf in wanted:
            opened.blocks.move_to_end(leaf)
        while len(opened.blocks) > BLOCKS_KEPT:
            for blob in opened.blocks.popitem(last=False)[1].ids:
                opened.leaf_of.pop(blob, None)
        return found

    def _numbered(self, opened: Publication, numbers: Sequence[int]) -> list[tuple[ContentBlock, int]]:
        """The block, and the place in it, of each content with these numbers."""
        leaves = [known(leaf) for leaf in opened.trees["contents"].find([number_key(number) for number in numbers])]
        blocks = self._blocks(opened, leaves)
        return [(blocks[leaf], number - blocks[leaf].first) for number, leaf in zip(numbers, leaves, strict=True)]

    def _sources(self, opened: Publication, blobs: Sequence[str]) -> dict[str, bytes]:
        leaves = opened.trees["sources"].find([bytes.fromhex(blob) for blob in blobs])
        wanted = list(dict.fromkeys(leaf for leaf in leaves if leaf is not None))
        found: dict[str, bytes] = {}
        for data in opened.trees["sources"].read(wanted):
            values = load_leaf(data)
            found.update(zip((key.hex() for key in values[::2]), values[1::2], strict=True))
        return {blob: found[blob] for blob in blobs if blob in found}

    def stored_blobs(self) -> Iterator[StoredBlob]:
        last, listed, leaves = "", None, None
        while leaves is None or leaves:
            found, last, listed, leaves = self._listed(last, listed, leaves)
            yield from found

    @_reads
    def _listed(
        self, opened: Publication, after: str, listed: Publication | None, leaves: list[Leaf] | None
    ) -> tuple[list[StoredBlob], str, Publication, list[Leaf]]:
        """A part of a listing behind an id, and the arguments for the next part: the last id, the publication that is
        listed, and the leaves that are left.
        """
        if leaves is None or listed is not opened:
            (leaves,) = opened.trees["contents"].between([(b"", number_key(opened.facts["contents"]))])
        blocks = self._blocks(opened, leaves[:LISTED]).values()
        ids = [blob for block in blocks for blob in block.ids if blob > after]
        return list(self.blobs(ids).values()), max([after, *ids]), opened, leaves[LISTED:]

    @_reads
    def repositories(self, opened: Publication, keys: Collection[str] | None = None) -> list[RepositoryRecord]:
        found = opened.records("repository", keys)
        # A location that others wrote is never read on this machine.
        return [replace(load_repository(record), location="") for _, record in sorted(found.items())]

    @_reads
    def located(self, opened: Publication, locations: Collection[str]) -> list[str]:
        del opened, locations  # they are not published
        return []

    @_reads
    def repository_keys(self, opened: Publication) -> list[str]:
        return sorted(opened.records("repository", None))

    @_reads
    def occurrences(
        self, opened: Publication, *, blobs: Collection[str] | None = None, repository: str | None = None
    ) -> Iterator[Occurrence]:
        if blobs is not None:
            located = self._located(opened, blobs).values()
            found = [occurrence for block, at in located for occurrence in block.occurrences(at)]
            wanted = (at for at in found if repository is None or at.repository == repository)
            return iter(sorted(wanted, key=lambda at: (at.repository, at.path)))
        begin = b"" if repository is None else place_key(repository, "")
        leaves = opened.trees["places"].leaves(begin, None if repository is None else begin + b"\xff")
        places = (Occurrence(*json.loads(value)) for leaf in leaves for value in load_leaf(leaf)[1::2])
        return iter([at for at in places if repository is None or at.repository == repository])

    @_reads
    def document_frequencies(
        self, opened: Publication, terms: Mapping[Representation, Sequence[int]]
    ) -> dict[Representation, DocumentFrequencies]:
        stored = [(key, term >> (TERM_BITS - self.term_bits)) for key, those in terms.items() for term in those]
        counts = iter(opened.counts(stored))
        by_key = {key: [next(counts) for _ in those] for key, those in terms.items()}
        holding = {key: opened.facts["holding"][INDEXED.index(key)] for key in by_key}
        if any(max(those, default=0) > holding[key] for key, those in by_key.items()):
            raise ValueError("a term has more postings than there are contents")
        return {key: DocumentFrequencies(those, holding[key]) for key, those in by_key.items()}

    @_reads
    def _candidates(self, opened: Publication, wanted: Wanted) -> list[Candidate]:
        scaled, unit = scale(wanted.weights, self.term_bits)
        sums = opened.sums(scaled)
        numbers = np.flatnonzero(sums)
        if wanted.languages is not None:
            numbers = numbers[opened.are_in(numbers, wanted.languages)]
        if wanted.blobs is not None:
            numbers = numbers[opened.are_among(numbers, [*filter(is_id, wanted.blobs)])]
        order = np.lexsort((numbers, -sums[numbers]))[: wanted.offset + wanted.limit + TIES]
        ranked = [(float(sums[number]), number) for number in numbers[order].tolist()]
        chosen = with_ties(ranked, wanted.limit, wanted.offset)
        return [
            Candidate(score * unit, blob)
            for (score, _), blob in zip(chosen, self._read(opened, chosen, unit, wanted.promising), strict=True)
        ]

    def _read(
        self, opened: Publication, chosen: Sequence[tuple[float, int]], unit: float, promising: Promising | None
    ) -> list[StoredBlob]:
        """The blobs of candidates, given as their scores (to be multiplied by `unit`) and numbers."""
        numbers = [number for _, number in chosen]
        worth: Sequence[bool] = [True] * len(numbers)
        languages = counts = np.zeros(len(numbers), np.int64)
        if promising is not None:
            languages, counts, _ = opened.columns(np.array(numbers, np.int64))
            facts = [(score * unit, count) for (score, _), count in zip(chosen, counts.tolist(), strict=True)]
            try:
                worth = promising(facts)
            except Exception as error:
                raise _Foreign from error
        read = self._numbered(opened, [number for number, is_worth in zip(numbers, worth, strict=True) if is_worth])
        found = iter([known(block.stored(at, ("tokens",))) for block, at in read])
        return [
            next(found) if is_worth else StoredBlob("", opened.names.languages[language - 1], 0, count, b"")
            for is_worth, language, count in zip(worth, languages.tolist(), counts.tolist(), strict=True)
        ]

    def postings(self, blobs: Sequence[str]) -> Iterator[Postings]:
        parts = self._in_order(blobs)
        while True:
            with self._reading():
                part = next(parts, None)
            if part is None:
                return
            yield part

    @_reads
    def _in_order(self, opened: Publication, blobs: Sequence[str]) -> Iterator[Postings]:
        place_of = np.full(opened.facts["contents"], -1)
        located = self._located(opened, blobs)
        for place, blob in enumerate(blobs):
            if blob in located:
                block, at = located[blob]
                place_of[block.first + at] = place
        return opened.in_order(place_of)

    @_reads
    def boilerplate_names(self, opened: Publication) -> list[str]:
        return list(opened.facts["boilerplate"])

    @_reads
    def boilerplate(self, opened: Publication, name: str) -> BoilerplateSet | None:
        if name not in opened.facts["boilerplate"]:
            return None
        description, hashes = (opened.records(kind, [name])[name] for kind in ("boilerplate", "hashes"))
        return load_boilerplate(description, hashes)

    @_reads
    def stats(self, opened: Publication) -> IndexStats:
        facts = opened.facts
        return index_stats(
            self,
            [load_skipped(record) for record in opened.records("repository", None).values()],
            format=FORMAT.version,
            occurrences=facts["occurrences"],
            blobs=sum(opened.languages.values()),
            size=facts["size"],
            tokens=facts["tokens"],
            languages=opened.languages,
            analyses=opened.analyses,
            stored=sum(file.size for file in opened.manifest.files.values()),
        )

    @_reads
    def verify(self, opened: Publication) -> None:
        for kind in TREES:
            for leaf in opened.trees[kind].leaves():
                if kind == "postings":
                    frames.load(leaf)
        history = self.history()
        if history is not None:
            history.verify()

    @_reads
    def history(self, opened: Publication) -> PublishedEngine | None:
        file = opened.manifest.history
        if file is not None and self._history is None:
            manifest = self._whole(file, LARGEST_MANIFEST)
            self._history = PublishedEngine(self._place, self._wanted, kept=self._kept, manifest=manifest)
        return self._history

    def make_history(self) -> Engine:
        history = self.history()
        if history is None:
            self.writer()
        return known(history)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            if self._history is not None:
                self._history.close()
            self._place.close()
