"""Bytes to all that an index stores of a file: by the kernel in one call, or step by step in Python.

Both give the same, byte for byte; `tests/analyzers/test_kernel.py` compares them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers import kernel
from wherefrom.analyzers.analysis import Opened, analyze, open_file
from wherefrom.analyzers.containers import Segment, segments
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.fragments import opening
from wherefrom.analyzers.positions import is_utf16, newlines
from wherefrom.analyzers.references import References, dump_references, may_state_license, of_analysis, words_in
from wherefrom.analyzers.references.commentary import is_prose, text_of
from wherefrom.analyzers.references.extract import of_stretches
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.stamps import stamp
from wherefrom.analyzers.tokens import check_count, encode, packed
from wherefrom.errors import ParseTimeout
from wherefrom.languages import LANGUAGES
from wherefrom.model import Hashes, Representation, SkipReason
from wherefrom.options import Limits

if TYPE_CHECKING:
    from wherefrom import _kernel


@dataclass(frozen=True, slots=True)
class AnalyzedContent:
    """What an index stores of a file's content.

    Attributes:
        language: of the whole.
        languages: of the whole and of its parts, with those whose grammars are not installed.
        token_count: tokens of the stream.
        tokens: the encoded token stream (`tokens.encode`).
        terms: the distinct terms of each representation that it has k-grams for, ascending, dtype uint64.
        references: what it says of its source (`references.dump_references`).
        stamp: of what analyzed it (`stamps.stamp`).
    """

    language: str
    languages: frozenset[str]
    token_count: int
    tokens: bytes
    terms: Mapping[Representation, Hashes]
    references: bytes
    stamp: str


def document(path: str, content: bytes, limits: Limits, *, is_compressed: bool = True) -> AnalyzedContent | SkipReason:
    """Makes what an index stores of a file, or says why it stores nothing; no content makes it raise.

    Args:
        path: its name helps to tell its language and what it is.
        content: all its bytes.
        limits: which files to skip.
        is_compressed: whether the token stream is compressed (`tokens.encode`).

    Raises:
        GrammarError: a grammar that every installation has is missing, or one is in a version that is not supported.
        KernelError: the kernel is required and cannot be used.
    """
    opened = open_file(path, content, limits)
    if isinstance(opened, SkipReason):
        return opened
    native = kernel.active()
    try:
        if native is None:
            return _in_python(content, opened, limits.parse_seconds, is_compressed=is_compressed)
        return _by_kernel(native, content, opened, limits.parse_seconds, is_compressed=is_compressed)
    except ParseTimeout:
        return SkipReason.PARSE_TIMEOUT


def _in_python(content: bytes, opened: Opened, seconds: float, *, is_compressed: bool) -> AnalyzedContent:
    analysis = analyze(content, opened, seconds)
    words = words_in(content)
    references = of_analysis(content, analysis, words)
    return AnalyzedContent(
        language=analysis.language,
        languages=analysis.languages,
        token_count=len(analysis.tokens),
        tokens=encode(analysis.tokens, is_compressed=is_compressed),
        terms=document_terms(analysis.tokens),
        references=dump_references(references),
        stamp=stamp(analysis.language, analysis.languages, states_license=may_state_license(words)),
    )


def made_by_kernel(
    native: kernel.Kernel, content: bytes, opened: Opened, seconds: float
) -> tuple[_kernel.Document, str, list[str], frozenset[str]]:
    """The tokens, terms and stretches of a content by one call of the kernel, the language of the whole, that of each
    segment, and those whose grammars are not installed.
    """
    parts = segments(opened.language, opened.text)
    left_out = frozenset(part.language for part in parts if LANGUAGES[part.language].is_left_out)
    language = "text" if opened.language in left_out else opened.language
    names = ["text" if part.language in left_out else part.language for part in parts]
    try:
        found = native.document(
            content,
            [_part(native, content, opened, *part) for part in zip(parts, names, strict=True)],
            seconds,
            newlines=newlines(content) if is_utf16(content) else None,
            is_prose=is_prose(language),
        )
    except TimeoutError as error:
        raise ParseTimeout(f"parsing took longer than {seconds:g} s; raise the time limit") from error
    return found, language, names, left_out


def _by_kernel(
    native: kernel.Kernel, content: bytes, opened: Opened, seconds: float, *, is_compressed: bool
) -> AnalyzedContent:
    found, language, names, left_out = made_by_kernel(native, content, opened, seconds)
    check_count(found.tokens)
    words = words_in(content) if is_utf16(content) else kernel.words_of(found.words)
    references = References(())
    if words:
        references = of_stretches(
            (text_of(content, start, end), line, kernel.words_perhaps_of(its_words) & words)
            for start, end, line, its_words in found.stretches
        )
    in_order = [names[owner] for owner in found.owners]
    languages = frozenset({language, *in_order, *left_out})
    return AnalyzedContent(
        language=language,
        languages=languages,
        token_count=found.tokens,
        tokens=packed(
            found.tokens,
            symbols=found.symbols,
            gaps=found.gaps,
            codes=found.codes,
            planes=found.planes,
            languages=in_order,
            is_compressed=is_compressed,
        ),
        terms={
            representation: np.frombuffer(terms, np.uint64)
            for representation, terms in zip(SCHEMES, found.terms, strict=True)
            if terms is not None
        },
        references=dump_references(references),
        stamp=stamp(language, languages, states_license=may_state_license(words)),
    )


def _part(native: kernel.Kernel, content: bytes, opened: Opened, segment: Segment, name: str) -> _kernel.Part:
    """A segment as the kernel takes it; `name` is the language that it is read in."""
    language = LANGUAGES[name]
    place = segment.place(opened.decoded)
    before = b"" if segment.origin is None or not language.grammar else opening(language, segment.text)
    return (
        native.grammar(language) if language.grammar else None,
        None if segment.text is content and not before else before + segment.text,
        len(before),
        None if place is None else (place.offsets, place.stops),
        language.has_doc_strings,
        not language.grammar,
    )
