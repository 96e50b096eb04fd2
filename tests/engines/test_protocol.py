"""The behaviour of every engine, and random operations that compare an engine with the plain one."""

from __future__ import annotations

import itertools
import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.engines.conftest import (
    SCHEMES,
    SET_SCHEMES,
    Opened,
    blob_id,
    document,
    occurrence,
    opened,
    opened_on_elasticsearch,
    repository,
)
from wherefrom.engines.engine import TIES, Engine, TermOrdered, Writer
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import IndexBusy, IndexClosed
from wherefrom.model import (
    INDEXED,
    OF_TOKENS,
    TERM_BITS,
    BlobDocument,
    BoilerplateSet,
    Candidate,
    KeyKind,
    Package,
    Refusal,
    Representation,
    SkipReason,
)

if TYPE_CHECKING:
    from tests.elasticsearch.servers import Access

EXACT, RENAMED, TEXT = Representation.EXACT, Representation.RENAMED, Representation.TEXT
LARGEST = 2**TERM_BITS - 1


def fill(engine: Engine, *documents: BlobDocument) -> None:
    """Adds blobs, each with an occurrence."""
    with engine.writer() as writer:
        writer.add_blobs(documents)
        blobs = [document.stored.blob for document in documents]
        writer.put_occurrences(replace(occurrence("filled", blob, ""), blob=blob) for blob in blobs)


def ids(candidates: list[Candidate]) -> list[str]:
    return [candidate.blob.blob for candidate in candidates]


def boilerplate(name: str, **hashes: list[int]) -> BoilerplateSet:
    return BoilerplateSet(
        name=name,
        files=("LICENSE", "tpl/ä.py"),
        schemes=SET_SCHEMES,
        hashes={key: np.array(hashes.get(key, []), np.uint64) for key in OF_TOKENS},
    )


def plain(boilerplate: BoilerplateSet | None) -> object:
    """A set as a value that can be compared."""
    if boilerplate is None:
        return None
    hashes = {key: values.tolist() for key, values in boilerplate.hashes.items()}
    return boilerplate.name, boilerplate.files, dict(boilerplate.schemes), hashes


def test_postings_come_in_the_order_of_their_terms(engine: Engine) -> None:
    if not isinstance(engine, TermOrdered):
        pytest.skip("this engine keeps no terms that a client can read")
    one = document(1, {EXACT: [3, 5, LARGEST >> 8], RENAMED: [7]})
    two = document(2, {EXACT: [5, 9], TEXT: [1]})
    three = document(3, {EXACT: [5]})
    fill(engine, one, two)
    fill(engine, three)  # in another commit
    wanted = [three.stored.blob, two.stored.blob, blob_id("missing"), one.stored.blob]

    found: dict[Representation, list[tuple[int, int]]] = {}
    seen: set[tuple[Representation, int]] = set()
    for part in engine.postings(wanted):
        terms = part.terms.tolist()
        assert terms == sorted(terms)
        assert not {(part.representation, term) for term in terms} & seen, "a term is in two parts"
        seen |= {(part.representation, term) for term in terms}
        found.setdefault(part.representation, []).extend(zip(terms, part.blobs.tolist(), strict=True))

    assert {key: postings for key, postings in found.items() if postings} == {
        EXACT: [(3, 3), (5, 0), (5, 1), (5, 3), (9, 1), (LARGEST >> 8, 3)],
        RENAMED: [(7, 3)],
        TEXT: [(1, 1)],
    }
    assert [part for part in engine.postings([]) if len(part.terms)] == []
    with engine.writer() as writer:
        writer.delete_occurrences("filled")
        writer.sweep()
    assert [part for part in engine.postings(wanted) if len(part.terms)] == []


def test_an_empty_index_answers(engine: Engine) -> None:
    assert engine.known([blob_id(1)]) == set()
    assert engine.blobs([blob_id(1)]) == {}
    assert engine.references([blob_id(1)]) == {}
    assert list(engine.stored_blobs()) == []
    assert engine.repositories() == []
    assert engine.repository("r") is None
    assert list(engine.occurrences()) == []
    assert engine.document_frequencies({EXACT: [1, 2]}) == {EXACT: ([0, 0], 0)}
    assert engine.candidates({EXACT: {1: 1.0}}, limit=5) == []
    assert engine.boilerplate_names() == []
    assert engine.boilerplate("b") is None
    stats = engine.stats()
    assert (stats.blobs, stats.occurrences, stats.repositories, stats.size, stats.tokens) == (0, 0, 0, 0, 0)
    assert (stats.languages, stats.skipped) == ({}, {})
    assert (stats.engine, stats.location, stats.schemes) == (engine.name, engine.location, SCHEMES)


