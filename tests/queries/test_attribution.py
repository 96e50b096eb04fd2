"""Attribution in cases that are hard to set up in an end-to-end test."""

from __future__ import annotations

import heapq
import inspect
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repositories import Repository
from wherefrom import index_sources, open_index
from wherefrom.analyzers.references import (
    PostLink,
    Reference,
    ReferenceKind,
    References,
    dump_references,
    names,
    of_text,
    source,
)
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import UsageError
from wherefrom.model import BlobDocument, KeyKind, Notice, Occurrence, RepositoryRecord, StoredBlob
from wherefrom.options import SearchOptions
from wherefrom.queries.attributing.attribution import Attributions, is_of, origin_of
from wherefrom.queries.attributing.evidence import MOST_EVIDENCE, Named
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.results import Attribution, DecidedBy, Verdict, Where

ANSWER, QUESTION = "https://stackoverflow.com/a/12", "https://stackoverflow.com/q/7"
BOTH = "https://stackoverflow.com/questions/7/x#12"
BLOB, NOTICE = "a" * 40, "b" * 40
CODE = inspect.getsource(heapq.merge)
PLACE = Occurrence("r", "src/file.py", BLOB, "1")


def places(text: References | str, notice: str = "", path: str = "NOTICE") -> IndexReferences:
    """The references in an index with one file, and with a notice that applies to the file if `notice` is not empty."""
    engine = MemoryEngine(scheme_ids())
    own = of_text(text) if isinstance(text, str) else text
    record = RepositoryRecord("r", "/gone", "git", "1", "s", 1, 1, {}, "", (Notice(path, NOTICE),) if notice else ())
    with engine.writer() as writer:
        for blob, references in ((BLOB, own), (NOTICE, of_text(notice))):
            writer.add_blobs(
                [BlobDocument(StoredBlob(blob, "python", 1, 1, b"", references=dump_references(references)), {})]
            )
        writer.put_occurrences([PLACE])
        writer.put_repository(record)
    return IndexReferences(engine)


def record(key: str, kind: KeyKind) -> RepositoryRecord:
    return RepositoryRecord(key, "/gone", "git", "1", "s", 1, 1, {}, "", key_kind=kind)


def test_a_kind_of_reference_that_only_a_newer_version_knows_says_nothing() -> None:
    newer = Reference("doi", "10.1000/182", 3, "see 10.1000/182")
    assert verdict(References((newer, *of_text(ANSWER).found)), ANSWER) == Verdict.ATTRIBUTED
    assert verdict(References((newer,)), ANSWER) == Verdict.UNATTRIBUTED


@pytest.mark.parametrize(
    ("key", "kind", "is_source"),
    [
        ("github.com/o/r", KeyKind.REMOTE, True),
        ("github.com/o/other", KeyKind.REMOTE, False),
        ("github.com/o/r", KeyKind.NAME, False),
        ("/github.com/o/r", KeyKind.PATH, False),
    ],
)
def test_a_repository_is_the_source_by_its_remote_alone(key: str, kind: KeyKind, is_source: bool) -> None:
    sources = origin_of(SearchOptions(sources=["https://github.com/o/r"])).targets
    assert is_of(record(key, kind), sources) == is_source
    assert not is_of(None, sources)


def verdict(text: References | str, *sources: str, notice: str = "") -> Verdict:
    return attribution_of(SearchOptions(sources=sources), places(text, notice)).verdict


def attribution_of(options: SearchOptions, references: IndexReferences, at: Occurrence = PLACE) -> Attribution:
    _, [found] = Attributions(options, references).of([at], {at.blob: ()})
    return found


@pytest.mark.parametrize(
    ("text", "sources", "expected"),
    [
        (ANSWER, [ANSWER], Verdict.ATTRIBUTED),
        (BOTH, [ANSWER], Verdict.ATTRIBUTED),
        (BOTH, [QUESTION], Verdict.ATTRIBUTED),
        (QUESTION, [BOTH], Verdict.ATTRIBUTED),
        (QUESTION, [ANSWER, QUESTION], Verdict.ATTRIBUTED),
        (QUESTION, [ANSWER], Verdict.UNKNOWN),
        (ANSWER, [QUESTION], Verdict.UNKNOWN),
        ("https://stackoverflow.com/q/13", [ANSWER], Verdict.UNATTRIBUTED),  # the question is newer than the answer
        ("https://stackoverflow.com/questions/7/x#13", [BOTH], Verdict.UNATTRIBUTED),
        ("https://stackoverflow.com/a/13", [ANSWER, QUESTION], Verdict.UNATTRIBUTED),
        ("https://superuser.com/q/7", [ANSWER], Verdict.UNATTRIBUTED),
        ("", [ANSWER], Verdict.UNATTRIBUTED),
    ],
)
def test_questions_and_answers(text: str, sources: list[str], expected: Verdict) -> None:
    assert verdict(text, *sources) is expected
    assert verdict("", *sources, notice=text) is expected


