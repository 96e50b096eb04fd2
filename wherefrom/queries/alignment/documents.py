"""Documents: stored token streams, and values that are computed from them on first use."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cached_property, lru_cache

from wherefrom.analyzers import kernel
from wherefrom.analyzers.representations import KGrams, kgrams
from wherefrom.analyzers.token_words import TokenWords
from wherefrom.analyzers.tokens import NumberedSymbols, Symbols, TokenStream, count, decode_symbols, plain, reading
from wherefrom.model import OF_TOKENS, Representation, StoredBlob
from wherefrom.queries.alignment.aligning import DocumentText
from wherefrom.queries.alignment.chains import Grams
from wherefrom.queries.spans import Flags

RECENT, SHORT = 128, 1 << 13
"""The number of documents of at most `SHORT` tokens that are kept after they were aligned, each token in 16 bytes.
Queries that follow each other, such as the pieces of a file, have many candidates in common."""


@lru_cache(maxsize=RECENT)
def _recent_text(stored: bytes, _maker: kernel.Kernel | None) -> DocumentText:
    return DocumentText(plain(stored))


class DocumentTokens:
    """The tokens of a stored document, and values that are computed from them on first use.

    These values take a hundred times the memory of the stored form, so `forget` frees them. Later uses recompute them.
    """

    def __init__(self, blob: StoredBlob) -> None:
        self.blob = blob
        self._grams: dict[tuple[Representation, int], KGrams] = {}

    def forget(self) -> None:
        """Frees the memory of all computed values."""
        self.__dict__ = {"blob": self.blob, "_grams": {}}

    @cached_property
    def _plain(self) -> bytes:
        """The stored tokens, decompressed once for all that is read from them."""
        with reading():
            return plain(self.blob.tokens)

    @cached_property
    def text(self) -> DocumentText:
        """The document, ready to be aligned."""
        with reading():
            stored = self.blob.tokens
            is_short = count(stored) <= SHORT
            return _recent_text(stored, kernel.active()) if is_short else DocumentText(self._plain)

    @cached_property
    def numbered(self) -> NumberedSymbols:
        """The document's distinct symbols, and for each token the number of its symbol, as they are stored."""
        return decode_symbols(self._plain)

    @cached_property
    def symbols(self) -> Symbols:
        """The document's symbols, token by token."""
        return self.numbered.symbols()

    @cached_property
    def stream(self) -> TokenStream:
        """The document's tokens with their positions in the text."""
        return kernel.stored_stream(self._plain)

    @cached_property
    def words(self) -> TokenWords:
        """The words of the document's tokens."""
        return kernel.stored_words(self._plain)

    @cached_property
    def terms(self) -> Mapping[Representation, Set[int]]:
        """The document's terms in the index, by representation."""
        terms = kernel.stored_terms(self._plain)
        return {key: frozenset(terms[key].tolist()) if key in terms else frozenset() for key in OF_TOKENS}

    def grams(self, representation: Representation, k: int) -> KGrams:
        """The document's k-grams in a representation."""
        key = (representation, k)
        if key not in self._grams:
            native, text = kernel.active(), self.text.native
            made = kgrams(self.symbols, *key) if native is None or text is None else native.kgrams(text, *key)
            self._grams[key] = made
        return self._grams[key]

    def shared(self, grams: Mapping[Representation, Grams]) -> list[Flags]:
        """Which of the distinct hashes of a query's k-grams the document has, in each representation."""
        native, text = kernel.active(), self.text.native
        if native is not None and text is not None:
            return native.shared(text, [(key, own.k, own.hashes) for key, own in grams.items()])
        return [own.shared(self.grams(key, own.k).hashes) for key, own in grams.items()]