def test_everything_written_is_there_after_reopening(index: Opened) -> None:
    documents = [
        document("a", {EXACT: [1, LARGEST], RENAMED: [0]}, source=b"def a(): ...\0\xff"),
        document("b", {TEXT: [7]}, language="c++", size=2**40, source=b"", references=b"[0,[]]\xff\0"),
        document("c", {}, tokens=b""),
    ]
    places = [occurrence("r", "a.py", "a"), occurrence("s", "b.cc", "b"), occurrence("s", "c", "c")]
    of_package = replace(repository("s"), key_kind=KeyKind.PACKAGE, package=Package("bundle", license="MIT"))
    records = [repository("r", binary=3, too_large=1), of_package]
    with index.engine.writer() as writer:
        writer.add_blobs(documents)
        writer.put_occurrences(places)
        for record in records:
            writer.put_repository(record)
        writer.put_boilerplate(boilerplate("licenses", exact=[1, 2**64 - 1], text=[5]))
    engine = index.reopen()
    assert engine.schemes == SCHEMES
    stored = {document.stored.blob: document.stored for document in documents}
    assert engine.blobs(stored) == stored
    assert engine.references([*stored, blob_id("z")]) == {name: blob.references for name, blob in stored.items()}
    assert engine.texts([*stored, blob_id("z")]) == {name: blob.source for name, blob in stored.items()}
    analyzed = engine.analyzed([*stored, blob_id("z")])
    assert {name: replace(blob, references=stored[name].references) for name, blob in analyzed.items()} == {
        name: replace(blob, source=None) for name, blob in stored.items()
    }
    assert list(engine.occurrences()) == places
    assert engine.repositories() == records
    assert engine.repository("r") == records[0]
    assert engine.boilerplate_names() == ["licenses"]
    assert plain(engine.boilerplate("licenses")) == plain(boilerplate("licenses", exact=[1, 2**64 - 1], text=[5]))
    assert ids(engine.candidates({EXACT: {LARGEST: 2.0}, TEXT: {7: 1.0}}, limit=5)) == [blob_id("a"), blob_id("b")]
    stats = engine.stats()
    assert (stats.blobs, stats.occurrences, stats.repositories) == (3, 3, 2)
    assert (stats.size, stats.tokens) == (200 + 2**40, 90)
    assert stats.languages == {"python": 2, "c++": 1}
    assert stats.skipped == {"binary": 3, "too_large": 1}


def test_a_value_that_only_a_newer_version_knows_is_kept_as_its_text(engine: Engine) -> None:
    newer = replace(repository("r", binary=3), skipped={"binary": 3, "secret_scanned": 2}, key_kind="mirror")
    with engine.writer() as writer:
        writer.put_repository(newer)
    assert engine.repositories() == [newer]
    found = engine.repository("r")
    assert found == newer
    assert found is not None
    assert found.remote is None
    assert engine.stats().skipped == {"binary": 3, "secret_scanned": 2}


def test_closing_twice_does_nothing_and_what_is_closed_says_so(index: Opened) -> None:
    engine = index.engine
    fill(engine, document("a", [1]))
    engine.close()
    engine.close()
    calls: dict[str, Callable[[], object]] = {
        "known": lambda: engine.known([blob_id("a")]),
        "blobs": lambda: engine.blobs([blob_id("a")]),
        "references": lambda: engine.references([blob_id("a")]),
        "analyzed": lambda: engine.analyzed([blob_id("a")]),
        "texts": lambda: engine.texts([blob_id("a")]),
        "ids": lambda: list(engine.ids()),
        "stored_blobs": lambda: list(engine.stored_blobs()),
        "repositories": engine.repositories,
        "repository_keys": engine.repository_keys,
        "located": lambda: engine.located(["/srv"]),
        "repository": lambda: engine.repository("filled"),
        "occurrences": lambda: list(engine.occurrences()),
        "document_frequencies": lambda: engine.document_frequencies({EXACT: [1]}),
        "candidates": lambda: engine.candidates({EXACT: {1: 1.0}}, limit=5),
        "boilerplate_names": engine.boilerplate_names,
        "boilerplate": lambda: engine.boilerplate("b"),
        "notes": lambda: engine.notes(""),
        "refusals": lambda: engine.refusals([blob_id("a")]),
        "analyses": lambda: engine.analyses([blob_id("a")]),
        "count_analyses": engine.count_analyses,
        "stats": engine.stats,
        "verify": engine.verify,
        "history": engine.history,
        "make_history": engine.make_history,
        "writer": lambda: engine.writer().__enter__(),
    }
    assert {*calls, "close"} == {name for name in vars(Engine) if callable(getattr(Engine, name)) and name[0] != "_"}
    for call in calls.values():
        with pytest.raises(IndexClosed, match=r"is closed; open it again$"):
            call()
    assert index.reopen().known([blob_id("a")]) == {blob_id("a")}


