"""Takes code out of HTML, Markdown, quoted mail, and the prose around it, and undoes what copying did to it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.containers import fences
from wherefrom.analyzers.guessing import guess_snippet, is_prose
from wherefrom.fitted import INDENTED_CODE, LEAST_CODE, NUMBERED, NUMBERED_LINES, OUTPUT, SENTENCE
from wherefrom.languages import LANGUAGES, find
from wherefrom.support.pattern import later
from wherefrom.support.positions import Mapped, decode, utf8_lengths
from wherefrom.support.values import dataclass, replace

if TYPE_CHECKING:
    from wherefrom.support.html_code import HtmlBlock


_VERSION = later(r"[-.]?v?[0-9][0-9.x-]*$")

_BY_TAG = {tag: language.name for language in LANGUAGES.values() for tag in language.tags}
"""For each tag that names no language, such as `jquery`, the language that usually goes with the tag."""


def labelled(labels: Iterable[str]) -> str | None:
    """The language that the first known label names, such as `python` for `python-3.x`; None if no label is known.

    A label that names a language is preferred to a tag that only goes with a language (`jquery`), in any order.
    """
    given = [label.strip().lower() for label in labels]
    for label in given:
        language = find(label) or find(_VERSION.sub("", label))
        if language is not None:
            return language.name
    return next((_BY_TAG[name] for label in given if (name := _VERSION.sub("", label)) in _BY_TAG), None)


Around: TypeAlias = Literal["prose", "page", "blanks", "never"]
"""What may be around code that is unwrapped. `prose` allows prose. `page` also allows the head of a page around blocks
of HTML. `blanks` allows only white space. With `never`, nothing is unwrapped.
"""


MOST_BLOCKS = 200  # a text with more blocks is probably a document, and not unwrapped: each block would cost a parse
DEEPEST_QUOTING = 10  # at most this many levels of quoting are undone
_HTML = later(rb"<(?:pre|code)\b", re.IGNORECASE)
_POST = later(
    "a|abbr|article|aside|b|blockquote|br|button|caption|cite|col|colgroup|dd|del|details|div|dl|dt|em|figcaption|figure|"
    "h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|path|picture|q|s|samp|section|small|span|strike|strong|sub|summary|sup|svg|"
    "table|tbody|td|tfoot|th|thead|tr|tt|u|ul|use|var|wbr"
)
"""Elements of a post around its code. A text with other elements is a page, a template or a program."""
_PAGE = later("!|html|head|title|meta|link|body|header|footer|main|nav|article")
"""Elements around a post in a saved page."""
_NUMBERS = later(r"[\s\d]*")

_BUTTON = later(rb"(?:copy(?: code| to clipboard)?|copied!?|edit|run|wrap|expand|collapse)[ \t]*\n?", re.IGNORECASE)
_COPY = later(rb"cop(?:y|ied)", re.IGNORECASE)

_LABELLED_FENCE = later(rb"^[ \t]*(?:`{3,}|~{3,})[ \t]*\w", re.MULTILINE)
_QUOTE = later(rb"[ \t]{0,3}> ?")
_INDENTED = later(rb"\A(?: {4}|\t)")
_WORD = later(rb"(?<!\S)[^\W\d_]+(?=[\s,.;:!?)]|$)|[\x80-\xff]+")
_FIRST_PROMPTS = [prompt.first for language in LANGUAGES.values() for prompt in language.prompts]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of code without its wrapping."""

    mapped: Mapped  # the text, with the positions of its bytes in the snippet as the user gave it
    language: str | None = None  # the language that the wrapping or a prompt names, or None
    # true if the entities of HTML are already undone, so that any entity in the text is code
    is_unescaped: bool = False
    is_unwrapped: bool = False  # true if something around the code was removed


class SnippetLine(NamedTuple):
    """A line, including its line feed, and its half-open span in the text."""

    begin: int
    end: int
    text: bytes

    @property
    def is_blank(self) -> bool:
        """True if the line has only white space."""
        return not self.text.strip()


