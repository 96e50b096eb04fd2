"""What an upgrade renews, and what it leaves alone. An older index here is a new one with older stamps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from tests.repositories import Repository
from wherefrom.analyzers import stamps
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import decode
from wherefrom.engines import open_engine
from wherefrom.engines.embedded.engine import EmbeddedEngine
from wherefrom.indexer.indexing import IndexingRun
from wherefrom.model import BlobDocument, Refusal, RepositoryRecord, SkipReason, StoredBlob
from wherefrom.options import IndexOptions
from wherefrom.results import IndexReport
from wherefrom.sources.directory import DirectorySource
from wherefrom.sources.discover import discover
from wherefrom.sources.source import Entry, Source, blob_id

FILES = {
    "add.py": b"def add(first, second):\n    total = first + second\n    return total * 2 - first\n",
    "sub.c": b"int sub(int first, int second) {\n    int total = first - second;\n    return total * 2;\n}\n",
    "run": b"#!/bin/bash\nfor name in one two three; do\n    echo $name >> names.txt\ndone\n",
    "read.md": b"# Adding\n\nHow to add two numbers in a terminal:\n\n```bash\nexpr 1 + 2 | tee total.txt\n```\n",
    "story.txt": b"Once upon a time there was a little number that wanted to be added to another number.\n" * 3,
}


@dataclass
class World:
    """An index of one repository."""

    folder: Path

    def run(
        self, *, renew: bool = True, parse_seconds: float = 5.0, source: str = "clone", read: list[str] | None = None
    ) -> IndexReport:
        """Indexes a source; the paths of the files that are read go into `read`."""
        engine = open_engine(self.folder / "index", schemes=scheme_ids(), create=True)
        try:
            found = discover([str(self.folder / source)], cache=self.folder / "cache")
            sources = found if read is None else [cast("Source", Noting(source, read)) for source in found]
            return IndexingRun(engine, sources, IndexOptions(parse_seconds=parse_seconds, jobs=1, renew=renew)).run()
        finally:
            engine.close()

    def records(self) -> list[RepositoryRecord]:
        engine = open_engine(self.folder / "index", schemes=scheme_ids())
        found = engine.repositories()
        engine.close()
        return found

    def dangling(self) -> set[str]:
        """The paths whose blobs are not in the index."""
        engine = open_engine(self.folder / "index", schemes=scheme_ids())
        files = list(engine.occurrences())
        known = engine.known([file.blob for file in files])
        engine.close()
        return {file.path for file in files if file.blob not in known}

    def loose(self, path: str) -> Path:
        """The object of one of `FILES` in the clone."""
        blob = blob_id(FILES[path])
        return self.folder / "clone" / ".git" / "objects" / blob[:2] / blob[2:]

    def stamps(self) -> dict[str, str]:
        """The stamp of the blob at each path."""
        engine = open_engine(self.folder / "index", schemes=scheme_ids())
        found = {file.path: file.blob for file in engine.occurrences()}
        blobs = engine.blobs(found.values())
        engine.close()
        return {path: blobs[blob].analysis for path, blob in found.items()}

    def age(self, blobs: Mapping[str, Mapping[str, str | None]], record: Mapping[str, str | None]) -> None:
        """Writes an older analysis into the index.

        Args:
            blobs: new versions of components for the blobs at some paths; None removes a component.
            record: the same for the repository.
        """
        engine = open_engine(self.folder / "index", schemes=scheme_ids())
        with engine.writer() as writer:
            for file in list(engine.occurrences()):
                if file.path in blobs:
                    stored = engine.blobs([file.blob])[file.blob]
                    parts = {**dict(part.split("=") for part in stored.analysis.split()), **blobs[file.path]}
                    stamp = " ".join(
                        f"{name}={version}" for name, version in sorted(parts.items()) if version is not None
                    )
                    writer.replace_blobs([stale(stored, stamp)])
            for found in engine.repositories():
                analysis = {**found.analysis, **record}
                kept = {name: version for name, version in analysis.items() if version is not None}
                writer.put_repository(replace(found, analysis=kept))
        engine.close()


def stale(stored: StoredBlob, stamp: str) -> BlobDocument:
    """The same blob by an older analysis, which had one token less."""
    return BlobDocument(replace(stored, analysis=stamp, token_count=1), document_terms(decode(stored.tokens)))


class Noting:
    """A source that notes which of its files are read."""

    def __init__(self, source: Source, read: list[str]) -> None:
        self._source, self._read = source, read

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        for entry, content in self._source.read(entries):
            self._read.append(entry.path)
            yield entry, content


def unreadable(read: Any, path: str) -> Any:
    """Reads all files of a source except one. (Tests may run as root, whom permissions do not stop.)"""

    def reading(source: Source, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        for entry, content in read(source, entries):
            yield entry, SkipReason.UNREADABLE if entry.path == path else content

    return reading


@pytest.fixture
def world(tmp_path: Path) -> World:
    Repository.make(tmp_path / "clone", FILES)
    made = World(tmp_path)
    report = made.run()
    assert (report.parsed, report.renewed) == (len(FILES), 0)
    return made


def test_a_stamp_names_what_a_content_is_in(world: World) -> None:
    now = stamps.installed()
    found = {path: stamps.components(stamp) for path, stamp in world.stamps().items()}
    others = {name: now[name] for name in (stamps.SKIP_RULES, stamps.REFERENCES, stamps.INSIDES)}
    parsed = others | {stamps.PARSER: now[stamps.PARSER]}
    assert "language=markdown" in world.stamps()["read.md"].split()
    assert found == {
        "add.py": parsed | {"python": now["python"]},
        "sub.c": parsed | {"c": now["c"]},
        "run": parsed | {"bash": now["bash"]},
        "read.md": parsed | {"bash": now["bash"]},
        "story.txt": others,
    }


def test_what_is_current_is_left_alone(world: World) -> None:
    report = world.run()
    assert (report.parsed, report.renewed, report.repositories[0].status) == (0, 0, "unchanged")


@pytest.mark.slow
def test_a_newer_grammar_renews_the_contents_in_its_language_and_no_others(world: World) -> None:
    current = world.stamps()
    world.age({"run": {"bash": "0.20"}, "read.md": {"bash": "0.20"}}, {"bash": "0.20"})
    kept = world.run(renew=False)
    assert (kept.renewed, kept.repositories[0].status) == (0, "unchanged")
    assert world.stamps() != current
    report = world.run()
    assert (report.parsed, report.renewed, report.repositories[0].status) == (0, 2, "renewed")
    assert (report.repositories[0].files, report.repositories[0].known) == (5, 5)
    assert world.stamps() == current
    assert world.run().repositories[0].status == "unchanged"


@pytest.mark.slow
def test_the_classifier_of_licenses_is_stamped_where_it_had_something_to_look_at(tmp_path: Path) -> None:
    header = b"# Permission is hereby granted, free of charge, to any person.\n"
    Repository.make(tmp_path / "clone", {"with.py": header + FILES["add.py"], "without.py": FILES["add.py"]})
    world = World(tmp_path)
    world.run()
    found = {path: stamps.LICENSES in stamps.components(stamp) for path, stamp in world.stamps().items()}
    assert found == {"with.py": True, "without.py": False}


@pytest.mark.slow
@pytest.mark.parametrize(
    "component", [stamps.PARSER, stamps.REFERENCES, stamps.INSIDES, stamps.LICENSES, stamps.SKIP_RULES]
)
def test_a_newer_version_of_anything_else_renews_what_it_decided(world: World, component: str) -> None:
    current = world.stamps()
    world.age({path: {component: "0"} for path in ("add.py", "sub.c")}, {component: "0"})
    assert world.run().renewed == 2
    assert world.stamps() == current


def test_what_a_newer_version_wrote_is_not_renewed_by_an_older_one(world: World) -> None:
    world.age({"add.py": {"python": "99.0"}, "sub.c": {"c": "0.1", stamps.PARSER: "99.0"}}, {"python": "99.0"})
    written = world.stamps()
    assert world.run().renewed == 0
    assert world.stamps() == written


@pytest.mark.slow
def test_a_new_revision_renews_as_well(world: World) -> None:
    world.age({"sub.c": {"c": "0.1"}}, {"c": "0.1"})
    Repository(world.folder / "clone").commit({"add.py": FILES["add.py"] + b"\n\nprint(add(1, 2))\n"})
    report = world.run()
    assert (report.parsed, report.renewed, report.repositories[0].status) == (1, 1, "indexed")


@pytest.mark.thorough
def test_nothing_is_renewed_if_that_is_not_wanted(world: World) -> None:
    text = {"bash": "", stamps.PARSER: ""}
    world.age({"add.py": {"python": "0.1"}, "run": text}, {"python": "0.1", "bash": None})
    Repository(world.folder / "clone").commit({"new.txt": b"A new file about something that nobody has read.\n"})
    report = world.run(renew=False)
    assert (report.parsed, report.renewed) == (1, 0)


@pytest.mark.slow
def test_a_changed_guess_renews_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("indexer.job", "indexer.writing", "analyzers.analysis"):
        monkeypatch.setattr(f"wherefrom.{name}.guess", lambda path, content: "ruby")
    read: list[str] = []
    assert world.run(read=read).repositories[0].status == "unchanged"
    Repository(world.folder / "clone").commit({"new.txt": b"Something that is new.\n"})
    report = world.run(read=read)
    assert (report.renewed, read) == (0, ["new.txt"])


@pytest.mark.slow
def test_a_new_language_renews_what_it_claims_by_name_shebang_or_fence(world: World) -> None:
    current = world.stamps()
    text = {"bash": "", stamps.PARSER: ""}
    world.age({"read.md": {}, "run": text}, {"bash": None})
    before = world.stamps()
    report = world.run()
    assert report.renewed == 1  # `run`; `read.md` comes out as it was
    assert world.stamps() == current != before
    world.age({}, {"python": None})
    assert world.run().renewed == 0  # `add.py` is stamped with Python already
    assert world.run().repositories[0].status == "unchanged"


@pytest.mark.slow
def test_a_grammar_that_is_installed_later_renews_what_was_left_as_text(world: World) -> None:
    current = world.stamps()
    world.age({"run": {"bash": ""}}, {"bash": ""})
    assert stamps.without_grammar(world.stamps()["run"]) == ("bash",)
    assert world.run().renewed == 1
    assert world.stamps() == current


@pytest.mark.slow
def test_what_cannot_be_read_again_is_kept_and_tried_again_by_the_next_run(world: World) -> None:
    world.age({"sub.c": {"c": "0.1"}}, {"c": "0.1"})
    loose = world.loose("sub.c")
    content = loose.read_bytes()
    loose.chmod(0o600)
    loose.write_bytes(b"damaged")
    report = world.run()
    assert (report.renewed, report.repositories[0].kept, report.repositories[0].files) == (0, 1, 5)
    assert stamps.components(world.stamps()["sub.c"])["c"] == "0.1"
    loose.write_bytes(content)
    assert world.run().renewed == 1


@pytest.mark.slow
def test_a_folder_is_renewed_too(world: World) -> None:
    (world.folder / "plain").mkdir()
    (world.folder / "plain" / "mul.py").write_bytes(b"def mul(first, second):\n    return first * second + first\n")
    assert world.run(source="plain").parsed == 1
    world.age({"mul.py": {"python": "0.1"}, "add.py": {"python": "0.1"}}, {"python": "0.1"})
    report = world.run(source="plain")
    assert (report.renewed, report.parsed) == (1, 0)
    assert stamps.components(world.stamps()["add.py"])["python"] == "0.1"


@pytest.mark.slow
def test_a_renewed_blob_keeps_its_source(world: World) -> None:
    engine = open_engine(world.folder / "index", schemes=scheme_ids())
    blob = blob_id(FILES["add.py"])
    stored = engine.blobs([blob])[blob]
    with engine.writer() as writer:
        writer.replace_blobs([stale(replace(stored, source=FILES["add.py"]), "python=0.1")])
        writer.put_repository(replace(engine.repositories()[0], analysis={}))
    engine.close()
    assert world.run().renewed == 1
    engine = open_engine(world.folder / "index", schemes=scheme_ids())
    assert engine.blobs([blob])[blob].source == FILES["add.py"]
    assert engine.blobs([blob])[blob].token_count == stored.token_count
    engine.close()


LARGE = {"add.py": FILES["add.py"] * 3000, "sub.c": FILES["sub.c"] * 3000, "run": FILES["run"] * 3000}


@pytest.mark.slow
def test_a_repository_that_is_new_renews_what_others_left_behind(world: World) -> None:
    Repository.make(world.folder / "fork", FILES | {"new.txt": b"Something else that is only in the fork of it.\n"})
    text = {"python": None, stamps.PARSER: None}
    world.age({"sub.c": {"c": "0.1"}, "add.py": text}, {"c": "0.1", "python": None})
    report = world.run(source="fork")
    assert (report.parsed, report.renewed, report.repositories[0].status) == (1, 2, "indexed")
    assert world.run(source="fork").repositories[0].status == "unchanged"
    assert world.run().renewed == 0


@pytest.mark.slow
def test_files_that_are_new_with_a_new_revision_and_a_new_language_are_indexed(world: World) -> None:
    world.age({}, {"bash": None})
    added = {
        "new.md": b"# New\n\nSomething that is only here, about numbers and what they are good for.\n",
        "new.txt": b"Something else that is only here, about letters and what they are good for.\n",
        "new.html": b"<html><body><p>A page that is only here.</p></body></html>\n",
        "new.sh": b"for name in four five six; do\n    echo $name >> others.txt\ndone\n",
    }
    Repository(world.folder / "clone").commit(added)
    report = world.run()
    assert (report.parsed, report.renewed) == (len(added), 0)
    assert world.dangling() == set()
    assert world.run().repositories[0].status == "unchanged"


@pytest.mark.slow
def test_new_files_of_a_folder_are_indexed_when_a_language_is_new(world: World) -> None:
    plain = world.folder / "plain"
    plain.mkdir()
    (plain / "old.txt").write_bytes(b"Something that was here from the beginning, about numbers.\n")
    world.run(source="plain")
    world.age({}, {"bash": None})
    (plain / "new.txt").write_bytes(b"Something that came later, about letters and what they are good for.\n")
    assert world.run(source="plain").parsed == 1
    assert world.dangling() == set()


@pytest.mark.slow
def test_a_language_that_came_without_its_grammar_is_renewed_when_that_comes(world: World) -> None:
    """An upgrade brings a language, and its grammar is installed later."""
    current = world.stamps()
    world.age({"run": {"bash": "", stamps.PARSER: None, stamps.LANGUAGE: "text"}}, {"bash": ""})
    assert world.run().renewed == 1
    assert world.stamps() == current


def test_of_two_machines_the_one_with_older_versions_undoes_nothing(world: World) -> None:
    ahead = {"c": "99.0", "zzz": "1.0", stamps.SKIP_RULES: "99"}
    world.age({"sub.c": {"c": "99.0"}}, ahead)
    written = world.stamps()
    read: list[str] = []
    assert world.run(read=read).repositories[0].status == "unchanged"
    assert (world.stamps(), read) == (written, [])
    world.age({}, {"c": "99.0", "python": "0.1"})
    assert world.run(read=read).repositories[0].status == "unchanged"
    analysis = world.records()[0].analysis
    assert {name: analysis[name] for name in ("c", "zzz", stamps.SKIP_RULES)} == ahead
    assert analysis["python"] == stamps.installed()["python"]


@pytest.mark.slow
def test_what_cannot_be_renewed_does_not_make_others_be_read_again(world: World) -> None:
    world.age({"sub.c": {"c": "0.1"}}, {"c": "0.1", "bash": None})
    loose = world.loose("sub.c")
    loose.chmod(0o600)
    loose.write_bytes(b"damaged")
    first: list[str] = []
    assert world.run(read=first).repositories[0].kept == 1
    assert {"read.md", "story.txt"} <= set(first)
    again: list[str] = []
    report = world.run(read=again)
    assert (again, report.repositories[0].kept, report.repositories[0].status) == ([], 1, "unchanged")


@pytest.mark.slow
def test_a_folder_costs_few_requests(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted on the engine: each request about the whole index is made once."""
    plain = world.folder / "plain"
    plain.mkdir()
    for number in range(50):
        (plain / f"{number}.sh").write_bytes(b"echo %d | tee total.txt\n" % number)
    world.run(source="plain")
    world.age({}, {"bash": None})
    calls: list[str] = []
    for name in ("count_analyses", "repositories"):
        counted = getattr(EmbeddedEngine, name)

        def call(engine: Any, *arguments: Any, _name: str = name, _counted: Any = counted, **named: Any) -> Any:
            if not arguments:  # with arguments, the request is about some repositories
                calls.append(_name)
            return _counted(engine, *arguments, **named)

        monkeypatch.setattr(EmbeddedEngine, name, call)
    (plain / "51.sh").write_bytes(b"echo 51 | tee total.txt\n")
    assert world.run(source="plain").parsed == 1
    assert sorted(calls) == ["count_analyses", "repositories"]


