"""Copies between random indexes: nothing is lost or doubled, even if a copy is interrupted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import stream, words
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import encode
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import CopyError
from wherefrom.indexer import copy as copying
from wherefrom.indexer.copy import Copy, Union
from wherefrom.model import (
    INDEXED,
    BlobDocument,
    BoilerplateSet,
    KeyKind,
    Occurrence,
    RepositoryRecord,
    SkipReason,
    StoredBlob,
)
from wherefrom.options import CopyOptions
from wherefrom.results import CopyProgress, CopyReport
from wherefrom.support import throttle

OTHERS = "references=3 skip-rules=1"
"""The components in every stamp."""

KEYS = ("a", "b", "https://example.org/ü")
PATHS = ("x.py", "y/x.py", "\n%ff")


def document(number: int, language: str = "python", source: bytes | None = None) -> BlobDocument:
    tokens = stream(words(f"def f{number} ( a , b ) : return a + b * {number} ; x = f{number} ( 1 , {number % 3} )"))
    name = hashlib.sha1(b"%d" % number).hexdigest()
    stored = StoredBlob(name, language, number, len(tokens), encode(tokens), source)
    return BlobDocument(stored, document_terms(tokens))


def boilerplate(name: str, hashes: list[int]) -> BoilerplateSet:
    return BoilerplateSet(
        name, ("LICENSE",), scheme_ids(), {key: np.array(sorted(hashes), np.uint64) for key in INDEXED}
    )


@dataclass(frozen=True)
class Repository:
    """Its documents by path; `finished` says that it has a record."""

    files: dict[str, int]
    revision: str
    finished: bool = True


@dataclass(frozen=True)
class Contents:
    repositories: dict[str, Repository]
    sets: dict[str, list[int]]
    orphans: list[int]

    def index(self) -> MemoryEngine:
        engine = MemoryEngine(scheme_ids())
        with engine.writer() as writer:
            writer.add_blobs(map(document, self.orphans))
            for name, hashes in self.sets.items():
                writer.put_boilerplate(boilerplate(name, hashes))
            for key, repository in self.repositories.items():
                writer.add_blobs(map(document, repository.files.values()))
                writer.put_occurrences(
                    Occurrence(key, path, document(number).stored.blob, repository.revision)
                    for path, number in repository.files.items()
                )
                if repository.finished:
                    writer.put_repository(record(key, repository.revision, len(repository.files)))
        return engine


def record(key: str, revision: str, files: int) -> RepositoryRecord:
    skipped: dict[str, int] = {SkipReason.BINARY: 1, SkipReason.EMPTY: 2}
    return RepositoryRecord(key, "/x", "git", revision, "digest", files, 9, skipped, "2026-01-01T00:00:00Z")


numbers = st.integers(0, 30)
contents = st.builds(
    Contents,
    st.dictionaries(
        st.sampled_from(KEYS),
        st.builds(
            Repository,
            st.dictionaries(st.sampled_from(PATHS), numbers),
            st.sampled_from(["1", "2"]),
            st.sampled_from([True, True, False]),
        ),
    ),
    st.dictionaries(st.sampled_from(["license", "header"]), st.lists(st.integers(0, 2), min_size=1, max_size=2)),
    st.lists(numbers, max_size=2),
)


class Stopped(Exception):
    """Ends a run in the middle."""


def stopping_after(steps: int) -> Callable[[CopyProgress], None]:
    left = count(steps, -1)

    def tell(at: CopyProgress) -> None:
        if at.stage == "copying" and next(left) <= 0:
            raise Stopped

    return tell


@pytest.fixture(scope="module", autouse=True)
def _small_steps() -> Iterator[None]:
    """Commits and reports after each step."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in (
            (copying, "GROUP", 2),
            (copying, "BATCH", 1),
            (throttle, "SECONDS", 0.0),
        ):
            patch.setattr(module, name, value)
        yield


def union(*sources: MemoryEngine, replace: bool = False) -> Union:
    return Union(sources, replace=replace)


def copied(source: MemoryEngine, target: MemoryEngine, *, replace: bool = False) -> CopyReport:
    return Copy(union(source, replace=replace), target, CopyOptions(jobs=1, replace=replace)).run()


def state(engine: MemoryEngine, keys: Sequence[str], sets: Sequence[str]) -> list[object]:
    """The content of an index for these repositories and sets."""
    places = [place for key in keys for place in engine.occurrences(repository=key)]
    stored = {place.blob for place in places}
    return [
        [engine.repository(key) for key in keys],
        places,
        engine.blobs(stored),
        [plain(engine.boilerplate(name)) for name in sets],
    ]


