"""Writes the rules of this version as data for the page: requests for the kernel as WebAssembly, and `rules.json`.

`kernel/src/c_border.rs` reads the requests, and `kernel/web/reading.js` the rest.
"""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import groupby
from typing import Any

import numpy as np

from wherefrom.analyzers import containers, content, fragments, guessing, kernel
from wherefrom.compare import native
from wherefrom.fitted import CONTEXTS, CONTROL_SHARE, LETTER, MOST_OF_WORD, MOST_ZEROS, RECENT
from wherefrom.languages import LANGUAGES, Language
from wherefrom.model import TERM_BITS
from wherefrom.options import CompareOptions, Limits
from wherefrom.queries.boilerplate import MOST_KGRAMS
from wherefrom.queries.preparation.background import background, salt_of

_LAST_POINT = 0x10FFFF


def request_of_rules() -> bytes:
    """The request of `kernel_rules`."""
    found = kernel.rules()
    schemes = [_bytes(name.encode()) + _numbers(*sizes) for name, *sizes in found["schemes"]]
    spans, lower = _letters()
    return b"".join(
        (
            _numbers(found["seed"], found["code_bits"]),
            _wide(found["base"]),
            _wides(found["member_marks"]),
            _wide(found["call_mark"]),
            _wide(found["string"]),
            _wide(found["number"]),
            _wides(found["distances"]),
            _list(schemes),
            _list(_numbers(*span) for span in spans),
            _list(_numbers(point) + _bytes(written) for point, written in lower.items()),
            *(_list(_numbers(*pair) for pair in pairs) for pairs in _kinds()),
        )
    )


def request_of_grammar(language: Language) -> bytes:
    """The request of `kernel_grammar` for a language.

    Raises:
        GrammarError: as `grammars.load`.
    """
    actions, classes, texts, codes, keywords, of_strings, of_noise, of_lexer = kernel.tables(language)
    spelling = noise = lexer = None
    if of_strings is not None:
        quotes, *letters, (written, meant) = of_strings
        spelling = _list(b"".join(map(_bytes, quote)) for quote in quotes)
        spelling += b"".join(map(_bytes, (*letters, written, meant)))
    if of_noise is not None:
        anywhere, before_closing, closing, grouping, calls = of_noise
        groups = None if grouping is None else b"".join(map(_wide, grouping))
        noise = _wides(anywhere) + _wides(before_closing) + _wides(closing) + _option(groups) + _wides(calls)
    if of_lexer is not None:
        forms, reserved, strings, before_long, flags = of_lexer
        lexer = _list(_numbers(kind) + _bytes(form) for kind, form in forms) + _list(map(_bytes, sorted(reserved)))
        lexer += _list(_bytes(mark) + _list(map(_bytes, begins)) for mark, begins in strings)
        lexer += _bytes(before_long) + bytes(flags)
    return b"".join(
        (
            _table(actions, len(texts)),
            _table(classes, len(texts)),
            _list(map(_bytes, texts)),
            _wides(codes),
            _list(map(_bytes, sorted(keywords))),
            _option(spelling),
            _option(noise),
            _option(lexer),
        )
    )


def request_of_background() -> bytes:
    """The request of `comparison_begin`: the model of code in general."""
    model = background()
    steps = np.diff(model.grams, prepend=np.uint32(0))
    if steps.max() >= 1 << 16:
        raise ValueError("neighboring n-grams differ by less than 65,536")
    return b"".join(
        (
            _bytes(steps.astype("<u2").tobytes()),
            _bytes(model.costs.tobytes()),
            *(_wides(row.view(np.uint64).tolist()) for row in model.ranks),
            _list(_bytes(name.encode()) + _wide(salt_of(name)) for name in LANGUAGES),
            *(struct.pack("<d", number) for number in (LETTER, MOST_OF_WORD)),
            _list(_numbers(length) for length in CONTEXTS),
            _numbers(RECENT),
        )
    )


