"""Judging the candidates of a query: which are answers, which are remembered as refused, which are not looked at."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, letters, marks, stream, words
from tests.queries.indexes import boilerplate, candidate, index
from wherefrom.queries.judging.judging import REFUSED, Judge
from wherefrom.queries.judging.odds import ANSWER, FAIR, STRONG, probability
from wherefrom.queries.preparation.preparing import prepare

if TYPE_CHECKING:
    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.queries.preparation.query import Query

pytestmark = pytest.mark.usefixtures("both_ways")


def statements(begin: int, end: int) -> TokenStream:
    """Statements of different names."""
    return stream(words(" ".join(f"na{at} = - me{at} . fu{at} ( ke{at} , {at} ) ;" for at in range(begin, end))))


def prepared(tokens: TokenStream) -> Query:
    return prepare(tokens, index(tokens, *(statements(at, at + 20) for at in range(100, 400, 20))))


def test_a_copy_is_an_answer_and_what_has_nothing_in_common_is_none() -> None:
    query = prepared(statements(0, 20))
    [part] = query.parts
    running = Judge(query)
    found = running.judge(part, candidate(statements(0, 20), score=30.0), ANSWER)
    assert found is not None
    assert found.probability == probability(found.aligned.bits, query.counted, found.rarity) > STRONG
    assert found.rarity == 30.0 / query.looked_up.unit
    assert running.refused == {}
    assert running.judge(part, candidate(stream(marks(0, 99)), "other"), ANSWER) is None
    assert running.refused["other"].probability == running.refused["other"].aligned.bits == 0


def test_the_probability_does_not_depend_on_the_other_candidates() -> None:
    query = prepared(statements(0, 20))
    [part] = query.parts
    copy = candidate(statements(5, 9), score=12.0)
    alone = Judge(query).judge(part, copy, 0.0)
    running = Judge(query)
    for at in range(0, 20, 2):
        running.judge(part, candidate(statements(at, at + 12), f"other{at}"), ANSWER)
    beside = running.judge(part, copy, 0.0)
    assert alone is not None
    assert beside is not None
    assert (beside.probability, beside.aligned.runs) == (alone.probability, alone.aligned.runs)


@pytest.mark.parametrize("wanted", [1, REFUSED, 7])
def test_the_most_probable_of_those_that_are_refused_are_known(wanted: int) -> None:
    query = prepared(statements(0, 20))
    [part] = query.parts
    running = Judge(query, refused=wanted)
    for number, count in enumerate((1, 6, 4, 8, 2, 9, 7, 3)):
        # Where all are looked at closely, the strongest ones are kept whatever the order.
        running.promising = lambda part, least, facts: [True] * len(facts)  # type: ignore[method-assign]
        assert running.judge(part, candidate(statements(0, count), f"b{number}", score=1.0), 1.1) is None
    assert sorted(running.refused) == sorted(["b5", "b3", "b6", "b1", "b2", "b7", "b4"][:wanted])


def test_nothing_is_kept_of_what_is_refused_if_nobody_asks_for_it() -> None:
    query = prepared(statements(0, 20))
    [part] = query.parts
    running = Judge(query, refused=0)
    other = candidate(stream(marks(0, 99)), "other")
    before = sys.getrefcount(other)
    assert running.judge(part, other, ANSWER) is None
    assert sys.getrefcount(other) == before
    assert running.refused == {}


def test_a_document_is_refused_once_with_its_most_probable_window() -> None:
    query = prepare(statements(0, 80), index(statements(0, 80)))
    running = Judge(query)
    document = candidate(statements(0, 20), score=5.0)
    for part in query.parts:
        assert running.judge(part, document, 1.1) is None
    [found] = running.refused.values()
    assert found.part is query.parts[0]


@pytest.mark.thorough
def test_beside_another_window_it_is_what_shares_a_term_with_it() -> None:
    tokens = statements(0, 80)
    query = prepare(tokens, index(tokens))
    running = Judge(query)
    best = running.judge(query.parts[0], candidate(tokens), 0.0)
    assert best is not None
    for part in query.parts[1:]:
        other = running.beside(part, best)
        assert other is not None
        again = running.judge(part, candidate(tokens, score=other.first_stage), 0.0)
        assert again is not None
        assert (other.aligned.runs, other.probability) == (again.aligned.runs, again.probability)
    alone = running.judge(query.parts[0], candidate(stream(marks(0, 99)), "alone"), 0.0)
    assert alone is not None
    assert all(running.beside(part, alone) is None for part in query.parts)


LINES = [
    words("if ( left < right ) {"),
    words("total += price * 17 ;"),
    words("return total ;"),
    words('show ( "key" , total ) ;'),
    words("x = y ;"),
    words("while ( ! done ) { step ( ) ; }"),
    words("limit = 3 ;"),
    words("}"),
]
PROGRAM = st.lists(st.sampled_from(LINES), min_size=4, max_size=20).map(
    lambda lines: [each for it in lines for each in it]
)
PROSE = st.text("abcdefg ", min_size=40, max_size=120).map(letters).filter(lambda found: len(found) > 30)


@given(
    PROGRAM | PROSE,
    PROGRAM | PROSE,
    st.integers(0, 10),
    st.tuples(st.sampled_from([0.01, ANSWER, FAIR, STRONG]), st.floats(0, 60)),
    st.booleans(),
)
def test_no_quick_look_refuses_what_a_close_one_accepts(
    ours: list[Token], theirs: list[Token], common: int, asked: tuple[float, float], is_masked: bool
) -> None:
    least, score = asked
    tokens = stream(ours)
    sets = [boilerplate(ours[: len(ours) // 3])] if is_masked else []
    query = prepare(tokens, index(tokens, stream(theirs)), boilerplate=sets)
    for part in query.parts:
        quick = Judge(query)
        # The first refused candidates are always examined closely.
        for number in range(REFUSED):
            quick.judge(part, candidate(statements(500, 501), f"other{number}"), 1.1)
        assert len(quick.refused) == REFUSED
        for number, document in enumerate((theirs + ours[common:], theirs, ours, ours * 2)):
            given = candidate(stream(document), f"b{number}", score=score)
            close = Judge(query).judge(part, given, 0.0)
            assert close is not None
            found = quick.judge(part, given, least)
            assert (found is not None) == (close.probability >= least)
            if close.probability >= least:
                assert quick.promising(part, least, [(score, 0)] * 3) == [True] * 3


def test_where_too_few_bits_are_in_a_query_no_further_candidate_is_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    query = prepared(stream(words("a = b ( c ) ; d = e ( f ) ;")))
    [part] = query.parts
    running = Judge(query)
    most = probability(part.bits, query.counted, 0.0)
    for number in range(REFUSED):
        assert running.judge(part, candidate(statements(0, 3), f"b{number}", score=0.0), 1.1) is None
    monkeypatch.setattr(Judge, "_judged", None)
    more = math.nextafter(most, 2)
    assert running.promising(part, most, [(0.0, 9)]) == [True]
    assert running.promising(part, more, [(0.0, 9), (1e9, 9)]) == [False, True]
    assert running.judge(part, candidate(statements(0, 3), "b9", score=0.0), more) is None
