"""Code that was carried into another language is found by its words."""

from __future__ import annotations

import re
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom import index_sources, open_index
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.kernel import active, stored_stream, stored_words
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import decode, encode
from wherefrom.analyzers.words import index_terms, word_code
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import BlobDocument, Occurrence, StoredBlob
from wherefrom.options import SearchOptions, SimilarOptions
from wherefrom.queries.searching import NO_TRANSLATIONS, search
from wherefrom.queries.similarity.similar_files import similar_to
from wherefrom.queries.translation.alignment import MOST_PAIRS, plain_aligned

JAVA = b"""\
class TideTable {
    double waterLevel(double hourOfDay, double moonPhase, String harbourName) {
        double springFactor = 1.0 + 0.35 * Math.cos(2 * moonPhase);
        double harbourDelay = delayOfHarbour(harbourName) / 60.0;
        double semiDiurnal = Math.sin((hourOfDay - harbourDelay) * 6283 / 12421);
        if (semiDiurnal > 0 && springFactor > 1.2) {
            logger.warn("spring flood expected at quay " + harbourName);
        }
        return meanSeaLevel + springFactor * semiDiurnal * tidalRange;
    }
}
"""

PYTHON = b"""\
def water_level(self, hour_of_day, moon_phase, harbour_name):
    spring_factor = 1.0 + 0.35 * math.cos(2 * moon_phase)
    harbour_delay = self.delay_of_harbour(harbour_name) / 60.0
    semi_diurnal = math.sin((hour_of_day - harbour_delay) * 6283 / 12421)
    if semi_diurnal > 0 and spring_factor > 1.2:
        logger.warn(f"spring flood expected at quay {harbour_name}")
    return self.mean_sea_level + spring_factor * semi_diurnal * self.tidal_range
"""

OTHER = b"""\
def parse_header(lines, encoding):
    fields = {}
    for number, line in enumerate(lines):
        name, separator, content = line.partition(":")
        if not separator:
            raise HeaderError(f"line {number} has no colon")
        fields[name.strip().lower()] = content.strip().decode(encoding)
    return fields
"""


def engine_of(**files: bytes) -> MemoryEngine:
    """An index of files, named by their paths with `_` for the dot."""
    engine = MemoryEngine(scheme_ids())
    with engine.writer() as writer:
        for number, (name, content) in enumerate(files.items()):
            path = name.replace("_", ".")
            analysis = analyze_file(path, content)
            assert not isinstance(analysis, str)
            tokens, blob = analysis.tokens, f"{number:040}"
            stored = StoredBlob(blob, analysis.language, len(content), len(tokens), encode(tokens))
            writer.add_blobs([BlobDocument(stored, index_terms(tokens))])
            writer.put_occurrences([Occurrence("repository", path, blob, "revision")])
    return engine


SCRIPT = b"""\
function waterLevel(hourOfDay, moonPhase, harbourName) {
  const springFactor = 1.0 + 0.35 * Math.cos(2 * moonPhase);
  const harbourDelay = delayOfHarbour(harbourName) / 60.0;
  const semiDiurnal = Math.sin((hourOfDay - harbourDelay) * 6283 / 12421);
  if (semiDiurnal > 0 && springFactor > 1.2) {
    logger.warn("spring flood expected at quay " + harbourName);
  }
  return meanSeaLevel + springFactor * semiDiurnal * tidalRange;
}
"""


@pytest.mark.parametrize(("query", "name", "origin"), [(SCRIPT, "t.js", None), (PYTHON, "t.py", "javascript")])
def test_a_page_has_the_language_of_its_script(query: bytes, name: str, origin: str | None) -> None:
    engine = engine_of(page_html=b"<html><body>\n<script>\n" + SCRIPT + b"</script></body></html>\n", header_py=OTHER)
    [hit] = search(engine, query, SearchOptions(name=name)).hits
    assert (hit.translated_from, hit.occurrences[0].path) == (origin, "page.html")


@pytest.mark.parametrize(
    ("query", "name", "path", "language"),
    [(JAVA, "T.java", "tide.py", "python"), (PYTHON, "t.py", "Tide.java", "java")],
)
def test_a_translation_is_a_hit_of_its_own_kind(query: bytes, name: str, path: str, language: str) -> None:
    indexed = {"tide.py": PYTHON, "Tide.java": JAVA}[path]
    engine = engine_of(**{path.replace(".", "_"): indexed, "header_py": OTHER, "Header_java": b"class A { int b; }"})
    [hit] = search(engine, query, SearchOptions(name=name)).hits
    assert (hit.translated_from, hit.occurrences[0].path, hit.language) == (language, path, language)
    assert hit.probability is not None
    assert hit.probability > 0.9
    assert hit.match > 80
    for pair in hit.regions:
        assert query[pair.query.start_byte : pair.query.end_byte].strip()
        assert indexed[pair.document.start_byte : pair.document.end_byte].strip()
    assert search(engine, query, SearchOptions(name=name, languages=("go",))).hits == ()
    assert similar_to(engine, query, SimilarOptions(name=name)).hits[0].translated_from == language


def test_a_file_of_one_repeated_line_has_no_alignment_to_show() -> None:
    java = b"class A { void f() {\n" + b"    tidal.harbour();\n" * 300 + b"} }\n"
    python = b"def f():\n" + b"    tidal.harbour()\n" * 300
    assert similar_to(engine_of(a_py=python), java, SimilarOptions(name="A.java")).hits == ()


def _function(name: str, words: list[str]) -> tuple[bytes, bytes]:
    """A method in Java and the function in Python that is its port: each calls all pairs of these words."""
    pairs = [*pairwise(words)]
    java = "".join(f"        {one}.{other}At({one});\n" for one, other in pairs)
    python = "".join(f"    {one}.{other}_at({one})\n" for one, other in pairs)
    return f"    void {name}() {{\n{java}    }}\n".encode(), f"def {name}():\n{python}".encode()