def test_a_blob_that_is_there_is_left_as_it_is(engine: Engine) -> None:
    first, second = document("a", [1]), document("a", [2], language="c")
    with engine.writer() as writer:
        writer.add_blobs([first, second])
        writer.add_blobs([second])
    with engine.writer() as writer:
        writer.add_blobs([second])
    assert engine.blobs([first.stored.blob]) == {first.stored.blob: first.stored}
    assert engine.document_frequencies({EXACT: [1, 2]}) == {EXACT: ([1, 0], 1)}


def test_a_blob_is_replaced_with_its_terms(engine: Engine) -> None:
    first, second, third = (
        document("a", [number], language=language, analysis=language) for number, language in enumerate(("c", "d", "e"))
    )
    other = document("b", [0, 1, 2])
    fill(engine, first, other)
    blob = first.stored.blob
    with engine.writer() as writer:
        writer.replace_blobs([second])
    assert engine.blobs([blob]) == {blob: second.stored}
    assert engine.document_frequencies({EXACT: [0, 1, 2]}) == {EXACT: ([1, 2, 1], 2)}
    assert engine.stats().analyses == {"d": 1, "": 1}
    with engine.writer() as writer:
        writer.add_blobs([document("new", [7])])
        writer.replace_blobs([document("new", [8]), third])
        writer.replace_blobs([second, third])
    assert engine.blobs([blob]) == {blob: third.stored}
    assert engine.document_frequencies({EXACT: [1, 2, 7, 8]}) == {EXACT: ([1, 2, 0, 1], 3)}


def test_analyses_of_blobs_and_their_counts(engine: Engine) -> None:
    assert engine.count_analyses() == {}
    fill(engine, document("a", [1], analysis="x=1"), document("b", [1], analysis="x=2"), document("c", [1]))
    wanted = [blob_id(name) for name in ("a", "b", "c", "z")]
    assert engine.analyses(wanted) == {blob_id("a"): "x=1", blob_id("b"): "x=2", blob_id("c"): ""}
    assert engine.analyses([]) == {}
    assert engine.count_analyses() == {"x=1": 1, "x=2": 1, "": 1}
    with engine.writer() as writer:
        writer.replace_blobs([document("b", [1], analysis="x=1")])
        writer.delete_occurrences("filled", [occurrence("filled", blob_id("a"), "").path])
        writer.sweep()
    assert engine.count_analyses() == engine.stats().analyses == {"x=1": 1, "": 1}


@pytest.mark.thorough
def test_many_analyses_are_all_counted(engine: Engine) -> None:
    fill(engine, *(document(number, [1], analysis=f"x={number}") for number in range(2500)))
    assert engine.count_analyses() == {f"x={number}": 1 for number in range(2500)}


def test_refusals_are_remembered_and_replaced(index: Opened) -> None:
    slow = Refusal(blob_id("a"), SkipReason.PARSE_TIMEOUT, "c=0.24", 5.0)
    died = Refusal(blob_id("b"), SkipReason.WORKER_DIED, "", 0.5)
    with index.engine.writer() as writer:
        writer.put_refusals([slow, died])
    engine = index.reopen()
    wanted = [slow.blob, died.blob, blob_id("c")]
    assert engine.refusals(wanted) == {slow.blob: slow, died.blob: died}
    assert engine.refusals([]) == {}
    again = replace(slow, seconds=9.0)
    with engine.writer() as writer:
        writer.put_refusals([again])
    assert engine.refusals(wanted) == {slow.blob: again, died.blob: died}
    assert (engine.stats().blobs, engine.known(wanted)) == (0, set())


def test_known_and_blobs_leave_out_what_is_not_there(engine: Engine) -> None:
    fill(engine, document("a", [1]), document("b", [1]))
    wanted = [blob_id(name) for name in ("a", "x", "b", "a")]
    assert engine.known(wanted) == set(engine.blobs(wanted)) == {blob_id("a"), blob_id("b")}


def test_all_blobs_are_listed_by_id(engine: Engine) -> None:
    documents = [document(name, [1], source=b"x" * (name % 3) or None) for name in range(700)]
    long = document("long", [1], blob="0" * 63 + "1")
    with engine.writer() as writer:
        writer.add_blobs([*documents, long])
    listed = sorted((made.stored for made in [*documents, long]), key=lambda blob: blob.blob)
    assert list(engine.stored_blobs()) == listed


def test_a_listing_gives_what_lives_while_others_write(engine: Engine) -> None:
    fill(engine, *(document(name, [1]) for name in range(300)))
    with engine.writer() as writer:
        writer.delete_occurrences("filled", [blob_id(name) for name in range(100)])
        writer.sweep()
    listing = engine.stored_blobs()
    seen = [next(listing).blob]
    with engine.writer() as writer:
        writer.add_blobs([document("new", [1])])
    seen += [blob.blob for blob in listing if blob.blob != blob_id("new")]
    assert seen == sorted(blob_id(name) for name in range(100, 300))