def plain(found: BoilerplateSet | None) -> object:
    return found and {key: hashes.tolist() for key, hashes in found.hashes.items()}


def clashes(source: Contents, target: Contents) -> bool:
    for key in source.repositories.keys() & target.repositories.keys():
        here, there = source.repositories[key], target.repositories[key]
        if here.finished and there.finished and here.revision != there.revision:
            return True
    return any(
        sorted(source.sets[name]) != sorted(target.sets[name]) for name in source.sets.keys() & target.sets.keys()
    )


@pytest.mark.slow
@given(source=contents, target=contents, replaces=st.booleans(), steps=st.integers(0, 6))
def test_any_index_is_copied_into_any_other(source: Contents, target: Contents, replaces: bool, steps: int) -> None:
    ours, theirs = source.index(), target.index()
    keys = [record.key for record in ours.repositories()]
    sets = ours.boilerplate_names()
    others = [record.key for record in theirs.repositories() if record.key not in keys]
    before = state(theirs, others, [])
    if clashes(source, target) and not replaces:
        whole = state(theirs, KEYS, theirs.boilerplate_names())
        with pytest.raises(CopyError, match="--replace"):
            copied(ours, theirs)
        assert state(theirs, KEYS, theirs.boilerplate_names()) == whole
        return
    try:
        Copy(union(ours), theirs, CopyOptions(jobs=1, replace=replaces, progress=stopping_after(steps))).run()
    except Stopped:
        present = {blob.blob for blob in theirs.stored_blobs()}
        assert {place.blob for place in theirs.occurrences()} <= present
    report = copied(ours, theirs, replace=replaces)
    assert state(theirs, keys, sets) == state(ours, keys, sets)
    assert state(theirs, others, []) == before
    places = [place for key in keys for place in ours.occurrences(repository=key)]
    assert (report.repositories, report.files, report.sets) == (len(keys), len(places), len(sets))
    assert report.blobs == len({place.blob for place in places})
    for number in {number for one in source.repositories.values() if one.finished for number in one.files.values()}:
        found = document(number)
        terms = {representation: hashes.tolist() for representation, hashes in found.terms.items()}
        assert all(0 not in counted.counts for counted in theirs.document_frequencies(terms).values())
    again = copied(ours, theirs)
    assert (again.sent, again.retired, again.digest) == (0, 0, report.digest)
    alone = MemoryEngine(scheme_ids())
    assert copied(ours, alone).digest == report.digest
    assert {blob.blob for blob in alone.stored_blobs()} == {place.blob for place in places}


def test_replacing_retires_the_earlier_state() -> None:
    earlier = Contents({"a": Repository({"x.py": 1, "gone.py": 2}, "1")}, {"license": [1]}, []).index()
    later = Contents({"a": Repository({"x.py": 3}, "2")}, {"license": [2]}, []).index()
    with pytest.raises(CopyError, match="repository 'a', boilerplate set 'license' in another state"):
        copied(later, earlier)
    report = copied(later, earlier, replace=True)
    assert (report.sent, report.retired, report.swept) == (1, 2, 2)
    assert [blob.blob for blob in earlier.stored_blobs()] == [document(3).stored.blob]
    assert plain(earlier.boilerplate("license")) == plain(boilerplate("license", [2]))


def test_what_another_repository_brought_otherwise_is_kept_and_counted() -> None:
    source = Contents({"a": Repository({"x.py": 1, "y.py": 2}, "1")}, {}, []).index()
    target = MemoryEngine(scheme_ids())
    with target.writer() as writer:
        writer.add_blobs([document(1, language="c", source=b"x")])
        writer.put_occurrences([Occurrence("b", "x.h", document(1).stored.blob, "1")])
        writer.put_repository(record("b", "1", 1))
    report = copied(source, target)
    assert (report.blobs, report.sent, report.kept) == (2, 1, 1)
    assert target.blobs([document(1).stored.blob])[document(1).stored.blob].language == "c"
    with target.writer() as writer:
        writer.delete_occurrences("b")
    with pytest.raises(CopyError, match=r"the content .* is not the same .* remove it there and copy again"):
        copied(source, target)


