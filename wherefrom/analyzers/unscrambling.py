"""Restores the code that javascript-obfuscator has scrambled, with exact positions.

The tool moves strings and names of properties to one list, and replaces each by a call with its number. Code at the
beginning of the script rotates the list until the numbers in some strings have a given sum. No part of a script is run:
the sum is computed here. Everything that the tool added is removed: the list, its rotation, and guards against
formatting and logging.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from wherefrom.analyzers.positions import Mapped
from wherefrom.support.pattern import later

SCRIPTS = frozenset({"javascript", "typescript"})
"""The languages whose snippets may be scrambled scripts."""

MOST_STRINGS = 20_000
"""A list of more strings than this is not rotated."""

MOST_BYTES = 4_000
"""A function of more bytes than this is not recognized as one that the tool added, unless it has the list."""

_SCRAMBLED = later(rb"\b_0x[0-9a-f]{4,6}\b")
_NAME = r"[A-Za-z_$][\w$]*+"
_STRING = r"""'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+\""""
_DECLARE = r"(?:var|let|const)\s+"
_INTEGER = r"0x[0-9a-f]{1,13}|0|[1-9]\d{0,14}"


def _pattern(pattern: str) -> re.Pattern[bytes]:
    """Compiles a pattern. `NAME`, `STRING`, `DECLARE` and `INTEGER` become patterns, and a blank any white space."""
    for word, means in (("NAME", _NAME), ("STRING", _STRING), ("DECLARE", _DECLARE), ("INTEGER", _INTEGER)):
        pattern = pattern.replace(word, f"(?:{means})")
    return later(pattern.replace(" ", r"\s*").encode())


_LIST = _pattern(r"function\s+(NAME)\(\) \{ DECLARE(NAME) = \[")
_ITEM = _pattern(r" (STRING) ([,\]])")
_LIST_END = _pattern(r" ; (NAME) = function \(\) \{ return\s+NAME ;? \} ; return\s+(NAME)\(\) ;? \}")
_LOOKUP = _pattern(r"function\s+(NAME)\( (NAME) , NAME \) \{")
_SHIFT = _pattern(r"(NAME) = \1 - \(? (INTEGER) \)? ;")
_TURN = _pattern(r"\( function \( NAME , NAME \) \{")
_SUM = _pattern(r"try \{ DECLARE(NAME) = ([^;{}]+) ; if \( \1 ===")
_TURN_END = _pattern(r" \)? \( (NAME) , (-?INTEGER) \) \)? [;,]?")
_TERM = _pattern(r" (?:parseInt\( NAME\( (INTEGER) \) \)|(INTEGER)|([-+*/()])) ")
_ALIAS = _pattern(r"(?P<before>, |DECLARE)(?P<new>NAME) = (?P<old>NAME) (?P<after>[,;])")
_CALL = _pattern(r"\b(NAME)\( (?:(INTEGER)|'(INTEGER)') \)")
_LEADING_INTEGER = later(rb"\s*([+-]?\d{1,15})")
"""What JavaScript's `parseInt` reads."""

_GUARD = _pattern(r"DECLARE(NAME) = \( function \(\) \{ DECLARE(NAME) = (?:!!\[\]|true) ; return\s+function \(")
_GUARDED = _pattern(r" \(\) \) [,;] (?:DECLARE)?(NAME) = (NAME)\( this , function \(\) \{")
_GUARD_END = _pattern(r" \) ; (NAME)\(\) ;?")
_BRACE = _pattern(r"STRING|[{}]")

_MEMBER = _pattern(r"\[(?P<open>\(?')(?P<name>NAME)(?P<close>'\)?\])")
_KEY = _pattern(r"(?<=[{,])(?P<open> ')(?P<name>NAME)(?P<close>')(?= [:(])")
_BEFORE_MEMBER = _pattern(r"(?:(?<![\w$.])(?P<word>NAME)|(?P<key>[{};,])|[\w$)\]'\"/]) \Z")
_NO_OBJECTS = frozenset(b"return typeof case in of delete void throw new else do instanceof yield await".split())
_MODIFIERS = frozenset(b"static async get set".split())
_FOLLOWED_BY_KEY = _pattern(r" [(:=]")
_LOOKED_BACK = 80
"""How many bytes before `['name']` are searched for the end of the object. Long white space may be between."""