def rules() -> dict[str, Any]:
    """What `rules.json` has: the rules by which a page reads and compares files. Bytes are strings of Latin-1."""
    limits = Limits()
    return {
        "languages": {language.name: _language(language) for language in LANGUAGES.values()},
        "schemes": [name for name, *_ in kernel.rules()["schemes"]],
        "limits": {"maxFileSize": limits.max_file_size, "parseSeconds": limits.parse_seconds},
        "skips": {
            "lfs": _text(content.LFS),
            "archiveExtensions": content.ARCHIVE_EXTENSIONS,
            "dataExtensions": content.DATA_EXTENSIONS,
            "generated": _names(content.GENERATED),
            "minified": _names(content.MINIFIED),
            "longestLines": content.LONGEST_LINES,
            "minifiedSize": content.MINIFIED_SIZE,
            "header": content.HEADER_LENGTH,
            "generatedWords": [*map(_text, content.GENERATED_WORDS)],
            "generatedLine": pattern(content.GENERATED_HEADER),
            "control": sorted(content.CONTROL),
            "sample": content.SAMPLE,
            "controlShare": CONTROL_SHARE,
            "mostZeros": MOST_ZEROS,
            "notebook": content.NOTEBOOK,
            "outputs": content.OUTPUTS,
        },
        "guesses": {"shebang": pattern(guessing.SHEBANG), "version": pattern(guessing.VERSION)},
        "containers": {
            "fence": pattern(containers.FENCE),
            "fenceLabel": pattern(containers.FENCE_LABEL),
            "markup": pattern(containers.MARKUP),
            "ends": {_text(tag): pattern(end) for tag, end in containers.ENDS.items()},
            "islands": {_text(mark): language for mark, language in containers.ISLANDS.items()},
            "csharp": pattern(containers.CSHARP),
            "java": pattern(containers.JAVA),
            "ruby": pattern(containers.RUBY),
            "attribute": pattern(containers.ATTRIBUTE),
            "scriptTypes": containers.SCRIPT_TYPES,
            "jsonToken": pattern(containers.JSON_TOKEN),
            "jsonEscape": pattern(containers.JSON_ESCAPE),
            "jsonLetters": {_text(letter): _text(meant) for letter, meant in containers.JSON_LETTERS.items()},
            "magic": pattern(containers.MAGIC),
            "cellMagic": pattern(containers.CELL_MAGIC),
        },
        "compare": {
            "numbers": native.numbers(TERM_BITS),
            "options": {name: getattr(CompareOptions(), name) for name in native.OPTIONS},
            "mostTemplate": MOST_KGRAMS,
        },
        "fragments": {"tag": pattern(fragments.TAG), "code": pattern(fragments.CODE)},
    }


def _language(language: Language) -> dict[str, Any]:
    opening = language.opening
    return {
        "extensions": language.extensions,
        "filenames": language.filenames,
        "interpreters": language.interpreters,
        "aliases": language.aliases,
        "claims": [
            {"ending": claim.ending, "line": pattern(claim.line), "word": pattern(claim.word) if claim.words else None}
            for claim in language.claims
        ],
        "hasGrammar": bool(language.grammar),
        "opening": [_text(opening.mark), _text(opening.text)] if opening else None,
    }


def _letters() -> tuple[list[tuple[int, int]], Mapping[int, bytes]]:
    """The half-open spans of the letters and digits (`insides.page`), and the lower case of those that have another."""
    points = [point for point in range(_LAST_POINT + 1) if chr(point).isalnum()]
    lower = {point: chr(point).lower().encode() for point in points if chr(point).lower() != chr(point)}
    return _spans(points), lower


def _spans(points: Iterable[int]) -> list[tuple[int, int]]:
    """Ascending numbers as half-open spans."""
    runs = [[point for _, point in run] for _, run in groupby(enumerate(points), lambda each: each[1] - each[0])]
    return [(run[0], run[-1] + 1) for run in runs]


@cache
def _kinds() -> list[list[tuple[int, int]]]:
    """Kinds of characters as the C library of this process has them, on which the scanners of native grammars depend:
    the spans of each kind, and the upper case of those that have another.

    Raises:
        RuntimeError: the process has no locale with UTF-8.
    """
    library = ctypes.CDLL(None)
    if not library.iswalpha(ord("é")):
        raise RuntimeError("the C library knows only ASCII letters here; set LC_ALL=C.UTF-8")
    kinds = (library.iswalnum, library.iswalpha, library.iswlower, library.iswspace, library.iswupper)
    points = range(_LAST_POINT + 1)
    upper = ((point, library.towupper(point)) for point in points)
    return [*(_spans(filter(kind, points)) for kind in kinds), [pair for pair in upper if pair[0] != pair[1]]]


def _table(values: bytes, kinds: int) -> bytes:
    """A table by kind id; the kinds of the grammar come first, and the last one is ERROR."""
    others = set(values[kinds:-1])
    if len(others) != 1:
        raise ValueError("the table of a grammar has one value for kinds that the grammar does not have")
    return _bytes(values[:kinds]) + _bytes(bytes((others.pop(), values[-1])))


