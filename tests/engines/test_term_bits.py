"""The bits of a term that an index stores are a property of the index, however it is opened later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.engines.conftest import SCHEMES, document
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine
from wherefrom.model import STORED_BITS, TERM_BITS, Representation

EXACT = Representation.EXACT
TERM = 0x123456789ABC
NEIGHBOR = TERM + 1
"""Another term with the same leading 40 bits."""


@pytest.fixture(params=["embedded", pytest.param("elasticsearch", marks=pytest.mark.live)])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "embedded":
        return str(tmp_path / "index")
    made: str = request.getfixturevalue("elasticsearch_location")()
    return made


@pytest.fixture(params=STORED_BITS)
def engine(request: pytest.FixtureRequest, location: str) -> Iterator[Engine]:
    """An index that stores this number of bits, opened again with another number."""
    made = open_engine(location, schemes=SCHEMES, create=True, term_bits=request.param)
    with closing(made), made.writer() as writer:
        writer.add_blobs([document("a", [TERM]), document("b", [TERM, NEIGHBOR]), document("c", [TERM >> 8])])
    with closing(open_engine(location, schemes=SCHEMES, create=True, term_bits=TERM_BITS)) as opened:
        assert opened.term_bits == request.param
        assert opened.stats().to_dict()["term_bits"] == request.param
        yield opened


def test_terms_that_differ_behind_the_stored_bits_are_one(engine: Engine) -> None:
    counts = engine.document_frequencies({EXACT: [TERM, NEIGHBOR, TERM + 256]})[EXACT].counts
    assert counts == ([2, 2, 0] if engine.term_bits == 40 else [2, 1, 0])


def test_candidates_share_stored_bits(engine: Engine) -> None:
    found = engine.candidates({EXACT: {NEIGHBOR: 1.0}}, limit=10)
    names = {candidate.blob.blob for candidate in found}
    a, b = (document(name, [1]).stored.blob for name in "ab")
    assert names == ({a, b} if engine.term_bits == 40 else {b})


def test_a_document_holds_a_stored_term_once(engine: Engine) -> None:
    found = engine.candidates({EXACT: {TERM: 1.0}}, limit=10)
    assert [candidate.score for candidate in found] == [1.0, 1.0]
