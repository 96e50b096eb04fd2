"""Schemes: how terms are made of tokens. Two schemes are never compared.

Which tokens a content has is decided by a grammar; its version is not a part of a scheme but of the stamp of each blob
(`versions`), so that a new grammar leaves an index usable.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from functools import cached_property

from wherefrom.analyzers.hashing import CODE_BITS, HASH_VERSION, SEED
from wherefrom.analyzers.representations import NORMALISER_VERSION
from wherefrom.model import Representation


@dataclass(frozen=True)
class Scheme:
    """How terms of one representation are made.

    Attributes:
        representation: what a token is written as.
        k: tokens in a k-gram.
        w: k-gram hashes in a window.
        sampler: the rule that keeps hashes: one of `samplers.OF_INDEXES`.
        hash: how hashes are made.
        seed: of token codes.
        normaliser: the version of what tokens are written as.
    """

    representation: Representation
    k: int
    w: int
    sampler: str = "open_closed"
    hash: str = f"mmh3-x64/{CODE_BITS}+karp-rabin/{HASH_VERSION}"
    seed: int = SEED
    normaliser: int = NORMALISER_VERSION

    @cached_property
    def id(self) -> str:
        """A short name of all of it: representation, k, w and a digest."""
        digest = hashlib.blake2b(repr(astuple(self)).encode(), digest_size=5).hexdigest()
        return f"{self.representation}-{self.k}-{self.w}-{digest}"

    @property
    def inner(self) -> int:
        """Tokens of the s-grams that the sampler looks at (`inner_length`); 0 if it looks at hashes alone."""
        return inner_length(self.representation, self.k) if self.sampler == "open_closed" else 0

    @property
    def guarantee(self) -> int:
        """The length t = w + k - 1: a shared run of t tokens always shares a fingerprint."""
        return self.w + self.k - 1


def inner_length(representation: Representation, k: int) -> int:
    """The s of `samplers.open_closed` for k-grams of this length: so long that few s-grams of one are equal."""
    return min(4 if representation is Representation.TEXT else 2, k)


SCHEMES: Mapping[Representation, Scheme] = {
    Representation.EXACT: Scheme(Representation.EXACT, 8, 8),
    Representation.RENAMED: Scheme(Representation.RENAMED, 8, 8),
    Representation.P_MATCH: Scheme(Representation.P_MATCH, 12, 13),
    Representation.TEXT: Scheme(Representation.TEXT, 16, 48),
}
"""The schemes of this version."""


def scheme_ids() -> dict[Representation, str]:
    """The id of each of `SCHEMES`: what is stamped on an index."""
    return {representation: scheme.id for representation, scheme in SCHEMES.items()}
