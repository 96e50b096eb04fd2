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
from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import terms
from wherefrom.analyzers.kernel import stored_terms
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import TokenStream, without_insides
from wherefrom.model import BlobDocument, Hashes, Representation, SkipReason, StoredBlob
from wherefrom.options import Limits
from wherefrom.support.values import dataclass, replace

KINDS = (Representation.RENAMED, Representation.P_MATCH, Representation.TEXT)
"""The representations of pieces. `p_match` finds code as it is and with other names, `renamed` also shorter runs of it,
so that states that differ are found. Each about doubles the postings, so `exact` is left out.
"""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file as a commit left it.

    Attributes:
        number: the number of the commit, so that the caller finds it again.
        lines: the lines that are new, first and last (1-based, inclusive); None for all lines. Where lines were only
            removed, the last one is that before `first`.
    """

    number: int
    path: str
    content: bytes
    lines: Sequence[tuple[int, int]] | None
    limits: Limits


@dataclass(frozen=True, slots=True)
class Piece:
    """The tokens of the new lines of a file, without an id, and their terms, distinct and ascending."""

    blob: StoredBlob
    terms: Mapping[Representation, Hashes]

    def stored(self, is_new: Mapping[Representation, NDArray[np.bool_]]) -> BlobDocument:
        """The piece as a document whose terms are only the new ones. `is_new` tells for each term whether it is."""
        flags = [is_new[kind] for kind in KINDS if kind in self.terms]
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
    terms = {kind: terms[kind] for kind in KINDS if kind in terms}
    return Piece(blob, terms) if terms else None


def piece_terms(stored: StoredBlob) -> Mapping[Representation, Hashes]:
    """The indexed terms of a stored piece, made again from its tokens. Empty for a blob without tokens."""
    if not stored.token_count:
        return {}
    terms = stored_terms(stored.tokens)
    kinds = [kind for kind in KINDS if kind in terms]
    bits = np.unpackbits(np.frombuffer(stored.references, np.uint8)).astype(np.bool_)
    ends = np.cumsum([len(terms[kind]) for kind in kinds])
    return {
        kind: terms[kind][is_new[: len(terms[kind])]] for kind, is_new in zip(kinds, np.split(bits, ends), strict=False)
    }


def terms_on(stream: TokenStream, ranges: Sequence[tuple[int, int]] = ()) -> dict[Representation, Hashes]:
    """The terms of the k-grams on some lines of a text (first and last, 1-based, inclusive; none for all lines), by
    each representation that dates code. If no k-gram is within the lines, those that reach into them.
    """
    found = {}
    for kind in KINDS:
        scheme = SCHEMES[kind]
        grams = sampled_kgrams(stream, scheme)
        begins = grams.positions[chosen := sample(grams, scheme)]
        hashes = grams.hashes[chosen]
        if ranges and len(begins):
            sides = stream.start_lines[begins], stream.end_lines[begins + scheme.k - 1]
            within = np.any([(sides[0] >= first) & (sides[1] <= last) for first, last in ranges], axis=0)
            reaching = np.any([(sides[1] >= first) & (sides[0] <= last) for first, last in ranges], axis=0)
            hashes = hashes[within if within.any() else reaching]
        if len(hashes):
            found[kind] = terms(hashes)
    return found