def unwrap(mapped: Mapped, around: Around = "prose") -> list[Block]:
    """The blocks of code in a text, in order. A text that is not wrapped is one block.

    The shape of the whole text decides. A program with a fence or a `<pre>` in a comment or literal stays as it is, and
    so does a page or template that has them between other tags. Lines must end with a line feed alone.
    """
    if around == "never":
        return [Block(mapped)]
    copied, language = _without_button(mapped) or (mapped, None)
    unquoted = _without_quoting(copied, around)
    for take in (_from_html, _from_fences, _from_indentation):
        if blocks := take(unquoted, around):
            return [replace(block, is_unwrapped=True) for block in blocks]
    return [Block(unquoted, language, is_unwrapped=unquoted is not mapped)]


def _without_button(mapped: Mapped) -> tuple[Mapped, str | None] | None:
    """The text after the words of a "copy" button, and the language named before the button; None without a button."""
    language: str | None = None
    has_named = has_button = False
    for line in lines_of(mapped.text):
        if line.is_blank and not has_button:
            continue
        if _BUTTON.fullmatch(line.text):
            has_button = has_button or _COPY.match(line.text) is not None
        elif not has_named and not has_button and find(line.text.decode().strip()) is not None:
            language, has_named = _language([line.text.decode()]), True
        else:
            return (mapped.cut(line.begin, len(mapped.text)), language) if has_button else None
    return None


def _without_quoting(mapped: Mapped, around: Around) -> Mapped:
    """Keeps the lines that begin with `>`, as in mails, without the `>`. Other texts are returned unchanged."""
    for _ in range(DEEPEST_QUOTING):
        lines = [line for line in lines_of(mapped.text) if not line.is_blank]
        matches = [_QUOTE.match(line.text) for line in lines]
        quoted = [(line, match) for line, match in zip(lines, matches, strict=True) if match]
        if len(quoted) < 2 or any(prompt.match(line.text) for line, _ in quoted for prompt in _FIRST_PROMPTS):
            break
        rest = b"".join(line.text for line, match in zip(lines, matches, strict=True) if not match)
        if not _is_around(rest.decode(), around, sum(len(line.text) for line, _ in quoted), LEAST_CODE):
            break
        mapped = mapped.keep((line.begin + match.end(), line.end) for line, match in quoted)
    return mapped


def _from_html(mapped: Mapped, around: Around) -> list[Block]:
    if not _HTML.search(mapped.text):
        return []
    from wherefrom.support.html_code import read_html  # noqa: PLC0415 -- its parser takes long to load, and few texts need it

    text = mapped.text.decode()
    html = read_html(text, is_located=True)
    inline = [block for block in html.blocks if block.is_inline and block.text.strip()]
    blocks = [block for block in html.blocks if not block.is_inline and block.text.strip()]
    blocks = [block for block in blocks if not _NUMBERS.fullmatch(block.text)] or blocks
    outside = html.outside
    if not blocks and not outside.strip():
        blocks = inline
    elif around == "blanks":
        outside += "".join(block.text for block in inline)
    if not 0 < len(blocks) <= MOST_BLOCKS:
        return []
    code = sum(len(block.text) for block in blocks)
    is_page = around == "page"
    is_post = all(_POST.fullmatch(tag) or (is_page and _PAGE.fullmatch(tag)) for tag in html.tags)
    if (
        not is_post
        or html.markup > code + len(outside)
        or not _is_around(outside, "prose" if is_page else around, code, LEAST_CODE)
    ):
        return []
    positions = np.append(0, np.cumsum(utf8_lengths(np.frombuffer(text.encode("utf-32-le"), "<u4"))))
    return [
        Block(_mapped(block, positions).after(mapped), _language(block.labels), is_unescaped=True) for block in blocks
    ]


