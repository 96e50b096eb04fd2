"""Guesses the language of a file from its name, shebang and content, and of a snippet from its marks."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from wherefrom.fitted import DENSE, DENSE_LINE, DENSE_LINES, LEAD, LEAD_OF_CODE, MARKS_IN_PROSE, PROSE_WORDS
from wherefrom.languages import LANGUAGES, learned
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass

_PIECE = later(
    r"""(?P<line> \n[ \t]* )
    | (?P<directive> (?<=\n)\#[ \t]*(?:include|define|undef|ifdef|ifndef|if|elif|else|endif|pragma|error|region)\b )
    | (?P<comment> /\*(?:[^*]|\*(?!/))*+\*/ | //[^\n]* | (?<![^\s;])\#(?=[\s!\#-])[^\n]* | (?<!\S)--+(?=\s)[^\n]*
        | \(\*(?=[\s*!])(?:[^*]|\*(?!\)))*+\*\) | \{-(?=[\s\#|-])(?:[^-]|-(?!\}))*+-\}
        | <!--(?:[^-]|-(?!->))*+(?:-->)? )
    | (?P<long> (?<!\w)[bBrRuUfF]{0,2}(?:\"{3}|'{3}) )
    | (?P<string> (?<!\w)(?:[bBrRuUfFLcs@$]{1,2}|u8)?\$?"(?:[^"\\\n]|\\.)*+"
        | (?<!\w)(?:[bBrRuUfFL]{1,2})?'(?:[^'\\\n]|\\.)*+'(?!\w) | `[^`\n]*` )
    | (?P<variable> [$@]{1,2}\w+ | (?<![\w:]):[A-Za-z_]\w* | '[a-z]\w*\b(?!') | (?<!\S)--?[A-Za-z][\w-]*
        | [~?][a-z]\w* )
    | (?P<number> \d(?:[eE][+-]?\d|\.\d|\w)* )
    | (?P<word> [^\W\d]\w*[!?']? )
    | (?P<operator> <\?(?:php|=)? | \?> | <!DOCTYPE | </ | /> | >>>=? | <<[<=-]? | \*\*=? | [=!]==? | ===? | [<>]=
        | [-+*/%&|^~.:]= | \.\.[.=<]? | [-=~]> | <[-|>$]>? | :: | && | \|\| | \+\+ | -- | \?[.?:]? | !! | \|> | =~
        | \#[\[{(] | [$@]\{ | \$\( | \\\( | \(\( | \)\) | \[\[ | \]\] | \(\) | \[\] | \{\} | ;; | \#! | \S )
    """,
    re.VERBOSE,
)
_INSERTED = later(r"\$\{|#\{|\\\(|\$\w|\{\$|\{\w*\}|%[sd]|\\[nx]")
_VARIABLES = frozenset(
    ("$this", "$_", "$1", "$self", "$@", "$?", "@Override", "@objc", "@property", "@inline", "@test")
)
_LONGEST_NUMBER = 7


def marks(text: str, known: Container[str]) -> Counter[str]:
    """Counts the marks of a text: its pieces, pairs of neighboring pieces, and the first and last two of each line.

    A piece is a word, an operator, a number or the beginning of a string or comment. Words of comments, and the
    contents of strings and numbers, are left out. Words that are not `known` are replaced by their shape. In a pair,
    `^` is the beginning of a line and `$` its end.
    """
    found: Counter[str] = Counter()
    for line in pieces(text):
        named = [_shape(piece) if _is_word(piece) and piece not in known else piece for piece in line]
        found.update(named)
        found.update(f"{first} {second}" for first, second in pairwise(("^", *named, "$")))
        if len(named) > 1:
            found[f"^ {named[0]} {named[1]}"] += 1
            found[f"{named[-2]} {named[-1]} $"] += 1
    return found


def pieces(text: str) -> list[list[str]]:
    """The pieces of each line (see `marks`), without lines that have none. Words are not replaced by their shape."""
    lines: list[list[str]] = [[]]
    position = 0
    text = "\n" + text
    while match := _PIECE.search(text, position):
        position = match.end()
        kind, found = match.lastgroup, match.group()
        line = lines[-1]
        if kind == "line":
            if line:
                lines.append([])
        elif kind == "string":
            line.extend(_string(found))
        elif kind == "variable":
            line.append(found if found in _VARIABLES else _shape(found))
        elif kind == "number":
            line.append(re.sub(r"\d+", "0", found) if len(found) <= _LONGEST_NUMBER else "0")
        elif kind == "directive":
            line.append("#" + found[1:].strip())
        elif kind == "comment":
            line.append(found[:2].rstrip())
        elif kind == "long":
            line.append(f"{found[:-2]}3")
            end = text.find(found[-3:], position)
            position = end + 3 if end >= 0 else position  # not closed: the snippet may begin or end in a string
        else:
            line.append(found)
    return lines if lines[-1] else lines[:-1]


def words(found: Iterable[str]) -> frozenset[str]:
    """The words in marks."""
    return frozenset(piece for mark in found for piece in mark.split(" ") if _is_word(piece))


def _is_word(piece: str) -> bool:
    return piece[0].isalpha() or piece[0] == "_"


def _string(found: str) -> Iterator[str]:
    quote = found[-1]
    opening = found[: found.index(quote) + 1]
    yield opening + "c" if len(found) == len(opening) + 2 else opening
    inserted = _INSERTED.search(found)
    if inserted:
        yield '"' + re.sub(r"\w+", "x", inserted.group())


def _shape(word: str) -> str:
    """The shape of a word: `x`, `x_x`, `xX`, `Xx`, `X`, `XX` or `_x`, with the signs before and after the word."""
    bare = word.lstrip("$@:'-~?")
    sigil = word[: len(word) - len(bare)]
    end = bare[-1:] if bare.endswith(("!", "?", "'")) else ""
    bare = bare.rstrip("!?'")
    if bare.startswith("_"):
        shape = "_x"
    elif bare.isupper():
        shape = "X" if len(bare) == 1 else "XX"
    elif bare[:1].isupper():
        shape = "Xx"
    else:
        shape = "x_x" if "_" in bare else "x" if bare.islower() else "xX"
    return sigil + shape + end


_BY_EXTENSION = {ending: language.name for language in LANGUAGES.values() for ending in language.extensions}
_BY_FILENAME = {name: language.name for language in LANGUAGES.values() for name in language.filenames}
_BY_INTERPRETER = {name: language.name for language in LANGUAGES.values() for name in language.interpreters}
_CLAIMS = [(language.name, claim) for language in LANGUAGES.values() for claim in language.claims]
_CLAIMED = frozenset(claim.ending for _, claim in _CLAIMS)

SHEBANG = later(rb"#![ \t]*(\S+)([^\n]*)")
VERSION = later(r"[\d.]*(?:\.exe)?$")
_LOOKED_AT = 20_000  # the language of a text is guessed from its beginning, of at most this many bytes or characters
_RIVALS = 2  # at most this many other languages are tried for a snippet, and as many more if the first find nothing

_MARKS_OF_CODE = later(r"[(){}\[\];=<>_$#&|+*\\@^~]")
_PROSE_WORD = later(r"[^\W\d_]{2,}(?=[\s,.;:!?)\"'’”]|$)")

_QUOTED = later(r"https?://\S+|`[^`\n]*`|<[\w.+-]+@[\w.-]+>|\[[^\]\n]*\]\([^)\n]*\)")
"""Parts of prose that are not looked at: URLs, mail addresses, code between backticks, links of Markdown."""

_MARKS_IN_LINES = later(r"[{}\[\];=<>$|&\\^~]|/\*|\*/|\(\)|\w\(|\)\.|\b_|\w_\w")
_LINE_OF_CODE = later(r"\s*(?:\"\"\"|'''|/\*|\*/|#!|#include\b|//|<[?%]|\{[{%])")


def guess(path: str, content: bytes) -> str:
    """The language of a file by its name, else by its shebang, else `text`. A name of prose does not count if there is
    a shebang. If languages share its ending, the content (UTF-8) decides.
    """
    name = path.rpartition("/")[2].lower()
    stem, dot, ending = name.rpartition(".")
    named = _BY_FILENAME.get(name) or (_BY_EXTENSION.get(dot + ending) if stem else None)
    if named is None or not LANGUAGES[named].grammar:
        return _by_shebang(content) or named or "text"
    if dot + ending in _CLAIMED:
        return next((name for name, claim in _CLAIMS if claim.ending == dot + ending and claim.holds(content)), named)
    return named


@lru_cache
def rank(language: str) -> tuple[bool, bool, str]:
    """Of the languages of the names of a content, the one with the greatest rank is that of the content: code comes
    before prose. Between two languages of code the alphabet decides, so that the order of the names does not.
    """
    found = LANGUAGES.get(language)
    return bool(found and found.grammar), language != "text", language


@lru_cache
def read_as(named: frozenset[str]) -> frozenset[str]:
    """The languages for reading a content whose names are of these languages: all those of code, or else the one with
    the greatest rank. A language is left out if the grammar of another one extends its grammar: C++ reads C, and a
    name with the ending `.h` alone proves nothing.
    """
    languages = sorted(named & LANGUAGES.keys(), key=rank)
    code = {name: grammar for name in languages if (grammar := LANGUAGES[name].grammar)}
    return frozenset(code.keys() - {grammar.base for grammar in code.values()} or languages[-1:])


_PROSE = tuple(extension for extension in LANGUAGES["text"].extensions if extension not in (".txt", ".text"))


def guess_snippet(content: bytes, name: str = "") -> str:
    """The language of a piece of code, which need not be a whole file.

    The file name or the shebang line decides if it belongs to a language. The ending `.txt` does not, because people
    keep pasted code in such files. Otherwise the marks in the text decide (`marks`). Prose is `text`. For how
    often this is right see `benchmarks.guessing`. Parsing would not help: most grammars accept nearly anything.

    `content` is UTF-8.
    """
    named = guess(name, content)
    if named != "text" or is_prose_name(name):
        return named
    text = content[:_LOOKED_AT].decode(errors="replace")
    found = _leads(text)
    likeliest = max(found, key=found.__getitem__)
    is_code = text.strip() and found[likeliest] > (LEAD if _is_plain(text) else LEAD_OF_CODE)
    return likeliest if is_code else "text"


def rivals(content: bytes, likeliest: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Other languages that a piece of code (UTF-8) may be in, by its marks. All of them have an installed grammar.
    Returns at most two languages nearly as likely as `likeliest`, and at most two less likely ones; the likelier first.
    """
    found = _leads(content[:_LOOKED_AT].decode(errors="replace"))
    others = (name for name in found if name != likeliest and not LANGUAGES[name].is_left_out)
    behind = {name: found[likeliest] - found[name] for name in others}
    ordered = sorted(behind, key=behind.__getitem__)
    likely = tuple(name for name in ordered[:_RIVALS] if behind[name] < LEAD)
    rest = ordered[len(likely) : len(likely) + _RIVALS]
    return likely, tuple(name for name in rest if behind[name] < 2 * LEAD)


def guess_code(content: bytes) -> str:
    """The likeliest language of code (UTF-8) that may look like prose, such as the text of a comment. Languages whose
    grammar is not installed are left out.
    """
    found = _leads(content[:_LOOKED_AT].decode(errors="replace"))
    return max((name for name in found if not LANGUAGES[name].is_left_out), key=found.__getitem__)


def is_prose_name(name: str) -> bool:
    """Whether the ending of a file name means prose; false for `.txt`, which may be anything."""
    return name.lower().endswith(_PROSE)


@dataclass(frozen=True, slots=True)
class MarkWeights:
    """`rows` has the learned weights of each mark: one weight per language. `known` has every word of every mark."""

    languages: tuple[str, ...]
    rows: Mapping[str, Sequence[int]]
    known: frozenset[str]

    @classmethod
    def of(cls, languages: Iterable[str], rows: Mapping[str, Sequence[int]]) -> MarkWeights:
        """Makes the weights from their rows, and collects the known words from the marks."""
        return cls(tuple(languages), rows, words(rows))

    def scores(self, text: str) -> dict[str, float]:
        """The score of a text for each language: logarithms of odds, multiplied by `learned.SCALE`."""
        total = [0.0] * len(self.languages)
        for mark, count in marks(text, self.known).items():
            row = self.rows.get(mark)
            if row is not None:
                root = math.sqrt(min(count, learned.MOST))
                total = [value + root * weight for value, weight in zip(total, row, strict=True)]
        return dict(zip(self.languages, total, strict=True))


@cache
def _weights() -> MarkWeights:
    return MarkWeights.of(*learned.loads(learned.read()))


def is_prose(text: str) -> bool:
    """Whether a text, however short, contains no code; true for white space.

    By this rule, 94% of the paragraphs in licenses and 90% of the paragraphs in READMEs are prose. So are 8% of all
    pieces of 4 to 10 lines of code, namely comments.
    """
    if not text.strip():
        return True
    unquoted = _QUOTED.sub("", text)
    lines = [line for line in unquoted.splitlines() if line.strip()]
    if any(_LINE_OF_CODE.match(line) for line in lines):
        return False
    dense = sum(_density(line) > DENSE_LINE for line in lines)
    if dense > DENSE_LINES * len(lines) or _density(unquoted) > DENSE:
        return False
    return max(_leads(text).values()) < LEAD


def lead(text: str, language: str) -> float:
    """The logarithm of the odds that a text is code in a language and not prose."""
    return _leads(text)[language]


@lru_cache(4)  # one snippet needs them several times
def _leads(text: str) -> Mapping[str, float]:
    scores = _weights().scores(text[:_LOOKED_AT])
    prose = scores.pop("text")
    return {language: (score - prose) / learned.SCALE for language, score in scores.items()}


def _density(text: str) -> float:
    return len(_MARKS_IN_LINES.findall(text)) / max(len("".join(text.split())), 1)


def _by_shebang(content: bytes) -> str | None:
    match = SHEBANG.match(content[:200])
    if match is None:
        return None
    for word in (match[1], *match[2].split()):
        program = VERSION.sub("", word.decode(errors="replace").rpartition("/")[2].lower())
        if program != "env" and not program.startswith("-") and "=" not in program:
            return _BY_INTERPRETER.get(program)
    return None


def _is_plain(text: str) -> bool:
    """Whether a text looks like prose whatever its words: almost none of its characters are marks of code.

    Licenses have 4 to 19 marks in 1,000 characters, code nearly always more than 20 (benchmarks/notes/clones.md).
    """
    visible = len("".join(text.split()))
    return (
        len(_PROSE_WORD.findall(text)) >= PROSE_WORDS and len(_MARKS_OF_CODE.findall(text)) < MARKS_IN_PROSE * visible
    )
