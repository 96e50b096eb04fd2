"""Restores the code that javascript-obfuscator has scrambled, with exact positions.

The tool moves strings and names of properties to one list, and replaces each by a call with its number. Code at the
beginning of the script rotates the list until the numbers in some strings have a given sum. No part of a script is run:
the sum is computed here. Everything that the tool added is removed: the list, its rotation, and guards against
formatting and logging.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Sequence

from wherefrom.analyzers.positions import Mapped

SCRIPTS = frozenset({"javascript", "typescript"})
"""The languages whose snippets may be scrambled scripts."""

MOST_STRINGS = 20_000
"""A list of more strings than this is not rotated."""

MOST_BYTES = 4_000
"""A function of more bytes than this is not recognized as one that the tool added, unless it has the list."""

_SCRAMBLED = re.compile(rb"\b_0x[0-9a-f]{4,6}\b")
_NAME = r"[A-Za-z_$][\w$]*+"
_STRING = r"""'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+\""""
_DECLARE = r"(?:var|let|const)\s+"
_INTEGER = r"0x[0-9a-f]{1,13}|0|[1-9]\d{0,14}"


def _pattern(pattern: str) -> re.Pattern[bytes]:
    """Compiles a pattern. `NAME`, `STRING`, `DECLARE` and `INTEGER` become patterns, and a blank any white space."""
    for word, means in (("NAME", _NAME), ("STRING", _STRING), ("DECLARE", _DECLARE), ("INTEGER", _INTEGER)):
        pattern = pattern.replace(word, f"(?:{means})")
    return re.compile(pattern.replace(" ", r"\s*").encode())


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
_LEADING_INTEGER = re.compile(rb"\s*([+-]?\d{1,15})")

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
_ESCAPE = re.compile(rb"\\x([2-7][0-9a-f])")
_KEPT_ESCAPES = frozenset(b"\x22\x27\x5c\x7f")

_OPERATORS = {b"+": operator.add, b"-": operator.sub, b"*": operator.mul, b"/": operator.truediv}
_PRECEDENCE = {b"(": 0, b"+": 1, b"-": 1, b"*": 2, b"/": 2, b"negative": 3}

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
        terms = _postfix(summed[2]) if summed else None
        if terms is not None and len(strings) <= MOST_STRINGS:
            integers = [_leading_integer(string) for string in strings]
            for turn in range(len(strings)):
                if _sum(terms, integers, turn - first) == wanted:
                    return strings[turn:] + strings[:turn], [(head.start(), last.end())]
        return strings, [(head.start(), last.end())]
    return strings, []


def _leading_integer(string: bytes) -> int | None:
    """The result of JavaScript's `parseInt`, None for NaN."""
    match = _LEADING_INTEGER.match(string)
    return int(match[1]) if match else None


_Term = tuple[str, int] | bytes
"""("number", value), ("string", number of a string in the list), or an operator."""


def _postfix(text: bytes) -> list[_Term] | None:
    """Converts a sum to postfix notation. Returns None if the text is not a sum."""
    output: list[_Term] = []
    waiting: list[bytes] = []
    is_sign, at = True, 0
    while at < len(text):
        term = _TERM.match(text, at)
        if term is None:
            return None
        at = term.end()
        sign = term[3]
        if sign is None:
            output.append(("string", int(term[1], 0)) if term[1] else ("number", int(term[2], 0)))
            is_sign = False
        elif sign == b"(":
            waiting.append(sign)
            is_sign = True
        elif sign == b")":
            while waiting and waiting[-1] != b"(":
                output.append(waiting.pop())
            if not waiting:
                return None
            waiting.pop()
        elif is_sign:
            waiting += [b"negative"] if sign == b"-" else []
        else:
            while waiting and _PRECEDENCE[waiting[-1]] >= _PRECEDENCE[sign]:
                output.append(waiting.pop())
            waiting.append(sign)
            is_sign = True
    return output + waiting[::-1]


def _sum(terms: Sequence[_Term], integers: Sequence[int | None], shift: int) -> float | None:
    """The value of a sum in postfix notation, or None if a string has no number or the sum is malformed. `integers` has
    the number in each string of the list; `shift` is added to the positions of strings.
    """
    values: list[float] = []
    try:
        for term in terms:
            if isinstance(term, tuple):
                kind, number = term
                value = integers[(number + shift) % len(integers)] if kind == "string" else number
                if value is None:
                    return None
                values.append(float(value))
            elif term == b"negative":
                values.append(-values.pop())
            else:
                right, left = values.pop(), values.pop()
                values.append(_OPERATORS[term](left, right))
    except (IndexError, KeyError, ZeroDivisionError, OverflowError):
        return None
    return values[0] if len(values) == 1 else None


def _aliases(text: bytes, function: bytes) -> frozenset[bytes]:
    """The name of a function and all names that it is assigned to."""
    names_of: dict[bytes, list[bytes]] = {}
    for alias in _ALIAS.finditer(text):
        names_of.setdefault(alias["old"], []).append(alias["new"])
    found, fresh = {function}, [function]
    while fresh:
        for name in names_of.get(fresh.pop(), ()):
            if name not in found:
                found.add(name)
                fresh.append(name)
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