def _numbers(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)


def _wide(value: int) -> bytes:
    return struct.pack("<Q", value)


def _wides(values: Iterable[int]) -> bytes:
    return _list(map(_wide, values))


def _bytes(value: bytes) -> bytes:
    return _numbers(len(value)) + value


def _list(values: Iterable[bytes]) -> bytes:
    values = [*values]
    return _numbers(len(values)) + b"".join(values)


def _option(value: bytes | None) -> bytes:
    return b"\0" if value is None else b"\1" + value


def _text(value: bytes) -> str:
    return value.decode("latin-1")


def _names(patterns: Iterable[str]) -> str:
    """A regular expression of JavaScript for file names, from patterns of `fnmatch`."""
    forms = []
    for each in patterns:
        if set(each) & set("?[]"):
            raise ValueError(f"the page knows no patterns with ? or []: {each}")
        forms.append("[^]*".join(re.sub(r"[.+()$^|{}\\]", r"\\\g<0>", part) for part in each.split("*")))
    return f"^(?:{'|'.join(forms)})$"


_CLASSES: Mapping[bool, Mapping[str, str]] = {
    False: {"s": r"\t-\r ", "w": r"\w", "d": r"\d"},
    True: {
        "s": r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000",
        "w": r"\p{L}\p{N}_",
        "d": r"\p{Nd}",
    },
}
"""What classes of characters mean in a pattern for bytes, and in one for text."""

_SAME_ESCAPES = frozenset("bntrfv0x")

_FORM = re.compile(
    r"""(?P<class> \[ \^? (?:\\.|[^\]\\])+ \] )
    | (?P<escape> \\. )
    | (?P<group> \(\?P<(?P<name>\w+)> | \(\?> )
    | (?P<quantifier> (?:[*+?]|\{\d+(?:,\d*)?\}) (?P<manner> [+?]? ) )
    | (?P<other> . )""",
    re.VERBOSE | re.DOTALL,
)


def pattern(found: re.Pattern[bytes] | re.Pattern[str]) -> list[str]:
    """The same regular expression for JavaScript: its source and its flags.

    A pattern for bytes is for a string with a character for each byte.
    """
    source = found.pattern if isinstance(found.pattern, str) else _text(found.pattern)
    is_text = isinstance(found.pattern, str)
    made = []
    for form in _FORM.finditer(_plain(source) if found.flags & re.VERBOSE else source):
        whole = form.group()
        match form.lastgroup:
            case "class":
                made.append(re.sub(r"\\(.)", lambda each: _escape(each[1], is_text, is_inside=True), whole))
            case "escape":
                made.append(_escape(whole[1], is_text, is_inside=False))
            case "group" | "name":
                made.append(f"(?<{form['name']}>" if form["name"] else "(?:")
            case "quantifier" | "manner":
                # No match of ours differs if a part may give something back.
                made.append(whole[:-1] if form["manner"] == "+" else whole)
            case _:
                made.append(_other(whole, found.flags))
    flags = ("i" if found.flags & re.IGNORECASE else "") + ("u" if is_text else "")
    return ["".join(made), flags]


def _escape(letter: str, is_text: bool, *, is_inside: bool) -> str:
    if letter.lower() in _CLASSES[is_text]:
        listed = _CLASSES[is_text][letter.lower()]
        if not is_inside:
            return f"[{'^' * letter.isupper()}{listed}]"
        if letter.islower():
            return listed
    elif letter in "AZ":
        return "^" if letter == "A" else "$"
    elif letter in _SAME_ESCAPES or letter in r"^$\.*+?()[]{}|/-":
        return f"\\{letter}" if letter != "-" or is_inside else letter
    elif not letter.isalnum():
        return letter
    raise ValueError(f"the page knows no \\{letter} in a pattern")


def _other(letter: str, flags: int) -> str:
    if letter == ".":
        return "[^]" if flags & re.DOTALL else r"[^\n]"
    if letter == "^":
        return r"(?<![^\n])" if flags & re.MULTILINE else "^"
    if letter == "$":
        return r"(?=\n|$)" if flags & re.MULTILINE else r"(?=\n?$)"
    return "\\/" if letter == "/" else letter


def _plain(verbose: str) -> str:
    """A pattern without the blanks and comments of `re.VERBOSE`."""
    kept = re.compile(r"(\[\^?(?:\\.|[^\]\\])+\]|\\.)|\s+|#[^\n]*", re.DOTALL)
    return kept.sub(lambda each: each[1] or "", verbose)
