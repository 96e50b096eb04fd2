"""The matching runs of two files: no token is in two runs, and code matches at any position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from tests.end_to_end.conftest import module_source
from tests.end_to_end.edits import renamed
from wherefrom.analyzers.documents import document
from wherefrom.analyzers.tokens import without_insides
from wherefrom.compare.counting import TermFrequencies
from wherefrom.compare.matching import ComparedText, matching_runs, runs_from_lines, weigh
from wherefrom.model import OF_TOKENS, BoilerplateSet, Representation, SkipReason, StoredBlob
from wherefrom.options import Limits
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.boilerplate import make_set


def text(code: bytes, ignored: Sequence[BoilerplateSet] = (), *, name: str = "a.py") -> ComparedText:
    made = document(name, code, Limits())
    assert not isinstance(made, SkipReason)
    stored = StoredBlob("0" * 40, made.language, len(code), made.token_count, made.tokens)
    return ComparedText(without_insides(stored), ignored)


def covered(runs: Iterable[MatchedRun], tokens: int) -> float:
    return sum(run.end - run.begin for run in runs) / tokens


HEAP, WRAP = module_source("heapq"), module_source("textwrap")


def test_a_file_matches_itself_as_one_run() -> None:
    one = text(HEAP)
    [run] = matching_runs(one, text(HEAP), least=12)
    assert (run.begin, run.end, run.shift) == (0, len(one.document.stream), 0)


def test_no_token_is_in_two_runs_on_either_side() -> None:
    left, right = text(HEAP + WRAP + HEAP), text(WRAP + HEAP)
    runs = matching_runs(left, right, least=12)
    for shifted in (False, True):
        taken = np.zeros(len((right if shifted else left).document.stream), np.int64)
        for run in runs:
            taken[run.begin + shifted * run.shift : run.end + shifted * run.shift] += 1
        assert taken.max() == 1
    assert sum(run.end - run.begin for run in runs) > 0.99 * len(right.document.stream)


def test_moved_and_renamed_code_matches() -> None:
    changed = renamed(HEAP.decode()).encode()
    left, right = text(HEAP + WRAP), text(WRAP + changed)
    runs = matching_runs(left, right, least=12)
    assert covered(runs, len(left.document.stream)) > 0.9
    assert {np.sign(run.shift) for run in runs} == {-1, 1}


def test_a_few_words_of_prose_are_no_region() -> None:
    one = b"The library reads the header of each file before it is opened by the caller of the function.\n"
    other = b"A program reads the header of each mail. Nothing else is opened by the caller, as we said above.\n"
    assert matching_runs(text(one, name="a.md"), text(other, name="b.md"), least=12) == []
    [run] = matching_runs(text(one, name="a.md"), text(b"Well. " + one, name="b.md"), least=12)
    assert run.end - run.begin > 60


def test_rows_of_a_table_say_nothing_but_a_copied_table_does() -> None:
    def table(seed: int) -> bytes:
        numbers = np.random.default_rng(seed).integers(0, 1 << 30, 400).tolist()
        return b"rows = [\n" + b"".join(b"    (%d, '%x'),\n" % (number, number) for number in numbers) + b"]\n"

    assert covered(matching_runs(text(table(1)), text(table(2)), least=12), 1) < 40
    assert len(matching_runs(text(table(1)), text(table(1)), least=12)) == 1


def test_a_run_does_not_begin_with_the_end_of_another_line() -> None:
    for one, other in ((b"print(alpha, beta)\n", b"total = measure(1)\n"), (b"x[f(alpha)]\n", b"y = g[h(1 + 2)]\n")):
        left, right = text(one + WRAP), text(other + WRAP)
        [stray] = matching_runs(left, right, least=12)
        [run] = runs_from_lines(left, right, least=12)
        lines = left.document.stream.start_lines
        assert (lines[stray.begin], lines[run.begin]) == (1, 2)
        assert lines[run.begin - 1] == 1
        assert (run.shift, run.end) == (stray.shift, stray.end)
        # A run does not become shorter than the shortest run.
        assert runs_from_lines(left, right, least=run.end - run.begin + 1) == [stray]


def test_masked_tokens_are_in_no_run() -> None:
    ignored = [make_set("template", [("heap.py", HEAP)])]
    left, right = text(HEAP + WRAP, ignored), text(b"first = 1\n" + HEAP + WRAP, ignored)
    assert left.masked.any()
    runs = matching_runs(left, right, least=12)
    assert runs
    for run in runs:
        assert not left.masked[run.begin : run.end].any()
        assert not right.masked[run.begin + run.shift : run.end + run.shift].any()


def test_a_few_tokens_between_ignored_code_belong_to_the_match_next_to_it() -> None:
    ignored = [make_set("template", [("heap.py", HEAP)])]
    own = b"\nleft = 1\n" + HEAP + WRAP
    left, right = text(own, ignored), text(own.replace(b"left", b"other"), ignored)
    assert covered(matching_runs(left, right, least=12), int(np.count_nonzero(~left.masked))) == 1
    alone = b"\nleft = 1\n" + HEAP
    assert matching_runs(text(alone, ignored), text(alone.replace(b"left", b"other"), ignored), least=12) == []


@pytest.mark.parametrize("submissions", [2, 9])
def test_a_run_weighs_what_its_terms_weigh(submissions: int) -> None:
    one = text(HEAP)
    frequencies = {}
    for representation in OF_TOKENS:
        found = one.fingerprints.get(representation)
        terms = np.unique(found[1]) if found else np.zeros(0, np.uint64)
        frequencies[representation] = TermFrequencies(terms, np.full(len(terms), submissions), 100)
    [run] = matching_runs(one, text(HEAP), least=12)
    [weighed] = weigh(one, [run], frequencies)
    idf = np.log1p((100 - submissions + 0.5) / (submissions + 0.5))
    assert weighed.weight == pytest.approx(idf * sum(len(terms) for _, terms in one.fingerprints.values()))
    assert weighed.submissions == submissions
    assert (weighed.rarity == pytest.approx(1.0)) is (submissions == 2)
    assert Representation.EXACT in one.fingerprints