@pytest.mark.slow
def test_a_file_of_a_folder_that_cannot_be_read_again_is_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = world.folder / "plain"
    plain.mkdir()
    (plain / "mul.c").write_bytes(b"int mul(int first, int second) {\n    return first * second + first;\n}\n")
    (plain / "add.py").write_bytes(FILES["add.py"])
    world.run(source="plain")
    world.age({"mul.c": {"c": "0.1"}}, {"c": "0.1"})
    monkeypatch.setattr(DirectorySource, "read", unreadable(DirectorySource.read, "mul.c"))
    report = world.run(source="plain")
    assert (report.repositories[0].files, report.repositories[0].kept) == (2, 1)
    assert world.dangling() == set()
    monkeypatch.undo()
    assert world.run(source="plain").renewed == 1


@pytest.mark.slow
def test_another_name_of_a_content_is_no_reason_to_drop_it(tmp_path: Path) -> None:
    """The same bytes are prose in one repository, and in the other a minified script, because of their name."""
    content = b"a=1;" * 400 + b"\n"
    Repository.make(tmp_path / "one", {"notes.txt": content})
    Repository.make(tmp_path / "two", {"lib.js": content})
    world = World(tmp_path)
    assert (world.run(source="one").parsed, world.run(source="two").parsed) == (1, 0)
    world.age({path: {stamps.REFERENCES: "0"} for path in ("notes.txt", "lib.js")}, {stamps.REFERENCES: "0"})
    reports = [world.run(source=name) for name in ("two", "one")]
    assert [report.repositories[0].files for report in reports] == [1, 1]
    assert reports[1].renewed == 1