def test_a_file_that_says_more_than_is_kept_is_not_called_unattributed() -> None:
    other = Reference(ReferenceKind.URL, "https://example.org/", 1, "https://example.org/")
    assert verdict(References((other,)), ANSWER) is Verdict.UNATTRIBUTED
    assert verdict(References((other,), omitted=3), ANSWER) is Verdict.UNKNOWN
    assert (
        verdict(References((Reference(ReferenceKind.POST, ANSWER, 1, ANSWER),), omitted=3), ANSWER)
        is Verdict.ATTRIBUTED
    )


def test_what_the_index_does_not_hold_is_unknown() -> None:
    other = Occurrence("r", "x.py", "c" * 40, "1")
    found = attribution_of(SearchOptions(sources=[ANSWER]), places(""), other)
    assert (found.verdict, found.decided_by) == (Verdict.UNKNOWN, DecidedBy.INCOMPLETE)


def test_evidence_is_certain_first_then_near_and_bounded() -> None:
    many = "\n".join([QUESTION] * 3 + [f"{ANSWER} {number}" for number in range(2 * MOST_EVIDENCE)])
    found = attribution_of(SearchOptions(sources=[ANSWER]), places(QUESTION, many))
    assert len(found.evidence) == MOST_EVIDENCE
    assert {(each.where, each.value) for each in found.evidence} == {(Where.NOTICE, ANSWER)}
    assert (found.verdict, found.decided_by) == (Verdict.ATTRIBUTED, DecidedBy.NOTICE)


@pytest.mark.parametrize(
    "link", ["https://github.com/other/maps", "https://github.com/other/Maps/blob/main/a.py", "github.com/x/maps.git"]
)
def test_a_repository_of_the_same_name_under_another_owner_is_a_hint(link: str) -> None:
    found = attribution_of(SearchOptions(sources=["https://github.com/acme/maps"]), places(f"# see {link}"))
    assert (found.verdict, found.decided_by, len(found.hints)) == (Verdict.UNATTRIBUTED, DecidedBy.HINT, 1)
    assert attribution_of(SearchOptions(sources=["https://github.com/acme/map"]), places(f"# see {link}")).hints == ()


@pytest.mark.parametrize("path", ["README.md", "AUTHORS", "docs/NOTICE", "other/LICENSE"])
def test_what_does_not_speak_for_the_code_is_a_hint(path: str) -> None:
    found = attribution_of(SearchOptions(sources=[ANSWER]), places("", f"see {ANSWER}", path))
    assert (found.verdict, found.decided_by, found.evidence) == (Verdict.UNATTRIBUTED, DecidedBy.HINT, ())
    assert [(each.where, each.path, each.text) for each in found.hints] == [(Where.ELSEWHERE, path, f"see {ANSWER}")]


@given(st.lists(st.sampled_from([ANSWER, QUESTION, BOTH, "https://superuser.com/a/12", "https://example.org"])))
def test_sources_given_together_name_all_that_each_names(urls: list[str]) -> None:
    """If a question is given with one of its answers, its other answers are not named."""
    origin = origin_of(SearchOptions(sources=urls))
    assert bool(origin.targets) == bool(urls)
    for url in (ANSWER, QUESTION, BOTH, "https://superuser.com/a/12", "https://example.org"):
        [reference] = of_text(url).found
        if any(names(reference, source(each)) for each in urls):
            assert origin.naming(reference) is Named.CERTAINLY


def test_an_answer_and_its_question_are_one_source() -> None:
    assert origin_of(SearchOptions(sources=[ANSWER, QUESTION])).targets == (PostLink("stackoverflow.com", 12, 7),)
    apart = origin_of(SearchOptions(sources=[ANSWER, "https://superuser.com/q/7"])).targets
    assert apart == (PostLink("stackoverflow.com", 12, None), PostLink("superuser.com", None, 7))


