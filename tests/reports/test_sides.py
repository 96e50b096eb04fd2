from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wherefrom.model import Representation
from wherefrom.reports.layout import columns
from wherefrom.reports.sides import Hidden, Piece, Stretch, Text, pieces, rows, stretches
from wherefrom.results import Region, RegionPair


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


def test_what_is_more_than_blanks_in_a_gap_is_no_part_of_a_line_that_matches() -> None:
    source = b"a =  1  # one\n# two\n\n  /* three */ b\n"
    text = Text(source)
    name, number, last = source.index(b"a"), source.index(b"1"), source.index(b"b")
    whole = Region(name, last + 1, 1, 4, ((name + 1, name + 2), (name + 3, number), (number + 1, last)))
    assert [text.spans(line, [whole]) for line in (1, 2, 3, 4)] == [[(0, 6)], [], [], [(14, 15)]]


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
    assert stretches([second, first], 9) == (
        [
            Stretch(((1, 2),), ((11, 12),), (first,)),
            Stretch(((3, 4),), ((13, 19),), ()),
            Stretch(((5, 6),), ((20, 21),), (second,)),
        ],
        0,
    )


def test_regions_that_share_lines_are_one_stretch() -> None:
    first, second = at_lines((1, 2), (11, 12)), at_lines((2, 4), (14, 15))
    assert stretches([first, second], 9) == ([Stretch(((1, 4),), ((11, 15),), (first, second))], 0)


def test_a_line_is_in_the_first_of_the_stretches_that_share_it() -> None:
    first, second = at_lines((1, 2), (11, 12)), at_lines((2, 4), (500, 501))
    shown, _ = stretches([first, second], 9)
    assert shown == [
        Stretch(((1, 2),), ((11, 12),), (first,)),
        Stretch((), ((13, 499),), ()),
        Stretch(((3, 4),), ((500, 501),), (second,), (True, False)),
    ]
    assert rows(shown[-1]) == [(None, 500), (3, 501), (4, None)]


def test_what_is_matched_further_down_is_not_shown_in_between() -> None:
    pairs = [at_lines((1, 2), (11, 12)), at_lines((5, 6), (30, 31)), at_lines((9, 10), (14, 15))]
    shown, _ = stretches(pairs, 9)
    assert [stretch.document for stretch in shown] == [
        ((11, 12),),
        ((13, 13), (16, 29)),
        ((30, 31),),
        (),
        ((14, 15),),
    ]
    assert [document for _, document in rows(shown[1])] == [13, 16, Hidden(11), 28, 29]


def test_a_document_that_goes_back_shows_nothing_in_between() -> None:
    first, second = at_lines((1, 2), (50, 51)), at_lines((5, 6), (3, 4))
    assert stretches([first, second], 9)[0][1] == Stretch(((3, 4),), (), ())


def test_no_regions_no_stretches() -> None:
    assert stretches([], 9) == ([], 0)


def test_the_stretches_beyond_the_most_are_counted() -> None:
    pairs = [at_lines((10 * at, 10 * at + 1), (20 * at, 20 * at + 1)) for at in range(1, 8)]
    shown, more = stretches(pairs, 3)
    assert [stretch.pairs for stretch in shown] == [(pairs[0],), (), (pairs[1],), (), (pairs[2],)]
    assert more == 4


RANGES = st.tuples(st.integers(1, 60), st.integers(0, 12)).map(lambda given: (given[0], sum(given)))


@given(st.lists(st.builds(at_lines, RANGES, RANGES), max_size=12), st.integers(1, 8))
def test_no_line_is_shown_twice(pairs: list[RegionPair], most: int) -> None:
    shown, _ = stretches(pairs, most)
    for side in (0, 1):
        numbers = [row[side] for stretch in shown for row in rows(stretch) if isinstance(row[side], int)]
        assert len(numbers) == len(set(numbers))
    for stretch in shown:
        assert (None, None) not in rows(stretch)


SIDES = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 40)), max_size=4)


@given(SIDES, SIDES, st.booleans())
def test_every_line_is_shown_or_counted(
    query: list[tuple[int, int]], document: list[tuple[int, int]], matched: bool
) -> None:
    sides = []
    for steps in (query, document):
        ranges: list[tuple[int, int]] = []
        for gap, length in steps:
            first = gap + (ranges[-1][1] if ranges else 0)
            ranges.append((first, first + length))
        sides.append(tuple(ranges))
    pairs = (at_lines((1, 1), (1, 1)),) if matched else ()
    shown = rows(Stretch(sides[0], sides[1], pairs))
    for at, side in enumerate(sides):
        cells = [row[at] for row in shown if row[at] is not None]
        numbers = [cell for cell in cells if isinstance(cell, int)]
        hidden = [cell.lines for cell in cells if isinstance(cell, Hidden)]
        if not side:
            assert not cells
        else:
            everything = [number for first, last in side for number in range(first, last + 1)]
            assert len(numbers) + sum(hidden) == len(everything)
            assert (numbers[0], numbers[-1]) == (everything[0], everything[-1])
            assert numbers == sorted(set(numbers) & set(everything))
            assert all(number > 1 for number in hidden)


@pytest.mark.parametrize("first", [1, 10**12])
def test_a_region_of_absurd_length_costs_nothing(first: int) -> None:
    assert len(rows(Stretch(((first, first + 10**12),), (), (at_lines((1, 1), (1, 1)),)))) == 21
