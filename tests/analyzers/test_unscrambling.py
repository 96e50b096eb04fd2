"""Scripts of javascript-obfuscator are read as their original code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.analysis import analyze_file, analyze_snippet
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.positions import Mapped
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.analyzers.unscrambling import MOST_STRINGS, is_scrambled, unscrambled

SCRAMBLED = Path(__file__).with_name("scrambled")
NAMES = b"_0x11aa22 _0x11aa23 _0x11aa24 _0x11aa25;"
"""A name that makes a text count as scrambled."""


def plain(text: bytes) -> bytes:
    """The restored code of a scrambled text, without the line of `NAMES`."""
    return unscrambled(Mapped.identity(NAMES + text)).text.removeprefix(NAMES)


def unscrambled_tokens(content: bytes) -> TokenStream:
    return analyze_snippet(content, language="javascript", reading="unscrambled").tokens


@pytest.mark.parametrize("version", ["default", "loose", "low"])
def test_strings_and_properties_are_where_they_were(version: str) -> None:
    text = unscrambled(Mapped.identity((SCRAMBLED / f"{version}.js").read_bytes())).text
    for written in (
        b"'Shelf of the week: '",
        b".length",
        b"' books'",
        b"this.books.filter(",
        b".published.year",
        b"byAuthor(",
        b"module.exports",
        b"'oldest'",
    ):
        assert written in text, written
    for added in (b"parseInt", b"'push'", b"(0x", b"!![]", b"while", b"this['"):
        assert added not in text, added


@pytest.mark.parametrize("version", ["default", "loose", "low"])
def test_nearly_all_names_and_literals_of_the_program_are_in_its_tokens(version: str) -> None:
    """The tokens that the tool does not rename: properties, globals and literals."""
    original = analyze_snippet((SCRAMBLED / "shelf.js").read_bytes(), language="javascript").tokens
    scrambled = unscrambled_tokens((SCRAMBLED / f"{version}.js").read_bytes())
    kept = (b"books", b"filter", b"author", b"slice", b"sort", b"length", b"console", b"log", b"Math", b"floor", b"2")
    named = analyze_snippet(b" ".join(kept), language="javascript").tokens
    assert np.isin(named.codes, original.codes).all()
    assert np.isin(named.codes, scrambled.codes).all()
    assert len(scrambled) < 1.1 * len(original)


@pytest.mark.parametrize("version", ["default", "loose", "low"])
def test_tokens_are_at_their_place_in_the_scrambled_file(version: str) -> None:
    path = SCRAMBLED / f"{version}.js"
    content = path.read_bytes()
    stream = unscrambled_tokens(content)
    assert (stream.starts[1:] >= stream.ends[:-1]).all()
    assert (stream.ends > stream.starts).all()
    spans = zip(stream.starts.tolist(), stream.ends.tolist(), stream.classes.tolist(), strict=True)
    pieces = [(content[start:end], kind) for start, end, kind in spans]
    assert (b"class", TokenClass.SYMBOL) in pieces
    assert any(b"0x" in piece and piece.endswith(b")") for piece, kind in pieces if kind == TokenClass.NAME)


def test_a_file_is_indexed_as_it_is() -> None:
    content = (SCRAMBLED / "loose.js").read_bytes()
    indexed = analyze_file("loose.js", content)
    assert isinstance(indexed, Analysis)
    assert (indexed.tokens.codes == analyze_snippet(content, language="javascript").tokens.codes).all()
    assert len(indexed.tokens) > len(unscrambled_tokens(content))


def test_a_script_that_is_not_scrambled_is_read_as_it_is() -> None:
    script = Mapped.identity((SCRAMBLED / "shelf.js").read_bytes() + b"a['b'] = 0x10;")
    assert not is_scrambled(script.text)
    assert unscrambled(script) is script


@pytest.mark.parametrize(
    ("scrambled", "expected"),
    [
        (b"a['b']['c_d'](0x1f)", b"a.b.c_d(31)"),
        (b"f()['g']", b"f().g"),
        (b"/x/['test'](y)", b"/x/.test(y)"),
        (b"new a[('B')](c)", b"new a.B(c)"),
        (b"a['b c']", b"a['b c']"),
        (b"return['a']", b"return['a']"),
        (b"x=['a']", b"x=['a']"),
        (b"f(['a'])", b"f(['a'])"),
        (b"x={'a':0x0,'b':!![]}", b"x={a:0,b:true}"),
        (b"x?'a':'b'", b"x?'a':'b'"),
        (b"class A{['b'](){}static['c'](){}}", b"class A{ b(){}static c(){}}"),
        (b"'it\\x27s\\x20\\x220x10\\x22'", b"'it\\'s \\\"0x10\\\"'"),
        (b"![]", b"false"),
    ],
)
def test_what_the_tool_writes_otherwise(scrambled: bytes, expected: bytes) -> None:
    assert plain(scrambled) == expected


LIST = b"function _0x1(){var _0x2=[%s];_0x1=function(){return _0x2;};return _0x1();}"
LOOKUP = b"function _0x3(_0x4,_0x5){_0x4=_0x4-0x64;var _0x6=_0x1();var _0x7=_0x6[_0x4];return _0x7;}"
TURN = (
    b"(function(_0x8,_0x9){var _0xa=_0x3,_0xb=_0x8();while(!![]){try{var _0xc=%s;if(_0xc===_0x9)break;else "
    b"_0xb['push'](_0xb['shift']());}catch(_0xd){_0xb['push'](_0xb['shift']());}}}(_0x1,%d));"
)


def test_a_list_is_turned_until_its_sum_is_right() -> None:
    added = LIST % b"'c','d','6ab','a','4x','b'" + LOOKUP
    turn = TURN % (b"-parseInt(_0xa(0x64))/0x2*(parseInt(_0xa(0x66))/0x1)+0x1", -11)
    assert plain(added + turn + b"f(_0x3(0x65),_0x3(0x67),_0x3(0x69));") == b"f('a','b','d');"


@pytest.mark.parametrize(
    "summed",
    [
        b"parseInt(_0xa(0x64))/0x0",
        b"((((",
        b"+",
        b"0x1 0x2",
        b"parseInt(_0xa(0x64))*",
        b"process.exit()",
        b")(",
        b"9**9**9",
        b"-" * 1000 + b"parseInt(_0xa(0x64))",
        b"*0x1ffffffffffff".join([b"0x1ffffffffffff"] * 100),
    ],
)
def test_a_sum_that_cannot_be_worked_out_leaves_the_list_as_it_is(summed: bytes) -> None:
    text = LIST % b"'c','d','6ab'" + LOOKUP + TURN % (summed, 5) + b"f(_0x3(0x64));"
    assert plain(text) == b"f('c');"


@pytest.mark.parametrize("octal", [b"00", b"010", b"'0144'"])
def test_an_octal_number_is_left_as_it_is(octal: bytes) -> None:
    """The tool never writes such a list."""
    assert plain(LIST % b"'c','d'" + LOOKUP + b"f(_0x3(%s),_0x3(0x64));" % octal) == b"f(_0x3(%s),'c');" % octal
    assert plain(LIST % b"'c'" + LOOKUP.replace(b"0x64", b"00") + b"f();").endswith(b"f();")
    assert plain(LIST % b"'6ab','c'" + LOOKUP + TURN % (b"parseInt(_0xa(%s))" % octal, 6) + b"f();") == b"f();"


def test_a_long_list_is_not_turned() -> None:
    """The sum may have to be computed once for each string."""
    strings = b",".join([b"'1'"] * MOST_STRINGS + [b"'2'"])
    turn = TURN % (b"parseInt(_0xa(0x64))/0x1", 2)
    assert plain(LIST % strings + LOOKUP + turn + b"f(_0x3(0x64));") == b"f('1');"


@given(
    st.lists(
        st.sampled_from(
            [NAMES, LIST % b"'a'", LOOKUP, TURN % (b"0x1", 1), b"_0x3(0x64)", b"['a']", b"{'a':", b"\\x27", b"'", b"\n"]
        ).flatmap(lambda piece: st.integers(0, len(piece)).map(lambda end: piece[:end]))
    )
)
def test_any_text_keeps_its_positions(pieces: list[bytes]) -> None:
    content = NAMES + b"".join(pieces)
    made = unscrambled(Mapped.identity(content))
    assert len(made.offsets) == len(made.text) + 1
    assert (np.diff(made.offsets) >= 0).all()
    assert (made.stops > made.offsets[:-1]).all()
    assert made.offsets[-1] == len(content)