def test_nothing_is_seen_before_the_commit(engine: Engine) -> None:
    with engine.writer() as writer:
        writer.add_blobs([document("a", [1])])
        writer.put_occurrences([occurrence("r", "a", "a")])
        writer.put_repository(repository("r"))
        assert engine.known([blob_id("a")]) == set()
        assert list(engine.occurrences()) == []
        assert engine.repositories() == []
        writer.commit()
        assert engine.known([blob_id("a")]) == {blob_id("a")}
        writer.put_occurrences([occurrence("r", "b", "a")])
        assert len(list(engine.occurrences())) == 1
    assert len(list(engine.occurrences())) == 2


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, GeneratorExit])
def test_an_error_takes_back_what_was_not_committed(index: Opened, kind: type[BaseException]) -> None:
    def write() -> None:
        with index.engine.writer() as writer:
            writer.add_blobs([document("kept", [1])])
            writer.put_occurrences([occurrence("r", "kept", "kept")])
            writer.commit()
            writer.add_blobs([document("lost", [1])])
            writer.put_occurrences([occurrence("r", "lost", "lost"), occurrence("r", "kept", "lost")])
            raise kind

    with pytest.raises(kind):
        write()
    for engine in (index.engine, index.again()):
        assert engine.known([blob_id("kept"), blob_id("lost")]) == {blob_id("kept")}
        assert list(engine.occurrences()) == [occurrence("r", "kept", "kept")]
    fill(index.engine, document("lost", [1]))
    assert index.engine.known([blob_id("lost")]) == {blob_id("lost")}


def test_an_error_of_the_documents_themselves_comes_through(engine: Engine) -> None:
    def documents() -> list[BlobDocument]:
        raise ValueError("mine")

    with pytest.raises(ValueError, match=r"^mine$"), engine.writer() as writer:
        writer.add_blobs(made for _ in range(1) for made in documents())


def test_there_is_one_writer_at_a_time_unless_the_engine_takes_several(engine: Engine) -> None:
    if engine.name == "elasticsearch":
        with engine.writer() as one, engine.writer() as other:
            other.add_blobs([document("b", [1])])
            one.add_blobs([document("b", [1])])
        assert engine.known([blob_id("b")])
        return
    with engine.writer(), pytest.raises(IndexBusy, match="wait"), engine.writer():
        pass
    with engine.writer() as writer:
        writer.add_blobs([document("a", [1])])
    assert engine.known([blob_id("a")])


HOSTILE = [
    "plain.py",
    "Plain.py",
    "with space/\ttab\nnewline\r\x1b[31m",
    '"quoted"\\back\\slash',
    "ünïcödé/😀/%ff",
    "\u202egnp.exe",
    "long/" + "x" * 100_000,
    "long/" + "x" * 100_000 + "y",
    "a/b",
    "a",
    "null",
    "-rf",
]


def test_any_path_comes_back_as_it_was(index: Opened) -> None:
    places = [occurrence(key, path, path) for key in ("r", "R", "r/a") for path in HOSTILE]
    with index.engine.writer() as writer:
        writer.put_occurrences(places)
    engine = index.reopen()
    assert list(engine.occurrences()) == sorted(places, key=lambda place: (place.repository, place.path))
    assert {place.path for place in engine.occurrences(repository="r")} == set(HOSTILE)
    with engine.writer() as writer:
        writer.delete_occurrences("r", HOSTILE)
    assert list(engine.occurrences(repository="r")) == []
    assert len(list(engine.occurrences())) == 2 * len(HOSTILE)


def test_occurrences_are_found_by_blob_and_repository(engine: Engine) -> None:
    places = [occurrence(key, path, name) for key, path, name in [("r", "2", "a"), ("r", "1", "b"), ("s", "1", "a")]]
    with engine.writer() as writer:
        writer.put_occurrences(places)
    a, b = blob_id("a"), blob_id("b")
    assert list(engine.occurrences()) == [places[1], places[0], places[2]]
    assert list(engine.occurrences(blobs=[a])) == [places[0], places[2]]
    assert list(engine.occurrences(blobs={a, b, blob_id("x")}, repository="r")) == [places[1], places[0]]
    assert list(engine.occurrences(repository="x")) == list(engine.occurrences(blobs=[])) == []


def test_an_occurrence_is_replaced_at_its_place(engine: Engine) -> None:
    with engine.writer() as writer:
        writer.put_occurrences([occurrence("r", "q", "c"), occurrence("r", "p", "a", "r2"), occurrence("r", "p", "b")])
        writer.put_occurrences([occurrence("r", "q", "a")])
    assert list(engine.occurrences()) == [occurrence("r", "p", "b"), occurrence("r", "q", "a")]
    with engine.writer() as writer:
        writer.put_occurrences([occurrence("r", "p", "c", revision="r2")])
        writer.delete_occurrences("r", ["q", "not there"])
        writer.put_occurrences([occurrence("r", "q", "d", revision="r2")])
    assert list(engine.occurrences()) == [occurrence("r", "p", "c", "r2"), occurrence("r", "q", "d", "r2")]


