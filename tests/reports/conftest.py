"""A hand-made answer with everything in it that an answer may hold."""

from __future__ import annotations

import dataclasses

import pytest

from wherefrom.model import Occurrence, Representation
from wherefrom.results import (
    ChainExplanation,
    Explanation,
    Hit,
    QueryInfo,
    Region,
    RegionPair,
    SearchResult,
    TermExplanation,
)

BLOB, OTHER = "a" * 40, "b" * 40

QUERY = b"""def parse(line):
\tparts = line.split(',')
\tout = []
\tfor p in parts:
\t\tout.append(p.strip())
\treturn out


def main():
    x = 1
    print(parse("a,b"))
    return 0
"""

DOCUMENT = b"# header\n" + QUERY.replace(b"parts", b"fields").replace(
    b"x = 1", b"".join(b"z%d = %d\n    " % (at, at) for at in range(12))
)


def region(text: bytes, first: bytes, last: bytes) -> Region:
    """From the first occurrence of `first` to the end of the first `last` after it."""
    start = text.index(first)
    end = text.index(last, start) + len(last)
    return Region(start, end, text.count(b"\n", 0, start) + 1, text.count(b"\n", 0, end - 1) + 1)


def pair(first: bytes, last: bytes, tokens: int, representation: Representation) -> RegionPair:
    return RegionPair(region(QUERY, first, last), region(DOCUMENT, first, last), tokens, representation)


@pytest.fixture
def query() -> bytes:
    return QUERY


@pytest.fixture
def document() -> bytes:
    return DOCUMENT


@pytest.fixture
def result() -> SearchResult:
    explanation = Explanation(
        threshold=18.0,
        reason="score",
        first_stage=35.0,
        first_stage_weight=0.02,
        blobs={Representation.EXACT: 1000, Representation.RENAMED: 990},
        chains=(
            ChainExplanation(Representation.EXACT, 20.0, 40, 0.83, 58),
            ChainExplanation(Representation.P_MATCH, 20.6, 30, 0.7, 58),
        ),
        terms=(
            TermExplanation(Representation.EXACT, 0xDEADBEEF, 300, 1.25),
            TermExplanation(Representation.RENAMED, 2**64 - 1, 3, 5.5),
        ),
    )
    hit = Hit(
        score=41.3,
        containment=0.925,
        longest_run=58,
        blob=BLOB,
        language="python",
        occurrences=(
            Occurrence("github.com/x/y", "src/near.py", OTHER, "r1"),
            Occurrence("github.com/x/y", "src/best.py", BLOB, "r1"),
            *(Occurrence("github.com/x/z", f"lib/{at:02}.py", BLOB, "r2") for at in range(11)),
        ),
        regions=(
            pair(b"line.split", b"out.append", 20, Representation.EXACT),
            pair(b"print(", b"return 0", 11, Representation.RENAMED),
        ),
        explanation=explanation,
    )
    plain = dataclasses.replace(
        hit, score=7.5, containment=0.2, occurrences=hit.occurrences[:1], blob=OTHER, explanation=None
    )
    return SearchResult(
        engine="embedded",
        schemes={Representation.EXACT: "e1", Representation.RENAMED: "r1", Representation.TEXT: "t1"},
        query=QueryInfo("snip.py", "python", 80, 12, 16, 23, {"boilerplate": 12, "max_df": 0}),
        total=3,
        truncated=True,
        took_ms=4.25,
        hits=(hit, plain),
    )
