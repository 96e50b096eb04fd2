"""How well a document matches: one chain for each representation, in the best window."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, marks, stream, words
from tests.queries.indexes import boilerplate, document, index
from wherefrom.model import Representation
from wherefrom.queries.alignment.aligning import DocumentTokens, align, covered_tokens
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.preparation.query import Query

pytestmark = pytest.mark.usefixtures("both_ways")

EXACT = Representation.EXACT


def covered_by(query: Query, found: DocumentTokens, *only: Representation) -> set[int]:
    """How many tokens the chains cover, in `only` or in every representation."""
    chains = align(query.parts[0], found, query.masked).chains
    kept = [chains[each] for each in only] or chains.values()
    return {covered_tokens(chain.query, chain.k, query.masked) for chain in kept}


CODE = st.lists(st.sampled_from(words('a b c = ; ( . 1 "s"')), max_size=40)


@given(CODE, CODE, st.one_of(st.just([]), CODE))
def test_a_chain_is_made_of_kgrams_that_both_texts_have(
    tokens: list[Token], found: list[Token], header: list[Token]
) -> None:
    query = prepare(stream(tokens), index(stream(found), stream(tokens)), boilerplate=[boilerplate(header)])
    for part in query.parts:
        candidate = document(stream(found))
        alignment = align(part, candidate, query.masked)
        assert alignment.score == pytest.approx(sum(chain.score for chain in alignment.chains.values()))
        for representation, chain in alignment.chains.items():
            grams = part.lookup().grams[representation]
            ours, theirs = chain.query.tolist(), chain.document.tolist()
            assert all(one < other for one, other in itertools.pairwise(ours))
            assert all(one < other for one, other in itertools.pairwise(theirs))
            assert chain.score == pytest.approx(grams.weight_at[ours].sum() / chain.k)
            assert set(theirs) <= set(candidate.grams(representation, chain.k).positions.tolist())
            covered = {at for begin in ours for at in range(begin, begin + chain.k) if not query.masked[at]}
            assert covered_tokens(chain.query, chain.k, query.masked) == len(covered)
            if representation is EXACT:
                assert all(
                    tokens[one : one + 8] == found[other : other + 8] for one, other in zip(ours, theirs, strict=True)
                )


def test_a_copy_is_covered_wholly_wherever_it_stands() -> None:
    tokens = marks(0, 80)
    found = stream(marks(100, 900) + tokens + marks(900, 1500))
    query = prepare(stream(tokens), index(found))
    alignment = align(query.parts[0], document(found), query.masked)
    assert covered_by(query, document(found)) == {80}
    assert set(alignment.chains[EXACT].document - alignment.chains[EXACT].query) == {800}


def test_scattered_parts_do_not_add_up_beyond_the_window() -> None:
    """For 80 tokens, the window in the document has 1.5 * 80 + 50 = 170 tokens."""
    tokens = marks(0, 80)
    near = stream(tokens[:40] + marks(100, 150) + tokens[40:])
    far = stream(tokens[:40] + marks(100, 400) + tokens[40:])
    query = prepare(stream(tokens), index(near, far))
    assert [covered_by(query, document(each), EXACT) for each in (near, far)] == [{80}, {40}]


def test_a_copy_beats_a_repetition_of_one_of_its_kgrams() -> None:
    """A k-gram counts once in a window, so the window does not move to where the k-gram is most frequent."""
    tokens = marks(0, 60) + words("@same " * 16)
    found = stream(words("@same " * 300) + marks(100, 400) + tokens)
    query = prepare(stream(tokens), index(found))
    alignment = align(query.parts[0], document(found), query.masked)
    assert covered_by(query, document(found), EXACT) == {76}
    assert set(alignment.chains[EXACT].document - alignment.chains[EXACT].query) == {600}


def test_parts_in_another_order_are_not_one_chain() -> None:
    tokens = marks(0, 60)
    found = stream(tokens[20:] + tokens[:20])
    query = prepare(stream(tokens), index(found))
    assert covered_by(query, document(found), EXACT) == {40}


def test_masked_tokens_are_not_covered() -> None:
    header, tokens = marks(0, 20), marks(20, 60)
    found = stream(header + tokens)
    query = prepare(found, index(found), boilerplate=[boilerplate(header)])
    assert covered_by(query, document(found)) == {40}


def test_nothing_in_common_is_no_chain() -> None:
    query = prepare(stream(marks(0, 40)), index(stream(marks(0, 40))))
    alignment = align(query.parts[0], document(stream(marks(50, 90))), query.masked)
    assert (alignment.score, dict(alignment.chains)) == (0, {})
