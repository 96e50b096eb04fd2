"""Splits a text into the marks by which its language is guessed. No grammar is needed for that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from itertools import pairwise

from wherefrom.support.pattern import later

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
    """The marks of a string: its prefix and quote, with a `c` if it has one character, and how it inserts a value."""
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