_PLAIN = _pattern(r"(?P<string>STRING)|(?<![\w$.])(?P<number>0x[0-9a-f]{1,13})\b|(?P<boolean>!!?\[\])")
_ESCAPE = later(rb"\\x([2-7][0-9a-f])")
_KEPT_ESCAPES = frozenset(b"\x22\x27\x5c\x7f")

_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}

Edit = tuple[int, int, bytes]
"""A half-open span of a text, and its replacement."""


def unscrambled(script: Mapped) -> Mapped:
    """The code that a scrambled script was made from. A script that is not scrambled is returned unchanged."""
    if not is_scrambled(script.text):
        return script
    plain = script
    for edits in (_strings, _guards, _members, _keys, _literals):
        plain = plain.edited(edits(plain.text))
    return plain if plain.text.strip() else script


def is_scrambled(text: bytes) -> bool:
    """Whether a text has a name such as `_0x1a2b3c`, which the tool makes."""
    return _SCRAMBLED.search(text) is not None


def _strings(text: bytes) -> Iterator[Edit]:
    """The edits that replace calls by the strings that they look up, and remove the list and the code that uses it.

    Yields nothing if the script has no list that can be read.
    """
    for name, strings, span in _lists(text):
        lookup = _lookup(text, name)
        if lookup is None:
            continue
        function, first, lookup_span = lookup
        turned, turn_span = _turned(text, name, strings, first)
        lookups = _aliases(text, function)
        for start, end in (span, lookup_span, *turn_span):
            yield start, end, b""
        for call in _CALL.finditer(text):
            number = int(call[2] or call[3], 0) - first
            if call[1] in lookups and 0 <= number < len(turned):
                yield (*call.span(), b"'%s'" % turned[number])
        for alias in _ALIAS.finditer(text):
            if alias["old"] not in lookups:
                continue
            start, end = alias.start("new"), alias.end()
            if alias["before"].startswith(b","):
                start, end = alias.start(), alias.start("after")
            elif alias["after"] == b";":
                start = alias.start()
            yield start, end, b""
        return


def _lists(text: bytes) -> Iterator[tuple[bytes, list[bytes], tuple[int, int]]]:
    """The functions that return a list of strings: (name, strings without quotes, span)."""
    for head in _LIST.finditer(text):
        strings = []
        at = head.end()
        while item := _ITEM.match(text, at):
            strings.append(item[1][1:-1])
            at = item.end()
            if item[2] == b"]":
                break
        end = _LIST_END.match(text, at)
        if end and end[1] == end[2] == head[1] and strings:
            yield head[1], strings, (head.start(), end.end())


def _lookup(text: bytes, listed: bytes) -> tuple[bytes, int, tuple[int, int]] | None:
    """The function that looks up strings of the list `listed`: (name, number of the first string, span)."""
    for head in _LOOKUP.finditer(text):
        end = _block_end(text, head.end() - 1)
        if end is None or listed + b"()" not in text[head.end() : end]:
            continue
        shift = _SHIFT.search(text, head.end(), end)
        if shift and shift[1] == head[2]:
            return head[1], int(shift[2], 0), (head.start(), end)
    return None


def _turned(text: bytes, listed: bytes, strings: list[bytes], first: int) -> tuple[list[bytes], list[tuple[int, int]]]:
    """The strings of a list after its rotation, and the span of the code that rotates it, if there is such code."""
    for head in _TURN.finditer(text):
        end = _block_end(text, head.end() - 1)
        last = None if end is None else _TURN_END.match(text, end)
        if end is None or last is None or last[1] != listed:
            continue
        wanted, summed = int(last[2], 0), _SUM.search(text, head.end(), end)
        total = _parsed(summed[2]) if summed and len(strings) <= MOST_STRINGS else None
        integers = [int(found[1]) if (found := _LEADING_INTEGER.match(string)) else None for string in strings]
        with suppress(RecursionError):
            turns = (turn for turn in range(len(strings)) if total and _sum(total, integers, turn - first) == wanted)
            turn = next(turns, 0)
            strings = strings[turn:] + strings[:turn]
        return strings, [(head.start(), last.end())]
    return strings, []


