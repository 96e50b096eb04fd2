"""Scripts that javascript-obfuscator scrambled, as queries."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.queries.indexes import add_files
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.options import SearchOptions, SimilarOptions
from wherefrom.queries.searching import search
from wherefrom.queries.similarity.similar_files import similar_to

SCRAMBLED = Path(__file__).parents[1] / "analyzers" / "scrambled"
OTHER = "function of%d(a) { return a.map((b) => b.size * %d).join('%d'); }\n"


@pytest.fixture(scope="module")
def engine() -> MemoryEngine:
    made = MemoryEngine(scheme_ids())
    others = [(OTHER % (number, number, number)).encode() for number in range(20)]
    add_files(made, [(SCRAMBLED / "shelf.js").read_bytes(), *others], name="a.js")
    return made


@pytest.mark.parametrize("version", ["default", "loose", "low"])
@pytest.mark.parametrize("language", [None, "javascript"])
def test_a_scrambled_script_is_found_as_what_it_was_made_from(
    engine: MemoryEngine, version: str, language: str | None
) -> None:
    code = (SCRAMBLED / f"{version}.js").read_bytes()
    found = search(engine, code, SearchOptions(language=language))
    alike = similar_to(engine, code, SimilarOptions(language=language))
    for answer in (found, alike):
        assert answer.hits
        assert answer.hits[0].occurrences[0].path == "0.c"
        assert not answer.warnings
    assert found.hits[0].match > 80
    assert alike.hits[0].score > 0.8
    last = found.hits[0].regions[-1]
    assert code[last.query.start_byte : last.query.end_byte].strip()


def test_an_indexed_scrambled_script_is_found_as_it_is(engine: MemoryEngine) -> None:
    made = MemoryEngine(scheme_ids())
    code = (SCRAMBLED / "loose.js").read_bytes()
    add_files(made, [code], name="a.js")
    assert search(made, code, SearchOptions()).hits[0].match == 100
    assert similar_to(made, code, SimilarOptions()).hits[0].score == 1
