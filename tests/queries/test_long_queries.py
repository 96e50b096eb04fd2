"""Long queries: memory and work grow in proportion to their length, up to a limit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import stream, words
from tests.queries.indexes import add_files, candidate, index
from tests.queries.memory import peak
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.engine import Wanted
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import AnalysisError
from wherefrom.fitted import LONG_QUERY
from wherefrom.options import SearchOptions, SourcesOptions
from wherefrom.queries import snippet
from wherefrom.queries.alignment import documents
from wherefrom.queries.alignment import runs as growing
from wherefrom.queries.alignment.aligning import DocumentText
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.candidates import BATCH
from wherefrom.queries.decomposition import sources
from wherefrom.queries.judging import judging
from wherefrom.queries.judging.judging import Judge
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.searching import search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.model import Candidate


def code(begin: int, end: int) -> bytes:
    """Statements of 12 tokens, no two alike."""
    return b"".join(b"n%d = -m%d.f%d(k%d, %d);\n" % (at, at, at, at, at) for at in range(begin, end))


def statements(begin: int, end: int) -> TokenStream:
    """The statements of `code`, as tokens."""
    return stream(words(" ".join(f"n{at} = - m{at} . f{at} ( k{at} , {at} ) ;" for at in range(begin, end))))


class CountingEngine(MemoryEngine):
    """Counts the requests for candidates."""

    requests = 0

    def _candidates(self, wanted: Wanted) -> list[Candidate]:
        self.requests += 1
        return super()._candidates(wanted)


def indexed(*contents: bytes) -> CountingEngine:
    """An index of C files."""
    engine = CountingEngine(scheme_ids())
    add_files(engine, contents)
    return engine


@pytest.mark.slow
def test_twice_the_query_takes_at_most_twice_the_memory_to_prepare() -> None:
    engine = index(statements(0, 20))
    once, twice = statements(0, 1200), statements(0, 2400)
    prepare(once, engine)  # loads what the first query needs, which would count for one of the two
    assert peak(lambda: prepare(twice, engine)) < 2.3 * peak(lambda: prepare(once, engine))


@pytest.mark.parametrize("looked_up", ["search", "sources"])
@pytest.mark.slow
def test_twice_the_query_takes_at_most_twice_the_memory_to_look_up(looked_up: str) -> None:
    engine = indexed(*(code(at, at + 30) for at in range(0, 600, 200)))

    def look_up(content: bytes) -> None:
        if looked_up == "search":
            assert len(search(engine, content, SearchOptions(name="a.c", language="c")).hits) >= 2
        else:
            assert len(sources(engine, content, SourcesOptions(name="a.c", language="c")).documents) >= 2

    once, twice = code(0, 300), code(0, 600)
    look_up(once)  # loads what the first query needs
    assert peak(lambda: look_up(twice)) < 2.3 * peak(lambda: look_up(once))


def test_a_document_is_read_once_however_many_windows_it_is_a_candidate_of(monkeypatch: pytest.MonkeyPatch) -> None:
    query = prepare(statements(0, 300), index(statements(0, 300)))
    running = Judge(query)
    read = Counter[bytes]()

    def counted(stored: bytes) -> DocumentText:
        read[stored] += 1
        return DocumentText(stored)

    monkeypatch.setattr(documents, "DocumentText", counted)
    monkeypatch.setattr(documents, "SHORT", 0)  # no document is kept for other queries
    candidates = [candidate(statements(40, 70), "b0"), candidate(statements(50, 90), "b1")]

    def judge() -> list[int]:
        for part in query.parts:
            for each in candidates:
                running.judge(part, each, 0.0)
        return [read[each.blob.tokens] for each in candidates]

    assert len(query.parts) > 3
    assert judge() == [1, 1]
    monkeypatch.setattr(judging, "KEPT_TOKENS", 1)
    assert judge() == [len(query.parts), len(query.parts) + 1]


@pytest.mark.slow
def test_more_candidates_are_read_as_long_as_there_are_copies_among_them() -> None:
    copies = [code(0, 8).replace(b"n", b"name%d_" % number) for number in range(2 * BATCH)]
    others = [code(at, at + 8) for at in range(100, 1300, 8)]
    engine = indexed(*copies, *others)
    found = search(engine, copies[7], SearchOptions(language="c", limit=4 * BATCH))
    assert sum(len(hit.occurrences) for hit in found.hits) > BATCH
    assert engine.requests > 1
    engine = indexed(copies[7], *others)
    [hit] = search(engine, copies[7], SearchOptions(language="c", limit=4 * BATCH)).hits
    assert hit.blob == "b0"
    assert engine.requests == 1


def test_windows_that_nothing_tells_apart_are_looked_up_once() -> None:
    """A statement has 12 tokens, so the 25 statements have 300, and a window equals the window after the next."""
    repeated = code(0, 25) * 12
    engine = indexed(b"void f() {\n" + code(0, 25) + b"}\n", code(50, 70))
    result = search(engine, repeated, SearchOptions(name="a.c", language="c"))
    assert result.query.tokens == 12 * 300
    assert engine.requests <= 6
    # In a hit, no stretch of the document matches twice. As a source, it explains every repetition.
    (hit,) = result.hits
    assert [region.tokens for region in hit.regions] == [300]
    (explaining,) = sources(engine, repeated, SourcesOptions(name="a.c", language="c")).documents
    assert explaining.tokens == 12 * 300


SPAN = st.tuples(st.integers(0, 40), st.integers(1, 15), st.integers(-5, 5))


def disjoint_by_brute_force(runs: Sequence[MatchedRun], *, is_once: bool) -> list[MatchedRun]:
    """The joined runs, longest first, each cut where it overlaps a run that was chosen before it."""
    chosen: list[MatchedRun] = []
    for run in sorted(growing._joined(runs), key=lambda run: (-run.tokens, run.begin, run.shift)):
        begin, end = run.begin, run.end
        for other in chosen:
            begin, end = growing._beside(begin, end, other.begin, other.end)
            if is_once:
                moved = other.shift - run.shift
                begin, end = growing._beside(begin, end, other.begin + moved, other.end + moved)
        if begin < end:
            chosen.append(MatchedRun(run.shift, begin, end))
    return sorted(chosen, key=lambda run: (run.begin, run.shift))


@given(st.lists(SPAN, max_size=30), st.booleans())
def test_runs_are_cut_as_if_each_met_every_other(spans: list[tuple[int, int, int]], is_once: bool) -> None:
    runs = [MatchedRun(shift, begin, begin + length) for begin, length, shift in spans]
    assert growing.without_overlaps(runs, is_once=is_once) == disjoint_by_brute_force(runs, is_once=is_once)


@given(st.lists(SPAN, max_size=30))
def test_runs_of_one_diagonal_that_overlap_are_joined(spans: list[tuple[int, int, int]]) -> None:
    runs = [MatchedRun(shift, begin, begin + length) for begin, length, shift in spans]
    joined = growing._joined(runs)

    def pairs(some: Sequence[MatchedRun]) -> set[tuple[int, int]]:
        return {(at, at + run.shift) for run in some for at in range(run.begin, run.end)}

    assert pairs(joined) == pairs(runs)
    assert sum(run.tokens for run in joined) == len(pairs(runs))


def test_runs_that_lie_apart_are_not_compared_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    beside = growing._beside

    def counted(begin: int, end: int, taken_begin: int, taken_end: int) -> tuple[int, int]:
        compared.append(begin)
        return beside(begin, end, taken_begin, taken_end)

    monkeypatch.setattr(growing, "_beside", counted)
    runs = [MatchedRun(0, 10 * at, 10 * at + 8) for at in range(500)]
    longer = MatchedRun(3, 0, 20)
    assert growing.without_overlaps([*runs, longer]) == [
        longer,
        MatchedRun(0, 23, 28),
        *runs[3:],
    ]
    assert len(compared) < 20


def test_a_query_of_more_bytes_or_tokens_than_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = indexed(code(0, 20))
    content = code(0, 10)
    for name, most, unit in (("MOST_QUERIED", len(content), "bytes"), ("MOST_TOKENS", 120, "tokens")):
        monkeypatch.setattr(snippet, name, most)
        assert search(engine, content, SearchOptions(name="a.c", language="c")).hits
        longer = content + b";"
        refused = rf"^a query has at most {most} {unit}, not {most + 1}; look up a part of it$"
        with pytest.raises(AnalysisError, match=refused):
            search(engine, longer, SearchOptions(name="a.c", language="c"))
        with pytest.raises(AnalysisError, match=refused):
            sources(engine, longer, SourcesOptions(name="a.c", language="c"))
        monkeypatch.undo()


def spread(begin: int, end: int, copied: int, of: int) -> bytes:
    """The first `copied` of every `of` statements, and in place of the others a call that is nowhere else."""
    return b"".join(
        code(at, at + 1) if (at - begin) % of < copied else b'other%d(&q%d[0], "%d");\n' % (begin, at, at)
        for at in range(begin, end)
    )


def test_what_holds_more_of_a_long_query_comes_first() -> None:
    query = code(0, 200)
    half, tenth = spread(0, 200, 5, 10), code(75, 95)
    assert len(query) > LONG_QUERY
    others = [code(at, at + 20) for at in range(500, 700, 20)]
    result = search(indexed(tenth, half, *others), query, SearchOptions(name="a.c", language="c"))
    assert [hit.occurrences[0].path for hit in result.hits] == ["1.c", "0.c"]
    more, less = result.hits
    assert more.match == pytest.approx(50, abs=2)
    assert less.match == 10
    assert more.score > 3 * less.score


def test_a_window_that_is_repeated_in_the_query_counts_each_time() -> None:
    once, repeated = code(0, 25), code(100, 125)
    query = code(200, 260) + repeated * 4 + code(300, 360) + once
    result = search(indexed(once, repeated), query, SearchOptions(name="a.c", language="c"))
    assert {hit.occurrences[0].path for hit in result.hits} == {"0.c", "1.c"}
    assert result.hits[0].score == pytest.approx(result.hits[1].score, rel=0.3)


def test_a_match_counts_once_in_however_many_windows_it_lies() -> None:
    """Tokens 150 to 300 lie in two windows, the first 150 in one."""
    query = code(0, 200)
    first, second = code(0, 12), code(13, 25)
    result = search(indexed(first, second), query, SearchOptions(name="a.c", language="c"))
    assert len(result.hits) == 2
    assert result.hits[0].score == pytest.approx(result.hits[1].score, rel=0.05)