def test_names_are_words_whatever_their_case() -> None:
    options = SearchOptions(authors=["jane DOE", "c++ people"])
    for line, expected in {
        "@author Jane Doe <j@example.org>": Verdict.ATTRIBUTED,
        "Copyright (c) 2020 The C++ People": Verdict.ATTRIBUTED,
        "@author Mary-Jane Doebler": Verdict.UNATTRIBUTED,
        "# thanks, Jane Doe": Verdict.UNATTRIBUTED,
    }.items():
        assert attribution_of(options, places(line)).verdict is expected, line


@pytest.mark.parametrize(
    ("text", "expected"), [(ANSWER, Verdict.ATTRIBUTED), (QUESTION, Verdict.EARLIER), ("", Verdict.EARLIER)]
)
def test_old_lines_are_earlier_only_if_they_do_not_name_the_source(
    text: str, expected: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first_seen", "newest_line"):
        monkeypatch.setattr(IndexReferences, name, lambda *_given, **_options: date(2001, 1, 1))
    options = SearchOptions(sources=[ANSWER], written=date(2010, 1, 1))
    assert attribution_of(options, places(text)).verdict is expected


@pytest.mark.slow
def test_a_place_that_names_the_source_is_attributed_however_old_it_is(tmp_path: Path) -> None:
    files = {"named.py": f"# {ANSWER}\n{CODE}", "silent.py": CODE}
    Repository.make(tmp_path / "old", {path: text.encode() for path, text in files.items()})
    index_sources([tmp_path / "old"], tmp_path / "index", jobs=1)
    tomorrow = date.today() + timedelta(days=1)
    with open_index(tmp_path / "index") as index:
        found = index.search(CODE, sources=[ANSWER], written=tomorrow, limit=5)
        left = index.search(CODE, sources=[ANSWER], written=tomorrow, unattributed=True, earlier=True, limit=5)
    found_at = {
        at.path: attribution
        for hit in found.hits
        for at, attribution in zip(hit.occurrences, hit.attributions, strict=True)
    }
    assert {path: (attribution.verdict, attribution.is_older) for path, attribution in found_at.items()} == {
        "named.py": (Verdict.ATTRIBUTED, True),
        "silent.py": (Verdict.EARLIER, True),
    }
    assert [at.path for hit in left.hits for at in hit.occurrences] == ["silent.py"]


@pytest.mark.thorough
def test_a_reading_of_the_query_whose_places_are_all_left_out_hides_no_other(tmp_path: Path) -> None:
    Repository.make(tmp_path / "old").commit({"merge.py": CODE.encode()}, day="2012-01-01")
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "notes.txt").write_text(f"Some notes about the tool that we had.\n{CODE}")
    index_sources([tmp_path / "old", tmp_path / "new"], tmp_path / "index", history=True, jobs=1)
    with open_index(tmp_path / "index") as index:
        found = index.search(CODE, sources=[ANSWER], written=date(2020, 1, 1), unattributed=True)
    assert [at.path for hit in found.hits for at in hit.occurrences] == ["notes.txt"]


def test_unattributed_keeps_what_may_be() -> None:
    for text, kept in ((ANSWER, False), (QUESTION, True), ("", True)):
        options = SearchOptions(sources=[ANSWER], unattributed=True)
        assert (Attributions(options, places(text)).admitted([PLACE]) == [PLACE]) is kept
    everything = SearchOptions(sources=[ANSWER])
    assert Attributions(everything, places(ANSWER)).admitted([PLACE]) == [PLACE]


def test_bad_questions() -> None:
    for options, message in (
        (SearchOptions(sources=["x y"]), "'x y' is not the URL of a source"),
        (SearchOptions(authors=["  -"]), "use a name"),
        (SearchOptions(licenses=["MIT or BSD"]), "is not an SPDX identifier"),
        (SearchOptions(unattributed=True), "--unattributed needs --source"),
        (SearchOptions(written=date(2020, 1, 1)), "--written needs --source"),
        (SearchOptions(sources=[ANSWER], earlier=True), "--earlier keeps locations that --unattributed leaves out"),
    ):
        with pytest.raises(UsageError, match=message):
            origin_of(options)