def test_a_repository_is_retired_whole(engine: Engine) -> None:
    with engine.writer() as writer:
        writer.put_occurrences(occurrence(key, str(number), number) for key in "rs" for number in range(5))
        writer.put_repository(repository("r"))
        writer.put_repository(repository("s"))
    with engine.writer() as writer:
        writer.put_occurrences([occurrence("r", "new", 1)])
        writer.delete_occurrences("r")
        writer.put_occurrences([occurrence("r", "newer", 1)])
        writer.delete_repository("r")
        writer.delete_repository("not there")
    assert [place.path for place in engine.occurrences(repository="r")] == ["newer"]
    assert len(list(engine.occurrences(repository="s"))) == 5
    assert [record.key for record in engine.repositories()] == ["s"]


def test_repository_records_are_replaced_and_sorted(engine: Engine) -> None:
    with engine.writer() as writer:
        for key in ("b", "a", "B", "https://example.org/ü"):
            writer.put_repository(repository(key))
        writer.put_repository(replace(repository("a", minified=2), revision="2"))
    assert [record.key for record in engine.repositories()] == ["B", "a", "b", "https://example.org/ü"]
    assert engine.repository_keys() == ["B", "a", "b", "https://example.org/ü"]
    with engine.writer() as writer:
        writer.put_repository(replace(repository("c"), location='/srv/a "b" ü'))
        writer.put_repository(replace(repository("d"), location="/srv/other", revision='/srv/a "b" ü'))
    assert engine.located(['/srv/a "b" ü', "/srv"]) == ([] if engine.name == "published" else ["c"])
    assert engine.located([]) == []
    with engine.writer() as writer:
        writer.delete_repository("c")
        writer.delete_repository("d")
    assert engine.repository("a") == replace(repository("a", minified=2), revision="2")
    assert engine.repository("A") is None
    assert [record.key for record in engine.repositories(["b", "x", "B", "b"])] == ["B", "b"]
    assert engine.repositories([]) == []


def test_notes_are_listed_by_how_their_names_begin(index: Opened) -> None:
    with index.engine.writer() as writer:
        for name in ("b/é", "a/2", "a/1", "a", "b/x"):
            writer.put_note(name, {"name": name, "values": [1, None, "\udc80"]})
        writer.put_note("a/2", {"replaced": True})
        writer.put_note("b/x", None)
        writer.put_note("not there", None)
    engine = index.reopen()
    assert engine.notes("a/") == {"a/1": {"name": "a/1", "values": [1, None, "\udc80"]}, "a/2": {"replaced": True}}
    assert list(engine.notes("")) == ["a", "a/1", "a/2", "b/é"]
    assert engine.notes("c") == {}
    engine.verify()


def test_boilerplate_is_replaced_and_deleted(engine: Engine) -> None:
    with engine.writer() as writer:
        for made in (boilerplate("b", exact=[1]), boilerplate("a"), boilerplate("b", renamed=[2, 3])):
            writer.put_boilerplate(made)
    assert engine.boilerplate_names() == ["a", "b"]
    assert plain(engine.boilerplate("b")) == plain(boilerplate("b", renamed=[2, 3]))
    assert plain(engine.boilerplate("a")) == plain(boilerplate("a"))
    with engine.writer() as writer:
        writer.delete_boilerplate("b")
        writer.delete_boilerplate("not there")
    assert engine.boilerplate_names() == ["a"]
    assert engine.boilerplate("b") is None


def test_document_frequencies_count_live_blobs_that_have_the_representation(engine: Engine) -> None:
    fill(
        engine,
        document("a", {EXACT: [1, 2, LARGEST], RENAMED: [1]}),
        document("b", {EXACT: [1, 0]}),
        document("c", {RENAMED: [1], TEXT: []}),
    )
    assert engine.document_frequencies({EXACT: [1, 2, 0, LARGEST, 5, 1]}) == {EXACT: ([2, 1, 1, 1, 0, 2], 2)}
    assert engine.document_frequencies({RENAMED: [1, 2]}) == {RENAMED: ([2, 0], 2)}
    assert engine.document_frequencies({TEXT: []}) == {TEXT: ([], 0)}
    assert engine.document_frequencies({Representation.P_MATCH: [1]}) == {Representation.P_MATCH: ([0], 0)}
    with engine.writer() as writer:
        writer.delete_occurrences("filled", [blob_id("a")])
        assert writer.sweep() == 1
    assert engine.document_frequencies({EXACT: [1, 2]}) == {EXACT: ([1, 0], 1)}
    assert engine.document_frequencies({RENAMED: [1]}) == {RENAMED: ([1], 1)}
    fill(engine, document("a", [2]))
    assert engine.document_frequencies({EXACT: [1, 2]}) == {EXACT: ([1, 1], 2)}


