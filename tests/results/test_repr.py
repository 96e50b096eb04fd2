"""The `repr` of results: short, on one line, safe on a terminal."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest

from tests.results import answers
from wherefrom.lab.figures import CorpusSize, Frequencies, FrequencyResult
from wherefrom.model import BoilerplateSet, Occurrence, ProposalKind, RepositoryRecord, Representation
from wherefrom.queries.learning import Proposal, Proposals
from wherefrom.results import Hit, IndexReport, IndexStats, RepositoryReport, SearchResult
from wherefrom.results.locations import Texts

HASHES = {Representation.EXACT: np.arange(1500, dtype=np.uint64)}


def test_a_search_names_its_first_hits() -> None:
    result = answers.search_result()
    assert repr(result) == (
        "<SearchResult 'snip.py' hits=3: 91% github.com/x/y src/best.py:3-25, 12 more; "
        "20% github.com/x/y src/near.py:3-25; ...>"
    )
    assert repr(result.hits[0]) == "<Hit 91% github.com/x/y src/best.py:3-25, 12 more>"
    nothing = dataclasses.replace(result, hits=(), total=0)
    assert repr(nothing) == "<SearchResult 'snip.py' hits=0>"
    short = dataclasses.replace(nothing, query=dataclasses.replace(result.query, needed=8, excluded_tokens=0))
    assert repr(short) == "<SearchResult 'snip.py' tokens=80 needed=8>"
    left = dataclasses.replace(nothing, query=dataclasses.replace(result.query, needed=15, excluded_tokens=72))
    assert repr(left) == "<SearchResult 'snip.py' tokens=80 remaining=8 needed=15>"


def test_other_answers() -> None:
    assert repr(answers.sources_result()) == (
        "<SourcesResult 'mine␇.py' unexplained=0.15 documents=2: 0.50 host/one a.py:7-43, 5 more; "
        "0.20 host/two x␛]0;␊.py:9>"
    )
    assert repr(answers.first_result()) == "<FirstResult 'snip.py' places=5>"
    assert repr(answers.first_result().places[0]) == "<FirstPlace github.com/x/y src/<b>old␛.py:3-6>"
    assert repr(answers.check_report()) == (
        "<CheckReport '/home/me/<project>' files=3 findings=3 failing=1: copied-unattributed mine.py:2-12>"
    )
    run = (RepositoryReport("a", "indexed", "r"), RepositoryReport("b", "failed", "", error="gone"))
    assert repr(IndexReport(run, 3, 4, 0, 1.0)) == "<IndexReport failed=1 indexed=1 parsed=3>"
    stats = IndexStats("memory", "here\x1b", 1, {}, 1, 2000, 3, 4, 5, {"c": 1}, {}, {}, None)
    assert repr(stats) == "<IndexStats 'here␛' repositories=1 occurrences=2000 blobs=3 tokens=5>"
    record = RepositoryRecord("host/a", "/a", "git", "r1", "", 12, 1, {}, "")
    assert repr(record) == "<RepositoryRecord 'host/a' revision='r1' files=12>"
    assert repr(BoilerplateSet("x", ("a",), {}, HASHES)) == "<BoilerplateSet 'x' files=1 kgrams=1500>"
    proposal = Proposal("mit", ProposalKind.LICENSE, 1, 9, 0.5, (), "code\n" * 100, HASHES)
    assert repr(Proposals(3, 9, 2, (proposal,), True, {})) == ("<Proposals proposals=1: mit (license)>")
    frequencies = Frequencies(Representation.EXACT, 9, 3, 0.5, 0.2, 0.1, 1.0, ((1, 5),) * 100, None)
    assert repr(frequencies) == "<Frequencies exact distinct=3 once=0.50 slope=unknown>"
    result = FrequencyResult(CorpusSize(1, 2, 3), (frequencies,))
    assert repr(result) == "<FrequencyResult contents=2 tokens=3 frequencies=1>"


@pytest.mark.parametrize("number", [4, 4000])
def test_a_long_answer_has_a_short_repr(number: int) -> None:
    result = answers.search_result()
    many = dataclasses.replace(result, hits=result.hits[:1] * number, total=number)
    assert repr(many).count("src/best.py") == 3
    assert repr(many).endswith("; ...>")


@pytest.mark.parametrize("name", ["\x1b[31m", "a\nb", "\u202e", "'\"\\", "\udcff"])
def test_nothing_hostile_reaches_a_terminal(name: str) -> None:
    result = answers.search_result()
    hit = dataclasses.replace(result.hits[0], occurrences=(Occurrence(name, name, answers.BLOB, "r"),))
    query = dataclasses.replace(result.query, name=name)
    shown = repr(dataclasses.replace(result, hits=(hit,), query=query))
    assert shown.isprintable()
    shown.encode()


def test_the_best_place_of_a_hit_is_one_of_its_blob() -> None:
    hit = answers.search_result().hits[0]
    assert hit.best == hit.occurrences[1]
    gone = dataclasses.replace(hit, occurrences=hit.occurrences[:1])
    assert gone.best is None
    assert repr(gone) == f"<Hit 91% blob {answers.BLOB}>"


def test_texts_are_read_on_use_and_are_no_part_of_the_answer() -> None:
    reads: list[Occurrence] = []

    def read(occurrence: Occurrence) -> bytes | None:
        reads.append(occurrence)
        return b"code" if occurrence.path == "lib/03.py" else None

    plain = answers.search_result()
    result = dataclasses.replace(plain, texts=Texts(lambda: b"query", read))
    assert result == plain
    assert "Texts" not in repr(result)
    assert not reads
    assert result.texts.query() == b"query"
    hit: Hit = result.hits[0]
    assert result.texts.of(hit.blob, hit.occurrences) == b"code"
    assert [occurrence.path for occurrence in reads] == [
        "src/best.py",
        "lib/00.py",
        "lib/01.py",
        "lib/02.py",
        "lib/03.py",
    ]


def test_an_answer_can_be_pickled_and_copied_without_its_texts() -> None:
    result = dataclasses.replace(answers.search_result(), texts=Texts(lambda: b"query", lambda _: b"code"))
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert isinstance(other, SearchResult)
        assert other == result
        assert other.texts.query() is None
        assert other.texts.at(result.hits[0].occurrences[0]) is None
