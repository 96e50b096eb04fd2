"""Pieces: the part of a file that a commit changed, as the history of an index stores it.

A piece has the tokens on the lines that are new, and enough tokens around them: every k-gram of a new line is sampled
as it is in the whole file. Only terms that the repository never had are indexed. Which of the terms of the
piece's tokens these are is a row of bits in its field `references`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.documents import document
from wherefrom.analyzers.fingerprints import document_terms, sample, sampled_kgrams
from wherefrom.analyzers.hashing import terms
from wherefrom.analyzers.kernel import stored_terms
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import TokenStream, decode, encode, only, outside, without_insides
from wherefrom.languages import LANGUAGES
from wherefrom.model import BlobDocument, Hashes, Representation, SkipReason, StoredBlob
from wherefrom.options import Limits

KINDS = (Representation.EXACT, Representation.P_MATCH, Representation.TEXT)
"""The representations of pieces. Code with other names is found by `p_match`; `renamed` would add a third again."""


DATING = (Representation.P_MATCH, Representation.TEXT)
"""The representations by which code is dated."""


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
    """The piece of a changed file; None if the new lines have too little code for a term. For a worker process."""
    made = document(file.path, file.content, file.limits)
    if isinstance(made, SkipReason):
        return made
    whole = StoredBlob("", made.language, len(file.content), made.token_count, made.tokens, analysis=made.stamp)
    blob = without_insides(whole)
    terms = made.terms if blob is whole else stored_terms(blob.tokens)
    terms = {kind: terms[kind] for kind in KINDS if kind in terms}
    if file.lines is not None:
        stream = _around(decode(blob.tokens), file.lines, made.language)
        size = int((stream.ends - stream.starts).sum())
        blob = replace(blob, size=size, token_count=len(stream), tokens=encode(stream))
        terms = document_terms(stream, {kind: SCHEMES[kind] for kind in KINDS})
    return Piece(blob, terms) if terms else None


def piece_terms(stored: StoredBlob) -> dict[Representation, Hashes]:
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


def terms_on(stored: StoredBlob, ranges: Sequence[tuple[int, int]]) -> dict[Representation, Hashes]:
    """The terms of the k-grams on some lines of a stored text (first and last, 1-based, inclusive; none for all lines),
    by each representation that dates code. If no k-gram is within the lines, those that reach into them.
    """
    stream = outside(decode(stored.tokens))
    found = {}
    for kind in DATING:
        scheme = SCHEMES[kind]
        grams = sampled_kgrams(stream, scheme)
        begins = grams.positions[chosen := sample(grams, scheme)]
        hashes = grams.hashes[chosen]
        if ranges and len(begins):
            first, last = stream.start_lines[begins], stream.end_lines[begins + scheme.k - 1]
            within, reaching = (
                np.any([compare(begin, end) for begin, end in ranges], axis=0)
                for compare in (
                    lambda begin, end: (first >= begin) & (last <= end),
                    lambda begin, end: (last >= begin) & (first <= end),
                )
            )
            hashes = hashes[within if within.any() else reaching]
        if len(hashes):
            found[kind] = terms(hashes)
    return found


def _around(stream: TokenStream, lines: Collection[tuple[int, int]], language: str) -> TokenStream:
    """The tokens on these lines and around them. Tokens that are not neighbors in the file are in other segments."""
    kind = Representation.P_MATCH if LANGUAGES[language].grammar else Representation.TEXT
    around = SCHEMES[kind].guarantee
    chosen = np.zeros(len(stream), np.bool_)
    for first, last in lines:
        begin = int(stream.end_lines.searchsorted(first, "left"))
        end = int(stream.start_lines.searchsorted(last, "right"))
        chosen[max(begin - around, 0) : end + around] = True  # without tokens on the lines, where those were
    kept = only(stream, chosen)
    places = np.flatnonzero(chosen)
    begins = np.flatnonzero(np.diff(places, prepend=-2) > 1)
    owners = np.maximum(kept.segments.searchsorted(begins, side="right") - 1, 0)
    cuts = {int(begin): kept.languages[owner] for begin, owner in zip(begins, owners, strict=True)}
    cuts |= {int(at): name for at, name in zip(kept.segments, kept.languages, strict=True) if at < len(kept)}
    segments = sorted(cuts)
    return replace(kept, segments=np.array(segments, np.int64), languages=tuple(cuts[at] for at in segments))
