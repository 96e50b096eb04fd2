"""Schemes: how terms are made of tokens. Terms of different schemes are never compared.

The version of a grammar, which decides the tokens of a content, is not part of a scheme but of the stamp of each blob
(`stamps`). So an index stays usable with a new grammar.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property

from wherefrom.analyzers.hashing import CODE_BITS, HASH_VERSION, SEED
from wherefrom.analyzers.representations import NORMALISER_VERSION
from wherefrom.model import Representation
from wherefrom.support.values import astuple, dataclass


@dataclass(frozen=True)
class Scheme:
    """How the terms of one representation are made."""

    representation: Representation  # how tokens are written
    k: int  # tokens in a k-gram
    w: int  # k-gram hashes in a window
    sampler: str = "open_closed"  # the rule that chooses hashes, `open_closed` or one of `samplers.WINNOWING`
    hash: str = f"mmh3-x64/{CODE_BITS}+karp-rabin/{HASH_VERSION}"  # the names and versions of the hash functions
    seed: int = SEED  # the seed of token codes
    normaliser: int = NORMALISER_VERSION  # the version of how tokens are written

    @cached_property
    def id(self) -> str:
        """A short name: representation, k, w and a digest of all attributes."""
        digest = hashlib.blake2b(repr(astuple(self)).encode(), digest_size=5).hexdigest()
        return f"{self.representation}-{self.k}-{self.w}-{digest}"

    @property
    def inner(self) -> int:
        """The number of tokens in an s-gram (`inner_length`); 0 if the sampler needs no s-grams."""
        return inner_length(self.representation, self.k) if self.sampler == "open_closed" else 0

    @property
    def guarantee(self) -> int:
        """The length t = w + k - 1: two texts that share a run of t tokens always share a fingerprint."""
        return self.w + self.k - 1


def inner_length(representation: Representation, k: int) -> int:
    """The s of `samplers.open_closed` for k-grams of k tokens, long enough that few s-grams in a k-gram are equal."""
    return min({Representation.TEXT: 4, Representation.WORDS: 1}.get(representation, 2), k)


SCHEMES: Mapping[Representation, Scheme] = {
    Representation.EXACT: Scheme(Representation.EXACT, 8, 8),
    Representation.RENAMED: Scheme(Representation.RENAMED, 8, 8),
    Representation.P_MATCH: Scheme(Representation.P_MATCH, 12, 13),
    Representation.TEXT: Scheme(Representation.TEXT, 16, 48),
}
"""The schemes of tokens of this version."""

WORDS = Scheme(Representation.WORDS, 2, 4, normaliser=4)
"""The scheme of words (`analyzers.words`): its k-grams are of words, not of tokens, and so is its normalizer."""


def scheme_ids() -> dict[Representation, str]:
    """The ids of all schemes, which an index stores."""
    return {**token_scheme_ids(), Representation.WORDS: WORDS.id}


def token_scheme_ids() -> dict[Representation, str]:
    """The ids of `SCHEMES`, by which sets, watches and fingerprints are made."""
    return {representation: scheme.id for representation, scheme in SCHEMES.items()}
