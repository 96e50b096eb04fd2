"""Pieces: the part of a file that a commit changed, as the history of an index stores it.

A piece has the tokens on the lines that are new, and enough tokens around them: every k-gram of a new line is sampled
as it is in the whole file. Only terms that the repository never had are indexed. Which of the terms of the
piece's tokens these are is a row of bits in its field `references`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.documents import document
from wherefrom.analyzers.fingerprints import DATING
from wherefrom.analyzers.kernel import stored_terms
from wherefrom.analyzers.tokens import without_insides
from wherefrom.model import BlobDocument, Hashes, Representation, SkipReason, StoredBlob
from wherefrom.options import Limits
from wherefrom.support.values import dataclass, replace


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file as a commit left it."""

    number: int  # the number of the commit, so that the caller finds it again
    path: str
    content: bytes
    # the lines that are new, first and last (1-based, inclusive); None for all lines. Where lines were only removed,
    # the last one is that before `first`
    lines: Sequence[tuple[int, int]] | None
    limits: Limits


@dataclass(frozen=True, slots=True)
class Piece:
    """The tokens of the new lines of a file, without an id, and their terms, distinct and ascending."""

    blob: StoredBlob
    terms: Mapping[Representation, Hashes]

    def stored(self, is_new: Mapping[Representation, NDArray[np.bool_]]) -> BlobDocument:
        """The piece as a document whose terms are only the new ones. `is_new` tells for each term whether it is."""
        flags = [is_new[kind] for kind in DATING if kind in self.terms]
        bits = np.packbits(np.concatenate(flags)).tobytes()
        name = hashlib.sha1(b"%d " % self.blob.size + self.blob.tokens + bits, usedforsecurity=False).hexdigest()
        stored = replace(self.blob, blob=name, references=bits)
        return BlobDocument(stored, {kind: terms[is_new[kind]] for kind, terms in self.terms.items()})


def piece(file: ChangedFile) -> Piece | SkipReason | None:
    """The piece of a changed file; None if there is too little code for a term. For a worker process."""
    made = document(file.path, file.content, file.limits, lines=file.lines)
    if isinstance(made, SkipReason):
        return made
    whole = StoredBlob("", made.language, len(file.content), made.token_count, made.tokens, analysis=made.stamp)
    blob = without_insides(whole)
    terms = made.terms if blob is whole else stored_terms(blob.tokens)
    terms = {kind: terms[kind] for kind in DATING if kind in terms}
    return Piece(blob, terms) if terms else None


def piece_terms(stored: StoredBlob) -> Mapping[Representation, Hashes]:
    """The indexed terms of a stored piece, made again from its tokens. Empty for a blob without tokens."""
    if not stored.token_count:
        return {}
    terms = stored_terms(stored.tokens)
    kinds = [kind for kind in DATING if kind in terms]
    bits = np.unpackbits(np.frombuffer(stored.references, np.uint8)).astype(np.bool_)
    ends = np.cumsum([len(terms[kind]) for kind in kinds])
    return {
        kind: terms[kind][is_new[: len(terms[kind])]] for kind, is_new in zip(kinds, np.split(bits, ends), strict=False)
    }