def test_what_changes_is_read_again_and_what_never_changes_is_kept() -> None:
    engine = MemoryEngine(scheme_ids())
    references_of_index = IndexReferences(engine)
    assert references_of_index.record("r") is None
    assert references_of_index.references_of(BLOB) is None
    with engine.writer() as writer:
        writer.add_blobs(
            [BlobDocument(StoredBlob(BLOB, "python", 1, 1, b"", references=dump_references(of_text(ANSWER))), {})]
        )
        writer.put_repository(RepositoryRecord("r", "/gone", "git", "1", "s", 1, 1, {}, ""))
    references_of_index.refresh()
    record, references = references_of_index.record("r"), references_of_index.references_of(BLOB)
    assert record is not None
    assert references is not None
    assert [each.value for each in references.found] == [ANSWER]


def test_the_owner_of_an_indexed_repository_is_a_name_of_it_at_every_host() -> None:
    references = places("# Copyright 2020 Acme Tools, Inc.")
    with references._engine.writer() as writer:
        writer.put_repository(record("gitlab.example.org/acme-tools/maps", KeyKind.REMOTE))
    for url, expected in (
        ("https://gitlab.example.org/acme-tools/maps", DecidedBy.FILE),
        ("https://gitlab.example.org/acme-tools/other", DecidedBy.NOTHING),
    ):
        assert attribution_of(SearchOptions(sources=[url]), references).decided_by is expected


def test_the_files_of_a_source_are_listed_once_for_many_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    references = places("")
    engine = references._engine
    with engine.writer() as writer:
        writer.put_repository(record("github.com/acme/maps", KeyKind.REMOTE))
    listed: list[str | None] = []

    def counted(*, repository: str | None = None, blobs: object = None) -> Iterable[Occurrence]:
        listed.append(repository)
        return ()

    monkeypatch.setattr(engine, "occurrences", counted)
    for _ in range(3):
        for url in ("https://github.com/Acme/maps", "https://github.com/acme/maps/blob/main/a.py"):
            references.refresh()
            attribution_of(SearchOptions(sources=[url]), references)
    assert listed == ["github.com/acme/maps"] * 2


class Dated:
    """An index of a repository whose file is of 2008; the code in it is of 2012, and its last lines are of 2016."""

    def __init__(self, folder: Path, *, history: bool) -> None:
        written = "".join(CODE.splitlines(keepends=True)[:-6])
        contents = ("import re\n", f"import re\n\n\n{written}", f"import re\n\n\n{CODE}")
        made = Repository.make(folder / "made")
        for year, content in zip((2008, 2012, 2016), contents, strict=True):
            made.commit({"a.py": content.encode()}, day=f"{year}-02-03")
        self.clone, self._index = made.folder, folder / "index"
        index_sources([made.folder], self._index, history=history, jobs=1)

    def attribution(self, written: date) -> Attribution:
        with open_index(self._index) as index:
            [hit] = index.search(CODE, sources=[ANSWER], written=written).hits
        [found] = hit.attributions
        return found


@pytest.mark.thorough
def test_the_history_of_an_index_dates_the_lines_and_not_the_file(tmp_path: Path) -> None:
    dated = Dated(tmp_path, history=True)
    dated.clone.rename(tmp_path / "gone")
    found = {written: dated.attribution(date(written, 1, 1)) for written in (2010, 2014, 2018)}
    assert {each.first_seen for each in found.values()} == {"2012-02-03"}
    assert {written: (each.verdict, each.is_older) for written, each in found.items()} == {
        2010: (Verdict.UNATTRIBUTED, False),
        2014: (Verdict.UNATTRIBUTED, True),
        2018: (Verdict.EARLIER, True),
    }


def test_without_a_history_git_dates_the_file(tmp_path: Path) -> None:
    dated = Dated(tmp_path, history=False)
    found = dated.attribution(date(2014, 1, 1))
    assert (found.first_seen, found.verdict) == ("2008-02-03", Verdict.UNATTRIBUTED)


def test_a_search_without_a_source_looks_for_no_history(monkeypatch: pytest.MonkeyPatch) -> None:
    references = places(ANSWER)
    monkeypatch.setattr(references._engine, "history", lambda: pytest.fail("no day is needed"))
    references.refresh()
    assert Attributions(SearchOptions(), references).of([PLACE], {BLOB: ()}) == ([PLACE], ())
