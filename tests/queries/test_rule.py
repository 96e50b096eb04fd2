"""The rule that computes the probability of a copy."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, stream, words
from tests.queries.indexes import add_files, candidate, index
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.fitted import ENOUGH, LESS, OTHERS, TINY, WEIGHTS
from wherefrom.model import Representation, Strength
from wherefrom.options import SearchOptions
from wherefrom.queries.alignment.aligning import Alignment, DocumentTokens, align
from wherefrom.queries.judging import judging
from wherefrom.queries.judging.judging import REFUSED, Judge, expected_share
from wherefrom.queries.judging.rule import (
    ANSWER,
    FAIR,
    STRONG,
    chance,
    log_odds,
    probability,
    strength,
)
from wherefrom.queries.looked_up import LookedUpTerms
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.searching import search
from wherefrom.results import Signs

if TYPE_CHECKING:
    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.queries.preparation.query import Query, QueryWindow

PART = Signs(shared=20, patterns=40, literals=3, terms=6.0, chance=4.0, tokens=300)
"""The signs of a document that shares half of a window."""

ANY = st.builds(
    lambda patterns, missing, literals, terms, by_chance, tokens: Signs(
        max(0, patterns - missing), patterns, literals, terms, by_chance, tokens
    ),
    st.integers(1, 500),
    st.integers(0, 500),
    st.integers(0, 200),
    st.floats(0.01, 1000),
    st.floats(0.01, 100),
    st.integers(1, 1_000_000),
)


@given(ANY, st.integers(1, 10_000))
def test_a_probability_is_between_0_and_1_whatever_is_shared(signs: Signs, windows: int) -> None:
    assert 0 <= probability(signs, windows) <= 1
    assert probability(signs, windows) == probability(replace(signs), windows)


def test_a_document_that_shares_no_pattern_is_not_a_copy() -> None:
    assert probability(replace(PART, shared=0, literals=100, terms=1000.0)) == 0


@pytest.mark.parametrize(
    "stronger",
    [
        {"shared": 30},
        {"literals": 9},
        {"terms": 9.0},
        {"chance": 3.0},
        {"tokens": 100},
        {"patterns": 30},
    ],
    ids=lambda change: next(iter(change)),
)
def test_each_sign_speaks_for_a_copy_or_against_it(stronger: dict[str, float]) -> None:
    more = Signs(**{**PART.to_dict(), **stronger})
    assert probability(more) > probability(PART) > 0


def test_the_odds_are_those_of_the_weights() -> None:
    expected = (
        WEIGHTS.same * 20 / (40 + TINY)
        + WEIGHTS.stands_out * math.log(6.0 / 4.0)
        + WEIGHTS.literals * math.log(1 + 3)
        + WEIGHTS.length * math.log(TINY + 300)
        + WEIGHTS.bias
    )
    odds = probability(PART) / (1 - probability(PART))
    assert math.log(odds) == pytest.approx(expected)
    assert sum(log_odds(PART)) == pytest.approx(expected)


def test_a_third_that_hardly_stands_out_is_not_an_answer_and_most_that_stands_out_is_a_strong_one() -> None:
    assert probability(replace(PART, shared=13, literals=0, terms=5.0, tokens=1000)) < ANSWER
    assert probability(replace(PART, shared=38, terms=30.0)) > STRONG


def test_a_third_that_hardly_stands_out_is_an_answer_with_some_equal_literals() -> None:
    third = replace(PART, shared=13, literals=0, terms=4.4, tokens=1000)
    assert probability(third) < ANSWER / 5
    assert probability(replace(third, literals=2)) < ANSWER
    assert FAIR < probability(replace(third, literals=5)) < STRONG


def test_a_document_of_which_no_sign_says_anything_is_not_an_answer() -> None:
    nothing = Signs(shared=1, patterns=ENOUGH, literals=0, terms=4.0, chance=4.0, tokens=1)
    assert probability(nothing) < ANSWER / 5


@pytest.mark.parametrize("windows", [2, 10, 500])
def test_the_odds_are_divided_by_the_windows_of_a_query(windows: int) -> None:
    one, several = probability(PART), probability(PART, windows)
    assert several / (1 - several) == pytest.approx(one / (1 - one) / windows)


def test_all_of_few_patterns_says_less_than_all_of_many() -> None:
    few = replace(PART, shared=6, patterns=6)
    assert probability(few) < probability(replace(PART, shared=50, patterns=50))
    # In a short window, sharing all patterns counts less than in a long one.
    assert log_odds(few)[0] < 0.7 * WEIGHTS.same


def test_of_a_long_window_it_is_enough_that_some_is_shared() -> None:
    long = replace(PART, shared=60, patterns=400)
    assert log_odds(long)[0] > 0.7 * WEIGHTS.same
    assert log_odds(replace(long, shared=400)) == log_odds(replace(long, shared=ENOUGH))
    assert probability(replace(long, shared=30)) < probability(long)


def test_bands() -> None:
    assert 0 < ANSWER < FAIR < STRONG < 1
    assert (ANSWER, FAIR, STRONG) == (0.5, 0.7, 0.9)
    bands = [strength(each) for each in (0.0, 0.69999, 0.7, 0.89999, 0.9, 1.0)]
    weak, fair, strong = Strength.WEAK, Strength.FAIR, Strength.STRONG
    assert bands == [weak, weak, fair, fair, strong, strong]


def test_more_is_shared_by_chance_of_more_terms_but_not_in_proportion() -> None:
    assert 0 < chance(0) == chance(1) < chance(10) < chance(100) < 10 * chance(10)


def statements(begin: int, end: int) -> TokenStream:
    return stream(words(" ".join(f"na{at} = - me{at} . fu{at} ( ke{at} , {at} ) ;" for at in range(begin, end))))


def test_what_shares_no_more_than_chance_is_not_a_copy_however_much_is_the_same() -> None:
    tokens = statements(0, 20)
    engine = index(tokens, *(statements(at, at + 20) for at in range(100, 1000, 20)))
    query = prepare(tokens, engine)
    judge = Judge(query).judge
    least = chance(sum(map(len, query.parts[0].terms.values())))
    unit = math.log1p(46)
    assert judge(query.parts[0], candidate(tokens, score=0.5 * least * unit), [], 0.0) is None
    found = judge(query.parts[0], candidate(tokens, score=1.5 * least * unit), [], 0.0)
    assert found is not None
    assert found.signs.terms > found.signs.chance


def test_what_others_share_is_told_by_those_that_share_clearly_less() -> None:
    tokens = statements(0, 20)
    engine = index(tokens, *(statements(at, at + 20) for at in range(100, 1000, 20)))
    query = prepare(tokens, engine)
    running = Judge(query)

    def chance_of(scores: list[float]) -> float:
        found = running.judge(query.parts[0], candidate(tokens, score=100.0), scores, 0.0)
        assert found is not None
        return found.signs.chance * query.looked_up.unit

    few = chance_of([100.0])
    # Copies do not count as chance, nor do a few documents that may be copies of a part.
    assert chance_of([100.0] * 40) == chance_of([100.0, 90.0, 85.0, 81.0]) == few
    assert chance_of([100.0, 70.0, 60.0, 50.0, 40.0]) == few
    assert chance_of([100.0, 79.0, 60.0, 50.0, 40.0, 30.0, 20.0]) == pytest.approx(30.0)
    assert chance_of([*[100.0] * 40, 79.0, 60.0, 50.0, 40.0, 30.0]) == pytest.approx(30.0)
    assert (OTHERS, LESS) == (5, 0.8)


def test_less_is_expected_by_chance_of_terms_that_most_documents_have() -> None:
    tokens = statements(0, 20)
    copies = [stream(words(f"other{at} = {at} ;")) for at in range(2)]
    rare = index(tokens, *(statements(at, at + 20) for at in range(100, 1000, 20)))
    frequent = index(*[tokens] * 44, *copies)
    chances = []
    for engine in (rare, frequent):
        query = prepare(tokens, engine)
        found = Judge(query).judge(query.parts[0], candidate(tokens), [], 0.0)
        assert found is not None
        chances.append(found.signs.chance)
    assert chances[1] < chances[0] / 2


def test_a_small_index_expects_as_much_by_chance_as_a_large_one_unless_it_has_only_copies() -> None:
    tokens = statements(0, 20)
    chances = []
    for engine in (index(tokens, statements(100, 120)), index(tokens), index(*[tokens] * 4)):
        query = prepare(tokens, engine)
        found = Judge(query).judge(query.parts[0], candidate(tokens), [], 0.0)
        assert found is not None
        chances.append(found.signs.chance / chance(sum(map(len, query.parts[0].terms.values()))))
    assert chances[0] == 1
    assert 1 > chances[1] > chances[2] > 0


def test_those_that_are_refused_are_known() -> None:
    tokens = statements(0, 20)
    engine = index(tokens, *(statements(at, at + 20) for at in range(100, 1000, 20)))
    query = prepare(tokens, engine)
    running = Judge(query)
    for number, shared in enumerate((2, 6, 4)):
        document = stream(
            words("zz ( ) ;") * 40
            + words(" ".join(f"na{at} = - me{at} . fu{at} ( ke{at} , {at} ) ;" for at in range(shared)))
        )
        assert running.judge(query.parts[0], candidate(document, f"b{number}"), [], 1.0) is None
    assert running.refused.keys() == {"b0", "b1", "b2"}
    assert all(0 < each.probability < 1 for each in running.refused.values())


PROGRAM = st.lists(
    st.sampled_from(
        [
            words("if ( left < right ) {"),
            words("total += price * 17 ;"),
            words("return total ;"),
            words('show ( "key" , total ) ;'),
            words("x = y ;"),
            words("while ( ! done ) { step ( ) ; }"),
            words("limit = 3 ;"),
            words("}"),
        ]
    ),
    min_size=4,
    max_size=20,
).map(lambda lines: [token for line in lines for token in line])


@given(PROGRAM, PROGRAM, st.integers(0, 10), st.sampled_from([0.1, ANSWER, FAIR, STRONG]), st.floats(3, 60))
def test_no_quick_look_refuses_what_a_close_one_accepts(
    ours: list[Token], theirs: list[Token], common: int, least: float, score: float
) -> None:
    tokens = stream(ours)
    documents = [
        candidate(stream(theirs + ours[common:]), "b0", score=score),
        candidate(stream(theirs), "b1", score=score),
    ]
    engine = index(tokens, stream(theirs), *(statements(at, at + 20) for at in range(100, 200, 20)))
    query = prepare(tokens, engine)
    for part in query.parts:
        for document in documents:
            close = Judge(query).judge(part, document, [], 0.0)
            quick = Judge(query)
            # The first refused candidates are always examined closely.
            for number in range(REFUSED):
                quick.judge(part, candidate(statements(500, 501), f"other{number}", score=score), [], 1.0)
            if close is not None and close.probability >= least:
                found = quick.judge(part, document, [], least)
                assert found is not None
                assert found.probability == close.probability


def after_refusals(query: Query) -> Judge:
    """A judge after `REFUSED` refusals: it examines further candidates closely only if that is worth it."""
    running = Judge(query)
    for number in range(REFUSED):
        running.judge(query.parts[0], candidate(statements(500, 501), f"other{number}"), [], 1.0)
    assert len(running.refused) == REFUSED
    return running


MARKS = ["{", "}", "[", "]", ",", "+", "-", "*", "/", "=", "<", ">", "!", "&", "|", "^", "%", "?"]


def unalike(count: int, seed: int) -> list[str]:
    """Random marks, so that all patterns of a text are different."""
    chance = random.Random(seed)
    return [chance.choice(MARKS) for _ in range(count)]


def test_a_quick_look_counts_what_may_match_beyond_the_kgrams_that_are_shared() -> None:
    """Runs of eight tokens continue over a replaced name and two more tokens, which are in no shared k-gram."""

    def code(name: str, end: str) -> list[Token]:
        rows = [unalike(10, seed) for seed in range(12)]
        return words(" ".join(" ".join([*row[:8], f"{name}{at}", *row[8:], end]) for at, row in enumerate(rows)))

    tokens = stream(code("first", ":"))
    document = candidate(stream(code("other", "~")))
    engine = index(tokens, *(stream(words(" ".join(unalike(100, seed)))) for seed in range(100, 140)))
    query = prepare(tokens, engine)
    close = Judge(query).judge(query.parts[0], document, [], 0.0)
    assert close is not None
    found = after_refusals(query).judge(query.parts[0], document, [], close.probability)
    assert found is not None
    assert found.probability == close.probability


def test_a_quick_look_refuses_what_is_improbable_beside_one_of_many_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = []

    def aligned(part: QueryWindow, document: DocumentTokens, *others: Any) -> Alignment:
        looked_at.append(document.blob.blob)
        return align(part, document, *others)

    monkeypatch.setattr(judging, "align", aligned)
    text = unalike(2000, 1)
    tokens = stream(words(" ".join(text)))
    document = candidate(stream(words(" ".join([*text[:20], *unalike(200, 7)]))), "some", score=15.0)
    engine = index(tokens, *(stream(words(" ".join(unalike(100, seed)))) for seed in range(100, 140)))
    query = prepare(tokens, engine)
    running = Judge(query)
    close = running.judge(query.parts[0], document, [], 0.0)
    assert close is not None
    # The candidate would be probable enough if the query had a fifth of its windows.
    least = probability(close.signs, query.windows // 5)
    assert close.probability < least
    running = after_refusals(query)
    looked_at.clear()
    assert running.judge(query.parts[0], document, [], least) is None
    assert looked_at == []


def found(indexed: str, query: str) -> list[str]:
    """The paths of the files that are found in an index of the given file and 40 unrelated files."""
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [indexed.encode(), *(f"double d{n} = {n}.5 * {n} - {n};\n".encode() for n in range(40))])
    hits = search(engine, query.encode(), SearchOptions(language="c")).hits
    return [occurrence.path for hit in hits for occurrence in hit.occurrences]


CHECK = """\
int is_lower_word(char *word, int length) {
    if (isupper(word[0]) && isupper(word[1])) { word += 1; }
    for (int i = 0; i < length; i++) { if (islower(word[i])) return 0; }
    return 1;
}
"""
REGEX = """\
static int is_fixed(const char *s, size_t len)
{
    for (i = 0; i < len; i++) { if (is_regex_special(s[i])) return 0; }
    return 1;
}
"""


def test_a_loop_that_two_functions_share_is_no_answer_and_a_changed_copy_is() -> None:
    assert found(REGEX, CHECK) == []
    assert found(CHECK, CHECK.replace("word", "text").replace("length", "size").replace("word += 1;", "")) == ["0.c"]


def test_a_text_that_is_looked_at_in_more_windows_needs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []

    def probably(signs: Signs, windows: int = 1) -> float:
        counted.append(windows)
        return probability(signs, windows)

    monkeypatch.setattr(judging, "probability", probably)
    for statement_count, windows in ((20, 1), (400, 30)):
        tokens = statements(0, statement_count)
        engine = index(tokens)
        query = prepare(tokens, engine)
        running = Judge(query)
        found = running.judge(query.parts[0], candidate(tokens), [], 0.0)
        assert found is not None
        assert query.windows == sum(len(part.distances) for part in query.parts)
        assert (query.windows == 1) is (windows == 1)
        assert counted == [query.windows] * len(counted)
        assert found.probability == probability(found.signs, query.windows)
        counted.clear()


@pytest.mark.parametrize("copies", [1, 2, 4])
def test_a_copy_is_as_probable_however_many_a_tiny_index_has(copies: int) -> None:
    code = "def add(first, *others):\n    return first + sum(each for each in others)\n"
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [f"NAME = 'x{number}'\n\n\n{code}".encode() for number in range(copies)], name="a.py")
    hits = search(engine, code.encode(), SearchOptions(language="python")).hits
    assert sum(len(hit.occurrences) for hit in hits) == copies
    assert {hit.strength for hit in hits} == {Strength.STRONG}


@given(st.lists(st.floats(0.1, 100), max_size=20), st.floats(0.1, 100), st.floats(0.01, 1), st.integers(0, 20))
def test_chance_is_what_the_fifth_much_weaker_candidate_shares(
    scores: list[float], own: float, least: float, blobs: int
) -> None:
    looked_up = LookedUpTerms({}, {Representation.EXACT: blobs})
    weaker = sorted((score for score in scores if score < LESS * own), reverse=True)
    is_known = blobs > OTHERS and len(weaker) >= OTHERS
    expected = max(least, weaker[OTHERS - 1] / looked_up.unit) if is_known else least
    assert expected_share(looked_up, least, own, sorted(scores, reverse=True)) == expected
