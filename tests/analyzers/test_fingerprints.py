"""Fingerprints have the guarantee of the paper in every representation, and an index stores their terms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, letters, stream, words
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.fingerprints import document_terms, sample, sampled_kgrams
from wherefrom.analyzers.hashing import mix
from wherefrom.analyzers.samplers import WINNOWING
from wherefrom.analyzers.schemes import Scheme
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.model import Representation

# Few different tokens: ties and repetitions are where a guarantee would break.
SYMBOLS = st.sampled_from(words('a b c = ; , [ ] 1 2 "s"'))
CODE = st.lists(SYMBOLS, max_size=30)
PROSE = st.lists(st.sampled_from(letters("abc1")), max_size=30)


def kept(tokens: TokenStream, scheme: Scheme) -> set[int]:
    grams = sampled_kgrams(tokens, scheme)
    return set(grams.hashes[sample(grams, scheme)].tolist())


def renamed(tokens: list[Token]) -> list[Token]:
    return [(b"new_" + symbol if kind == TokenClass.NAME else symbol, kind) for symbol, kind in tokens]


@pytest.mark.parametrize("sampler", ["open_closed", *WINNOWING])
@pytest.mark.parametrize("representation", Representation)
@given(data=st.data(), k=st.integers(1, 6), w=st.integers(1, 8))
def test_a_shared_run_of_t_tokens_shares_a_fingerprint_wherever_it_stands(
    representation: Representation, sampler: str, data: st.DataObject, k: int, w: int
) -> None:
    scheme = Scheme(representation, k, w, sampler=sampler)
    around = PROSE if representation is Representation.TEXT else CODE
    element = st.sampled_from(letters("abc1")) if representation is Representation.TEXT else SYMBOLS
    run = data.draw(st.lists(element, min_size=scheme.guarantee, max_size=scheme.guarantee + 3))
    copy = renamed(run) if representation in {Representation.RENAMED, Representation.P_MATCH} else run
    one = stream([*data.draw(around), *run, *data.draw(around)])
    other = stream([*data.draw(around), *copy, *data.draw(around)])
    assert kept(one, scheme) & kept(other, scheme)


@pytest.mark.parametrize("representation", Representation)
@given(data=st.data(), more=st.integers(0, 8))
def test_a_query_with_a_greater_window_still_meets_a_run_of_its_own_guarantee(
    representation: Representation, data: st.DataObject, more: int
) -> None:
    scheme = Scheme(representation, 3, 4)
    around = PROSE if representation is Representation.TEXT else CODE
    length = scheme.guarantee + more
    element = st.sampled_from(letters("abc1")) if representation is Representation.TEXT else SYMBOLS
    run = data.draw(st.lists(element, min_size=length, max_size=length))
    query = stream([*data.draw(around), *run, *data.draw(around)])
    document = stream([*data.draw(around), *run, *data.draw(around)])
    grams = sampled_kgrams(query, scheme)
    looked_up = set(grams.hashes[sample(grams, scheme, scheme.w + more)].tolist())
    assert looked_up & kept(document, scheme)


@given(st.lists(CODE, max_size=3), st.integers(1, 4), st.integers(1, 5))
def test_segments_are_sampled_one_by_one(segments: list[list[Token]], k: int, w: int) -> None:
    scheme = Scheme(Representation.EXACT, k, w)
    grams = sampled_kgrams(stream(*segments), scheme)
    kept_positions = grams.positions[sample(grams, scheme)].tolist()
    expected, offset = [], 0
    for segment in segments:
        alone = sampled_kgrams(stream(segment), scheme)
        expected += [offset + at for at in alone.positions[sample(alone, scheme)].tolist()]
        offset += len(segment)
    assert kept_positions == expected


@given(CODE)
def test_an_index_stores_the_distinct_leading_bits_of_the_mixed_fingerprints(tokens: list[Token]) -> None:
    schemes = {Representation.EXACT: Scheme(Representation.EXACT, 3, 2)}
    grams = sampled_kgrams(stream(tokens), schemes[Representation.EXACT])
    found = document_terms(stream(tokens), schemes)
    if not len(grams.hashes):
        assert found == {}
        return
    mixed = mix(grams.hashes[sample(grams, schemes[Representation.EXACT])])
    assert found[Representation.EXACT].tolist() == sorted({int(value) >> 16 for value in mixed})


def test_a_text_has_terms_only_where_it_has_kgrams() -> None:
    assert document_terms(stream()) == {}
    assert document_terms(stream(words("a = b ; c = d"))) == {}
    assert set(document_terms(stream(words("a = b ; c = d ;")))) == {Representation.EXACT, Representation.RENAMED}
    assert set(document_terms(stream(letters("word" * 8)))) == {Representation.TEXT}


def test_the_schemes_own_window_is_used_unless_another_is_given() -> None:
    scheme = Scheme(Representation.EXACT, 2, 3)
    grams = sampled_kgrams(stream(words("a = b ; " * 3 + "c = 1 ; d = 2 ;")), scheme)
    assert np.array_equal(sample(grams, scheme), sample(grams, replace(scheme, w=9), 3))
    with pytest.raises(ValueError, match="at least one"):
        sample(grams, scheme, 0)


def test_the_terms_of_code_are_those_of_every_index_in_the_field() -> None:
    code = b"""\
def total(items, rate):
    sum = 0  # so far
    for item in items:
        sum = sum + item.price * rate
    return sum
"""
    schemes = {kind: Scheme(kind, 8, 8) for kind in (Representation.EXACT, Representation.RENAMED)}
    found = document_terms(analyze_snippet(code, language="python").tokens, schemes)
    assert found[Representation.EXACT].tolist() == [0x177D022F8549, 0x66E8125E16AE, 0xB1FE210CB99C]
    assert found[Representation.RENAMED].tolist() == [0x1B68F5C07D64, 0xBA3577928279, 0xC2001E2BC8B4]


def test_the_terms_of_prose_are_those_of_existing_indexes() -> None:
    # Blanks do not count. With other letters the pinned terms would change.
    prose = b"""\
Winnowing keeps the least hash of every window, and there by a shared run is always seen twice
(whatever stands around it), because both texts choose by the same rule from the same hashes in that run.
"""
    schemes = {Representation.TEXT: Scheme(Representation.TEXT, 32, 64)}
    found = document_terms(analyze_snippet(prose, language="text").tokens, schemes)
    assert found[Representation.TEXT].tolist() == [0x30C95EC8841D, 0x3AD81456E0DA, 0xAC7FA095B304]