def _parsed(text: bytes) -> ast.expr | None:
    """Parses a sum; None if the text is not one. `_7` is the number in string 7 of the list."""
    terms = [*_TERM.finditer(text)]
    if b"".join(term[0] for term in terms) != text:
        return None
    written = (b"_%d" % int(term[1], 0) if term[1] else term[2] or term[3] for term in terms)
    try:
        return ast.parse(b" ".join(written), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        return None


def _sum(term: ast.expr, integers: Sequence[int | None], shift: int) -> float:
    """The value of a sum; NaN if it has no value. `integers` has the number in each string of the list; `shift` is
    added to the positions of strings.
    """
    match term:
        case ast.Constant(int(number)):
            return float(number)
        case ast.Name(name):
            found = integers[(int(name[1:]) + shift) % len(integers)]
            return math.nan if found is None else float(found)
        case ast.UnaryOp(ast.USub() | ast.UAdd() as sign, operand):
            value = _sum(operand, integers, shift)
            return -value if isinstance(sign, ast.USub) else value
        case ast.BinOp(left, sign, right) if type(sign) in _OPERATORS:
            with suppress(ZeroDivisionError):
                return _OPERATORS[type(sign)](_sum(left, integers, shift), _sum(right, integers, shift))
    return math.nan


def _aliases(text: bytes, function: bytes) -> frozenset[bytes]:
    """The name of a function and all names that it is assigned to."""
    names_of: defaultdict[bytes, set[bytes]] = defaultdict(set)
    for alias in _ALIAS.finditer(text):
        names_of[alias["old"]].add(alias["new"])
    found, fresh = {function}, [function]
    while fresh:
        new = names_of[fresh.pop()] - found
        found |= new
        fresh += new
    return frozenset(found)


def _guards(text: bytes) -> Iterator[Edit]:
    """The edits that remove the guards against formatting and logging."""
    for head in _GUARD.finditer(text):
        end = _block_end(text, text.index(b"{", head.start()))
        guarded = None if end is None else _GUARDED.match(text, end)
        if guarded is None or guarded[2] != head[1]:
            continue
        end = _block_end(text, guarded.end() - 1)
        last = None if end is None else _GUARD_END.match(text, end)
        if last is not None and last[1] == guarded[1]:
            yield head.start(), last.end(), b""


def _block_end(text: bytes, start: int) -> int | None:
    """The end of the block that a brace opens at `start`, or None if it is more than `MOST_BYTES` away."""
    depth = 0
    for brace in _BRACE.finditer(text, start, start + MOST_BYTES):
        depth += {b"{": 1, b"}": -1}.get(brace[0], 0)
        if not depth:
            return brace.end()
    return None


def _members(text: bytes) -> Iterator[Edit]:
    """The edits that write `a['b']` as `a.b`, and a method `['b']() {}` as `b() {}`."""
    for member in _MEMBER.finditer(text):
        start = member.start()
        before = _BEFORE_MEMBER.search(text[max(0, start - _LOOKED_BACK) : start])
        is_before_key = _FOLLOWED_BY_KEY.match(text, member.end()) is not None
        if before is None or before["word"] in _NO_OBJECTS or (before["key"] and not is_before_key):
            continue
        is_key = before["key"] or (before["word"] in _MODIFIERS and is_before_key)
        mark = b"." if not is_key else b" "
        yield start, start + 1, mark
        yield (*member.span("open"), b"")
        yield (*member.span("close"), b"")


def _keys(text: bytes) -> Iterator[Edit]:
    """The edits that write `{'a': b}` as `{a: b}`."""
    for key in _KEY.finditer(text):
        yield (*key.span("open"), b"")
        yield (*key.span("close"), b"")


def _literals(text: bytes) -> Iterator[Edit]:
    """The edits that write `0x10` as `16`, `!![]` as `true`, and unescape the letters in strings."""
    for literal in _PLAIN.finditer(text):
        kind = literal.lastgroup
        if kind == "number":
            yield (*literal.span(), b"%d" % int(literal[0], 0))
        elif kind == "boolean":
            yield (*literal.span(), b"true" if literal[0] == b"!![]" else b"false")
        elif b"\\x" in literal[0]:
            yield (*literal.span(), _ESCAPE.sub(_character, literal[0]))


def _character(escape: re.Match[bytes]) -> bytes:
    code = int(escape[1], 16)
    return b"\\%c" % code if code in _KEPT_ESCAPES else b"%c" % code