class TestRefusals:
    """Every large file exceeds a parsing limit of a nanosecond."""

    SLOW = 1e-9

    @pytest.mark.slow
    def test_contents_that_took_too_long_are_not_tried_again(self, tmp_path: Path) -> None:
        clone = Repository.make(tmp_path / "clone", LARGE)
        world = World(tmp_path)
        report = world.run(parse_seconds=self.SLOW)
        assert report.repositories[0].skipped == {SkipReason.PARSE_TIMEOUT: 3}
        engine = open_engine(world.folder / "index", schemes=scheme_ids())
        refused = engine.refusals(list(map(blob_id, LARGE.values())))
        engine.close()
        assert {(refusal.reason, refusal.seconds) for refusal in refused.values()} == {("parse_timeout", 1e-9)}
        assert len(refused) == 3
        clone.commit({"new.txt": b"A new file about something else that nobody has ever read.\n"})
        read: list[str] = []
        report = world.run(parse_seconds=self.SLOW, read=read)
        assert read == ["new.txt"]
        assert report.parsed == 1
        assert report.repositories[0].skipped == {SkipReason.PARSE_TIMEOUT: 3}

    @pytest.mark.slow
    def test_a_newer_analysis_tries_again_in_an_unchanged_repository(self, tmp_path: Path) -> None:
        Repository.make(tmp_path / "clone", LARGE)
        world = World(tmp_path)
        assert world.run(parse_seconds=self.SLOW).repositories[0].skipped == {SkipReason.PARSE_TIMEOUT: 3}
        engine = open_engine(world.folder / "index", schemes=scheme_ids())
        with engine.writer() as writer:
            writer.put_refusals([Refusal(blob_id(LARGE["sub.c"]), SkipReason.PARSE_TIMEOUT, "c=0.1", 1e-9)])
        engine.close()
        world.age({}, {"c": "0.1"})
        read: list[str] = []
        assert world.run(parse_seconds=self.SLOW, read=read).repositories[0].skipped == {SkipReason.PARSE_TIMEOUT: 3}
        assert read == ["sub.c"]

    @pytest.mark.slow
    def test_a_longer_limit_or_a_newer_analysis_tries_again(self, tmp_path: Path) -> None:
        Repository.make(tmp_path / "clone", LARGE)
        world = World(tmp_path)
        world.run(parse_seconds=self.SLOW)
        engine = open_engine(world.folder / "index", schemes=scheme_ids())
        with engine.writer() as writer:
            writer.put_refusals(
                Refusal(blob_id(LARGE[path]), SkipReason.WORKER_DIED, stamp, 100.0)
                for path, stamp in (("sub.c", "c=0.1"), ("run", stamps.stamp("bash")))
            )
        engine.close()
        report = world.run(parse_seconds=50.0)
        assert report.parsed == 2  # `add.py` by the limit, `sub.c` by its grammar
        assert report.repositories[0].skipped == {SkipReason.WORKER_DIED: 1}

    @pytest.mark.slow
    def test_a_blob_that_cannot_be_analyzed_in_time_keeps_its_older_analysis(self, tmp_path: Path) -> None:
        Repository.make(tmp_path / "clone", LARGE)
        world = World(tmp_path)
        world.run()
        world.age({"sub.c": {"c": "0.1"}}, {"c": "0.1"})
        for _ in range(2):
            report = world.run(parse_seconds=self.SLOW)
            assert (report.renewed, report.repositories[0].kept, report.repositories[0].files) == (0, 1, 3)
        assert stamps.components(world.stamps()["sub.c"])["c"] == "0.1"
        assert world.run().renewed == 1

    def test_a_content_that_is_known_to_take_too_long_keeps_its_older_analysis_untried(self, world: World) -> None:
        engine = open_engine(world.folder / "index", schemes=scheme_ids())
        with engine.writer() as writer:
            writer.put_refusals([Refusal(blob_id(FILES["sub.c"]), SkipReason.PARSE_TIMEOUT, stamps.stamp("c"), 100.0)])
        engine.close()
        world.age({"sub.c": {"c": "0.1"}}, {"c": "0.1"})
        read: list[str] = []
        report = world.run(read=read)
        assert (read, report.renewed, report.repositories[0].kept, report.repositories[0].skipped) == ([], 0, 1, {})
        assert world.dangling() == set()
