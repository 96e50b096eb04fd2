"""Indexes and documents made of token streams, for tests of the steps after the analysis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.analyzers.streams import Token, stream
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids, token_scheme_ids
from wherefrom.analyzers.tokens import TokenStream, encode
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import OF_TOKENS, BlobDocument, BoilerplateSet, Candidate, Occurrence, StoredBlob
from wherefrom.queries.alignment.documents import DocumentTokens


def index(*streams: TokenStream) -> MemoryEngine:
    """An index of one blob (`b0`, `b1`, ...) for each stream."""
    engine = MemoryEngine(scheme_ids())
    with engine.writer() as writer:
        writer.add_blobs(
            BlobDocument(StoredBlob(f"b{at}", "python", len(each), len(each), encode(each)), document_terms(each))
            for at, each in enumerate(streams)
        )
    return engine


def add_files(engine: MemoryEngine, contents: Sequence[bytes], *, name: str = "a.c") -> None:
    """Indexes contents as blobs `b0`, `b1`, ... at `0.c`, `1.c`, ... of one repository. `name` tells their language."""
    with engine.writer() as writer:
        for number, content in enumerate(contents):
            analysis = analyze_file(name, content)
            assert not isinstance(analysis, str)
            tokens = analysis.tokens
            stored = StoredBlob(f"b{number}", analysis.language, len(content), len(tokens), encode(tokens))
            writer.add_blobs([BlobDocument(stored, document_terms(tokens))])
            writer.put_occurrences([Occurrence("repository", f"{number}.c", f"b{number}", "revision")])


def boilerplate(*texts: Sequence[Token]) -> BoilerplateSet:
    """The set of every k-gram of some texts."""
    streams = [stream(text) for text in texts]
    hashes = {
        each: np.unique(np.concatenate([kgrams(text, each, SCHEMES[each].k).hashes for text in streams]))
        for each in OF_TOKENS
    }
    return BoilerplateSet("set", ("file",), token_scheme_ids(), hashes)


def candidate(tokens: TokenStream, blob: str = "b0", *, score: float = 100.0) -> Candidate:
    """A candidate with these tokens, and with this score from the engine."""
    return Candidate(score, StoredBlob(blob, "python", len(tokens), len(tokens), encode(tokens)))


def document(tokens: TokenStream, blob: str = "b0") -> DocumentTokens:
    """A document with these tokens."""
    return DocumentTokens(candidate(tokens, blob).blob)