def _from_fences(mapped: Mapped, around: Around) -> list[Block]:
    found = [fence for fence in fences(mapped.text) if mapped.text[fence.begin : fence.end].strip()]
    if not 0 < len(found) <= MOST_BLOCKS or begins_in_fence(mapped.text):
        return []
    begins = [0, *(fence.outer_end for fence in found)]
    ends = [*(fence.outer_begin for fence in found), len(mapped.text)]
    outside = b"".join(mapped.text[begin:end] for begin, end in zip(begins, ends, strict=True))
    code = sum(fence.end - fence.begin for fence in found)
    # A text that begins with a fence is not a program, whatever follows.
    is_first = around == "prose" and not mapped.text[: found[0].outer_begin].strip()
    if not is_first and not _is_around(outside.decode(), around, code, LEAST_CODE):
        return []
    return [
        Block(_dedented(mapped.cut(fence.begin, fence.end), fence.indent), _language([fence.label])) for fence in found
    ]


def begins_in_fence(text: bytes) -> bool:
    """Whether a text is a piece of Markdown that begins inside a fence, so that its first mark closes the fence.

    This is so if the text after that mark is prose, or contains the opening mark of a fence with a label.
    """
    first = next(fences(text), None)
    if first is None or first.label:
        return False
    inside = text[first.begin : first.end]
    return _LABELLED_FENCE.search(inside) is not None or (
        bool(inside.strip()) and is_prose(inside.decode(errors="replace"))
    )


def _dedented(mapped: Mapped, indent: int) -> Mapped:
    if not indent:
        return mapped
    lines = lines_of(mapped.text)
    return mapped.keep(
        (line.begin + min(indent, len(line.text) - len(line.text.lstrip(b" \t"))), line.end) for line in lines
    )


def _from_indentation(mapped: Mapped, around: Around) -> list[Block]:
    """The blocks of code that are marked by indentation in Markdown. Indented prose is not code."""
    if around != "prose":
        return []
    lines = lines_of(mapped.text)
    blocks: list[list[tuple[int, int]]] = []
    outside: list[bytes] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and (lines[end].is_blank or _INDENTED.match(lines[end].text)):
            end += 1
        inside = lines[at:end]
        is_apart = at == 0 or lines[at].is_blank
        text = "".join(line.text.decode() for line in inside)
        if is_apart and text.strip() and not is_prose(text):
            blocks.append([(line.end - len(_INDENTED.sub(b"", line.text, count=1)), line.end) for line in inside])
        else:
            outside += (line.text for line in inside)
        if end < len(lines):
            outside.append(lines[end].text)
        at = end + 1
    code = sum(end - begin for block in blocks for begin, end in block)
    if len(blocks) > MOST_BLOCKS or not _are_sentences(outside):
        return []
    if not _is_around(b"".join(outside).decode(), around, code, INDENTED_CODE):
        return []
    return [Block(mapped.keep(block)) for block in blocks]


def _are_sentences(lines: Iterable[bytes]) -> bool:
    """Whether at least half of the lines that are not blank have as many words as a sentence; false without such lines.

    The lines of a program that are not indented have fewer words.
    """
    counts = [len(_WORD.findall(line)) for line in lines if line.strip()]
    return 0 < len(counts) <= 2 * sum(count >= SENTENCE for count in counts)


def _is_around(outside: str, around: Around, code: int, least: float) -> bool:
    """Whether a text may be around `code` characters of code. Code must be at least the share `least` of all."""
    visible = len("".join(outside.split()))
    if not visible:
        return code > 0
    return around == "prose" and code >= least * (code + visible) and is_prose(outside)


def _language(labels: Iterable[str]) -> str | None:
    """The language that labels name, or None if it has no grammar or no label is known."""
    name = labelled(labels)
    return name if name is not None and LANGUAGES[name].grammar else None


def _mapped(block: HtmlBlock, positions: NDArray[np.int64]) -> Mapped:
    texts = [piece.text.encode() for piece in block.pieces]
    begins, ends = (positions[[getattr(piece, side) for piece in block.pieces]] for side in ("begin", "end"))
    lengths = np.array([len(text) for text in texts], np.int64)
    # A piece that is as long as its span in the HTML was copied from it. Any other piece comes from a single escape.
    is_same = lengths == ends - begins
    inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    offsets = np.repeat(begins, lengths) + inside * np.repeat(is_same, lengths)
    stops = np.where(np.repeat(is_same, lengths), offsets + 1, np.repeat(ends, lengths))
    return Mapped(b"".join(texts), np.append(offsets, ends[-1:]), stops)


