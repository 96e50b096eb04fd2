"""Indexes and documents made of token streams, for the tests of what comes after the analysis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.analyzers.streams import Token, stream
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.analyzers.tokens import TokenStream, encode
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import INDEXED, BlobDocument, BoilerplateSet, Candidate, StoredBlob
from wherefrom.queries.alignment import Document


def index(*streams: TokenStream) -> MemoryEngine:
    """An index of one blob (`b0`, `b1`, ...) for each stream."""
    engine = MemoryEngine(scheme_ids())
    with engine.writer() as writer:
        writer.add_blobs(
            BlobDocument(StoredBlob(f"b{at}", "python", len(each), len(each), encode(each)), document_terms(each))
            for at, each in enumerate(streams)
        )
    return engine


def boilerplate(*texts: Sequence[Token]) -> BoilerplateSet:
    """The set of every k-gram of some texts."""
    streams = [stream(text) for text in texts]
    hashes = {
        each: np.unique(np.concatenate([kgrams(text, each, SCHEMES[each].k).hashes for text in streams]))
        for each in INDEXED
    }
    return BoilerplateSet("set", ("file",), scheme_ids(), hashes)


def document(tokens: TokenStream, blob: str = "b0") -> Document:
    """The stream as a candidate."""
    return Document(Candidate(1.0, StoredBlob(blob, "python", len(tokens), len(tokens), encode(tokens))))
