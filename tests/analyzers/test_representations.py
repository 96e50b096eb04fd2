"""Representations match a slow implementation of their rules, and renaming changes only what it should."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import MEMBER_MARKS, Token, code_of, is_kept, letters, stream, words
from wherefrom.analyzers import representations
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.hashing import BASE, token_code
from wherefrom.analyzers.representations import NORMALISER_VERSION, kgrams, segment_spans
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.model import OF_TOKENS, Representation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EXACT, RENAMED, P_MATCH, TEXT = (
    Representation.EXACT,
    Representation.RENAMED,
    Representation.P_MATCH,
    Representation.TEXT,
)

NAMES = st.sampled_from([(name, TokenClass.NAME) for name in (b"a", b"b", b"c", b"long_name")])
MARKS = st.sampled_from([(mark, TokenClass.SYMBOL) for mark in (b"=", b"(", b")", b".", b"->", b"::", b"return")])
LITERALS = st.sampled_from(
    [(b'"s"', TokenClass.STRING), (b"'t'", TokenClass.STRING), (b"1", TokenClass.NUMBER), (b"2.5", TokenClass.NUMBER)]
)
CODE = st.lists(st.one_of(NAMES, NAMES, MARKS, LITERALS), max_size=25)
PROSE = st.lists(st.sampled_from(letters("abc01")), max_size=25)
SEGMENTS = st.lists(st.one_of(CODE, PROSE), max_size=3)


def slow_hash(symbols: Sequence[bytes]) -> int:
    k = len(symbols)
    return sum(token_code(symbol) * pow(int(BASE), k - place, 1 << 64) for place, symbol in enumerate(symbols)) % (
        1 << 64
    )


def slow_written(segment: Sequence[Token], begin: int, k: int, representation: Representation) -> list[bytes]:
    """The tokens of one k-gram as they are written in a representation."""
    written: list[bytes] = []
    last: dict[bytes, int] = {}
    for at in range(begin, begin + k):
        symbol, kind = segment[at]
        if representation in {EXACT, TEXT} or kind in {TokenClass.SYMBOL, TokenClass.CHARACTER}:
            written.append(symbol)
        elif kind == TokenClass.STRING:
            written.append(b"\0string")
        elif kind == TokenClass.NUMBER:
            written.append(b"\0number")
        elif representation is RENAMED and is_kept(segment, at):
            written.append(symbol)
        else:
            written.append(b"\0distance %d" % (at - last[symbol]) if symbol in last else b"\0first")
            last[symbol] = at
    return written


def slow_kgrams(segments: Sequence[Sequence[Token]], representation: Representation, k: int) -> list[tuple[int, int]]:
    """(position, hash) of every k-gram."""
    result, offset = [], 0
    for segment in segments:
        is_text = bool(segment) and segment[0][1] == TokenClass.CHARACTER
        if is_text == (representation is TEXT):
            result += [
                (offset + begin, slow_hash(slow_written(segment, begin, k, representation)))
                for begin in range(len(segment) - k + 1)
            ]
        offset += len(segment)
    return result


def hashes(tokens: Sequence[Token], representation: Representation, k: int) -> list[int]:
    return [int(code) for code in kgrams(stream(tokens), representation, k).hashes]


def rename(tokens: Sequence[Token], to: Callable[[bytes], bytes]) -> list[Token]:
    return [(to(symbol) if kind == TokenClass.NAME else symbol, kind) for symbol, kind in tokens]


@pytest.mark.parametrize("representation", Representation)
@given(segments=SEGMENTS, k=st.integers(1, 9))
def test_kgrams_are_those_of_the_rules_read_literally(
    representation: Representation, segments: list[list[Token]], k: int
) -> None:
    grams = kgrams(stream(*segments), representation, k)
    expected = slow_kgrams(segments, representation, k)
    assert list(zip(grams.positions.tolist(), grams.hashes.tolist(), strict=True)) == expected
    assert grams.k == k


@pytest.mark.parametrize("representation", [RENAMED, P_MATCH])
def test_the_longest_kgrams_see_the_longest_distances(representation: Representation) -> None:
    tokens = words("a = b " * 40)
    assert hashes(tokens, representation, 64) == [code for _, code in slow_kgrams([tokens], representation, 64)]


@given(SEGMENTS, st.integers(1, 9), st.sampled_from(OF_TOKENS))
def test_no_kgram_crosses_from_one_segment_to_the_next(
    segments: list[list[Token]], k: int, representation: Representation
) -> None:
    whole = kgrams(stream(*segments), representation, k)
    spans = list(segment_spans(stream(*segments)))
    for (offset, part, _), begin in zip(whole.parts(), whole.bounds, strict=False):
        positions = whole.positions[offset : offset + len(part)]
        assert offset == begin
        assert any(start <= positions[0] and positions[-1] + k <= end for start, end in spans)
        assert np.array_equal(np.diff(positions), np.ones(len(part) - 1))
    assert whole.bounds[-1] == len(whole.hashes)


@pytest.mark.parametrize("representation", Representation)
def test_a_stream_without_tokens_has_no_kgrams(representation: Representation) -> None:
    for empty in (stream(), stream([])):
        grams = kgrams(empty, representation, 4)
        assert len(grams.hashes) == len(grams.positions) == 0
        assert list(grams.parts()) == []


@given(CODE, st.integers(1, 9), st.permutations([b"a", b"b", b"c", b"long_name"]))
def test_renaming_every_name_consistently_never_changes_p_match(
    tokens: list[Token], k: int, names: list[bytes]
) -> None:
    to = dict(zip([b"a", b"b", b"c", b"long_name"], names, strict=True))
    assert hashes(rename(tokens, to.__getitem__), P_MATCH, k) == hashes(tokens, P_MATCH, k)


@given(CODE, st.integers(1, 9))
def test_renaming_names_that_are_neither_called_nor_members_never_changes_renamed(tokens: list[Token], k: int) -> None:
    kept = {tokens[at][0] for at in range(len(tokens)) if is_kept(tokens, at)}
    renamed = rename(tokens, lambda name: name if name in kept else b"new_" + name)
    assert hashes(renamed, RENAMED, k) == hashes(tokens, RENAMED, k)


@given(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=8))
def test_kgrams_agree_exactly_when_the_variables_are_wired_alike(pairs: list[tuple[Token, Token]]) -> None:
    sides = [[token for pair in pairs for token in (pair[side], *words("="))] for side in (0, 1)]
    forth: dict[Token, Token] = {}
    back: dict[Token, Token] = {}
    wired_alike = all(forth.setdefault(one, two) == two and back.setdefault(two, one) == one for one, two in pairs)
    for representation in (RENAMED, P_MATCH):
        one, other = (hashes(side, representation, len(side)) for side in sides)
        assert (one == other) == wired_alike


@pytest.mark.parametrize("mark", sorted(MEMBER_MARKS))
def test_renamed_keeps_the_names_of_members(mark: bytes) -> None:
    def member(name: bytes) -> list[Token]:
        return [(b"x", TokenClass.NAME), (mark, TokenClass.SYMBOL), (name, TokenClass.NAME)]

    assert hashes(member(b"size"), RENAMED, 3) != hashes(member(b"length"), RENAMED, 3)
    assert hashes(member(b"size"), P_MATCH, 3) == hashes(member(b"length"), P_MATCH, 3)


def test_renamed_keeps_the_names_of_calls_and_no_other() -> None:
    assert hashes(words("x = size ( y )"), RENAMED, 6) != hashes(words("x = length ( y )"), RENAMED, 6)
    assert hashes(words("x = size [ y ]"), RENAMED, 6) == hashes(words("x = length [ y ]"), RENAMED, 6)
    assert hashes(words("x = size ( y )"), P_MATCH, 6) == hashes(words("x = length ( y )"), P_MATCH, 6)


def test_a_literal_is_its_class_except_in_exact() -> None:
    one, other, mixed = words('f ( "a" , 1 )'), words('f ( "b" , 2 )'), words('f ( 1 , "a" )')
    for representation in (RENAMED, P_MATCH):
        assert hashes(one, representation, 6) == hashes(other, representation, 6)
        assert hashes(one, representation, 6) != hashes(mixed, representation, 6)
    assert hashes(one, EXACT, 6) != hashes(other, EXACT, 6)


def test_prose_has_kgrams_of_text_alone_and_code_all_others() -> None:
    both = stream(words("a = b"), letters("abc"))
    assert kgrams(both, TEXT, 3).positions.tolist() == [3]
    for representation in (EXACT, RENAMED, P_MATCH):
        assert kgrams(both, representation, 3).positions.tolist() == [0]


@pytest.mark.parametrize(
    ("representation", "k"),
    [(EXACT, 0), (TEXT, -1), (RENAMED, 0), (P_MATCH, -4), (RENAMED, 65), (P_MATCH, 65)],
)
def test_a_k_out_of_range_is_refused(representation: Representation, k: int) -> None:
    with pytest.raises(ValueError, match=f"not {k}"):
        kgrams(stream(words("a = b")), representation, k)


SOURCES = {
    "python": b"""\