@pytest.mark.parametrize(
    ("here", "there", "copies"), [("c=0.2", "c=0.1", True), ("c=0.1", "c=0.2", False), ("c=0.2", "python=0.1", False)]
)
def test_a_content_of_an_older_analysis_is_sent_again(here: str, there: str, copies: bool) -> None:
    source = Contents({"a": Repository({"x.py": 1}, "1")}, {}, []).index()
    target = MemoryEngine(scheme_ids())
    stored = document(1).stored
    with source.writer() as writer:
        writer.replace_blobs([replace(document(1), stored=replace(stored, analysis=f"{OTHERS} {here}"))])
    with target.writer() as writer:
        older = replace(stored, analysis=f"{OTHERS} {there}", token_count=1)
        writer.add_blobs([replace(document(1), stored=older)])
        writer.put_occurrences([Occurrence("a", "x.py", stored.blob, "1")])
    report = copied(source, target)
    assert (report.sent, report.kept) == ((1, 0) if copies else (0, 1))
    assert target.blobs([stored.blob])[stored.blob].token_count == (stored.token_count if copies else 1)


def test_what_is_written_meanwhile_is_noticed() -> None:
    source = Contents({"a": Repository({"x.py": 1}, "1")}, {}, []).index()
    target = MemoryEngine(scheme_ids())

    def meddle(at: CopyProgress) -> None:
        if at.stage == "copying":
            with source.writer() as writer:
                writer.put_repository(record("a", "2", 1))

    with pytest.raises(CopyError, match="the repository 'a' is not the same"):
        Copy(union(source), target, CopyOptions(jobs=1, progress=meddle)).run()


def test_what_a_run_left_unfinished_is_neither_copied_nor_in_the_way() -> None:
    source = Contents({"a": Repository({"x.py": 1}, "1")}, {}, []).index()
    target = Contents({"a": Repository({"y.py": 2}, "2")}, {}, []).index()
    with target.writer() as writer:
        writer.put_repository(replace(record("a", "2", 1), settings=""))
    with pytest.raises(CopyError, match="holds repository 'a' as a run left it that was stopped"):
        copied(target, source)
    assert copied(source, target).retired == 1
    assert state(target, ["a"], []) == state(source, ["a"], [])


def test_a_content_that_is_missing_is_named() -> None:
    source = MemoryEngine(scheme_ids())
    with source.writer() as writer:
        writer.put_occurrences([Occurrence("a", "x.py", "0" * 40, "1")])
        writer.put_repository(record("a", "1", 1))
    target = MemoryEngine(scheme_ids())
    with pytest.raises(CopyError, match=f"lacks the content {'0' * 40} .* index that repository again"):
        copied(source, target)
    assert target.repositories() == []


def dated(revision: str, day: int, kind: KeyKind, files: dict[str, int], key: str = "a") -> MemoryEngine:
    """An index of one repository, indexed on a day."""
    made = Contents({key: Repository(files, revision)}, {}, []).index()
    with made.writer() as writer:
        writer.put_repository(
            replace(record(key, revision, len(files)), key_kind=kind, indexed_at=f"2026-01-{day:02}T00:00:00+00:00")
        )
    return made


@pytest.mark.parametrize("kind", [KeyKind.REMOTE, KeyKind.PACKAGE])
@pytest.mark.parametrize("is_reversed", [False, True])
def test_of_two_states_the_one_that_was_indexed_last_is_copied(kind: KeyKind, is_reversed: bool) -> None:
    newer = dated("2", 9, kind, {"x.py": 2, "y.py": 3})
    sources = [dated("1", 8, kind, {"x.py": 1}), newer, dated("0", 7, kind, {"x.py": 4})]
    target = MemoryEngine(scheme_ids())
    report = Copy(union(*(sources[::-1] if is_reversed else sources)), target, CopyOptions(jobs=1)).run()
    assert (report.repositories, report.files, report.sent, report.left_out) == (1, 2, 2, 2)
    assert state(target, ["a"], []) == state(newer, ["a"], [])
    assert {blob.blob for blob in target.stored_blobs()} == {document(2).stored.blob, document(3).stored.blob}


def test_letter_case_does_not_make_two_repositories_of_one() -> None:
    older = dated("1", 8, KeyKind.REMOTE, {"x.py": 1}, "github.com/Someone/one")
    newer = dated("2", 9, KeyKind.REMOTE, {"x.py": 2}, "github.com/someone/One")
    assert [*union(newer, older).parts] == [*union(older, newer).parts] == ["github.com/someone/One"]


