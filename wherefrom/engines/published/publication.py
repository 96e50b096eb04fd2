"""One publication of an index, open for reading."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded.ranking import blob_key
from wherefrom.engines.engine import Postings
from wherefrom.engines.published import frames
from wherefrom.engines.published.blocks import BlockNames, ContentBlock
from wherefrom.engines.published.kept import PageFile
from wherefrom.engines.published.layout import TREES, Manifest
from wherefrom.engines.published.pages import PagedFile, Pages, PublishedFiles
from wherefrom.engines.published.publishing import ID_BITS, TOGETHER, load_leaf, number_key, record_key
from wherefrom.engines.published.tree import Leaf, Tree
from wherefrom.engines.terms import PART, by_term
from wherefrom.model import INDEXED, TERM_BITS, Representation
from wherefrom.support.chunks import chunks

_T = TypeVar("_T")

FRAMES_KEPT = 4096  # the highest number of frames in memory
LARGEST_FACTS = 1 << 24  # the highest number of bytes of the counts and names in a root


class Publication:
    """One publication of an index: its root, and the trees of its files."""

    def __init__(self, manifest: Manifest, root: bytes, place: PublishedFiles, kept: PageFile | None) -> None:
        self.manifest = manifest
        values = load_leaf(root)
        if len(values[0]) > LARGEST_FACTS:
            raise ValueError("the root has too many names")
        facts: dict[str, Any] = json.loads(values[0])
        # Each content has an id, which needs more than a byte.
        if not 0 <= facts["contents"] <= manifest.files["contents"].size or len(facts["holding"]) != len(INDEXED):
            raise ValueError("the root has wrong counts")
        trees, sums = values[1 : 2 + len(TREES)], values[2 + len(TREES) :]
        files = [manifest.files[kind] for kind in TREES]
        self.pages = Pages(
            place,
            [PagedFile(file.name, file.size, file.sha256, own) for file, own in zip(files, sums, strict=True)],
            kept,
        )
        self.trees = {
            kind: Tree(root, file.name, self.pages) for kind, root, file in zip(TREES, trees, files, strict=False)
        }
        self.by_id = Tree(trees[-1], manifest.files["contents"].name, self.pages)
        self.facts = facts
        self.languages, self.analyses = dict(facts["languages"]), dict(facts["analyses"])
        self.names = BlockNames([*self.languages], [*self.analyses])
        self.blocks: OrderedDict[Leaf, ContentBlock] = OrderedDict()
        self.leaf_of: dict[str, Leaf] = {}
        self.frames: dict[Leaf, frames.Frame] = {}

    def records(self, kind: str, names: Collection[str] | None) -> dict[str, bytes]:
        """The records of a kind with these names (None: all), by name."""
        tree = self.trees["records"]
        if names is None:
            leaves = tree.leaves(record_key(kind, ""), record_key(kind, "") + b"\xff")
        else:
            keys = [record_key(kind, name) for name in set(names)]
            found = tree.between([(key, key) for key in keys])
            leaves = iter(tree.read(list(dict.fromkeys(leaf for own in found for leaf in own))))
        begin = record_key(kind, "")
        records = {}
        for leaf in leaves:
            values = load_leaf(leaf)
            for key, value in zip(values[::2], values[1::2], strict=True):
                if key.startswith(begin):
                    records[key[len(begin) :].decode()] = value
        return records if names is None else {name: records[name] for name in names if name in records}

    def postings_of(self, terms: Sequence[tuple[Representation, int]]) -> list[list[Leaf]]:
        """For each term, the leaves that may have its postings."""
        keys = [frames.key(INDEXED.index(representation), term) for representation, term in terms]
        return self.trees["postings"].between([(key, key) for key in keys])

    def load_frames(self, leaves: Iterable[Leaf]) -> None:
        """Reads these leaves, at most `FRAMES_KEPT`, into `frames`."""
        missing = [leaf for leaf in dict.fromkeys(leaves) if leaf not in self.frames]
        if len(self.frames) + len(missing) > FRAMES_KEPT:
            self.frames.clear()
            missing = list(dict.fromkeys(leaves))
        for leaf, data in zip(missing, self.trees["postings"].read(missing), strict=True):
            self.frames[leaf] = frames.load(data)

    def counts(self, terms: Sequence[tuple[Representation, int]]) -> list[int]:
        """The number of postings of each term."""
        found: list[int] = []
        for part in chunks([*zip(terms, self.postings_of(terms), strict=True)], FRAMES_KEPT // 2):
            self.load_frames([leaf for _, own in part for leaf in (*own[:1], *own[-1:])])
            found += [self.count(*term, own) for term, own in part]
        return found

    def sums(self, weighted: Sequence[tuple[Representation, int, float]]) -> NDArray[np.float64]:
        """For each content, the sum of the weights of its terms."""
        found = np.zeros(self.facts["contents"])
        leaves = self.postings_of([(representation, term) for representation, term, _ in weighted])
        pairs = [(row, leaf) for row, own in zip(weighted, leaves, strict=True) for leaf in own]
        for part in chunks(pairs, FRAMES_KEPT):
            self.load_frames([leaf for _, leaf in part])
            for (representation, term, weight), leaf in part:
                frame = self.frames[leaf]
                found[frame.documents[frame.has(INDEXED.index(representation), term)]] += weight
        return found

    def count(self, representation: Representation, term: int, leaves: Sequence[Leaf]) -> int:
        """The number of postings of a term. Its first and last frames are loaded; those between have no other terms."""
        ends = dict.fromkeys((*leaves[:1], *leaves[-1:]))
        number = INDEXED.index(representation)
        found = sum(int(np.count_nonzero(self.frames[leaf].has(number, term))) for leaf in ends)
        return found + frames.FRAME * max(0, len(leaves) - 2)

    def columns(self, numbers: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """The language (from 1; 0: not indexed), token count and first `ID_BITS` of the id of contents, by number."""
        tree = self.trees["columns"]
        groups, group_of = np.unique(numbers // TOGETHER, return_inverse=True)
        leaves = [known(leaf) for leaf in tree.find([number_key(group * TOGETHER) for group in groups.tolist()])]
        loaded = [[np.frombuffer(column, "<u4") for column in load_leaf(data)] for data in tree.read(leaves)]
        # All groups but the last one of the index are full.
        at = group_of * TOGETHER + numbers % TOGETHER
        columns = zip(*loaded, strict=True) if loaded else repeat([np.zeros(0)], 3)
        return [np.concatenate(column).astype(np.int64)[at] for column in columns]

    def are_in(self, numbers: NDArray[np.int64], languages: Collection[str]) -> NDArray[np.bool_]:
        """Marks the contents, by number, that are in one of these languages."""
        codes = [1 + place for place, name in enumerate(self.names.languages) if name in languages]
        return np.isin(self.columns(numbers)[0], codes)

    def are_among(self, numbers: NDArray[np.int64], blobs: Sequence[str]) -> NDArray[np.bool_]:
        """Marks the contents, by number, that are among some blobs or have the first bits of one. The ids of a few
        hundred contents are together, but their blocks have much more in them.
        """
        bits = np.array([blob_key(blob) >> (64 - ID_BITS) for blob in blobs], np.int64)
        return np.isin(self.columns(numbers)[2], bits)

    def in_order(self, place_of: NDArray[np.int64]) -> Iterator[Postings]:
        """All postings of the contents that have a place, in parts. `place_of` has the place of each content, or -1."""
        waiting: list[frames.Frame] = []
        size = 0
        for leaf in self.trees["postings"].leaves():
            frame = frames.load(leaf)
            last = waiting[-1] if waiting else frame
            is_other = frame.representation != last.representation
            # All postings of a term are in one part.
            if is_other or (size >= PART and frame.terms[0] != last.terms[-1]):
                yield _part(waiting, place_of)
                waiting, size = [], 0
            waiting.append(frame)
            size += len(frame.terms)
        if waiting:
            yield _part(waiting, place_of)


def _part(found: Sequence[frames.Frame], place_of: NDArray[np.int64]) -> Postings:
    terms = np.concatenate([frame.terms for frame in found])
    places = place_of[np.concatenate([frame.documents for frame in found])]
    return Postings(INDEXED[found[0].representation], *by_term(terms[places >= 0], places[places >= 0], TERM_BITS))


def known(value: _T | None) -> _T:
    """The value, which only damage can lack. Raises ValueError."""
    if value is None:
        raise ValueError("a content is missing")
    return value