@lru_cache(maxsize=1)  # most steps leave a text as it is; the last one stays in memory
def lines_of(text: bytes) -> tuple[SnippetLine, ...]:
    """Splits a text at its line feeds."""
    lines = [line + b"\n" for line in text.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    begins = accumulate(map(len, lines), initial=0)
    return tuple(
        SnippetLine(begin, begin + len(line), line) for begin, line in zip(begins, lines, strict=False) if line
    )


_SPACES = later(rb"\xc2\xa0|\xe2\x80[\x87\xaf]")  # no-break, figure and narrow no-break space
_INVISIBLE = later(rb"\xe2\x80[\x8b-\x8f]|\xe2\x81\xa0|\xef\xbb\xbf|\xc2\xad")  # zero-width characters, soft hyphen
_DOUBLE_QUOTES = later("“|”|„|‟".encode())
_SINGLE_QUOTES = later("‘|’|‚|‛".encode())

_ENTITY = later(rb"&(?:(lt|gt|amp|quot|apos|nbsp)|#(?:0*(\d{2,7})|[xX]0*([0-9a-fA-F]{2,6})));")
_ENTITIES = {b"lt": b"<", b"gt": b">", b"amp": b"&", b"quot": b'"', b"apos": b"'", b"nbsp": b" "}
_UNESCAPED = later(rb"[<>]|&(?!(?:lt|gt|amp|quot|apos|nbsp|#\d{2,7}|#[xX][0-9a-fA-F]{2,6});)")

_PROMPTS = [(prompt, language) for language in LANGUAGES.values() for prompt in language.prompts]

_HUNK = later(rb"@@+ ((?:-\d+(?:,\d+)? )+)\+\d+(?:,\d+)? @@+")

_LINE_NUMBER = later(rb"[ \t]*(\d{1,7})(?:[:.|)\]]|[ \t]*\xe2\x94\x82)?(?=[ \t\n]|$)[ \t]?")

_DOC_QUOTES = (b'"""', b"'''")


def clean(content: bytes, around: Around = "prose", *, is_prose: bool = False) -> list[Block]:
    """Undoes encodings, odd spaces, wrapping, HTML entities, line numbers, diffs, prompts and smart quotes.

    They are undone in that order, each only if it is clearly there. `around` says what may be around wrapped code (see
    `unwrap`). A document (`is_prose`) keeps the prompts and the output of interactive sessions. Returns the blocks of
    code, at least one, in their order.
    """
    mapped = _without_odd_spaces(decode(content) or Mapped.identity(content))
    return [_cleaned(block, is_prose=is_prose) for block in unwrap(mapped, around)]


def _cleaned(block: Block, *, is_prose: bool) -> Block:
    # Entities such as `&nbsp;` have become odd spaces in a block that is unescaped.
    mapped = _without_odd_spaces(block.mapped) if block.is_unescaped else _without_entities(block.mapped)
    mapped, language = _without_diff(_without_line_numbers(mapped)), block.language
    if not is_prose:
        mapped, language = _without_prompts(mapped, language)
    return replace(block, mapped=_without_smart_quotes(mapped), language=language)


def _without_odd_spaces(mapped: Mapped) -> Mapped:
    return mapped.substitute(_SPACES, lambda _: b" ").substitute(_INVISIBLE, lambda _: b"")


def _without_smart_quotes(mapped: Mapped) -> Mapped:
    """Makes quotes straight if all double, or all single, quotes are typographic: then a word processor wrote them."""
    if b'"' not in mapped.text:
        mapped = mapped.substitute(_DOUBLE_QUOTES, lambda _: b'"')
    if b"'" not in mapped.text:
        mapped = mapped.substitute(_SINGLE_QUOTES, lambda _: b"'")
    return mapped


def _without_entities(mapped: Mapped) -> Mapped:
    """Undoes HTML entities unless the text has a character that escaping would have replaced, such as `<`."""
    if not _ENTITY.search(mapped.text) or _UNESCAPED.search(mapped.text):
        return mapped
    return mapped.substitute(_ENTITY, _entity)


def _entity(match: re.Match[bytes]) -> bytes:
    name, decimal, hexadecimal = match.groups()
    if name:
        return _ENTITIES[name]
    point = int(decimal) if decimal else int(hexadecimal, 16)
    if point == 0xA0:
        return b" "
    return match.group() if point > 0x10FFFF or 0xD800 <= point < 0xE000 else chr(point).encode()


def _without_line_numbers(mapped: Mapped) -> Mapped:
    """Cuts a column of numbers that rise by one on nearly all lines."""
    lines = lines_of(mapped.text)
    matches = [_LINE_NUMBER.match(line) for _, _, line in lines]
    written = sum(1 for _, _, line in lines if line.strip())
    numbers = [int(match[1]) for match in matches if match]
    risen = sum(second == first + 1 for first, second in pairwise(numbers))
    if written < NUMBERED_LINES or len(numbers) < NUMBERED * written or risen < NUMBERED * (len(numbers) - 1):
        return mapped
    return mapped.keep(
        (start + (match.end() if match else 0), end) for (start, end, _), match in zip(lines, matches, strict=True)
    )


def _without_diff(mapped: Mapped) -> Mapped:
    """Keeps the new side of a unified or combined diff, with or without its headers."""
    lines = lines_of(mapped.text)
    has_header = any(_HUNK.match(line) or line.startswith(b"diff --git ") for _, _, line in lines)
    marks = [line[:1] for _, _, line in lines if line.strip()]
    if not has_header and (marks.count(b"+") < 2 or set(marks) - {b"+", b"-", b" "}):
        return mapped
    kept, other = [], []
    in_hunk, parents = not any(_HUNK.match(line) for _, _, line in lines), 1
    for start, end, line in lines:
        if hunk := _HUNK.match(line):
            in_hunk, parents = True, hunk[1].count(b"-")
        elif line.startswith((b"diff --", b"index ")):
            in_hunk = False
        elif in_hunk and not line[:parents].strip(b"+ ") and (parents > 1 or not line.startswith(b"+++ ")):
            kept.append((start + parents, end))
        elif in_hunk and line == b"\n":
            kept.append((start, end))
        elif not line.startswith((b"-", b"+", b"\\")) and line.strip():
            other.append(line)
    return mapped if _is_code(b"".join(other)) else mapped.keep(kept)


def _is_code(other: bytes) -> bool:
    """Whether what a diff or a session has beside its own lines is code. Then it is code with one line of them."""
    return guess_snippet(other) != "text"


def _without_prompts(mapped: Mapped, language: str | None) -> tuple[Mapped, str | None]:
    """Keeps only the lines that somebody typed in an interactive session: those with a prompt, without the prompt. The
    other lines are output. Returns these lines and the language of the prompt.

    Returns the text and `language` unchanged if the first line that is not blank has no prompt, if nearly all of it is
    output that is code, or if a docstring begins or ends in the output: the text is then source code with examples in
    its docstrings.
    """
    lines = lines_of(mapped.text)
    first = next((line for _, _, line in lines if line.strip()), b"")
    for prompt, of_prompt in _PROMPTS:
        if prompt.first.match(first.rstrip(b"\n")):
            matches = [(start, end, prompt.further.match(line.rstrip(b"\n"))) for start, end, line in lines]
            output = b"".join(mapped.text[start:end] for start, end, match in matches if not match)
            is_most = len(output) > OUTPUT * len(mapped.text)
            if any(output.count(quotes) % 2 for quotes in _DOC_QUOTES) or (is_most and _is_code(output)):
                break
            kept = [(start + match.end(), end) for start, end, match in matches if match]
            return mapped.keep(kept), of_prompt.name
    return mapped, language
