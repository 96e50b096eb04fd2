from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wherefrom.model import Region, RegionPair, Representation
from wherefrom.reports.sides import Hidden, Piece, Stretch, Text, pieces, rows, stretches
from wherefrom.reports.text import columns


def at_lines(query: tuple[int, int], document: tuple[int, int]) -> RegionPair:
    """Regions of texts that have ten bytes in each line."""
    one, other = (Region((first - 1) * 10, last * 10 - 1, first, last) for first, last in (query, document))
    return RegionPair(one, other, 5, Representation.EXACT)


@st.composite
def line_and_spans(draw: st.DrawFn) -> tuple[bytes, list[tuple[int, int]]]:
    line = draw(st.binary(max_size=80) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")))
    ends = sorted(draw(st.sets(st.integers(0, len(line)), max_size=6)))
    return line, list(zip(ends[::2], ends[1::2], strict=False))


@given(line_and_spans(), st.integers(2, 60))
@example((b"x" * 500 + b"\xe6\xbc\xa2" * 50, [(500, 650)]), 20)
@example((b"\x00\x00\xd6\x91\x00", []), 2)
@example((b"ab\xd6\x91\xd6\x91c", [(2, 6)]), 2)
@example((b"\t\t\x1b[2J\xff", [(0, 3)]), 9)
def test_a_line_fits_and_moves_no_terminal(given_line: tuple[bytes, list[tuple[int, int]]], width: int) -> None:
    shown = pieces(*given_line, width)
    text = "".join(piece.text for piece in shown)
    assert columns(text) <= width
    assert not {unicodedata.category(character) for character in text} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


@given(st.text(alphabet="abc (){}", max_size=60), st.data())
def test_a_line_with_room_is_shown_whole_with_its_matches(line: str, data: st.DataObject) -> None:
    ends = sorted(data.draw(st.sets(st.integers(0, len(line)), max_size=6)))
    spans = list(zip(ends[::2], ends[1::2], strict=False))
    shown = pieces(line.encode(), spans, 60)
    assert "".join(piece.text for piece in shown) == line
    assert [piece.text for piece in shown if piece.matched] == [line[first:last] for first, last in spans]


def test_tabs_go_to_the_next_stop_over_the_border_of_a_match() -> None:
    shown = pieces(b"ab\tc\td", [(1, 4)], 40)
    assert shown == [Piece("a", matched=False), Piece("b  c", matched=True), Piece("   d", matched=False)]


def test_the_match_in_a_long_line_is_seen() -> None:
    shown = pieces(b"x" * 5000 + b"HERE" + b"y" * 5000, [(5000, 5004)], 40)
    assert Piece("HERE", matched=True) in shown
    assert shown[0].text == shown[-1].text == "…"


def test_spans_are_clamped_to_the_line() -> None:
    text = Text(b"0123\r\n6789\nab")
    regions = [Region(2, 8, 1, 2), Region(7, 9, 2, 2), Region(11, 999, 3, 3)]
    assert [text.spans(number, regions) for number in (0, 1, 2, 3, 4)] == [[], [(2, 4)], [(0, 3)], [(0, 2)], []]
    assert [text.line(number) for number in (0, 1, 2, 3, 4)] == [b"", b"0123", b"6789", b"ab", b""]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_text_in_utf_16_is_shown_as_what_it_says(encoding: str) -> None:
    written = "a\u0a0a\r\nb\U0001f600c\nd"
    source = "\ufeff".encode(encoding) + written.encode(encoding)
    text = Text(source)
    assert text.count == 3
    assert [text.line(number) for number in (1, 2, 3)] == ["a\u0a0a".encode(), "b\U0001f600c".encode(), b"d"]
    begin, end = (2 + len(written[: written.index(each)].encode(encoding)) for each in "\U0001f600c")
    assert text.spans(2, [Region(begin, end, 2, 2)]) == [(1, 5)]
    assert text.spans(3, [Region(0, len(source), 1, 3)]) == [(0, 1)]


def test_a_last_line_end_begins_no_line() -> None:
    assert [Text(source).count for source in (b"", b"a", b"a\n", b"a\n\n", b"a\nb")] == [0, 1, 1, 2, 2]


def test_what_lies_between_regions_is_a_stretch_of_its_own() -> None:
    first, second = at_lines((1, 2), (11, 12)), at_lines((5, 6), (20, 21))
    assert stretches([second, first]) == [
        Stretch((1, 2), (11, 12), (first,)),
        Stretch((3, 4), (13, 19), ()),
        Stretch((5, 6), (20, 21), (second,)),
    ]


def test_regions_that_share_lines_are_one_stretch() -> None:
    first, second = at_lines((1, 2), (11, 12)), at_lines((2, 4), (14, 15))
    assert stretches([first, second]) == [Stretch((1, 4), (11, 15), (first, second))]


def test_regions_far_apart_in_the_document_are_not_joined() -> None:
    first, second = at_lines((1, 2), (11, 12)), at_lines((2, 4), (500, 501))
    assert [stretch.pairs for stretch in stretches([first, second])] == [(first,), (), (second,)]


def test_a_document_that_goes_back_shows_nothing_in_between() -> None:
    first, second = at_lines((1, 2), (50, 51)), at_lines((5, 6), (3, 4))
    assert stretches([first, second])[1] == Stretch((3, 4), None, ())


def test_no_regions_no_stretches() -> None:
    assert stretches([]) == []


@given(
    st.tuples(st.integers(1, 50), st.integers(0, 60)),
    st.tuples(st.integers(1, 50), st.integers(0, 60)) | st.none(),
    st.booleans(),
)
def test_every_line_is_shown_or_counted(
    query: tuple[int, int], document: tuple[int, int] | None, matched: bool
) -> None:
    sides = [None if side is None else (side[0], side[0] + side[1]) for side in (query, document)]
    pairs = (at_lines((1, 1), (1, 1)),) if matched else ()
    shown = rows(Stretch(sides[0], sides[1], pairs))
    for at, side in enumerate(sides):
        cells = [row[at] for row in shown if row[at] is not None]
        numbers = [cell for cell in cells if isinstance(cell, int)]
        hidden = [cell.lines for cell in cells if isinstance(cell, Hidden)]
        if side is None:
            assert not cells
        else:
            assert len(numbers) + sum(hidden) == side[1] - side[0] + 1
            assert (numbers[0], numbers[-1]) == side
            assert numbers == sorted(numbers)
            assert all(number > 1 for number in hidden)


@pytest.mark.parametrize("first", [1, 10**12])
def test_a_region_of_absurd_length_costs_nothing(first: int) -> None:
    assert len(rows(Stretch((first, first + 10**12), None, (at_lines((1, 1), (1, 1)),)))) == 21
