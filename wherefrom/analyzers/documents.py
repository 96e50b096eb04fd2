"""Makes everything that an index stores of a file from its bytes, by one call of the kernel or in Python.

The kernel and the Python code give the same result, byte for byte; `tests/analyzers/test_kernel.py` compares them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from wherefrom.analyzers import kernel
from wherefrom.analyzers.analysis import Opened, analyze, open_file, split
from wherefrom.analyzers.analyzed import UNPARSED_PARTS
from wherefrom.analyzers.containers import Segment, fences
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.fragments import opening
from wherefrom.analyzers.references import dump_references, may_state_license, of_file, words_in
from wherefrom.analyzers.references.commentary import is_prose, stretches, text_of
from wherefrom.analyzers.references.extract import dump_places, of_stretches
from wherefrom.analyzers.stamps import stamp
from wherefrom.analyzers.tokens import INSIDE, check_count, encode, outside, packed
from wherefrom.analyzers.words import index_terms
from wherefrom.errors import ParseTimeout
from wherefrom.languages import LANGUAGES
from wherefrom.model import Hashes, PackedTerms, Representation, SkipReason
from wherefrom.options import Limits
from wherefrom.support.positions import Mapped, has_own_newlines, is_wide, joined_spans, newlines
from wherefrom.support.values import dataclass, replace

if TYPE_CHECKING:
    from wherefrom import _kernel


@dataclass(frozen=True, slots=True)
class AnalyzedContent:
    """Everything that an index stores of a content."""

    language: str  # the language of the whole content
    # `language` and the languages of all parts, including those whose grammars are not installed
    languages: frozenset[str]
    token_count: int  # the number of tokens in the stream, without those inside of literals and comments
    tokens: bytes  # the encoded token stream (`tokens.encode`)
    # by representation, the distinct terms, ascending, uint64. Representations without k-grams are missing
    terms: Mapping[Representation, Hashes]
    # the encoded references (`references.dump_references`); without `is_kept`, where they may be (`dump_places`)
    references: bytes
    stamp: str  # the versions of everything that analyzed the content (`stamps.stamp`)


def document(
    path: str,
    content: bytes,
    limits: Limits,
    *,
    known: Collection[str] = (),
    is_kept: bool = True,
    lines: Sequence[tuple[int, int]] | None = None,
) -> AnalyzedContent | SkipReason:
    """Makes everything that an index stores of a file, or returns the reason why the file is skipped.

    No content causes an error. `known` is passed to `open_file`. Without `is_kept`, for an index that is read once by a
    comparison, the stream stays uncompressed, without what is inside of literals and comments; its words have no terms,
    and no references are looked for. With `lines` (first and last, from 1), only the blocks around these lines are read
    (`around`), without references. Raises GrammarError if a grammar that every installation has is missing, or one is
    in a version that is not supported; KernelError if the kernel is required and cannot be used.
    """
    opened = open_file(path, content, limits, known=known)
    if isinstance(opened, SkipReason):
        return opened
    if lines is not None:
        whole = opened.decoded or Mapped.identity(content)
        # The first line of a fence tells its language.
        found = fences(opened.text) if opened.language == "markdown" else ()
        kept = whole.keep(around(opened.text, lines, [(fence.outer_begin, fence.outer_end) for fence in found]))
        opened = replace(opened, text=kept.text, decoded=kept, is_part=True)
    steps = Steps(content, opened, limits, is_kept=is_kept)
    steps.parse()
    return steps.finish()


class Steps:
    """The steps of `document` for a content that is opened. The constructor splits it into parts. Call `parse` next,
    and `finish` last.

    The processor's caches do not hold what all steps need. So each step is done for a batch of files before the next
    one: done file by file, they take a third longer if files are tiny.
    """

    __slots__ = ("_content", "_found", "_is_kept", "_made", "_native", "_opened", "_parts", "_seconds")

    def __init__(self, content: bytes, opened: Opened, limits: Limits, *, is_kept: bool = True) -> None:
        self._content, self._opened, self._is_kept, self._seconds = content, opened, is_kept, limits.parse_seconds
        self._made: AnalyzedContent | SkipReason | None = None
        self._native = None if opened.others else kernel.active()  # few contents have names of several languages
        if self._native is not None:
            try:
                self._parts = _split(self._native, content, opened, self._seconds)
            except ParseTimeout:
                self._made = SkipReason.PARSE_TIMEOUT

    def parse(self) -> None:
        """Makes the tokens and terms."""
        if self._made is not None:
            return
        try:
            if self._native is None:
                self._made = _in_python(self._content, self._opened, self._seconds, is_kept=self._is_kept)
            else:
                is_own = self._opened.decoded is not None and has_own_newlines(self._content)
                self._found = self._native.document(
                    self._content,
                    self._parts.made,
                    kernel.nanoseconds(self._seconds),
                    newlines=newlines(self._content) if is_own else None,
                    is_prose=is_prose(self._parts.language),
                    is_kept=self._is_kept,
                )
        except (ParseTimeout, TimeoutError):
            self._made = SkipReason.PARSE_TIMEOUT

    def finish(self) -> AnalyzedContent | SkipReason:
        """Finds the references, and puts all together."""
        if self._made is None:
            self._made = _finished(self._content, self._opened, self._parts, self._found, is_kept=self._is_kept)
        return self._made


def _in_python(content: bytes, opened: Opened, seconds: float, *, is_kept: bool) -> AnalyzedContent:
    whole = analyze(content, opened, seconds, has_insides=is_kept or bool(opened.others))
    analysis = replace(whole, tokens=outside(whole.tokens))
    unparsed = UNPARSED_PARTS * analysis.unparsed > len(opened.text)
    words = frozenset[str]() if opened.is_part else words_in(content)
    if is_kept:
        references = dump_references(of_file(content, analysis, words))
    else:
        references = dump_places([*stretches(content, analysis)] if words else [])
    return AnalyzedContent(
        language=analysis.language,
        languages=analysis.languages,
        token_count=len(analysis.tokens),
        tokens=encode(whole.tokens, is_compressed=is_kept),
        terms=index_terms(whole.tokens) if is_kept else document_terms(whole.tokens),
        references=references,
        stamp=stamp(
            analysis.language,
            analysis.languages,
            others=opened.others,
            states_license=may_state_license(words),
            unparsed=unparsed,
        ),
    )


class _Parts(NamedTuple):
    language: str  # of the whole content
    names: list[str]  # the language of each part
    left_out: frozenset[str]
    made: list[_kernel.Part]


def _split(native: kernel.Kernel, content: bytes, opened: Opened, seconds: float) -> _Parts:
    language, parts, left_out = split(opened.language, opened.text)
    made = [_part(native, content, opened, *part, seconds=seconds) for part in parts]
    return _Parts(language, [name for _, name in parts], left_out, made)


def _finished(
    content: bytes, opened: Opened, parts: _Parts, found: _kernel.Document, *, is_kept: bool
) -> AnalyzedContent:
    language, names, left_out, _ = parts
    check_count(found.tokens)
    words = words_in(content) if opened.decoded is not None and is_wide(content) else kernel.words_of(found.words)
    places = found.stretches if words and not opened.is_part else ()
    if is_kept:
        texts = (
            (text_of(content, start, end), line, kernel.words_perhaps_of(its_words) & words)
            for start, end, line, its_words in places
        )
        references = dump_references(of_stretches(texts))
    else:
        references = dump_places([place[:3] for place in places])
    in_order = [names[owner] if owner < len(names) else INSIDE for owner in found.owners]
    languages = frozenset({language, *in_order, *left_out} - {INSIDE})
    return AnalyzedContent(
        language=language,
        languages=languages,
        token_count=found.tokens - found.inside,
        tokens=packed(
            found.tokens,
            symbols=found.symbols,
            gaps=found.gaps,
            codes=found.codes,
            planes=found.planes,
            words=found.symbol_words,
            languages=in_order,
            is_compressed=is_kept,
        ),
        terms=PackedTerms(found.terms),
        references=references,
        stamp=stamp(
            language,
            languages,
            states_license=may_state_license(words),
            unparsed=UNPARSED_PARTS * found.unparsed > len(opened.text),
        ),
    )


def _part(
    native: kernel.Kernel, content: bytes, opened: Opened, segment: Segment, name: str, *, seconds: float
) -> _kernel.Part:
    language = LANGUAGES[name]
    place = segment.place(opened.decoded)
    before = b"" if segment.origin is None or not language.grammar else opening(language, segment.text, seconds)
    return (
        native.grammar(language) if language.grammar else None,
        None if segment.text is content and not before else before + segment.text,
        len(before),
        None if place is None else (place.offsets, place.stops),
        language.has_doc_strings,
        not language.grammar,
    )


LONGEST = 40  # if a block has more lines than this, only `NEAR` lines before and behind the changed ones are read
NEAR = 6
_ENDS = (b"}", b")", b"]", b"end", b"</", b"*/")  # how a line begins that closes a block


def around(
    text: bytes, lines: Sequence[tuple[int, int]], units: Iterable[tuple[int, int]] = ()
) -> list[tuple[int, int]]:
    """The byte spans of the blocks around some lines of a text (first and last, from 1; the last one is that before
    `first` where lines were removed), ascending, apart from each other. A block that overlaps one of the `units` (spans
    of bytes) has all of it.
    """
    rows = text.splitlines(keepends=True)
    begins = [0]
    for row in rows:
        begins.append(begins[-1] + len(row))
    depths = [len(row) - len(row.lstrip()) if row.strip() else -1 for row in rows]
    blocks = (_block(rows, depths, first - 1, last) for first, last in lines)
    spans = [(begins[begin], begins[end]) for begin, end in blocks if begin < end]
    spans += [unit for unit in units if any(begin < unit[1] and unit[0] < end for begin, end in spans)]
    return joined_spans(text, sorted(spans))


def _block(rows: Sequence[bytes], depths: Sequence[int], first: int, last: int) -> tuple[int, int]:
    """The longest block around some lines: below a line that is indented less, with what follows the same indent."""
    begin, end = max(first - NEAR, 0), min(last + NEAR, len(rows))
    inner = [depth for depth in depths[first : max(last, first + 1)] if depth >= 0]
    for head in _heads(depths, first, min(inner, default=0)):
        until = last
        while until < len(rows) and (depths[until] < 0 or depths[until] > depths[head]):
            until += 1
            if until - head > LONGEST:
                return begin, end
        if until < len(rows) and depths[until] == depths[head] and rows[until].lstrip().startswith(_ENDS):
            until += 1
        begin, end = min(begin, head), max(end, until)
        while begin and head - begin < NEAR and depths[begin - 1] >= 0:  # decorators, the rest of a signature
            begin -= 1
    return begin, end


def _heads(depths: Sequence[int], at: int, depth: int) -> Iterator[int]:
    """The lines before `at` with a smaller indent than all lines between, the nearest first, at most `LONGEST` away."""
    for number in range(at - 1, max(at - LONGEST, 0) - 1, -1):
        if 0 <= depths[number] < depth:
            depth = depths[number]
            yield number