def test_sweep_removes_blobs_without_an_occurrence_and_commits(index: Opened) -> None:
    names = range(300)
    fill(index.engine, *(document(name, [name, 1000]) for name in names))
    gone = [blob_id(name) for name in names if name % 3]
    with index.engine.writer() as writer:
        assert writer.sweep() == 0
        writer.delete_occurrences("filled", gone)
        writer.add_blobs([document("unreferred", [1000])])
        writer.put_occurrences([occurrence("other", "kept after all", 1)])
        assert writer.sweep() == len(gone)
        assert index.engine.known([*gone, blob_id("unreferred")]) == {blob_id(1)}
    engine = index.reopen()
    kept = {blob_id(name) for name in names if name % 3 == 0} | {blob_id(1)}
    assert engine.known([*map(blob_id, names)]) == set(engine.blobs([*map(blob_id, names)])) == kept
    assert engine.stats().blobs == engine.document_frequencies({EXACT: [1000]})[EXACT].blobs == len(kept)
    assert set(ids(engine.candidates({EXACT: {1000: 1.0}}, limit=500))) == kept
    fill(engine, document(2, [2]))
    assert engine.known([blob_id(2)]) == {blob_id(2)}


def test_a_blob_that_was_swept_can_be_added_again_in_the_same_block(engine: Engine) -> None:
    with engine.writer() as writer:
        writer.add_blobs([document("a", [1])])
        assert writer.sweep() == 1
        writer.add_blobs([document("a", [1])])
        writer.put_occurrences([occurrence("r", "a", "a")])
        assert writer.sweep() == 0
    assert engine.known([blob_id("a")]) == {blob_id("a")}
    assert engine.document_frequencies({EXACT: [1]}) == {EXACT: ([1], 1)}


def test_candidates_come_by_the_sum_of_their_weights(engine: Engine) -> None:
    fill(
        engine,
        document("one", [1]),
        document("both", [1, 2], source=b"not given", references=b"not given"),
        document("two fields", {EXACT: [2], RENAMED: [1]}),
        document("none", {EXACT: [9], TEXT: [1]}),
    )
    found = engine.candidates({EXACT: {1: 1.5, 2: 2.0, 3: 9.0}, RENAMED: {1: 4.0}}, limit=10)
    assert [(candidate.blob.blob, candidate.score) for candidate in found] == [
        (blob_id("two fields"), 6.0),
        (blob_id("both"), 3.5),
        (blob_id("one"), 1.5),
    ]
    assert found[1].blob == document("both", [1, 2]).stored
    assert engine.candidates({}, limit=10) == engine.candidates({EXACT: {}}, limit=10) == []
    assert engine.candidates({EXACT: {1: 1.0}}, limit=0) == []
    assert engine.candidates({EXACT: {1: 1.0}}, limit=5, offset=2) == []


def test_weights_far_apart_and_many_keep_their_order(engine: Engine) -> None:
    fill(engine, *(document(name, list(range(name, 400))) for name in range(0, 400, 40)), document("weak", [1000]))
    weights = {term: 0.7 + math.sin(term) ** 2 * 12 for term in range(400)} | {1000: 1e-9}
    found = engine.candidates({EXACT: weights}, limit=20)
    assert ids(found) == [blob_id(name) for name in range(0, 400, 40)] + [blob_id("weak")]
    for name, candidate in zip(range(0, 400, 40), found, strict=False):
        assert candidate.score == pytest.approx(math.fsum(weights[term] for term in range(name, 400)), rel=1e-5)


def test_ties_are_ties_however_the_sums_were_made(engine: Engine) -> None:
    """0.1 + 0.2 + ... depends on the order in floating point; the same terms must not."""
    terms = list(range(100))
    for batch in range(3):
        for half in (terms, [*terms, 500 + batch]):
            fill(engine, *(document((batch, len(half), number), half) for number in range(30)))
    weights = {term: 0.1 * (term % 7 + 1) + 1e-4 * term for term in reversed(terms)}
    found = engine.candidates({EXACT: weights}, limit=1)
    assert len(found) == 180
    assert len({candidate.score for candidate in found}) == 1
    assert ids(found) == sorted(ids(found))


