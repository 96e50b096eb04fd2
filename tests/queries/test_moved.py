"""Blocks that were moved: which of them a hit marks."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.queries.indexes import add_files
from tests.queries.test_long_queries import code
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.options import SearchOptions
from wherefrom.queries.searching import search
from wherefrom.results import Hit

FORMS = (
    b"if (a[b] > c.d) { return e(f, 7) || !g; }\n",
    b"for (h = 1; h < i; h++) { j[h] = k->l % 5; }\n",
    b"switch (m(n)) { case 3: o = -p; break; default: q(); }\n",
    b"do { r = s ? t : u[v + 2]; } while (--w);\n",
    b"*x++ = (y << 4) | z; goto done;\n",
    b"assert(sizeof(*aa) == bb && cc != NULL);\n",
)
"""Statements of other forms than those of `code`."""

FILLER = b"while (wait(q)) { go[q](r); }\n"


def found(query: bytes, content: bytes) -> Hit:
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [content])
    [hit] = search(engine, query, SearchOptions(name="a.c", language="c")).hits
    return hit


@given(st.integers(3, 6), st.randoms(use_true_random=False))
def test_moved_blocks_are_marked_and_overlap_on_neither_side(number: int, chance: random.Random) -> None:
    blocks = FORMS[:number]
    document = FILLER + b"".join(blocks) + FILLER
    query = b"".join(chance.sample(blocks, number))
    hit = found(query, document)
    assert hit.match >= 95
    ours, theirs = (analyze_snippet(text, language="c").tokens for text in (query, document))
    for side in ("query", "document"):
        spans = sorted((getattr(pair, side).start_byte, getattr(pair, side).end_byte) for pair in hit.regions)
        assert all(before[1] <= after[0] for before, after in pairwise(spans))
    for pair in hit.regions:
        here, there = (
            int(stream.starts.searchsorted(region.start_byte))
            for stream, region in ((ours, pair.query), (theirs, pair.document))
        )
        assert (ours.classes[here : here + pair.tokens] == theirs.classes[there : there + pair.tokens]).all()


def test_of_two_equal_blocks_the_one_that_is_in_order_is_marked() -> None:
    moved, rest = code(0, 3), code(20, 30)
    hit = found(moved + rest, moved + FILLER * 12 + rest + moved)
    assert hit.match == 100
    assert [pair.document.start_line for pair in hit.regions] == [1, 16]
