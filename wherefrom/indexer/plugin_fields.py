"""A content as fields of a document that the Elasticsearch plug-in reads (`docs/elasticsearch-plugin.md`).

This and `encode_terms` and `plugin_terms` of `engines.elasticsearch.documents` are all that serves the plug-in alone.
"""

from __future__ import annotations

import numpy as np

from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.representations import segment_spans
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.engines.elasticsearch.documents import encode_terms, plugin_terms
from wherefrom.mappings.elasticsearch import terms_field

_LETTERS = {
    TokenClass.SYMBOL: "y",
    TokenClass.NAME: "n",
    TokenClass.STRING: "s",
    TokenClass.NUMBER: "d",
    TokenClass.CHARACTER: "c",
}
"""What comes before the code of a token; the plug-in has the same letters."""


def plugin_fields(stream: TokenStream) -> dict[str, list[str]]:
    """`tokens`, a value for each segment, which the plug-in winnows; and the terms, `terms_exact` and so on.

    No k-gram crosses from one value of a field to the next, so the plug-in gives the same terms.
    """
    letters = np.array([_LETTERS[kind] for kind in TokenClass])[stream.classes]
    written = [f"{letter}{code}" for letter, code in zip(letters, encode_terms(stream.codes), strict=True)]
    fields = {"tokens": [" ".join(written[begin:end]) for begin, end in segment_spans(stream) if begin < end]}
    for representation, terms in document_terms(stream).items():
        fields[terms_field(representation)] = plugin_terms(terms)
    return fields
