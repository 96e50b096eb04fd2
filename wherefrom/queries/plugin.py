"""Makes what only the Elasticsearch plug-in (`elasticsearch-plugin/`) uses: fields of documents, and stop words."""

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
from wherefrom.options.calls import encoded
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
"""The letter that tells the class of a token, before the token's code. The plug-in has the same letters."""


def plugin_fields(
    code: str | bytes, *, name: str = "", language: str | None = None, parse_memory: int = PARSE_MEMORY
) -> dict[str, list[str]]:
    """Turns a text into fields of a document for the Elasticsearch plug-in. `tokens` has a value for each part of the
    text in one language; the plug-in winnows these tokens. `terms_exact`, `terms_renamed`, `terms_p_match` and
    `terms_text` have the finished terms; a representation without terms has no field.

    Args:
        code: a whole file, or a snippet, which need not parse.
        name: a file name; its ending helps to tell the language.
        language: the name or an alias of a language; guessed if None.
        parse_memory: bytes of memory that the parser may use.

    Raises:
        AnalysisError: the text cannot be analyzed, or is binary (`BinaryContent`).
        LanguageError: no language has that name.
    """
    analysis = snippet.analyze_query(encoded(code), name=name, language=language, analyzer=Analyzer(parse_memory))
    return stream_fields(analysis.tokens)


def stream_fields(stream: TokenStream) -> dict[str, list[str]]:
    """The fields of a token stream. Each segment is a value of `tokens`. No k-gram crosses segments in wherefrom, or
    values in the plug-in, so both make the same terms.
    """
    letters = np.array([_LETTERS[kind] for kind in range(len(_LETTERS))])[stream.classes]
    written = [f"{letter}{code}" for letter, code in zip(letters, encode_terms(stream.codes), strict=True)]
    fields = {"tokens": [" ".join(written[begin:end]) for begin, end in segment_spans(stream) if begin < end]}
    for representation, terms in document_terms(stream).items():
        fields[terms_field(representation)] = plugin_terms(terms)
    return fields


def plugin_terms(terms: Hashes) -> list[str]:
    """Terms as the plug-in makes them: always with the first number of bits in `STORED_BITS`."""
    return encode_terms(narrowed(terms, STORED_BITS[0]))


def boilerplate_terms(boilerplate: BoilerplateSet, representation: Representation) -> BoilerplateTerms:
    """The terms of a boilerplate set in one representation, for the plug-in to leave out. Raises BoilerplateError if
    the set has no k-grams in that representation.
    """
    hashes = boilerplate.hashes.get(representation)
    if hashes is None or not len(hashes):
        there = ", ".join(str(key) for key, those in boilerplate.hashes.items() if len(those)) or "none"
        raise BoilerplateError(
            f"boilerplate set {boilerplate.name!r} has no k-grams of {representation}; "
            f"name a representation that it has: {there}"
        )
    return BoilerplateTerms(boilerplate.name, representation, tuple(plugin_terms(hashing.terms(hashes))))