@pytest.mark.parametrize("kind", [KeyKind.PATH, KeyKind.NAME])
def test_a_path_or_a_name_may_be_that_of_another_repository(kind: KeyKind) -> None:
    one, other = dated("1", 8, kind, {"x.py": 1}), dated("2", 9, kind, {"x.py": 2})
    one.location, other.location = "/first", "/second"
    with pytest.raises(CopyError, match=r"^/first and /second have different states of repository 'a', .* --replace"):
        union(one, other)
    assert union(one, other, replace=True).parts["a"].source == 1
    same = dated("1", 9, kind, {"x.py": 1})
    assert (union(one, same).parts["a"].source, union(one, same).left_out) == (1, 1)


def test_sets_are_copied_or_refused() -> None:
    one, other = (Contents({}, {"license": [number]}, []).index() for number in (1, 2))
    with pytest.raises(CopyError, match="different states of boilerplate set 'license'; --replace takes that of"):
        union(one, other)
    target = MemoryEngine(scheme_ids())
    digest = copied(one, target).digest
    both = union(one, other, replace=True)
    assert Copy(both, target, CopyOptions(jobs=1, replace=True)).run().digest == digest
    assert plain(target.boilerplate("license")) == plain(one.boilerplate("license"))


@pytest.mark.parametrize(
    ("kind", "there", "is_newer", "refused"),
    [
        (KeyKind.REMOTE, "1", False, False),
        (KeyKind.REMOTE, "1", True, False),
        (KeyKind.REMOTE, "2", False, False),
        (KeyKind.REMOTE, "2", True, True),
        (KeyKind.PACKAGE, "2", False, False),
        (KeyKind.PATH, "1", True, False),
        (KeyKind.PATH, "2", False, True),
        (KeyKind.NAME, "2", False, True),
    ],
)
def test_a_merge_is_made_again_unless_the_target_may_have_something_else(
    kind: KeyKind, there: str, is_newer: bool, refused: bool
) -> None:
    source, target = dated("1", 5, kind, {"x.py": 1}), dated(there, 9 if is_newer else 3, kind, {"x.py": 2})
    if refused:
        with pytest.raises(CopyError, match="holds repository 'a' in another state"):
            copied(source, target)
    else:
        copied(source, target)
        assert target.repositories() == source.repositories()


@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_content_is_stored_once_in_its_newest_analysis(is_reversed: bool) -> None:
    stored = document(1).stored
    sources = []
    for number, stamp in enumerate(("c=0.1", "c=0.2")):
        sources.append(Contents({str(number): Repository({"x.py": 1}, "1")}, {}, []).index())
        with sources[-1].writer() as writer:
            writer.replace_blobs([replace(document(1), stored=replace(stored, analysis=f"{OTHERS} {stamp}"))])
    target = MemoryEngine(scheme_ids())
    report = Copy(union(*(sources[::-1] if is_reversed else sources)), target, CopyOptions(jobs=1)).run()
    assert (report.repositories, report.blobs, report.kept) == (2, 1, 0)
    assert [blob.analysis for blob in target.stored_blobs()] == [f"{OTHERS} c=0.2"]
    assert copied(target, MemoryEngine(scheme_ids())).digest == report.digest


@pytest.mark.slow
@given(st.lists(contents, min_size=1, max_size=3), st.integers(0, 6))
def test_any_indexes_become_one(given: list[Contents], steps: int) -> None:
    sources = [
        Contents({f"{number} {key}": one for key, one in made.repositories.items()}, {}, made.orphans).index()
        for number, made in enumerate(given)
    ]
    target = MemoryEngine(scheme_ids())
    try:
        Copy(union(*sources), target, CopyOptions(jobs=1, progress=stopping_after(steps))).run()
    except Stopped:
        present = {blob.blob for blob in target.stored_blobs()}
        assert {place.blob for place in target.occurrences()} <= present
    report = Copy(union(*sources), target, CopyOptions(jobs=1)).run()
    for source in sources:
        keys = [record.key for record in source.repositories()]
        assert state(target, keys, []) == state(source, keys, [])
    assert len(target.repositories()) == sum(len(source.repositories()) for source in sources) == report.repositories
    assert {blob.blob for blob in target.stored_blobs()} == {place.blob for place in target.occurrences()}
    assert Copy(union(*sources[::-1]), MemoryEngine(scheme_ids()), CopyOptions(jobs=1)).run().digest == report.digest