def test_batches_give_every_candidate_once(engine: Engine) -> None:
    fill(engine, *(document(name, list(range(name % 5 + 1))) for name in range(60)), document("far", [77]))
    weights = {EXACT: dict.fromkeys(range(5), 1.0)}
    whole = engine.candidates(weights, limit=1000)
    expected = sorted((-(name % 5 + 1), blob_id(name)) for name in range(60))
    assert [(-candidate.score, candidate.blob.blob) for candidate in whole] == expected
    batches: list[list[Candidate]] = []
    while batch := engine.candidates(weights, limit=5, offset=sum(len(batch) for batch in batches)):
        batches.append(batch)
    assert [len(batch) for batch in batches] == [12] * 5
    assert list(itertools.chain.from_iterable(batches)) == whole
    assert engine.candidates(weights, limit=3, offset=4) == whole[4:12]
    assert engine.candidates(weights, limit=12, offset=3) == whole[3:24]


def test_candidates_that_are_not_promising_need_not_be_read(engine: Engine) -> None:
    fill(engine, *(document(name, list(range(name % 7 + 1))) for name in range(60)))
    weights = {EXACT: dict.fromkeys(range(7), 1.0)}
    expected = engine.candidates(weights, limit=30, offset=8)
    given: list[Sequence[tuple[float, int]]] = []

    def promising(facts: Sequence[tuple[float, int]]) -> list[bool]:
        given.append(facts)
        return [score > 4 for score, _ in facts]

    found = engine.candidates(weights, limit=30, offset=8, promising=promising)
    assert [(one.score, one.blob.token_count) for one in found] == [
        (one.score, one.blob.token_count) for one in expected
    ]
    assert [one for one in found if one.score > 4] == [one for one in expected if one.score > 4]
    for facts in given:
        assert [score for score, _ in facts] == [one.score for one in expected]


def test_ties_beyond_the_limit_are_bounded(engine: Engine) -> None:
    names = range(TIES + 100)
    fill(engine, *(document(name, [1]) for name in names), document("best", [1, 2]))
    expected = [blob_id("best"), *sorted(map(blob_id, names))]
    first = ids(engine.candidates({EXACT: {1: 1.0, 2: 1.0}}, limit=7))
    assert first == expected[: TIES + 7]
    assert ids(engine.candidates({EXACT: {1: 1.0, 2: 1.0}}, limit=1)) == expected[:1]
    rest = ids(engine.candidates({EXACT: {1: 1.0, 2: 1.0}}, limit=7, offset=len(first)))
    assert first + rest == expected


@pytest.mark.thorough
@pytest.mark.parametrize("padding", [0, 80_000])
def test_filters_act_before_the_cut(engine: Engine, padding: int) -> None:
    documents = [
        document(name, [1] if name % 2 else [1, 2], language=("python", "Python", "c++")[name % 3])
        for name in range(300)
    ]
    fill(engine, *documents)
    weights = {EXACT: {1: 1.0, 2: 1.0}}
    wanted = [blob_id(name) for name in (1, 7, 2, 5, 8)]
    blobs = wanted + [blob_id(("absent", number)) for number in range(padding)]
    best_first = sorted(wanted[2::2]) + sorted([wanted[0], wanted[1], wanted[3]])
    assert ids(engine.candidates(weights, limit=10, blobs=blobs)) == best_first
    assert ids(engine.candidates(weights, limit=2, blobs=blobs)) == best_first[:2]
    assert ids(engine.candidates(weights, limit=2, offset=2, blobs=blobs)) == best_first[2:]
    assert ids(engine.candidates(weights, limit=9, blobs=frozenset(blobs), languages=["c++"])) == [
        *sorted([blob_id(2), blob_id(8)]),
        blob_id(5),
    ]
    assert engine.candidates(weights, limit=10, blobs=blobs[5:]) == []
    assert len(engine.candidates(weights, limit=500, languages={"python", "c++"})) == 200
    assert engine.candidates(weights, limit=10, languages=["PYTHON"]) == []


def test_an_empty_filter_lets_nothing_through(engine: Engine) -> None:
    fill(engine, document("a", [1]))
    assert engine.candidates({EXACT: {1: 1.0}}, limit=5, blobs=[]) == []
    assert engine.candidates({EXACT: {1: 1.0}}, limit=5, languages=[]) == []


Step = Callable[[Writer], None]

DOCUMENTS = [
    document(
        number,
        {
            EXACT: [term for term in range(10) if (number * 7 + term * term) % 5 < 2],
            RENAMED: [number % 3, LARGEST],
            TEXT: [1] if number % 4 == 0 else [],
        },
        language=("python", "c", "go")[number % 3],
    )
    for number in range(16)
]
RENEWED = [
    document(number, {EXACT: [number % 10], RENAMED: [3]}, language=("c", "go")[number % 2], analysis="2")
    for number in range(0, 16, 3)
]
REFUSALS = [Refusal(blob_id(number), SkipReason.PARSE_TIMEOUT, str(number % 2), 5.0) for number in range(14, 18)]
REPOSITORIES = ("r", "s")
PATHS = ("a", "b/c", "B/c", "d\n")

