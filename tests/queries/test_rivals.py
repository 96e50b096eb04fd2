"""Snippets whose language is uncertain are looked up in the likeliest languages, and the best answer counts."""

from __future__ import annotations

from tests.queries.indexes import add_files
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.options import SearchOptions
from wherefrom.queries.searching import search
from wherefrom.results import SearchResult

FUNCTION = b"""int end(char *%(text)s, int %(done)s, int %(size)s) {
  if (%(done)s >= 0 && (size_t)%(done)s < %(size)s)
    %(text)s[%(done)s] = '\\0';
  else if (%(size)s > 0)
    %(text)s[%(size)s - 1] = '\\0';
  return %(done)s;
}
"""
ORIGINAL = FUNCTION % {b"text": b"line", b"done": b"length", b"size": b"room"}
RENAMED = b"".join((FUNCTION % {b"text": b"cebara", b"done": b"fobano", b"size": b"dibace"}).splitlines(True)[1:])


def found(language: str | None = None) -> SearchResult:
    engine = MemoryEngine(scheme_ids())
    others = [b"int f%d(int a) { return a + %d; }\n" % (at, at) for at in range(20)]
    add_files(engine, [ORIGINAL, *others])
    return search(engine, RENAMED, SearchOptions(language=language))


def test_an_unsure_snippet_is_found_as_if_its_language_were_named() -> None:
    guessed, named = found(), found(language="c")
    assert guessed.query.language == "c"
    assert [(hit.blob, hit.score, hit.match) for hit in guessed.hits] == [("b0", named.hits[0].score, 100)]


def test_a_language_that_is_named_is_the_only_one() -> None:
    assert found(language="javascript").query.language == "javascript"


STRUCTURE = b"""static box join(double %s) {
  return (%s){.%s = %s, .%s.names = %s};
}
"""
SHAPE = STRUCTURE % (b"name", b"box", b"size", b"number", b"inner", b"name")
MISTAKEN = (STRUCTURE % (b"dibace", b"babafo", b"fobano", b"gubaza", b"kabale", b"dibace")).replace(
    b"static box join", b"babafo cebara"
)
"""Code with the same structure that is mistaken for another language."""


def test_a_snippet_that_is_mistaken_for_another_language_is_found() -> None:
    guessed = analyze_snippet(MISTAKEN)
    assert "c" not in (guessed.language, *guessed.rivals, *guessed.unlikely)
    result = search(engine_with(SHAPE), MISTAKEN, SearchOptions())
    assert [hit.blob for hit in result.hits] == ["b0"]


CPP = b"""auto k = std::vector<int>{};
for (auto& each : values) { each.grow(k, std::move(other)); total::add<int>(each); }
class A : public B { template <typename T> void go(T&& t) const override; };
"""


def engine_with(*files: bytes) -> MemoryEngine:
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [*files, *(b"int f%d(int a) { return a + %d; }\n" % (at, at) for at in range(20))])
    return engine


def test_a_snippet_of_which_nothing_is_found_is_in_the_language_that_its_name_says() -> None:
    snippet = b"".join(ORIGINAL.splitlines(keepends=True)[1:2]) + CPP
    result = search(engine_with(ORIGINAL), snippet, SearchOptions(name="t8.cpp"))
    assert (result.hits, result.query.language) == ((), "cpp")


LOOP = b"""// it's empty
int end(char *rope, int left) { while (left-- > 3) { rope[left] = 0; } return left ? rope->next : turn(left, 7); }
"""
"""Code with an apostrophe in a comment; in Ruby this apostrophe begins a string."""


def test_a_snippet_that_is_found_in_another_language_than_its_name_says_tells_so() -> None:
    index = engine_with(SHAPE + LOOP)
    result = search(index, SHAPE, SearchOptions(name="join.sh"))
    assert ([hit.blob for hit in result.hits], result.query.language) == (["b0"], "c")
    [warning] = result.warnings
    assert "--language bash" in warning
    kept = search(index, SHAPE, SearchOptions(name="join.sh", language="bash"))
    assert (kept.hits, kept.query.language) == ((), "bash")
    assert "1 file did not parse in full" in kept.warnings[0]
