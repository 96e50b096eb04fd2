"""The nearest candidate if nothing is found, and the explanation of its probability."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.queries.test_long_queries import code
from tests.repositories import Repository
from wherefrom import Index, SearchResult, Strength, index_sources, open_index
from wherefrom.queries.judging.odds import probability

SNIPPETS = [
    (statements, copied, literals)
    for copied in (3, 2, 1)
    for statements in (4, 12, 40)
    for literals in range(copied, -1, -1)
]
"""Number of statements, how many of them are those of a file, and how many of these with its literals. The copies are
less and less probable.
"""


def other(begin: int, end: int) -> bytes:
    """Statements with another structure, which are in no file."""
    return b"".join(b"if (p%d[q] > s%d.t) { return r%d; }\n" % (at, at, at) for at in range(begin, end))


def snippet(size: tuple[int, int, int]) -> bytes:
    statements, copied, literals = size
    return code(0, literals) + code(literals, copied).replace(b", ", b", 7") + other(copied, statements)


def make_index(folder: Path) -> tuple[Path, list[Path]]:
    """An index of two repositories that have one file in common besides others, and the repositories' folders."""
    clones = [
        Repository.make(
            folder / name,
            {
                "near.c": b"// in " + name.encode() + b"\n" + code(0, 40),
                **{f"{name}{at}.c": code(at, at + 40) for at in range(begin, begin + 600, 40)},
            },
        ).folder
        for name, begin in (("one", 1000), ("two", 5000))
    ]
    index_sources(clones, folder / "code.wherefrom", jobs=1)
    return folder / "code.wherefrom", clones


def missed_by(index: Index) -> bytes:
    """A snippet that shares some code with the common file, but too little to be found."""
    return next(text for text in map(snippet, SNIPPETS) if not index.search(text, language="c").hits)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    return make_index(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def clones(made: tuple[Path, list[Path]]) -> list[Path]:
    return made[1]


@pytest.fixture(scope="module")
def index(made: tuple[Path, list[Path]]) -> Iterator[Index]:
    with open_index(made[0]) as opened:
        yield opened


@pytest.fixture(scope="module")
def missed(index: Index) -> bytes:
    return missed_by(index)


@pytest.mark.thorough
def test_where_nothing_is_found_the_nearest_is_named(index: Index, missed: bytes, clones: list[Path]) -> None:
    result = index.search(missed, language="c")
    nearest = result.refused
    assert nearest is not None
    assert 0 < nearest.probability < 0.5
    assert nearest.occurrences[0].path == "near.c"
    assert nearest.locations[0].record is not None
    assert Path(nearest.locations[0].record.location) in clones
    assert nearest.regions[0].query.start_line == 1
    found = nearest.evidence
    assert 0 < found.bits < found.needed
    assert probability(found.bits, found.tokens, found.rarity) == pytest.approx(nearest.probability, abs=1e-3)
    assert repr(nearest).startswith("<Refused 0.")


def test_where_something_is_found_nothing_is(index: Index) -> None:
    result = index.search(snippet(SNIPPETS[0]), language="c")
    assert result.hits
    assert result.refused is None


def test_the_nearest_is_one_that_the_filters_admit(index: Index, missed: bytes) -> None:
    def places(**options: Any) -> set[str]:
        refused = index.search(missed, language="c", **options).refused
        return set() if refused is None else {at.repository for at in refused.occurrences}

    one, two = (record.key for record in index.repositories())
    assert places() <= {one, two}
    for own, others in ((one, two), (two, one)):
        assert places(own=[own]) == places(repositories=[others]) == {others}
    assert places(own=[one, two]) == places(paths=["other/*"]) == set()


def test_what_is_weaker_than_asked_for_is_the_nearest(index: Index) -> None:
    def found(text: bytes, least: Strength) -> SearchResult:
        return index.search(text, language="c", min_strength=least)

    text = next(text for text in map(snippet, SNIPPETS) if not found(text, Strength.STRONG).hits)
    [hit] = found(text, Strength.WEAK).hits
    nearest = found(text, Strength.STRONG).refused
    assert nearest is not None
    assert hit.probability is not None
    assert nearest.probability == pytest.approx(hit.probability, abs=1e-3)
    assert nearest.probability < 0.9


def test_an_explanation_has_the_evidence_and_the_probability_follows_from_it(index: Index) -> None:
    for text in (snippet(SNIPPETS[0]), code(0, 40), code(0, 40) + other(0, 200)):
        hit = index.search(text, language="c", explain=True).hits[0]
        explanation = hit.explanation
        assert explanation is not None
        found = explanation.evidence
        assert found is not None
        assert found.bits >= found.needed
        assert explanation.probability == pytest.approx(probability(found.bits, found.tokens, found.rarity), abs=2e-3)
        assert hit.probability == explanation.probability
        step = result_step(hit.to_dict())
        assert step["evidence"] == dataclasses.asdict(found)


def result_step(hit: dict[str, list[dict[str, dict[str, float]]]]) -> dict[str, dict[str, float]]:
    return hit["explanation"][0]


def test_an_explanation_counts_the_names_and_literals_that_are_the_same(index: Index) -> None:
    """A statement has 12 tokens: 4 names and a literal, and 7 marks."""
    text = code(0, 12).replace(b"n3 ", b"other ").replace(b"k5, 5", b"k5, 500")
    [hit] = index.search(text, language="c", explain=True).hits
    assert hit.explanation is not None
    found = hit.explanation.evidence
    assert found is not None
    assert (found.tokens, found.in_order) == (144, 144)
    assert (found.same_names, found.other_names) == (47, 1)
    assert (found.same_literals, found.other_literals) == (11, 1)