places = st.builds(
    occurrence, st.sampled_from(REPOSITORIES), st.sampled_from(PATHS), st.integers(0, 15), st.sampled_from(["1", "2"])
)
steps: st.SearchStrategy[Step] = st.one_of(
    st.lists(st.sampled_from(DOCUMENTS), max_size=8).map(lambda those: lambda writer: writer.add_blobs(those)),
    st.lists(st.sampled_from(RENEWED), max_size=4).map(lambda those: lambda writer: writer.replace_blobs(those)),
    st.lists(st.sampled_from(REFUSALS), max_size=2).map(lambda those: lambda writer: writer.put_refusals(those)),
    st.lists(places, max_size=8).map(lambda those: lambda writer: writer.put_occurrences(those)),
    st.tuples(st.sampled_from(REPOSITORIES), st.none() | st.lists(st.sampled_from(PATHS), max_size=3)).map(
        lambda both: lambda writer: writer.delete_occurrences(*both)
    ),
    st.sampled_from(REPOSITORIES).map(lambda key: lambda writer: writer.put_repository(repository(key, binary=1))),
    st.sampled_from(REPOSITORIES).map(lambda key: lambda writer: writer.delete_repository(key)),
    st.sampled_from([[1], [2, 3]]).map(
        lambda those: lambda writer: writer.put_boilerplate(boilerplate("b", text=those))
    ),
    st.just(lambda writer: writer.delete_boilerplate("b")),
    st.just(lambda writer: writer.commit()),
    st.just(lambda writer: writer.sweep()),
)
eighths = st.integers(1, 100).map(lambda number: number / 8)


class Abort(Exception):
    """Ends a block of writing early."""


def run(engine: Engine, block: list[Step], fails: bool) -> None:
    try:
        with engine.writer() as writer:
            for step in block:
                step(writer)
            if fails:
                raise Abort
    except Abort:
        pass


def view(engine: Engine, weights: dict[Representation, dict[int, float]], limit: int, offset: int) -> list[object]:
    """Everything that can be read of an index."""
    blobs = [document.stored.blob for document in DOCUMENTS]
    return [
        engine.blobs(blobs),
        engine.known(blobs),
        engine.analyses(blobs),
        engine.count_analyses(),
        engine.refusals([refusal.blob for refusal in REFUSALS]),
        list(engine.stored_blobs()),
        engine.repositories(),
        engine.repositories(REPOSITORIES[1:]),
        list(engine.occurrences()),
        list(engine.occurrences(blobs=blobs[:5], repository="r")),
        engine.document_frequencies(dict.fromkeys(INDEXED, range(10))),
        engine.candidates(weights, limit=limit, offset=offset),
        engine.candidates(weights, limit=limit, offset=offset, languages=["go"], blobs=blobs[3:]),
        engine.boilerplate_names(),
        plain(engine.boilerplate("b")),
        replace(engine.stats(), engine="", location="", format=0, stored=None),
    ]


operations = {
    "blocks": st.lists(st.tuples(st.lists(steps, max_size=6), st.booleans(), st.booleans()), min_size=1, max_size=4),
    "weights": st.fixed_dictionaries(
        {
            EXACT: st.dictionaries(st.integers(0, 10), eighths, max_size=8),
            RENAMED: st.dictionaries(st.sampled_from([0, 1, LARGEST]), eighths),
        }
    ),
    "limit": st.integers(1, 8),
    "offset": st.integers(0, 8),
}


def leaves_the_same_index(
    tried: Opened,
    blocks: list[tuple[list[Step], bool, bool]],
    weights: dict[Representation, dict[int, float]],
    limit: int,
    offset: int,
) -> None:
    """Does the same to an engine and to the plain one. A block may fail at its end, or the index be opened again."""
    plain_engine = MemoryEngine(SCHEMES)
    try:
        for block, fails, reopens in blocks:
            for engine in (plain_engine, tried.engine):
                run(engine, block, fails)
            if reopens:
                tried.reopen()
            assert view(tried.engine, weights, limit, offset) == view(plain_engine, weights, limit, offset)
    finally:
        tried.engine.close()


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["embedded", "published"])
@given(**operations)
def test_random_operations_leave_the_same_index_as_the_plain_engine(kind: str, **drawn: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        leaves_the_same_index(opened(kind, Path(folder)), **drawn)


@settings(max_examples=5, phases=set(Phase) - {Phase.shrink})  # each step takes a dozen requests
@given(**operations)
def test_random_operations_leave_the_same_index_on_elasticsearch(elasticsearch: Access, **drawn: Any) -> None:
    name = f"wherefrom-test-{uuid4().hex[:12]}"
    try:
        leaves_the_same_index(opened_on_elasticsearch(elasticsearch.index(name), shards=2), **drawn)
    finally:
        elasticsearch.remove(name)
