from __future__ import annotations

import importlib

import pytest

from tests.queries.indexes import add_files
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.options import SimilarOptions

similar = importlib.import_module("wherefrom.queries.similar")

SHORT = b"int f(int a, int b) { int c = a; while (b) { c = c + b; b = b - 1; } return c * 2; }\n"
CHANGED = b"int g(int x) { int y; int z; y = h(); z = x; do { z += y; y--; } while (y); return 2 * z; }\n"
OTHER = b"struct point { double left; double top; };\nstatic const char *names[] = { one, two, three, four };\n"


def paths(engine: MemoryEngine, code: bytes) -> list[str]:
    """The files like some code, the most similar first."""
    hits = similar.similar_to(engine, code, SimilarOptions(language="c")).hits
    return [occurrence.path for hit in hits for occurrence in hit.occurrences]


def test_a_short_text_is_compared_with_all_files_of_a_small_index(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [CHANGED, OTHER])
    assert paths(engine, SHORT) == ["0.c"]
    monkeypatch.setattr(similar, "FEW", 1)
    assert paths(engine, SHORT) == []


def test_of_many_candidates_those_that_share_most_for_their_length_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [b"int f%d(int a) { return a + call%d(a, %d); }\n" % (n, n, n) for n in range(60)]
    long = b"".join(b"long g%d(char *s) { return strlen(s) * size%d; }\n" % (n, n) for n in range(300))
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [b"".join(lines[:20]), b"".join(lines[:24]) + long])
    monkeypatch.setattr(similar, "CANDIDATES", 0)
    options = SimilarOptions(language="c", limit=1)
    (hit,) = similar.similar_to(engine, b"".join(lines), options).hits
    assert hit.occurrences[0].path == "0.c"


def test_a_shorter_file_needs_a_greater_score() -> None:
    assert similar.floor("resemblance", 0) == similar.floor("either", 0) == 0.4
    assert similar.floor("resemblance", 400) == similar.floor("resemblance", 4000) == pytest.approx(0.2)
    assert similar.floor("either", 200) == pytest.approx(0.275)
    assert similar.floor("containment", 10) == 0.1
