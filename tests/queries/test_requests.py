"""The requests of a search to its engine: it asks only for data that it does not have yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.queries.indexes import add_files
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import RepositoryRecord
from wherefrom.options import SearchOptions
from wherefrom.queries.searching import search
from wherefrom.results import SearchResult

LOOP = b"""for (i = 0; i < width; i++)
  total += weights[i] * inputs[i];
"""
ORIGINAL = b"int sum(int *weights, int *inputs, int width) {\n  int i, total = 0;\n  %s  return total;\n}\n" % LOOP
UNKNOWN = b"zig = zag.quux(blorp, frotz)\nwibble = zig.wobble(blorp)\n"
OTHERS = [b"int f%d(int a) { return a + %d; }\n" % (at, at) for at in range(20)]

ASKED = ("document_frequencies", "candidates", "occurrences", "repositories", "repository")


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts the calls of each method of an engine."""
    counts: Counter[str] = Counter()

    def counted(name: str, plain: Callable[..., Any]) -> Callable[..., Any]:
        def ask(engine: MemoryEngine, *args: Any, **named: Any) -> Any:
            counts[name] += 1
            return plain(engine, *args, **named)

        return ask

    for name in ASKED:
        monkeypatch.setattr(MemoryEngine, name, counted(name, getattr(MemoryEngine, name)))
    return counts


def found(snippet: bytes, language: str | None = None) -> SearchResult:
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [ORIGINAL, *OTHERS])
    files = 1 + len(OTHERS)
    with engine.writer() as writer:
        writer.put_repository(
            RepositoryRecord(
                "repository", "/clone", "directory", "revision", "none", files, files, {}, "2026-01-01T00:00:00Z"
            )
        )
    return search(engine, snippet, SearchOptions(language=language))


def test_a_snippet_that_several_languages_read_alike_is_looked_up_once(requests: Counter[str]) -> None:
    analysis = analyze_snippet(LOOP)
    assert analysis.language == "c"
    assert len(analysis.rivals) > 1
    hits = found(LOOP).hits
    assert [hit.blob for hit in hits] == ["b0"]
    assert requests["document_frequencies"] == requests["candidates"] == requests["occurrences"] == 1


def test_where_nothing_is_found_its_answer_is_that_of_the_likeliest_language(requests: Counter[str]) -> None:
    """The answer is the same as if the code had been looked up in that language only."""
    likeliest = analyze_snippet(UNKNOWN).language
    unsure, named = found(UNKNOWN), found(UNKNOWN, language=likeliest)
    assert unsure.query.language == likeliest
    assert unsure.hits == ()
    assert unsure.to_dict() | {"took_ms": 0} == named.to_dict() | {"took_ms": 0}


def test_nothing_is_ranked_where_no_content_has_a_term(requests: Counter[str]) -> None:
    assert found(UNKNOWN).hits == ()
    assert requests["document_frequencies"] == 3  # as code, as prose and by its words
    assert requests["candidates"] == requests["occurrences"] == 0


def test_the_record_of_a_repository_is_read_once(requests: Counter[str]) -> None:
    hits = found(LOOP, language="c").hits
    assert hits[0].repositories["repository"].revision == "revision"
    assert requests["repositories"] + requests["repository"] == 1
