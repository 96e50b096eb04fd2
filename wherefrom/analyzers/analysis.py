"""From bytes to tokens: analyzes files, and snippets that may be incomplete, wrapped in HTML, or obfuscated."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.analyzed import Analysis, Reading
from wherefrom.analyzers.containers import CONTAINERS, Segment, fences, first_mark, segments
from wherefrom.analyzers.content import skip_reason
from wherefrom.analyzers.fragments import read as read_fragment
from wherefrom.analyzers.fragments import read_part
from wherefrom.analyzers.guessing import guess, guess_code, guess_snippet, is_prose_name, rank, read_as, rivals
from wherefrom.analyzers.insides import insides
from wherefrom.analyzers.kernel import characters, read, text_words
from wherefrom.analyzers.noise import is_noise
from wherefrom.analyzers.parsing import Parsed
from wherefrom.analyzers.tokens import INSIDE, TokenStream, joined
from wherefrom.analyzers.wrapping import Around, begins_in_fence, clean
from wherefrom.errors import ParseTimeout
from wherefrom.languages import LANGUAGES, get_installed
from wherefrom.model import SkipReason
from wherefrom.options import Limits
from wherefrom.support.positions import Mapped, decode, newlines
from wherefrom.support.values import dataclass, replace

_SNIPPET_SECONDS = 10.0


def analyze_file(
    path: str,
    content: bytes,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    *,
    is_piece: bool = False,
) -> Analysis | SkipReason:
    """Analyzes a file, or returns the reason why it is skipped. No content causes an error.

    The file name in `path` helps to guess the language and to decide whether the file is skipped. With `is_piece`,
    parts of the file may be missing, at its ends or elsewhere. Raises GrammarError if a grammar that every installation
    has is missing, or one is in a version that is not supported.
    """
    opened = open_file(path, content, limits)
    if isinstance(opened, SkipReason):
        return opened
    try:
        return analyze(content, opened, limits.parse_seconds, is_piece=is_piece)
    except ParseTimeout:
        return SkipReason.PARSE_TIMEOUT


@dataclass(frozen=True, slots=True)
class Opened:
    """The decoded content of a file that is not skipped, and its guessed language."""

    language: str
    text: bytes  # UTF-8, with lines that end with a line feed alone
    decoded: Mapped | None  # maps positions in `text` to positions in the content; None if they are the same
    is_part: bool = False  # whether `text` has only some blocks of the content
    others: tuple[str, ...] = ()  # its other languages, ascending


def open_file(path: str, content: bytes, limits: Limits, *, known: Collection[str] = ()) -> Opened | SkipReason:
    """Decodes a file and guesses its language, or returns the reason why it is skipped; see `analyze_file`. `known` has
    the languages of other names of the content.
    """
    reason = skip_reason(path, content, limits)
    if reason is not None:
        return reason
    decoded = decode(content)
    text = content if decoded is None else decoded.text
    language = guess(path, text)
    if not known:
        return Opened(language, text, decoded)
    *others, language = sorted(read_as(frozenset((language, *known))), key=rank)
    return Opened(language, text, decoded, others=tuple(others))


def analyze(
    content: bytes, opened: Opened, seconds: float, *, is_piece: bool = False, has_insides: bool = False
) -> Analysis:
    """Analyzes a file that `open_file` opened. `seconds` is the limit on parsing each part. With `has_insides`, what is
    inside of long literals and comments is read, too, and the whole text once more in each of its other languages.
    Raises ParseTimeout if parsing a part took longer; GrammarError as `analyze_file`.
    """
    text, decoded = opened.text, opened.decoded
    parts = _parts(opened.language, text, decoded, seconds, is_piece=is_piece, has_insides=has_insides)
    others = [_parts(language, text, decoded, seconds) for language in opened.others if has_insides]
    return _analysis(content, parts.language, [parts], others)


def analyze_snippet(
    content: bytes, *, name: str = "", language: str | None = None, reading: Reading = "likely"
) -> Analysis:
    """Analyzes a snippet, which may be wrapped, escaped or quoted (see `wrapping.clean`). No snippet is skipped.

    A snippet of Markdown or HTML may have several blocks of code. Each block is analyzed in the language of that block.
    The ending of the file name helps to guess the language. If it names a document, such as Markdown, the text around
    code is kept. If no `language` (a name or alias) is given, the label of a fence or the class of an HTML block names
    it, or else it is guessed, by `reading`. Raises LanguageError if no language has that name; GrammarError if its
    grammar is not installed, or as `analyze_file`.
    """
    if language is None and reading in {"prose", "code"}:
        language = guess_code(content) if reading == "code" else "markdown" if any(fences(content)) else "text"
        name = ""
    chosen = get_installed(language).name if language is not None else None
    named = chosen or guess(name, b"")
    is_prose = chosen == "text" or (chosen is None and is_prose_name(name))
    blocks = clean(content, _around(chosen, name), is_prose=is_prose)
    if named in ("markdown", "jupyter") and not blocks[0].is_unwrapped:
        return _analysis(content, named, [_document_parts(decode(content) or Mapped.identity(content), named)])
    known = [chosen or block.language for block in blocks]
    unknown = b"\n".join(block.mapped.text for block, language in zip(blocks, known, strict=True) if language is None)
    guessed = guess_snippet(unknown, "" if blocks[0].is_unwrapped and named in CONTAINERS else name)
    if guessed == "text" and any(fences(unknown)):
        guessed = "markdown"
    languages = [language or guessed for language in known]
    texts = [block.mapped for block in blocks]
    parts = [_block_parts(text, language) for text, language in zip(texts, languages, strict=True)]
    longest = max(parts, key=lambda part: sum(len(parsed.starts) for parsed, _ in part.parsed))
    analysis = _analysis(content, longest.language, parts)
    if None not in known or guess(name, unknown) != "text" or not LANGUAGES[guessed].grammar:
        return analysis
    likely, unlikely = rivals(unknown, guessed)
    return replace(analysis, rivals=likely, unlikely=unlikely)


def _document_parts(mapped: Mapped, language: str) -> _ParsedParts:
    """Parses the parts of a document. If it is a piece of Markdown, it may begin inside a fence."""
    text = mapped.text
    is_inside = language == "markdown" and begins_in_fence(text)
    begins_in = guess_snippet(text[: first_mark(text)]) if is_inside else None
    return _parts(language, text, mapped, _SNIPPET_SECONDS, begins_in)


def _around(chosen: str | None, name: str) -> Around:
    """What may be around the code of a snippet. The language that the user chose decides, or else the file name."""
    if chosen is not None:
        return "never" if chosen in CONTAINERS else "blanks" if chosen == "text" else "prose"
    around: dict[str, Around] = {"jupyter": "never", "html": "page", "markdown": "blanks"}
    return around.get(guess(name, b""), "blanks" if is_prose_name(name) else "prose")


def _block_parts(mapped: Mapped, language: str) -> _ParsedParts:
    """Parses a block of code, which may be incomplete. If parsing takes too long, the block is read as text."""
    try:
        if not LANGUAGES[language].grammar or LANGUAGES[language].is_left_out or language == "html":
            return _document_parts(mapped, language)
        parsed = _moved(read_fragment(LANGUAGES[language], mapped.text, _SNIPPET_SECONDS), mapped)
    except ParseTimeout:
        return _parts("text", mapped.text, mapped, _SNIPPET_SECONDS)
    return _ParsedParts(language, ((parsed, language),))


@dataclass(frozen=True, slots=True)
class _ParsedParts:
    language: str
    parsed: tuple[tuple[Parsed, str], ...]
    left_out: frozenset[str] = frozenset()
    insides: tuple[tuple[Parsed, str], ...] = ()


def _parts(
    language: str,
    text: bytes,
    origin: Mapped | None,
    seconds: float,
    begins_in: str | None = None,
    *,
    is_piece: bool = False,
    has_insides: bool = False,
) -> _ParsedParts:
    """Parses the parts of a text. `origin` maps the text to the content; None if they are equal. For `begins_in` see
    `containers.segments`.
    """
    language, segments, left_out = split(language, text, begins_in)
    parsed, inside = [], []
    for segment, name in segments:
        found, place = _tokens(segment, name, seconds, is_piece=is_piece), segment.place(origin)
        parsed.append((_moved(found, place), name))
        if has_insides and LANGUAGES[name].grammar:
            inside += [(_moved(letters, place), INSIDE) for letters in insides(segment.text, found)]
    return _ParsedParts(language, tuple(parsed), left_out, tuple(inside))


def split(
    language: str, text: bytes, begins_in: str | None = None
) -> tuple[str, list[tuple[Segment, str]], frozenset[str]]:
    """Splits a text into segments (see `containers.segments`). Returns the language that the text is read as; the
    segments, each with the language that it is read as; and the languages whose grammars are not installed.
    """
    found = segments(language, text, begins_in=begins_in)
    left_out = frozenset([segment.language for segment in found if LANGUAGES[segment.language].is_left_out])
    named = [(segment, "text" if segment.language in left_out else segment.language) for segment in found]
    return "text" if language in left_out else language, named, left_out


def _analysis(
    content: bytes, language: str, parts: Sequence[_ParsedParts], others: Sequence[_ParsedParts] = ()
) -> Analysis:
    """`others` has the other readings of the content. They are behind its tokens, like the insides of literals."""
    found = [own for part in parts for own in _without_noise(part)]
    tokens = _stream(content, found)
    again = [[(parsed, INSIDE) for parsed, _ in _without_noise(part)] for part in others]
    for behind in filter(None, (*again, [letters for part in parts for letters in part.insides])):
        tokens = joined(tokens, _stream(content, behind))
    return Analysis(
        language,
        tokens,
        tuple(sorted(comment for parsed, _ in found for comment in parsed.comments)),
        sum(parsed.errors for parsed, _ in found),
        tuple(sorted(frozenset().union(*(part.left_out for part in parts)))),
        unparsed=sum(parsed.unparsed for parsed, _ in found),
    )


def _without_noise(part: _ParsedParts) -> list[tuple[Parsed, str]]:
    return [
        (parsed.only(~is_noise(parsed.codes, parsed.classes, LANGUAGES[name])), name) for parsed, name in part.parsed
    ]


def _tokens(segment: Segment, name: str, seconds: float, *, is_piece: bool) -> Parsed:
    language = LANGUAGES[name]
    if not language.grammar:
        return characters(segment.text)
    if segment.origin is not None:
        return read_part(language, segment.text, seconds)
    return (read_fragment if is_piece else read)(language, segment.text, seconds)


def _moved(parsed: Parsed, place: Mapped | None) -> Parsed:
    if place is None:
        return parsed
    starts, ends = place.spans(parsed.starts, parsed.ends)
    spans = np.array(parsed.comments, np.int64).reshape(-1, 2)
    comments = zip(*(values.tolist() for values in place.spans(*spans.T)), strict=True)
    return replace(parsed, starts=starts, ends=ends, comments=tuple(comments))


def _stream(content: bytes, segments: Sequence[tuple[Parsed, str]]) -> TokenStream:
    parts = [(parsed, name) for parsed, name in segments if len(parsed.starts)]
    lines = newlines(content)
    starts = _joined([part.starts for part, _ in parts], np.int64)
    owners = np.repeat(np.arange(len(parts)), [len(part.starts) for part, _ in parts])
    order = starts.argsort(kind="stable")
    owners, starts = owners[order], starts[order]
    ends = _joined([part.ends for part, _ in parts], np.int64)[order]
    segment_starts = np.flatnonzero(np.diff(owners, prepend=-1))
    stream = TokenStream(
        codes=_joined([part.codes for part, _ in parts], np.uint64)[order],
        classes=_joined([part.classes for part, _ in parts], np.uint8)[order],
        starts=starts,
        ends=ends,
        start_lines=lines.searchsorted(starts) + 1,
        end_lines=lines.searchsorted(ends - 1) + 1,  # not ascending if a token of HTML surrounds a script
        segments=segment_starts,
        languages=tuple(parts[owner][1] for owner in owners[segment_starts].tolist()),
    )
    return replace(stream, words=text_words(content, stream))


def _joined(arrays: list[NDArray[Any]], dtype: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *arrays])