def merge(left, right, *, key=None):
    result = []
    while left and right:
        smaller = left if left[0] <= right[0] else right
        result.append(smaller.pop(0))
    log.info("merged %d", len(result) + 1)
    return result + left + right
""",
    "java": b"""\
static int find(int[] items, int wanted) {
    int low = 0, high = items.length - 1;
    while (low <= high) {
        int middle = (low + high) >>> 1;
        if (items[middle] < wanted) low = middle + 1;
        else if (items[middle] > wanted) high = middle - 1;
        else return report(middle, "found", 'x');
    }
    return -1;
}
""",
    "c": b"""\
#define LIMIT 16
static void copy(struct node *to, const struct node *from) {
    for (int at = 0; at < LIMIT && from->items[at]; at++) {
        to->items[at] = from->items[at] ? from->items[at] : 0x10;
        count(&to->size, "one more");
    }
}
""",
    "javascript": b"""\
export const group = (items, by) => {
  const found = new Map();
  for (const item of items) {
    const key = by(item) ?? `none-${item.id}`;
    if (!found.has(key)) { found.set(key, []); }
    found.get(key).push(item);
  }
  return found;
};
""",
}


def real(language: str, code: bytes) -> list[Token]:
    tokens = analyze_snippet(code, language=language).tokens
    spans = zip(tokens.starts.tolist(), tokens.ends.tolist(), tokens.classes.tolist(), strict=True)
    return [(code[start:end], kind) for start, end, kind in spans]


def relaid(language: str, code: bytes, choices: Sequence[int]) -> bytes:
    """The code with more blanks, line breaks and comments where it has some."""
    blanks = [b"", b" ", b"\t ", b"  "] if language == "python" else [b"", b"\t", b" /* a = b(c) */ ", b"  "]
    note = b"  # a = b(c)" if language == "python" else b"// a = b(c)"
    breaks = [b"\n", b"\n\n", note + b"\n", b" \t\n\n" + note + b"\n"]
    tokens = analyze_snippet(code, language=language).tokens
    result, last = b"", 0
    ends = [*tokens.starts.tolist()[1:], len(code)]
    for at, (begin, end) in enumerate(zip(tokens.ends.tolist(), ends, strict=True)):
        gap, choice = code[begin:end], choices[at % len(choices)]
        result += code[last:begin]
        if b"\n" in gap:
            result += gap.replace(b"\n", breaks[choice], 1)
        elif gap:
            result += gap + blanks[choice]
        last = end
    return result


@pytest.mark.parametrize("language", SOURCES)
@given(choices=st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_white_space_and_comments_never_matter(language: str, choices: list[int]) -> None:
    code = SOURCES[language]
    plain = analyze_snippet(code, language=language).tokens
    other = analyze_snippet(relaid(language, code, choices), language=language).tokens
    for representation in (EXACT, RENAMED, P_MATCH):
        assert np.array_equal(kgrams(plain, representation, 8).hashes, kgrams(other, representation, 8).hashes)


def in_other_words(tokens: Sequence[Token], code: bytes, to: Callable[[bytes], bytes]) -> bytes:
    """The code with other names and no other change."""
    result, last = b"", 0
    for symbol, kind in tokens:
        begin = code.index(symbol, last)
        result += code[last:begin] + (to(symbol) if kind == TokenClass.NAME else symbol)
        last = begin + len(symbol)
    return result + code[last:]


@pytest.mark.parametrize("language", SOURCES)
def test_real_code_is_the_same_after_a_consistent_renaming(language: str) -> None:
    code = SOURCES[language]
    tokens = real(language, code)
    kept = {symbol for at, (symbol, _) in enumerate(tokens) if is_kept(tokens, at)}
    free = in_other_words(tokens, code, lambda name: name if name in kept else b"new_" + name)
    every = in_other_words(tokens, code, lambda name: b"new_" + name)
    assert len({code, free, every}) == 3
    for k in (8, 12, 16):
        assert hashes(real(language, free), RENAMED, k) == hashes(tokens, RENAMED, k)
        assert hashes(real(language, every), P_MATCH, k) == hashes(tokens, P_MATCH, k)
    assert hashes(real(language, every), RENAMED, 8) != hashes(tokens, RENAMED, 8)
    assert hashes(real(language, free), EXACT, 8) != hashes(tokens, EXACT, 8)


@pytest.mark.parametrize("language", SOURCES)
def test_the_code_of_a_token_of_real_code_is_that_of_its_bytes(language: str) -> None:
    code = SOURCES[language]
    found = analyze_snippet(code, language=language).tokens
    assert found.codes.tolist() == [code_of(symbol, kind, language) for symbol, kind in real(language, code)]
    between = [code[end:start] for end, start in zip(found.ends.tolist(), found.starts.tolist()[1:], strict=False)]
    assert b"".join(between).translate(None, b"`()").strip() == b""


def test_another_wiring_of_the_variables_is_another_text() -> None:
    one, other = b"a = f(x, y)\nb = g(x, a)\n", b"a = f(x, y)\nb = g(y, a)\n"
    for representation in (RENAMED, P_MATCH):
        assert hashes(real("python", one), representation, 16) != hashes(real("python", other), representation, 16)


def test_a_mark_of_members_that_a_language_adds_needs_a_new_version() -> None:
    known = sorted(token_code(mark) for mark in MEMBER_MARKS)
    assert (NORMALISER_VERSION, sorted(map(int, representations.MEMBER_MARKS))) == (2, known)
