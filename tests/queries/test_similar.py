from __future__ import annotations

import importlib

import numpy as np
import pytest

from tests.queries.indexes import add_files
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import encode
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import BlobDocument, Occurrence, StoredBlob
from wherefrom.options import SimilarOptions
from wherefrom.queries.filters import OwnPlaces
from wherefrom.queries.similarity import whole_files
from wherefrom.sources.source import blob_ids

similar = importlib.import_module("wherefrom.queries.similarity.similar_files")

SHORT = b"int f(int a, int b) { int c = a; while (b) { c = c + b; b = b - 1; } return c * 2; }\n"
CHANGED = b"int g(int x) { int y; int z; y = h(); z = x; do { z += y; y--; } while (y); return 2 * z; }\n"
COPY = b"int g(int x, int y) { int z = x; while (y) { z = z + y; y = y - 1; } log(z); return z * 2; }\n"
OTHER = b"struct point { double left; double top; };\nstatic const char *names[] = { one, two, three, four };\n"


def paths(engine: MemoryEngine, code: bytes) -> list[str]:
    """The paths of the files that are similar to some code, the most similar first."""
    hits = similar.similar_to(engine, code, SimilarOptions(language="c")).hits
    return [occurrence.path for hit in hits for occurrence in hit.occurrences]


@pytest.mark.thorough
def test_unrelated_files_do_not_change_the_answer() -> None:
    unrelated = [b"char *w%d[] = {z%d};\n" % (n, n) for n in range(600)]
    few, many = MemoryEngine(scheme_ids()), MemoryEngine(scheme_ids())
    add_files(few, [CHANGED, COPY, OTHER])
    add_files(many, [CHANGED, COPY, OTHER, *unrelated])
    assert paths(few, SHORT) == paths(many, SHORT) == ["1.c"]


def test_of_many_candidates_those_that_share_most_for_their_length_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [b"int f%d(int a) { return a + call%d(a, %d); }\n" % (n, n, n) for n in range(60)]
    long = b"".join(b"long g%d(char *s) { return strlen(s) * size%d; }\n" % (n, n) for n in range(300))
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [b"".join(lines[:20]), b"".join(lines[:24]) + long])
    monkeypatch.setattr(similar, "COMPARED_FILES", 0)
    options = SimilarOptions(language="c", limit=1)
    (hit,) = similar.similar_to(engine, b"".join(lines), options).hits
    assert hit.occurrences[0].path == "0.c"


def test_a_shorter_file_needs_a_greater_score() -> None:
    assert similar.least_similar("resemblance", 0) == similar.least_similar("either", 0) == pytest.approx(0.4)
    assert similar.least_similar("resemblance", 400) == similar.least_similar("either", 4000) == pytest.approx(0.2)
    assert similar.least_similar("containment", 10) == 0.1


def test_files_that_share_only_what_everyone_writes_are_not_similar() -> None:
    def accessors(*names: str) -> bytes:
        lines = (f"int get_{name}(struct s *s) {{ return s->{name}; }}\n" for name in names)
        return "".join(lines).encode()

    engine = MemoryEngine(scheme_ids())
    add_files(engine, [accessors("left", "top", "width"), COPY])
    assert paths(engine, accessors("speed", "weight", "color")) == []
    assert paths(engine, COPY.replace(b"log", b"note")) == ["1.c"]


def test_an_identical_file_counts_only_if_it_is_evidence() -> None:
    def is_found(code: bytes) -> bool:
        stream = analyze_snippet(code, language="c").tokens
        blob, _ = blob_ids(code)
        engine = MemoryEngine(scheme_ids())
        with engine.writer() as writer:
            stored = StoredBlob(blob, "c", len(code), len(stream), encode(stream))
            writer.add_blobs([BlobDocument(stored, document_terms(stream))])
            writer.put_occurrences([Occurrence("repository", "0.c", blob, "revision")])
        counted = np.ones(len(stream), np.bool_)
        found = whole_files.identical_file(engine, code, stream, language="c", counted=counted, own=OwnPlaces())
        return found is not None

    assert is_found(COPY)
    assert not is_found(b"int main(void) { return 0; }\n")
