"""Pieces made of regions, and their added lines."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.units import Unit
from wherefrom.model import Occurrence, Representation
from wherefrom.projects.check.judging import CheckedPiece, added_runs, fingerprint, pieces, tokens_on
from wherefrom.queries.alignment.regions import region
from wherefrom.results import ContentMatch, Hit, RegionPair

WORDS = 60
STREAM = analyze_snippet("\n".join(f"w{number}" for number in range(WORDS)).encode(), language="python").tokens
UNIT = Unit(0, WORDS, is_function=True)

spans = st.tuples(st.integers(0, WORDS - 1), st.integers(1, WORDS)).map(
    lambda each: (min(each), max(each) + (each[0] == each[1]))
)


def hit(name: str, *regions: tuple[int, int]) -> Hit:
    pairs = tuple(
        RegionPair(region(STREAM, begin, end), region(STREAM, begin, end), end - begin, Representation.EXACT)
        for begin, end in regions
    )
    places = (Occurrence(name, "a.py", name, "1"),)
    return Hit((ContentMatch(name, 1.0, 100.0, 1.0, 1, pairs),), "python", places)


def shown(hits: list[Hit], least: int = 5) -> list[tuple[int, int, list[str]]]:
    return [
        (int(piece.positions[0]), int(piece.positions[-1]) + 1, [match.hit.blob for match in piece.matches])
        for piece in pieces(STREAM, UNIT, hits, least)
    ]


def test_one_word_is_one_token_on_a_line_of_its_own() -> None:
    assert len(STREAM) == WORDS
    assert STREAM.start_lines.tolist() == list(range(1, WORDS + 1))


def test_a_better_hit_makes_the_piece_and_others_are_its_places() -> None:
    hits = [
        hit("best", (10, 30)),
        hit("same", (12, 30)),
        hit("longer", (10, 50)),
        hit("short", (28, 32)),
        hit("else", (0, 9)),
    ]
    assert shown(hits) == [
        (0, 9, ["else"]),
        (10, 30, ["best", "same", "longer"]),
        (30, 50, ["longer"]),
    ]


def test_short_gaps_are_part_of_a_piece_and_long_ones_part_two() -> None:
    assert shown([hit("a", (0, 10), (14, 24), (40, 50))]) == [(0, 24, ["a"]), (40, 50, ["a"])]
    assert shown([hit("a", (0, 4), (20, 24))]) == []


@given(st.lists(st.lists(spans, min_size=1, max_size=4), max_size=5), st.integers(1, 20))
def test_no_token_is_in_two_pieces_and_each_is_long_enough(drawn: list[list[tuple[int, int]]], least: int) -> None:
    hits = [hit(str(number), *regions) for number, regions in enumerate(drawn)]
    made = pieces(STREAM, UNIT, hits, least)
    positions = [position for piece in made for position in piece.positions.tolist()]
    assert len(positions) == len(set(positions))
    assert all(len(piece.positions) >= least and piece.matches for piece in made)
    assert all(len(match.positions) >= least for piece in made for match in piece.matches)


@given(st.lists(spans, max_size=5))
def test_the_tokens_on_some_lines(drawn: list[tuple[int, int]]) -> None:
    inside = sorted({line for first, last in drawn for line in range(first + 1, last + 1)})
    ranges: list[tuple[int, int]] = []
    for line in inside:
        if ranges and ranges[-1][1] == line - 1:
            ranges[-1] = ranges[-1][0], line
        else:
            ranges.append((line, line))
    assert (np.flatnonzero(tokens_on(STREAM, ranges)) + 1).tolist() == inside
    assert tokens_on(STREAM, None).all()


def test_a_token_of_many_lines_is_added_with_any_of_them() -> None:
    stream = analyze_snippet(b'a = """\nx\ny\n"""\nb = 1\n', language="python").tokens
    assert tokens_on(stream, [(3, 3)]).tolist() == [False, False, True, False, False, False]


def runs(added: list[tuple[int, int]], least: int) -> list[tuple[int, int]]:
    on = np.zeros(WORDS, np.bool_)
    for begin, end in added:
        on[begin:end] = True
    return added_runs(CheckedPiece(UNIT, np.arange(10, 40)), on, least)


def test_the_added_runs_of_a_piece() -> None:
    assert runs([(0, WORDS)], 5) == [(10, 40)]
    assert runs([(0, 20), (30, 60)], 5) == [(10, 20), (30, 40)]
    assert runs([(0, 20), (38, 60)], 5) == [(10, 20)]
    assert runs([(10, 13), (20, 24)], 5) == [(20, 24)]
    assert runs([(10, 12), (20, 22)], 5) == []
    assert runs([(0, 10), (40, 60)], 1) == []


def test_a_fingerprint_is_made_of_tokens_source_and_number() -> None:
    codes = np.array([7, 1, 2, 3, 9, 1, 2, 3, 1, 2, 3], np.uint64)
    second = fingerprint(codes, np.array([5, 6, 7]), "blob")
    assert second.endswith(":2")
    assert fingerprint(codes, np.array([1, 2, 3]), "blob") == second.replace(":2", ":1")
    assert fingerprint(codes, np.array([8, 9, 10]), "blob") == second.replace(":2", ":3")
    assert fingerprint(codes[1:], np.array([0, 1, 2]), "blob") == second.replace(":2", ":1")
    others = {fingerprint(codes, np.array([5, 7]), "blob"), fingerprint(codes, np.array([5, 6, 7]), "other")}
    assert len(others | {second}) == 3
