"""The text of a source in a page: every byte has a position in the text, and every cut has a note."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.reports.pages.shown_text import Edit, ShownText


def utf16(text: str) -> int:
    """The number of UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def part(shown: ShownText, start: int, end: int) -> str:
    """The shown text of these bytes."""
    first, last = shown.offsets([start, end])
    return shown.text.encode("utf-16-le")[2 * first : 2 * last].decode("utf-16-le")


@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_every_character_has_its_place(text: str) -> None:
    source = text.encode()
    shown = ShownText(source)
    ends = [len(text[:at].encode()) for at in range(len(text) + 1)]
    assert "".join(part(shown, start, end) for start, end in pairwise(ends)) == shown.text
    for character, (start, end) in zip(text, pairwise(ends), strict=True):
        if character.isprintable():
            assert part(shown, start, end) == character


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=60))
def test_utf_16_has_the_places_of_its_own_bytes(text: str) -> None:
    source = text.encode("utf-16")
    shown = ShownText(source)
    ends = [2 + len(text[:at].encode("utf-16-le")) for at in range(len(text) + 1)]
    for character, (start, end) in zip(text, pairwise(ends), strict=True):
        if character.isprintable():
            assert part(shown, start, end) == character


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (b"a\r\nb\rc\n", "a\nb␍c\n"),
        (b"\xef\xbb\xbfa", "a"),
        (b"a\xffb", "a�b"),
        (b"\x1b[2J\x07\x7f", "␛[2J␇␡"),
        ("a\u202eb\u2028c".encode(), "a<U+202E>b<U+2028>c"),
        ("\U0001f600 x".encode(), "\U0001f600 x"),
        (b"", ""),
    ],
)
def test_invisible_characters_are_made_visible(source: bytes, text: str) -> None:
    assert ShownText(source).text == text


def test_offsets_outside_are_the_nearest() -> None:
    for source in (b"ab\n", "äb\n".encode()):
        shown = ShownText(source)
        assert shown.offsets([-5, 10**9]) == [0, len(shown.text)]


def test_a_long_line_is_cut_around_its_matches() -> None:
    line = b"a" * 30_000 + b"MATCH" + b"b" * 30_000
    source = b"first\n" + line + b"\nlast\n"
    start = source.index(b"MATCH")
    shown = ShownText(source, [(start, start + 5)])
    assert part(shown, start, start + 5) == "MATCH"
    assert len(shown.text) < 1000
    assert shown.text.count("characters left out⟩") == 2
    assert shown.text.splitlines()[0::2] == ["first", "last"]
    kept = sum(map(len, shown.text.splitlines()[1].replace("⟩", "⟨").split("⟨")[0::2]))
    left_out = sum(int(text.split()[0].replace(",", "")) for text in shown.text.splitlines()[1].split("⟨")[1:])
    assert kept + left_out == len(line)


def test_a_long_file_is_cut_around_its_matches() -> None:
    lines = [b"line %d of a file that is long\n" % number for number in range(10_000)]
    source = b"".join(lines)
    start, end = len(b"".join(lines[:5000])), len(b"".join(lines[:5010]))
    shown = ShownText(source, [(start, end)])
    assert shown.lines == 10_000
    assert shown.segments == [(0, 4970)]
    assert shown.text.splitlines()[0] == "line 4970 of a file that is long"
    assert shown.text.splitlines()[-1] == "line 5039 of a file that is long"
    assert part(shown, start, end) == b"".join(lines[5000:5010]).decode()
    both = ShownText(source, [(0, 5), (start, end)])
    assert both.segments == [(0, 0), (31, 4970)]
    assert both.text.splitlines()[31] == "line 4970 of a file that is long"


def test_a_replacement_moves_the_text_after_it() -> None:
    source = b"by Ada: x = 1"
    shown = ShownText(source, [], lambda text: [Edit(text.index("Ada"), text.index("Ada") + 3, "submission-001")])
    assert shown.text == "by submission-001: x = 1"
    assert part(shown, source.index(b"x"), len(source)) == "x = 1"
