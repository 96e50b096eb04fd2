"""Regions: both sides agree under the named representation; regions never overlap and never reach into boilerplate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, is_kept, letters, marks, source, stream, words
from tests.queries.indexes import boilerplate, document, index
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.model import BoilerplateSet, Representation
from wherefrom.queries.alignment.regions import region, region_pairs
from wherefrom.queries.alignment.runs import MatchedRun, Sides, matched_weight
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.preparation.query import Query
from wherefrom.results import RegionPair

if TYPE_CHECKING:
    from collections.abc import Sequence


pytestmark = pytest.mark.usefixtures("both_ways")

EXACT, RENAMED, P_MATCH, TEXT = (
    Representation.EXACT,
    Representation.RENAMED,
    Representation.P_MATCH,
    Representation.TEXT,
)

FUNCTION = words(
    'def total ( items , rate ) : sum = 0 for item in items : sum = sum + item . price * rate log ( "sum" , sum ) '
    "return sum / 100"
)
OTHER = words(
    "while queue : node = queue . pop ( ) if node in seen : continue seen . add ( node ) for child in node . next : "
    "queue . append ( child ) result [ node ] = 7"
)


def renamed(tokens: Sequence[Token], *, members: bool = False) -> list[Token]:
    """Renames every name; members and calls only with `members`."""
    return [
        (b"new_" + symbol if kind == TokenClass.NAME and (members or not is_kept(tokens, at)) else symbol, kind)
        for at, (symbol, kind) in enumerate(tokens)
    ]


def regions(query: list[Token], found: list[Token], without: Sequence[BoilerplateSet] = ()) -> tuple[RegionPair, ...]:
    return regions_of(prepare(stream(query), index(stream(found)), boilerplate=without), found)


def regions_of(query: Query, found: list[Token]) -> tuple[RegionPair, ...]:
    candidate = document(stream(found))
    runs = query.runs_of((part, part.aligner().align(candidate.text)) for part in query.parts)
    return region_pairs(query.beside(candidate.stream), runs)


def spans(tokens: list[Token], pairs: Sequence[RegionPair], side: str) -> list[range]:
    """The token ranges of the regions on one side."""
    starts, ends = stream(tokens).starts.tolist(), stream(tokens).ends.tolist()
    found = [getattr(pair, side) for pair in pairs]
    return [range(starts.index(each.start_byte), ends.index(each.end_byte) + 1) for each in found]


def agree(query: list[Token], found: list[Token], here: int, there: int, representation: Representation) -> bool:
    (ours, kind), (theirs, other) = query[here], found[there]
    if representation in {EXACT, TEXT} or kind in {TokenClass.SYMBOL, TokenClass.CHARACTER}:
        return ours == theirs
    if representation is RENAMED and kind == TokenClass.NAME and (is_kept(query, here) or is_kept(found, there)):
        return ours == theirs
    return kind == other


def assert_exact(query: list[Token], found: list[Token], pairs: Sequence[RegionPair]) -> None:
    """Checks that the sides of each region agree under its representation, but under no stricter one."""
    sides = zip(spans(query, pairs, "query"), spans(found, pairs, "document"), pairs, strict=True)
    for here, there, pair in sides:
        assert len(here) == len(there) == pair.tokens
        holds = [
            representation
            for representation in (EXACT, RENAMED, P_MATCH)
            if all(agree(query, found, ours, theirs, representation) for ours, theirs in zip(here, there, strict=True))
        ]
        stated = EXACT if pair.representation is TEXT else pair.representation
        assert holds
        assert stated is holds[0]


def assert_apart(ranges: Sequence[range]) -> None:
    taken = [position for each in ranges for position in each]
    assert len(taken) == len(set(taken))


def test_identical_texts_give_one_region_over_everything() -> None:
    tokens = FUNCTION + OTHER
    (pair,) = regions(tokens, tokens)
    assert (pair.tokens, pair.representation) == (len(tokens), EXACT)
    assert pair.query == pair.document
    assert (pair.query.start_byte, pair.query.end_byte) == (0, len(source(tokens)))
    assert (pair.query.start_line, pair.query.end_line) == (1, 1)


def test_identical_prose_gives_one_region_of_text() -> None:
    tokens = letters("the quick brown fox jumps over the lazy dog and runs away from it")
    (pair,) = regions(tokens, tokens)
    assert (pair.tokens, pair.representation) == (len(tokens), TEXT)


def test_a_region_has_the_same_text_on_both_sides_wherever_it_stands() -> None:
    query = marks(0, 3) + FUNCTION + marks(3, 6)
    found = marks(10, 25) + FUNCTION + marks(25, 30)
    (pair,) = regions(query, found)
    ours = source(query)[pair.query.start_byte : pair.query.end_byte]
    theirs = source(found)[pair.document.start_byte : pair.document.end_byte]
    assert ours == theirs == source(FUNCTION)


def test_a_renamed_copy_is_one_region_said_to_be_renamed() -> None:
    found = marks(0, 5) + renamed(FUNCTION) + marks(5, 9)
    (pair,) = regions(FUNCTION, found)
    assert (pair.tokens, pair.representation) == (len(FUNCTION), RENAMED)
    assert_exact(FUNCTION, found, [pair])


def test_a_copy_with_its_members_and_calls_renamed_too_is_said_to_be_p_match() -> None:
    found = marks(0, 5) + renamed(FUNCTION, members=True) + marks(5, 9)
    (pair,) = regions(FUNCTION, found)
    assert (pair.tokens, pair.representation) == (len(FUNCTION), P_MATCH)
    assert_exact(FUNCTION, found, [pair])


def test_an_exact_stretch_does_not_grow_over_a_renamed_member_under_a_stricter_name() -> None:
    """The member behind the exact stretch differs, so `renamed` does not hold there."""
    query = [*FUNCTION, *words("; a . size ;")]
    found = [*FUNCTION, *words("; a . length ;"), *marks(0, 4)]
    assert_exact(query, found, regions(query, found))


@pytest.mark.parametrize(
    ("here", "there"),
    [("sum ; sum ;", "fresh ; sum ;"), ("fresh ; sum ;", "sum ; sum ;"), ("sum ; sum ;", "rate ; sum ;")],
)
def test_a_region_ends_where_a_name_would_stand_for_two(here: str, there: str) -> None:
    query, found = [*FUNCTION, *words(f"; {here}")], [*FUNCTION, *words(f"; {there}")]
    first, *others = regions(query, found)
    assert (first.tokens, first.representation) == (len(FUNCTION) + 1, EXACT)
    assert_exact(query, found, others)
    assert spans(query, others, "query")[0].start == len(FUNCTION) + 1


@pytest.mark.parametrize(
    ("here", "there", "tokens"), [("alpha", "beta", 10), ("alpha ;", "beta ;", 11), ("alpha 1 ;", "beta 2 +", 11)]
)
def test_a_region_grows_to_the_last_token_that_adds_evidence(here: str, there: str, tokens: int) -> None:
    """Nine tokens are exact. A token of the same class, though another name, is evidence behind marks."""
    query = [*marks(100, 103), *marks(0, 9), *words(here), *marks(103, 106)]
    found = [*marks(200, 203), *marks(0, 9), *words(there), *marks(203, 206)]
    (pair,) = regions(query, found)
    assert pair.tokens == tokens
    assert_exact(query, found, [pair])


def test_a_name_that_was_refused_on_one_side_is_free_on_the_other() -> None:
    """On the left `fresh` would be renamed to `sum`, which is taken; on the right it is renamed to `other`."""
    query = [*words("fresh ;"), *FUNCTION, *words("; fresh ;")]
    found = [*words("sum ;"), *FUNCTION, *words("; other ;"), *marks(0, 4)]
    pairs = regions(query, found)
    assert_exact(query, found, pairs)
    assert [at for span in spans(query, pairs, "query") for at in span] == [*range(len(query))]


def test_an_insertion_parts_two_regions_in_the_order_of_the_query() -> None:
    found = [*FUNCTION, *marks(0, 4), *OTHER]
    pairs = regions(FUNCTION + OTHER, found)
    assert [pair.tokens for pair in pairs] == [len(FUNCTION), len(OTHER)]
    assert [pair.representation for pair in pairs] == [EXACT, EXACT]
    assert_exact(FUNCTION + OTHER, found, pairs)


def test_lines_are_those_of_the_tokens() -> None:
    found = stream(marks(0, 2), marks(2, 5), FUNCTION)
    query = prepare(stream(FUNCTION), index(found))
    candidate = document(found)
    runs = query.runs_of([(query.parts[0], query.parts[0].aligner().align(candidate.text))])
    (pair,) = region_pairs(query.beside(candidate.stream), runs)
    assert (pair.query.start_line, pair.query.end_line) == (1, 1)
    assert (pair.document.start_line, pair.document.end_line) == (3, 3)


@pytest.mark.parametrize("length", [8, 9, 12, 15, 30])
def test_boilerplate_between_two_copied_parts_is_in_no_region(length: int) -> None:
    header = marks(0, length)
    tokens = [*FUNCTION, *header, *OTHER]
    pairs = regions(tokens, tokens, [boilerplate(header)])
    assert spans(tokens, pairs, "query") == [
        range(len(FUNCTION)),
        range(len(FUNCTION) + length, len(tokens)),
    ]


NAMES = st.sampled_from(words("a b c"))
CODE = st.lists(st.one_of(NAMES, st.sampled_from(words('= ; ( . 1 2 "s"'))), max_size=25)
PIECES = st.lists(st.one_of(CODE, st.sampled_from([FUNCTION, OTHER, renamed(FUNCTION), renamed(OTHER, members=True)])))


def joined(pieces: list[list[Token]]) -> list[Token]:
    return [token for piece in pieces for token in piece]


@given(PIECES.map(joined), PIECES.map(joined), st.one_of(st.none(), CODE, st.just(FUNCTION[5:20])))
def test_regions_of_any_two_texts_are_exact_apart_in_order_and_clear_of_boilerplate(
    query: list[Token], found: list[Token], header: list[Token] | None
) -> None:
    prepared = prepare(stream(query), index(stream(found)), boilerplate=[boilerplate(header)] if header else [])
    pairs = regions_of(prepared, found)
    assert_exact(query, found, pairs)
    here, there = spans(query, pairs, "query"), spans(found, pairs, "document")
    assert_apart(here)
    assert_apart(there)
    assert here == sorted(here, key=lambda each: each.start)
    assert not any(prepared.masked[each.start : each.stop].any() for each in here)


def test_a_pair_of_regions_tells_which_lines_face_each_other() -> None:
    here = analyze_snippet(b"total = add(first, second)\nprint(total)\n", language="python").tokens
    there = analyze_snippet(
        b"total = add(\n    first,\n    # why\n    second)\nprint(total)\n", language="python"
    ).tokens
    [pair] = region_pairs(Sides.of(here, there), [MatchedRun(0, 0, len(here))])
    assert pair.facing == ((1, 1), (1, 2), (1, 4), (2, 5))
    [part] = region_pairs(Sides.of(here, there), [MatchedRun(0, 5, 10)])
    assert part.facing == ((1, 2), (1, 4), (2, 5))


def test_a_region_names_the_gaps_in_which_a_comment_fits() -> None:
    code = b"a = 1; b  = 2 // two\nc /**/ = 3"
    tokens = analyze_snippet(code, language="javascript").tokens
    gaps = region(tokens, 0, len(tokens)).gaps
    assert [code[begin:end] for begin, end in gaps] == [b"  ", b" // two\n", b" /**/ "]
    prose = stream(letters("one, two, three"))
    assert region(prose, 0, len(prose)).gaps == ()


def test_what_matches_weighs_what_its_tokens_do() -> None:
    weights = np.ones(100, np.int64)
    weights[50:] = 9
    runs = [MatchedRun(0, 50, 60)]
    assert matched_weight(runs, weights) == 90