def test_a_port_with_functions_in_another_order_is_the_first_file() -> None:
    """The longer file has more words of the query in its order, but most of its code is something else."""
    words = [
        start + end for start in ("quay", "tide", "moor") for end in ("ling", "ward", "some", "ness", "less", "ful")
    ]
    sides = [_function(f"{group[0]}Work", group) for group in (words[:6], words[6:12], words[12:])]
    java = b"class Harbour {\n" + b"".join(one for one, _ in sides) + b"}\n"
    port = b"".join(other for _, other in reversed(sides))
    others = [_function(f"more{at}", [f"{name}{at}ly" for name in words[:6]])[1] for at in "abcdefghijkl"]
    long = sides[0][1] + sides[1][1] + b"".join(others)
    hits = similar_to(engine_of(port_py=port, long_py=long), java, SimilarOptions(name="Harbour.java")).hits
    assert [hit.translated_from for hit in hits[:1]] == ["python"]
    assert hits[0].occurrences[0].path == "port.py"


@pytest.mark.parametrize("name", ["t.py", "other.py"])
def test_neither_the_same_language_nor_other_code_is_a_translation(name: str) -> None:
    engine = engine_of(tide_py=PYTHON, header_py=OTHER)
    assert all(hit.translated_from is None for hit in search(engine, PYTHON, SearchOptions(name=name)).hits)
    assert search(engine_of(header_py=OTHER), JAVA, SearchOptions(name="T.java")).hits == ()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("getHTTPCode = http_code2", ["http", "code", "http", "code"]),
        ("x = 'tidal\\nRange'", ["tidal", "range"]),
        ("level = 0x1F + 1_000 + 2 + 0.50", ["level", "#31", "#1000", "#0.50"]),
        ("größe = 'é'", ["gr", "öß", "é"]),
        ('def f():\n    """The tidal range."""\n    level(rb\'\'\'two\'\'\', "")', ["level"]),
    ],
)
def test_words_of_names_and_literals(code: str, words: list[str]) -> None:
    analysis = analyze_file("a.py", code.encode())
    assert not isinstance(analysis, str)
    found = analysis.tokens.words
    assert found.codes.tolist() == [word_code(word.encode()) for word in words]
    stored = encode(analysis.tokens)
    for read in (decode(stored).words, stored_words(stored), stored_stream(stored).words):
        assert read.codes.tolist() == found.codes.tolist()
        assert read.tokens.tolist() == found.tokens.tolist()


@pytest.mark.parametrize("is_said", [True, False])
def test_an_index_without_code_says_that_it_finds_no_translation(tmp_path: Path, is_said: bool) -> None:
    calls = [
        ("oldLantern", "keeperOf"),
        ("stoneQuay", "mooringAt"),
        ("fogSignal", "captainOn"),
        ("seaWall", "breachBy"),
    ]
    query = "".join(f"    Thing {one}Found = {one}.{other}(harbourMaster);\n" for one, other in calls)
    indexed = "".join(
        f"    {_snake(one)}_found = {_snake(one)}.{_snake(other)}(harbour_master)\n" for one, other in calls
    )
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "tide.py").write_bytes(f"def look():\n{indexed}".encode() if is_said else OTHER)
    index_sources([tmp_path / "code"], tmp_path / "index", fingerprints_only=True)
    shutil.rmtree(tmp_path / "code")
    with open_index(tmp_path / "index") as index:
        found = index.search(f"class T {{ void look() {{\n{query}}} }}".encode(), name="T.java")
    assert found.hits == ()
    assert (NO_TRANSLATIONS in found.warnings) == is_said


def _snake(name: str) -> str:
    return re.sub("([A-Z])", r"_\1", name).lower()


SEQUENCES = st.lists(st.integers(0, 5), min_size=1, max_size=30)


@given(SEQUENCES, SEQUENCES, st.integers(0, 100))
def test_the_kernel_aligns_as_the_definition_does(query: list[int], document: list[int], gap: int) -> None:
    native = active()
    if native is None:
        pytest.skip("the kernel is not used")
    given = np.array(query, np.uint32), np.array(query, np.int32) * 40, gap, MOST_PAIRS, np.array(document, np.uint32)
    *counts, here, there = native.aligned_words(*given)
    *plain_counts, plain_here, plain_there = plain_aligned(*given)
    assert counts == plain_counts
    np.testing.assert_array_equal([here, there], [plain_here, plain_there])


@given(SEQUENCES, SEQUENCES, st.integers(0, 100))
def test_an_alignment_has_the_most_bits(query: list[int], document: list[int], gap: int) -> None:
    """Against the whole table of Smith and Waterman (1981). A word without bits makes no pair."""
    rows = [[0] * (len(document) + 1)]
    for word in query:
        row = [0]
        for at, other in enumerate(document):
            same = rows[-1][at] + 40 * word if word == other > 0 else 0
            row.append(max(0, same, rows[-1][at + 1] - gap, row[at] - gap))
        rows.append(row)
    bits, neighbors, shared, *places = plain_aligned(
        np.array(query, np.uint32), np.array(query, np.int32) * 40, gap, MOST_PAIRS, np.array(document, np.uint32)
    )
    pairs = [*zip(*(side.tolist() for side in places), strict=True)]
    assert bits == max(map(max, rows))
    assert all(query[here] == document[there] for here, there in pairs)
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(pairs))
    assert shared == 40 * sum({query[here] for here, _ in pairs})
    next_to = [(query[one[0]], query[two[0]]) for one, two in pairwise(pairs) if two == (one[0] + 1, one[1] + 1)]
    assert neighbors == len({*next_to})
