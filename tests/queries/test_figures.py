"""The figures of a hit: what each of them depends on."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.queries.indexes import add_files
from tests.queries.test_literals import calls
from tests.queries.test_long_queries import code
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import Representation, Strength
from wherefrom.options import SearchOptions
from wherefrom.queries.searching import search
from wherefrom.results import SearchResult

STATEMENT = 12
"""The number of tokens of a statement."""


def found(query: bytes, *contents: bytes, min_strength: Strength = Strength.WEAK, limit: int = 100) -> SearchResult:
    engine = MemoryEngine(scheme_ids())
    add_files(engine, contents)
    return search(engine, query, SearchOptions(name="a.c", language="c", limit=limit, min_strength=min_strength))


@pytest.mark.thorough
@pytest.mark.parametrize("copied", [5, 8, 10])
def test_the_match_and_the_bits_are_the_same_whatever_else_is_indexed(copied: int) -> None:
    query, document = code(0, 10), code(0, copied)
    alone = found(query, document).hits[0]
    beside = found(query, document, *(code(at, at + 10) for at in range(100, 600, 10))).hits[0]
    for hit in (alone, beside):
        assert (hit.match, hit.matched_tokens) == (10 * copied, STATEMENT * copied)
        assert hit.longest_run == STATEMENT * copied
    assert beside.score == alone.score


def test_only_the_whole_is_a_match_of_100() -> None:
    text = code(0, 40)
    [hit] = found(text, text).hits
    assert (hit.match, hit.containment) == (100, 1)
    [hit] = found(text + b"something_else", text).hits
    assert 99 < hit.match < 100


def other(begin: int, end: int) -> bytes:
    """Statements of another shape."""
    return b"".join(b"if (p%d[q]) { return r%d; }\n" % (at, at) for at in range(begin, end))


@pytest.mark.slow
def test_weaker_hits_are_left_out() -> None:
    query = calls(b"check", b"padded", 0)
    ours, renamed = query.split(b"\n"), calls(b"babafo", b"cebara", 100).split(b"\n")
    parts = [
        b"\n".join((*ours[: 1 + copied], *renamed[1 + copied : 1 + copied + more])) + other(0, rest)
        for copied in range(3)
        for more in range(0, 12, 2)
        for rest in (10, 60, 200)
    ]
    documents = (query, *parts, *(other(at, at + 10) for at in range(100, 600, 10)))
    strengths = Counter(hit.strength for hit in found(query, *documents).hits)
    assert len(strengths) > 1
    order = [Strength.WEAK, Strength.FAIR, Strength.STRONG]
    for least in order:
        result = found(query, *documents, min_strength=least)
        kept = {each: strengths[each] for each in order[order.index(least) :] if strengths[each]}
        assert Counter(hit.strength for hit in result.hits) == kept
        assert result.total == len(result.hits)
        for limit in (1, 3):
            fewer = found(query, *documents, min_strength=least, limit=limit)
            assert fewer.hits == result.hits[:limit]
            assert fewer.total == result.total or fewer.truncated


def test_strength_says_how_sure_a_copy_is_and_not_how_much_of_it_there_is() -> None:
    others = [other(at, at + 10) for at in range(100, 600, 10)]
    whole, part = found(code(0, 10), code(0, 10), code(0, 4) + other(0, 20), *others).hits
    assert (whole.match, part.match) == (100, 40)
    assert (whole.strength, part.strength) == (Strength.STRONG, Strength.STRONG)


def test_what_all_hits_match_is_counted_as_what_one_does() -> None:
    query = (
        b"int drain(struct tank *tank, int level) { if (tank->level < level) { return low(tank); } return step(tank); }"
    )
    result = found(query, query.replace(b"{ return low(tank); }", b"return low(tank);"))
    assert result.explained_tokens < result.query.tokens
    assert result.explained == result.hits[0].match > 98


def test_what_several_hits_match_is_counted_once() -> None:
    result = found(code(0, 5) + other(0, 5), code(0, 5) + other(0, 2), other(0, 5))
    tokens = result.query.tokens
    assert all(hit.matched_tokens < tokens for hit in result.hits)
    assert sum(hit.matched_tokens for hit in result.hits) > tokens
    assert (result.explained_tokens, result.explained) == (tokens, 100)
    assert found(code(0, 10)).explained == 0


def test_of_two_stretches_of_one_shape_the_one_that_is_the_same_is_shown() -> None:
    [hit] = found(code(100, 110), code(0, 20) + code(100, 110)).hits
    [region] = hit.regions
    assert (region.document.start_line, region.representation) == (21, Representation.EXACT)


def test_of_nearly_identical_files_the_one_that_matches_best_is_first() -> None:
    whole = code(0, 100)
    changed = [whole.replace(b"n%d = -m%d" % (at, at), b"other") for at in (5, 50)]
    [hit] = found(code(0, 10), changed[0], whole, changed[1]).hits
    assert [place.blob for place in hit.occurrences][-1] == "b0"
    assert len(hit.occurrences) == 3


@pytest.mark.parametrize("statements", [10, 80])
def test_each_location_has_the_figures_of_its_own_content(statements: int) -> None:
    whole, ahead = code(0, 100), b"int first;\n\n"
    shorter = whole.replace(b"n5 = -m5", b"other")
    query = code(0, statements)
    [hit] = found(query, shorter, ahead + whole, whole).hits
    alone = {content: found(query, content).hits[0] for content in (shorter, ahead + whole)}
    assert [content.blob for content in hit.contents] == ["b1", "b2", "b0"]
    assert [content.match for content in hit.contents] == [100, 100, alone[shorter].match]
    assert hit.contents[2].regions == alone[shorter].regions
    assert hit.contents[0].regions == alone[ahead + whole].regions
    assert (hit.score, hit.match, hit.regions) == (hit.contents[0].score, 100, hit.contents[0].regions)
    lines = [occurrence["lines"] for occurrence in hit.to_dict()["occurrences"]]
    assert lines[:2] == [{"start_line": begin, "end_line": begin + statements - 1} for begin in (3, 1)]
