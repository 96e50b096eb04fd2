from __future__ import annotations

import unicodedata
from collections.abc import Iterable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wherefrom.model import Representation
from wherefrom.reports.layout import columns
from wherefrom.reports.sides import Cell, Hidden, Row, ShownPiece, Stretch, TextLines, pieces, rows, stretches
from wherefrom.results import Region, RegionPair

NUMBERED = TextLines(b"".join(b"line %4d\n" % number for number in range(1, 1001)))

COUNTS = 1000, 1000


def at_lines(query: tuple[int, int], document: tuple[int, int], *facing: tuple[int, int]) -> RegionPair:
    """Regions of texts with ten bytes in each line."""
    one, other = (Region((first - 1) * 10, last * 10 - 1, first, last) for first, last in (query, document))
    return RegionPair(one, other, 5 * (1 + query[1] - query[0]), Representation.EXACT, facing)


def shown(*pairs: RegionPair, context: int = 0, most: int | None = None) -> list[Row]:
    return rows(pairs, (NUMBERED, NUMBERED), context, most)


@st.composite
def line_and_spans(draw: st.DrawFn) -> tuple[bytes, list[tuple[int, int, str]]]:
    line = draw(st.binary(max_size=80) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")))
    ends = sorted(draw(st.sets(st.integers(0, len(line)), max_size=6)))
    return line, [(*span, "x") for span in zip(ends[::2], ends[1::2], strict=False)]


@given(line_and_spans(), st.integers(2, 60))
@example((b"x" * 500 + b"\xe6\xbc\xa2" * 50, [(500, 650, "x")]), 20)
@example((b"\x00\x00\xd6\x91\x00", []), 2)
@example((b"ab\xd6\x91\xd6\x91c", [(2, 6, "x")]), 2)
@example((b"\t\t\x1b[2J\xff", [(0, 3, "x")]), 9)
def test_a_line_fits_and_has_no_control_characters(
    given_line: tuple[bytes, list[tuple[int, int, str]]], width: int
) -> None:
    shown = pieces(*given_line, width)
    text = "".join(piece.text for piece in shown)
    assert columns(text) <= width
    assert not {unicodedata.category(character) for character in text} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


@given(st.text(alphabet="abc (){}", max_size=60), st.data())
def test_a_line_with_room_is_shown_whole_with_its_matches(line: str, data: st.DataObject) -> None:
    ends = sorted(data.draw(st.sets(st.integers(0, len(line)), max_size=6)))
    spans = list(zip(ends[::2], ends[1::2], strict=False))
    shown = pieces(line.encode(), [(*span, "x") for span in spans], 60)
    assert "".join(piece.text for piece in shown) == line
    assert [piece.text for piece in shown if piece.match] == [line[first:last] for first, last in spans]


def test_tabs_go_to_the_next_stop_over_the_border_of_a_match() -> None:
    shown = pieces(b"ab\tc\td", [(1, 4, "x")], 40)
    assert shown == [ShownPiece("a"), ShownPiece("b  c", "x"), ShownPiece("   d")]


def test_the_match_in_a_long_line_is_visible() -> None:
    shown = pieces(b"x" * 5000 + b"HERE" + b"y" * 5000, [(5000, 5004, "x")], 40)
    assert ShownPiece("HERE", "x") in shown
    assert shown[0].text == shown[-1].text == "…"


def test_colors_divide_a_line_within_and_beside_its_matches() -> None:
    shown = pieces(
        b"if total > 12: # so",
        [(3, 13, "x"), (13, 14, "y")],
        40,
        [(0, 2, "keyword"), (11, 13, "number"), (15, 19, "comment")],
    )
    assert shown == [
        ShownPiece("if", "", "keyword"),
        ShownPiece(" "),
        ShownPiece("total > ", "x"),
        ShownPiece("12", "x", "number"),
        ShownPiece(":", "y"),
        ShownPiece(" "),
        ShownPiece("# so", "", "comment"),
    ]


def test_spans_are_clamped_to_the_line() -> None:
    text = TextLines(b"0123\r\n6789\nab")
    regions = [Region(2, 8, 1, 2), Region(7, 9, 2, 2), Region(11, 999, 3, 3)]
    assert [text.spans(number, regions) for number in (0, 1, 2, 3, 4)] == [[], [(2, 4)], [(0, 3)], [(0, 2)], []]
    assert [text.line(number) for number in (0, 1, 2, 3, 4)] == [b"", b"0123", b"6789", b"ab", b""]


def test_a_gap_with_more_than_blanks_does_not_match() -> None:
    source = b"a =  1  # one\n# two\n\n  /* three */ b\n"
    text = TextLines(source)
    name, number, last = source.index(b"a"), source.index(b"1"), source.index(b"b")
    whole = Region(name, last + 1, 1, 4, ((name + 1, name + 2), (name + 3, number), (number + 1, last)))
    assert [text.spans(line, [whole]) for line in (1, 2, 3, 4)] == [[(0, 6)], [], [], [(14, 15)]]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_text_in_utf_16_is_shown_as_what_it_says(encoding: str) -> None:
    written = "a\u0a0a\r\nb\U0001f600c\nd"
    source = "\ufeff".encode(encoding) + written.encode(encoding)
    text = TextLines(source)
    assert text.count == 3
    assert [text.line(number) for number in (1, 2, 3)] == ["a\u0a0a".encode(), "b\U0001f600c".encode(), b"d"]
    begin, end = (2 + len(written[: written.index(letter)].encode(encoding)) for letter in "\U0001f600c")
    assert text.spans(2, [Region(begin, end, 2, 2)]) == [(1, 5)]
    assert text.spans(3, [Region(0, len(source), 1, 3)]) == [(0, 1)]


def test_a_last_line_end_begins_no_line() -> None:
    assert [TextLines(source).count for source in (b"", b"a", b"a\n", b"a\n\n", b"a\nb")] == [0, 1, 1, 2, 2]


def test_lines_between_regions_are_a_stretch() -> None:
    first, second = at_lines((1, 2), (11, 12)), at_lines((5, 6), (20, 21))
    assert stretches([second, first], COUNTS, 0) == [
        Stretch([1, 2], [11, 12], (first,)),
        Stretch([3, 4], [*range(13, 20)]),
        Stretch([5, 6], [20, 21], (second,)),
    ]


def test_regions_that_share_lines_are_one_stretch() -> None:
    first, second = at_lines((1, 2), (11, 12)), at_lines((2, 4), (14, 15))
    assert stretches([first, second], COUNTS, 0) == [Stretch([1, 2, 3, 4], [*range(11, 16)], (first, second))]


def test_a_line_is_in_the_first_of_the_stretches_that_share_it() -> None:
    first, second = at_lines((1, 2), (11, 12)), at_lines((2, 4), (500, 502), (2, 500), (3, 501), (4, 502))
    assert stretches([first, second], COUNTS, 0)[1:] == [
        Stretch([], [*range(13, 500)]),
        Stretch([3, 4], [500, 501, 502], (second,)),
    ]
    assert shown(first, second)[-3:] == [(None, 500), (3, 501), (4, 502)]


def test_lines_that_face_each_other_are_in_one_row() -> None:
    wrapped = at_lines((1, 4), (11, 17), (1, 11), (2, 12), (2, 13), (3, 15), (4, 17))
    assert shown(wrapped) == [(1, 11), (2, 12), (None, 13), (None, 14), (3, 15), (None, 16), (4, 17)]


def test_the_longest_of_regions_in_another_order_keeps_its_lines_together() -> None:
    long = at_lines((2, 6), (11, 15), *((line, line + 9) for line in range(2, 7)))
    moved = at_lines((1, 2), (16, 16), (1, 16))
    assert shown(moved, long) == [(1, None), *((line, line + 9) for line in range(2, 7)), (None, 16)]


def test_unmatched_lines_are_shown_around_what_matches() -> None:
    one, other = at_lines((5, 5), (8, 8)), at_lines((15, 15), (12, 12))
    assert shown(one, other, context=2) == [
        (3, 6),
        (4, 7),
        (5, 8),
        (6, 9),
        (7, 10),
        (Hidden(5, unmatched=True), None),
        (13, None),
        (14, 11),
        (15, 12),
        (16, 13),
        (17, 14),
    ]
    hidden = Hidden(9, unmatched=True), Hidden(3, unmatched=True)
    assert shown(one, other) == [(5, 8), hidden, (15, 12)]


def test_unmatched_lines_above_and_below_stay_within_the_texts() -> None:
    assert shown(at_lines((1, 1), (2, 2)), at_lines((1000, 1000), (999, 999)), context=3)[:2] == [(None, 1), (1, 2)]
    assert shown(at_lines((1000, 1000), (999, 999)), context=3)[-2:] == [(1000, 999), (None, 1000)]


def test_blank_rows_at_both_ends_are_left_out() -> None:
    blanks = TextLines(b"\n\n1\n\n2\n  \n\n")
    pair = at_lines((3, 5), (3, 5), (3, 3), (5, 5))
    assert rows([pair], (blanks, blanks), 2) == [(3, 3), (4, 4), (5, 5)]


def test_lines_that_match_further_down_are_not_shown_in_between() -> None:
    pairs = [at_lines((1, 2), (11, 12)), at_lines((5, 6), (30, 31)), at_lines((9, 10), (14, 15))]
    assert [stretch.document for stretch in stretches(pairs, COUNTS, 0)] == [
        [11, 12],
        [13, *range(16, 30)],
        [30, 31],
        [],
        [14, 15],
    ]
    between = [document for query, document in shown(*pairs, context=2) if query in {None, 3, 4}]
    assert between == [9, 10, 13, 16, Hidden(11, unmatched=True), 28, 29]


def test_a_document_that_goes_back_shows_no_lines_in_between() -> None:
    first, second = at_lines((1, 2), (50, 51)), at_lines((5, 6), (3, 4))
    assert stretches([first, second], COUNTS, 0)[1] == Stretch([3, 4], [])


def test_no_regions_no_rows() -> None:
    assert stretches([], COUNTS, 2) == []
    assert shown() == []


def test_the_middle_of_many_rows_is_left_out_and_counted() -> None:
    pairs = [at_lines((10 * at, 10 * at + 1), (20 * at, 20 * at + 1)) for at in range(1, 8)]
    assert shown(*pairs, most=4) == [
        (10, 20),
        (11, 21),
        (Hidden(59, unmatched=False), Hidden(119, unmatched=False)),
        (71, 141),
    ]
    long = at_lines((1, 9), (11, 19), *((line, line + 10) for line in range(1, 10)))
    assert shown(long, most=3) == [
        (1, 11),
        (2, 12),
        (Hidden(6, unmatched=False), Hidden(6, unmatched=False)),
        (9, 19),
    ]
    assert shown(long, most=8) == shown(long, most=9) == shown(long)
    assert shown(long, most=1)[1:] == [(Hidden(8, unmatched=False), Hidden(8, unmatched=False))]


RANGES = st.tuples(st.integers(1, 60), st.integers(0, 12)).map(lambda given: (given[0], sum(given)))

PAIRS = st.lists(st.builds(at_lines, RANGES, RANGES), max_size=12)


def lines_of(cell: Cell) -> int:
    return cell.lines if isinstance(cell, Hidden) else int(cell is not None)


@given(PAIRS, st.integers(0, 4), st.integers(1, 50))
def test_no_line_is_shown_twice_and_every_match_is_shown_or_counted(
    pairs: list[RegionPair], context: int, most: int
) -> None:
    everything = shown(*pairs, context=context)
    assert (None, None) not in everything
    for side, matched in enumerate(([pair.query for pair in pairs], [pair.document for pair in pairs])):
        numbers = [row[side] for row in everything if isinstance(row[side], int)]
        assert len(numbers) == len(set(numbers))
        assert {line for region in matched for line in range(region.start_line, region.end_line + 1)} <= {*numbers}
    cut = shown(*pairs, context=context, most=most)
    assert len(cut) <= most + 1
    for side in (0, 1):
        assert sum(lines_of(row[side]) for row in cut) == sum(lines_of(row[side]) for row in everything)


@pytest.mark.parametrize("first", [1, 10**12])
def test_a_region_of_absurd_length_costs_nothing(first: int) -> None:
    absurd = RegionPair(Region(0, 9, first, first + 10**12), Region(0, 9, 1, 1), 5, Representation.EXACT)
    assert len(shown(absurd, most=20)) <= 21


@pytest.mark.parametrize(
    ("documents", "order"),
    [
        ([(57, 58), (61, 62), (56, 63)], range(56, 64)),
        ([(61, 62), (57, 58), (56, 63)], range(56, 64)),
        ([(56, 63), (57, 58), (61, 62)], range(56, 64)),
        ([(56, 60), (58, 62), (61, 66)], range(56, 67)),
        ([(80, 82), (10, 12), (11, 14)], [80, 81, 82, 10, 11, 12, 13, 14]),
    ],
)
def test_lines_of_regions_that_overlap_are_in_order(documents: list[tuple[int, int]], order: Iterable[int]) -> None:
    found = shown(*(at_lines((100 * at, 100 * at + 2), own) for at, own in enumerate(documents, 1)))
    assert [line for _, line in found if isinstance(line, int)] == [*order]
