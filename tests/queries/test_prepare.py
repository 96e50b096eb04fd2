"""From a snippet to a query: windows, weights, masks, exclusions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import letters, marks, stream, words
from tests.queries.indexes import boilerplate, document, index
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.fingerprints import document_terms, sample, sampled_kgrams
from wherefrom.analyzers.hashing import term_of
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.errors import UsageError
from wherefrom.fitted import CHARACTERS, WIDER
from wherefrom.model import OF_TOKENS, Representation
from wherefrom.queries.grouping.copies import containment
from wherefrom.queries.preparation.preparing import AROUND, boilerplate_mask, prepare, query_window
from wherefrom.queries.preparation.query import idf

if TYPE_CHECKING:
    from tests.analyzers.streams import Token
    from wherefrom.queries.preparation.query import Query

EXACT, RENAMED, P_MATCH, TEXT = (
    Representation.EXACT,
    Representation.RENAMED,
    Representation.P_MATCH,
    Representation.TEXT,
)


def numbered(begin: int, end: int) -> list[Token]:
    """Different names separated by marks: no `exact` k-gram occurs twice, and there are enough marks for all chains."""
    return words(" ".join(f"n{at} {'=;+:-'[at % 5]}" for at in range(begin, end)))


CODE = st.lists(st.sampled_from(words('a b c = ; ( . 1 "s"')), max_size=40)


@pytest.mark.parametrize(
    ("tokens", "text", "window"),
    [(0, False, 8), (59, False, 8), (60, False, 16), (5000, False, 16), (10, True, 48), (5000, True, 48)],
)
def test_the_window_is_twice_the_indexs_for_a_query_that_is_not_short(tokens: int, text: bool, window: int) -> None:
    assert query_window(tokens, text=text) == window


@pytest.mark.parametrize("wrong", [0.0, -0.1, 1.1, math.nan, math.inf])
def test_a_max_df_that_is_no_share_is_refused(wrong: float) -> None:
    with pytest.raises(UsageError, match="max-df"):
        prepare(stream(numbered(0, 20)), index(), max_df=wrong)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_idf_is_above_0_and_falls_with_the_frequency(one: int, other: int) -> None:
    few, many = sorted((one, other))
    assert idf(many, 10**6) > 0
    assert (idf(few, 10**6) > idf(many, 10**6)) == (few < many)
    assert idf(few, 10**6) == pytest.approx(math.log(1 + (10**6 - few + 0.5) / (few + 0.5)))


@pytest.mark.parametrize(("tokens", "needed"), [([], 8), (numbered(0, 3), 8), (letters("a" * 15), 16)])
def test_a_snippet_too_short_for_a_kgram_says_what_it_needs(tokens: list[Token], needed: int) -> None:
    query = prepare(stream(tokens), index(stream(numbered(0, 50))))
    assert (query.needed, query.fingerprints, query.parts) == (needed, (), ())
    assert dict(query.whole) == {}


@pytest.mark.parametrize("tokens", [numbered(0, 4), letters("badc" * 4)])
def test_a_snippet_of_one_kgram_is_enough(tokens: list[Token]) -> None:
    query = prepare(stream(tokens), index(stream(tokens)))
    assert query.needed is None
    assert query.parts[0].terms


def test_the_guarantee_is_that_of_the_window_used() -> None:
    assert prepare(stream(numbered(0, 20)), index()).guarantee == 8 + 8 - 1
    assert prepare(stream(numbered(0, 50)), index()).guarantee == 16 + 8 - 1
    assert prepare(stream(letters("word" * 50)), index()).guarantee == 48 + 16 - 1


@given(CODE)
def test_the_terms_looked_up_are_among_those_that_a_document_of_the_same_text_has(tokens: list[Token]) -> None:
    query = prepare(stream(tokens), index())
    kept = {representation: set(terms.tolist()) for representation, terms in document_terms(stream(tokens)).items()}
    kept |= {
        representation: terms
        for representation, terms in _all_terms(tokens).items()
        if len(tokens) < SCHEMES[representation].guarantee
    }
    for each in query.fingerprints:
        assert each.term in kept[each.representation]
    for part in query.parts:
        for representation, weights in part.terms.items():
            assert set(weights) <= kept[representation]


@given(CODE.filter(lambda tokens: len(tokens) >= 12))
def test_of_a_query_below_the_guarantee_every_kgram_is_looked_up(tokens: list[Token]) -> None:
    """Which k-grams a document keeps depends on the tokens around them."""
    query = prepare(stream(tokens), index())
    for representation, terms in _all_terms(tokens).items():
        looked_up = {each.term for each in query.fingerprints if each.representation is representation}
        if len(tokens) < SCHEMES[representation].guarantee:
            assert looked_up == terms
        assert looked_up <= terms


def _all_terms(tokens: list[Token]) -> dict[Representation, set[int]]:
    """The terms of all k-grams, whether winnowing keeps them or not."""
    found = {}
    for representation in (EXACT, RENAMED, P_MATCH):
        scheme = SCHEMES[representation]
        hashes = kgrams(stream(tokens), representation, scheme.k).hashes
        found[representation] = set(term_of(hashes).tolist())
    return found


def test_a_fingerprint_weighs_the_idf_of_its_live_count() -> None:
    tokens = numbered(0, 40)
    others = [stream(tokens[:40]), stream(tokens[:60]), stream(letters("prose" * 20))]
    query = prepare(stream(tokens), index(stream(tokens), *others))
    assert query.looked_up.blobs == {EXACT: 3, RENAMED: 3, P_MATCH: 3}
    assert {each.document_frequency for each in query.fingerprints} > {1}
    for each in query.fingerprints:
        assert each.weight == idf(each.document_frequency, 3)
        assert query.parts[0].terms[each.representation][each.term] == each.weight


@given(st.integers(10, 60), st.integers(0, 60))
def test_a_kgram_weighs_what_its_nearest_fingerprint_does(length: int, shared: int) -> None:
    tokens = numbered(0, length)
    query = prepare(stream(tokens), index(stream(tokens), stream(tokens[:shared]), stream(tokens[-shared:])))
    for representation in (EXACT, RENAMED, P_MATCH) if length >= 16 else (EXACT, RENAMED):
        marks = [(each.position, each.weight) for each in query.fingerprints if each.representation is representation]
        positions = kgrams(stream(tokens), representation, SCHEMES[representation].k).positions.tolist()
        nearest = [min(marks, key=lambda mark: (abs(mark[0] - at), mark[0]))[1] for at in positions]
        assert query.whole[representation].weight_at[: len(positions)].tolist() == nearest


def test_terms_in_more_than_max_df_of_the_blobs_weigh_nothing() -> None:
    common, rare = numbered(0, 40), numbered(100, 140)
    blobs = index(stream(common + rare), stream(common), stream(common), stream(numbered(200, 240)))
    query = prepare(stream(common + rare), blobs, max_df=0.5)
    assert {each.document_frequency for each in query.fingerprints if each.representation is EXACT} == {1}
    assert {each.position >= 60 for each in query.fingerprints if each.representation is EXACT} == {True}
    weights = query.whole[EXACT].weight_at
    assert not weights[:60].any()
    assert weights[90:140].all()
    assert query.excluded["max_df"] == sum(
        int(np.count_nonzero(grams.weight_at[: 160 - grams.k + 1] == 0)) for grams in query.whole.values()
    )
    assert query.excluded["boilerplate"] == 0


def test_terms_in_exactly_max_df_of_the_blobs_still_weigh() -> None:
    tokens = numbered(0, 40)
    blobs = index(stream(tokens), stream(tokens[:79]), stream(marks(0, 50)), stream(marks(0, 60)))
    assert prepare(stream(tokens), blobs, max_df=0.5).excluded["max_df"] == 0


def test_where_max_df_leaves_nothing_there_is_nothing_to_look_up() -> None:
    tokens = stream(numbered(0, 40))
    query = prepare(tokens, index(tokens, stream(numbered(0, 39))), max_df=0.1)
    assert (query.fingerprints, query.parts, query.needed) == ((), (), None)
    assert query.excluded == {"boilerplate": 0, "max_df": 2 * (80 - 7) + (80 - 11)}


@given(CODE, CODE, CODE)
def test_a_token_is_masked_when_a_kgram_of_the_set_covers_it(
    before: list[Token], header: list[Token], after: list[Token]
) -> None:
    tokens = stream([*before, *header, *after])
    expected = np.zeros(len(tokens), np.bool_)
    for representation in OF_TOKENS:
        grams = kgrams(tokens, representation, SCHEMES[representation].k)
        masked = kgrams(stream(header), representation, grams.k).hashes.tolist()
        starts = [
            at for at, code in zip(grams.positions.tolist(), grams.hashes.tolist(), strict=True) if code in masked
        ]
        length = SCHEMES[representation].w if representation is P_MATCH else 1
        for start in starts:
            if all(start + step in starts for step in range(length)):
                expected[start : start + length - 1 + grams.k] = True
    masked = boilerplate_mask(tokens, [boilerplate(header)])
    assert masked.tolist() == expected.tolist()
    assert len(header) < 8 or masked[len(before) : len(before) + len(header)].all()


@given(st.integers(0, 20), st.integers(8, 30), st.integers(0, 20))
def test_only_kgrams_all_of_whose_tokens_are_masked_weigh_nothing(before: int, length: int, after: int) -> None:
    header = marks(0, length)
    tokens = stream([*numbered(0, before), *header, *numbered(before, before + after)])
    query = prepare(tokens, index(stream(marks(0, 8))), boilerplate=[boilerplate(header)])
    assert query.masked.tolist() == [2 * before <= at < 2 * before + length for at in range(len(tokens))]
    excluded = 0
    for grams in query.whole.values():
        for at in range(len(tokens) - grams.k + 1):
            assert (grams.weight_at[at] > 0) == (not query.masked[at : at + grams.k].all())
            excluded += bool(query.masked[at : at + grams.k].all())
    assert query.excluded == {"boilerplate": excluded, "max_df": 0}
    assert (query.bits.structure > 0).tolist() == (~query.masked).tolist()
    for each in query.fingerprints:
        assert not query.masked[each.position : each.position + SCHEMES[each.representation].k].all()


def test_where_boilerplate_covers_everything_there_is_nothing_to_look_up() -> None:
    tokens = numbered(0, 40)
    query = prepare(stream(tokens), index(stream(tokens)), boilerplate=[boilerplate(tokens)])
    assert query.masked.all()
    assert (query.fingerprints, query.parts, query.needed) == ((), (), None)
    assert query.excluded["boilerplate"] == 2 * (80 - 7) + (80 - 11)


@pytest.mark.parametrize("tokens", [8, 599, 600])
def test_a_query_that_is_not_long_is_one_part(tokens: int) -> None:
    query = prepare(stream(numbered(0, 300)[:tokens]), index())
    assert [(part.begin, part.end) for part in query.parts] == [(0, tokens)]


@pytest.mark.parametrize("tokens", [601, 749, 750, 751, 900, 1234])
def test_a_long_query_is_cut_into_overlapping_windows(tokens: int) -> None:
    query = prepare(stream(numbered(0, 700)[:tokens]), index())
    spans = [(part.begin, part.end) for part in query.parts]
    assert [begin for begin, _ in spans] == list(range(0, 150 * len(spans), 150))
    assert all(end - begin == 300 for begin, end in spans[:-1])
    assert spans[-1][1] == tokens
    for begin in range(tokens - 150):
        assert any(first <= begin and begin + 150 <= end for first, end in spans)


def test_the_windows_of_prose_are_eight_times_as_long() -> None:
    prose = letters("".join(f"word{at}" for at in range(900)))
    assert len(prepare(stream(prose[:4800]), index()).parts) == 1
    parts = prepare(stream(prose[:4801]), index()).parts
    assert [(part.begin, part.end) for part in parts] == [(0, 2400), (1200, 3600), (2400, 4800), (3600, 4801)]


def test_a_window_holds_the_terms_that_lie_wholly_inside_it() -> None:
    query = prepare(stream(numbered(0, 400)), index(stream(marks(0, 8))))
    for part in query.parts:
        for representation in (EXACT, RENAMED, P_MATCH):
            inside = {
                each.term
                for each in query.fingerprints
                if each.representation is representation
                and part.begin <= each.position <= part.end - SCHEMES[representation].k
            }
            assert set(part.terms[representation]) == inside


def test_code_and_prose_in_one_query_are_both_looked_up() -> None:
    tokens = stream(numbered(0, 20), letters("these are the words of a paragraph between two fences of code"))
    query = prepare(tokens, index(tokens))
    assert {each.representation for each in query.fingerprints} == {EXACT, RENAMED, P_MATCH, TEXT}
    scheme = SCHEMES[TEXT]
    grams = sampled_kgrams(tokens, scheme)
    kept = grams.positions[sample(grams, scheme, scheme.w // WIDER)].tolist()
    assert [each.position for each in query.fingerprints if each.representation is TEXT] == kept


PROSE = letters("".join(f"word{at}andwhatfollowsit" for at in range(40)))


def test_of_prose_more_is_looked_up_and_weighed_as_documents_keep_it() -> None:
    tokens = stream(PROSE)
    query = prepare(tokens, index(tokens))
    grams = sampled_kgrams(tokens, SCHEMES[TEXT])
    kept = sample(grams, SCHEMES[TEXT], SCHEMES[TEXT].w // WIDER)
    assert [each.position for each in query.fingerprints] == grams.positions[kept].tolist()
    kept = document_terms(tokens)[TEXT].tolist()
    assert {each.document_frequency for each in query.fingerprints if each.term in kept} == {1}
    assert {each.document_frequency for each in query.fingerprints if each.term not in kept} == {0}
    # A k-gram that a document with the same text does not keep gets the frequency of its neighbors.
    assert set(query.whole[TEXT].weight_at[grams.positions].tolist()) == {idf(1, 1)}


def contained(query: Query, tokens: list[Token]) -> float:
    return containment(query, document(stream(tokens)))


@given(
    st.lists(CODE, min_size=1, max_size=3),
    st.one_of(st.none(), st.just(0.5)),
    st.lists(st.integers(0, 2), max_size=2),
)
def test_a_text_contains_itself_wholly_with_any_exclusion_that_leaves_something(
    pieces: list[list[Token]], max_df: float | None, excluded: list[int]
) -> None:
    tokens = [token for piece in pieces for token in piece]
    sets = [boilerplate(pieces[at]) for at in excluded if at < len(pieces)]
    blobs = index(stream(tokens), stream(pieces[0]), stream(pieces[-1]))
    query = prepare(stream(tokens), blobs, boilerplate=sets, max_df=max_df)
    left = any(grams.total for grams in query.whole.values())
    assert contained(query, tokens) == (1 if left else 0)


def test_containment_is_the_share_of_the_querys_kgrams_that_is_found() -> None:
    tokens = marks(0, 80)
    query = prepare(stream(tokens), index())
    assert contained(query, tokens[:40]) == pytest.approx((40 - 7) / (80 - 7))
    assert contained(query, tokens[30:] + tokens[:20]) == pytest.approx((50 - 7 + 20 - 7) / (80 - 7))
    assert contained(query, numbered(0, 40)) == 0


def test_a_window_has_the_bits_of_all_tokens_that_documents_are_aligned_with() -> None:
    query = prepare(stream(numbered(0, 400)), index(stream(marks(0, 8))))
    for part in query.parts:
        first, last = max(part.begin - AROUND, 0), min(part.end + AROUND, 800)
        assert part.bits == query.bits.total(first, last)
    copy = document(query.stream).text
    [*_, inner, _, _, _] = query.parts
    assert [(run.shift, run.begin, run.end) for run in inner.aligner().align(copy).runs] == [
        (0, inner.begin - AROUND, inner.end + AROUND)
    ]


def test_a_window_makes_its_aligner_once() -> None:
    query = prepare(stream(numbered(0, 400)), index())
    made = [part.aligner() for part in query.parts]
    assert [part.aligner() for part in query.parts] == made
    assert len(set(map(id, made))) == len(made)


CALLS = " ; ".join(f"n{at} = x . m{at} ( {at} )" for at in range(12))


def test_a_count_among_code_is_no_evidence_but_the_code_is() -> None:
    before, count, after = words(CALLS), words(" , ".join(map(str, range(30)))), words(CALLS.replace("n", "p"))
    query = prepare(stream([*before, *words("; = ["), *count, *words("] ;"), *after]), index())
    first = len(before) + 3
    assert not query.bits.structure[first : first + len(count)].any()
    assert query.bits.structure[:first].all()
    assert query.bits.structure[first + len(count) :].all()


IMPORTS = "import org.amber.parts.AmberTool;\nimport org.birch.parts.BirchTool;\n"
BODY = "class Clock { int ticks; int next(int step) { ticks = (ticks + step) % 86400; return ticks / 3600; } }\n"


def test_a_query_is_judged_by_its_imports_only_if_it_has_nothing_else() -> None:
    counted = []
    for code in (IMPORTS, BODY, IMPORTS + BODY, IMPORTS + "class Clock {}"):
        tokens = analyze_snippet(code.encode(), language="java").tokens
        counted.append(np.count_nonzero(prepare(tokens, index()).bits.structure))
    imports, body, both, _ = counted
    assert imports > 0
    assert both == body
    assert counted[3] == 4


def test_letters_of_prose_and_tokens_of_code_count() -> None:
    code, prose = prepare(stream(numbered(0, 40)), index()), prepare(stream(PROSE), index())
    assert code.counted == 80
    assert prose.counted == len(PROSE) / CHARACTERS
    assert prepare(stream(marks(0, 9)), index(), boilerplate=[boilerplate(marks(0, 9))]).counted == 1
