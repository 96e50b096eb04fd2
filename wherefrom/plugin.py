"""All that serves the Elasticsearch plug-in (`elasticsearch-plugin/`) alone: its fields and its stop words."""

from __future__ import annotations

import numpy as np

from wherefrom.analyzers import hashing
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.representations import segment_spans
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.engines.elasticsearch.documents import encode_terms
from wherefrom.engines.terms import narrowed
from wherefrom.errors import BoilerplateError
from wherefrom.mappings.elasticsearch import terms_field
from wherefrom.model import STORED_BITS, BoilerplateSet, Hashes, Representation
from wherefrom.options.arguments import encoded
from wherefrom.queries import snippet
from wherefrom.results import BoilerplateTerms
from wherefrom.support.workers import PARSE_MEMORY

_LETTERS = {
    TokenClass.SYMBOL: "y",
    TokenClass.NAME: "n",
    TokenClass.STRING: "s",
    TokenClass.NUMBER: "d",
    TokenClass.CHARACTER: "c",
}
"""The letter before the code of a token; the plug-in has the same letters."""


def plugin_fields(
    code: str | bytes, *, name: str = "", language: str | None = None, parse_memory: int = PARSE_MEMORY
) -> dict[str, list[str]]:
    """A text as fields of a document for the Elasticsearch plug-in: `tokens`, which it winnows, with a value for each
    part in one language; and the terms of each representation that the text has: `terms_exact`, `terms_renamed`,
    `terms_p_match`, `terms_text`.

    Args:
        code: a whole file, or a snippet in any state.
        name: a file name; its ending helps to tell the language.
        language: a name or alias; None: guessed.
        parse_memory: the most memory to parse it with, in bytes.

    Raises:
        AnalysisError: it cannot be analyzed, or is not text (`BinaryContent`).
        LanguageError: no language has that name.
    """
    analysis = snippet.analyze_query(encoded(code), name=name, language=language, analyzer=Analyzer(parse_memory))
    return stream_fields(analysis.tokens)


def stream_fields(stream: TokenStream) -> dict[str, list[str]]:
    """The fields of a token stream. No k-gram crosses from one value of `tokens` to the next, so the plug-in makes the
    same terms of it.
    """
    letters = np.array([_LETTERS[kind] for kind in TokenClass])[stream.classes]
    written = [f"{letter}{code}" for letter, code in zip(letters, encode_terms(stream.codes), strict=True)]
    fields = {"tokens": [" ".join(written[begin:end]) for begin, end in segment_spans(stream) if begin < end]}
    for representation, terms in document_terms(stream).items():
        fields[terms_field(representation)] = plugin_terms(terms)
    return fields


def plugin_terms(terms: Hashes) -> list[str]:
    """Terms as the plug-in makes them: it always stores the usual number of bits."""
    return encode_terms(narrowed(terms, STORED_BITS[0]))


def boilerplate_terms(boilerplate: BoilerplateSet, representation: Representation) -> BoilerplateTerms:
    """A boilerplate set as terms of a representation, for the plug-in to leave out. Raises BoilerplateError if it has
    none.
    """
    hashes = boilerplate.hashes.get(representation)
    if hashes is None or not len(hashes):
        there = ", ".join(str(key) for key, those in boilerplate.hashes.items() if len(those)) or "none"
        raise BoilerplateError(
            f"boilerplate set {boilerplate.name!r} has no k-grams of {representation}; "
            f"name a representation that it has: {there}"
        )
    return BoilerplateTerms(boilerplate.name, representation, tuple(plugin_terms(hashing.terms(hashes))))
