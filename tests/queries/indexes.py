"""Indexes and documents made of token streams, for the tests of what comes after the analysis."""

from __future__ import annotations

from whence.analyzers.fingerprints import document_terms
from whence.analyzers.schemes import scheme_ids
from whence.analyzers.tokens import TokenStream, encode
from whence.engines.memory import MemoryEngine
from whence.model import BlobDocument, Candidate, StoredBlob
from whence.queries.alignment import Document


def index(*streams: TokenStream) -> MemoryEngine:
    """An index of one blob (`b0`, `b1`, ...) for each stream."""
    engine = MemoryEngine(scheme_ids())
    with engine.writer() as writer:
        writer.add_blobs(
            BlobDocument(f"b{at}", "python", len(each), len(each), document_terms(each), encode(each))
            for at, each in enumerate(streams)
        )
    return engine


def document(stream: TokenStream, blob: str = "b0") -> Document:
    """The stream as a candidate."""
    return Document(Candidate(1.0, StoredBlob(blob, "python", len(stream), len(stream), encode(stream))))
