"""Watches through the library: what each run finds, that each place is new once, also after kills, on each engine."""

from __future__ import annotations

import hmac
import json
import signal
import subprocess
import sys
import textwrap
from base64 import b64decode
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.polygons import AREA, FEET, OWN, PERIMETER
from tests.processes import HANGS
from tests.repositories import Repository
from tests.watch.hooks import receiving
from wherefrom import Index, PostOptions, WatchedPlace, copy_index, index_sources, open_index
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.cli import main
from wherefrom.engines import open_engine
from wherefrom.errors import CopyError, IndexFormatError, NoCode, UsageError
from wherefrom.projects.watch import places as posting
from wherefrom.projects.watch.screen import Windows
from wherefrom.queries.judging import judging

pytestmark = pytest.mark.thorough

SECRET = "whsec_" + "c2VjcmV0" * 6
RENAMED = AREA.replace("total", "sum_").replace("points", "corners")
GEOMETRY = AREA + "\n\n" + PERIMETER

FOUND = {
    "same": AREA,
    "renamed": RENAMED,
    "inside": f"{OWN}\n\n{RENAMED}\n\n{FEET}",
}
NOT_FOUND = {"own": OWN, "feet": FEET}


@pytest.fixture(params=["embedded", pytest.param("elasticsearch", marks=pytest.mark.live)])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where to make an index, once with each engine."""
    if request.param == "elasticsearch":
        made: Callable[[], str] = request.getfixturevalue("elasticsearch_location")
        return made()
    return str(tmp_path / "index")


def clone(folder: Path, name: str, code: str, path: str = "code.py") -> Path:
    return Repository.make(folder / name, {path: code.encode()}).folder


def named(places: list[WatchedPlace] | tuple[WatchedPlace, ...]) -> list[tuple[str, str, str]]:
    return [(place.watch, Path(place.occurrence.repository).name, place.occurrence.path) for place in places]


def reported(index: Index) -> list[tuple[str, str, str]]:
    """The new places, which are then reported."""
    news = index.watch_news(())
    index.mark_reported(news.places)
    return named(news.places)


def test_each_run_finds_what_it_adds_and_each_place_is_told_once(location: str, tmp_path: Path) -> None:
    index_sources([clone(tmp_path, "before", AREA), clone(tmp_path, "other", FEET)], location)
    with open_index(location) as index:
        assert named(index.watch("area", files={"area.py": AREA})) == [("area", "before", "code.py")]
        assert reported(index) == []
    report = index_sources([clone(tmp_path, name, code) for name, code in (FOUND | NOT_FOUND).items()], location)
    assert report.watched == len(FOUND)
    with open_index(location) as index:
        news = index.watch_news(())
        assert named(news.places) == [("area", name, "code.py") for name in sorted(FOUND)]
        by_name = {Path(place.occurrence.repository).name: place for place in news.places}
        begin = 1 + FOUND["inside"].splitlines().index(RENAMED.splitlines()[0])
        assert (by_name["inside"].lines.first, by_name["inside"].lines.last) == (begin, begin + 4)
        assert by_name["inside"].part == "area.py:1-5 area_of_polygon"
        assert (by_name["same"].probability or 0) >= 0.9
        assert named(index.watch_news(()).places) == named(news.places), "nothing was reported yet"
        index.mark_reported(news.places[:1])
        assert named(index.watch_news(()).places) == named(news.places[1:])
        assert len(reported(index)) == 2
    again = Repository(tmp_path / "inside")
    again.commit({"code.py": (FOUND["inside"] + "\n\nx = 1\n").encode(), "copy.py": AREA.encode()})
    index_sources([again.folder], location)
    with open_index(location) as index:
        assert reported(index) == [("area", "inside", "copy.py")], "a changed file is not a new place"
        assert {(Path(place.occurrence.repository).name, place.is_new) for place in index.watched("area")} == {
            (name, False) for name in ("before", *FOUND)
        }
        index.unwatch("area")
        assert (index.watches(), index.watched()) == ([], [])


@pytest.mark.parametrize(("likely", "places"), [(0.89, []), (0.91, ["after", "before"])])
def test_only_strong_copies_count(
    likely: float, places: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "probability", lambda *_given: likely)
    location = str(tmp_path / "index")
    index_sources([clone(tmp_path, "before", AREA)], location)
    with open_index(location) as index:
        index.watch("area", files={"area.py": AREA})
    index_sources([clone(tmp_path, "after", RENAMED)], location)
    with open_index(location) as index:
        assert sorted(Path(place.occurrence.repository).name for place in index.watched("area")) == places


def test_a_fix_is_watched_for_in_its_old_form_alone(location: str, tmp_path: Path) -> None:
    wrong, right = "x * next_y - next_x * y", "(x - next_x) * (y + next_y)"
    project = Repository.make(tmp_path / "project", {"area.py": AREA.encode()})
    project.commit({"area.py": AREA.replace(wrong, right).encode()})
    index_sources([project.folder], location)
    with open_index(location) as index:
        assert index.watch("leak", fixed="HEAD", project=project.folder) == []
        [watch] = index.watches()
        assert watch.is_fix
        assert watch.what[0].startswith("commit ")
    index_sources([clone(tmp_path, "old", RENAMED), clone(tmp_path, "new", RENAMED.replace(wrong, right))], location)
    with open_index(location) as index:
        [place] = index.watch_news(()).places
        assert (Path(place.occurrence.repository).name, place.probability) == ("old", None)


def test_what_is_copied_is_watched_for_like_what_is_indexed(location: str, tmp_path: Path) -> None:
    parts = [tmp_path / "one", tmp_path / "other"]
    index_sources([clone(tmp_path, "before", AREA)], location)
    with open_index(location) as index:
        index.watch("area", files={"area.py": AREA})
    for part, names in zip(parts, (("same", "own"), ("inside", "feet")), strict=True):
        index_sources([clone(tmp_path, name, (FOUND | NOT_FOUND)[name]) for name in names], part)
        with open_index(part) as index:
            index.watch("area", files={"area.py": AREA})
            index.watch(part.name, files={"feet.py": FEET})
    copy_index(parts, location)
    with open_index(location) as index:
        assert [watch.name for watch in index.watches()] == ["area", "one", "other"]
        everywhere = [("area", name, "code.py") for name in ("before", "inside", "same")]
        assert named(index.watched("area")) == everywhere
        assert not [place for place in index.watched("area") if place.is_new], "each part had reported its own"
        assert named(index.watched("one")) == [("one", "feet", "code.py"), ("one", "inside", "code.py")]
        assert all(place.is_new for place in index.watched("one"))
        before = index.watched()
    copy_index(parts, location)
    copy_index(parts, tmp_path / "new")
    with open_index(location) as index, open_index(tmp_path / "new") as new:
        assert index.watched() == before
        assert named(new.watched("area")) == everywhere[1:]


@pytest.mark.parametrize("is_target", [False, True])
def test_a_copy_refuses_another_watch_of_the_same_name_unless_it_replaces(tmp_path: Path, is_target: bool) -> None:
    locations = [tmp_path / "one", tmp_path / "other"]
    for location, code in zip(locations, (AREA, FEET), strict=True):
        index_sources([clone(tmp_path, f"{location.name}-code", code)], location)
        with open_index(location) as index:
            index.watch("it", files={"it.py": code})
    sources, target = (locations[:1], locations[1]) if is_target else (locations, tmp_path / "all")
    with pytest.raises(CopyError, match=r"one and .*other watch for different code under the name 'it'; --replace"):
        copy_index(sources, target)
    with open_index(target) as index:
        assert len(index.repositories()) == is_target
    copy_index(sources, target, replace=True)
    with open_index(target) as index:
        assert named(index.watched()) == [("it", "one-code", "code.py")]


@pytest.mark.live
def test_a_rebuilt_index_keeps_its_watches(elasticsearch_location: Callable[[], str], tmp_path: Path) -> None:
    location = elasticsearch_location()
    kept = clone(tmp_path, "before", AREA)
    index_sources([kept], location)
    with open_index(location) as index:
        index.watch("area", files={"area.py": AREA})
    index_sources([kept, clone(tmp_path, "new", RENAMED)], location, rebuild=True)
    with open_index(location) as index:
        assert reported(index) == [("area", "new", "code.py")]


KILLED = textwrap.dedent("""
    import os, signal, sys
    from wherefrom import index_sources
    from wherefrom.engines.embedded.writer import EmbeddedWriter
    from wherefrom.indexer import indexing

    indexing.COMMIT_BYTES = indexing.BATCH_FILES = 1  # a commit after each content
    commits = 0
    commit = EmbeddedWriter.commit

    def then_killed(writer):
        global commits
        commits += 1
        if commits == int(sys.argv[2]) and sys.argv[3] == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        commit(writer)
        if commits == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)

    EmbeddedWriter.commit = then_killed
    index_sources(sys.argv[4:], sys.argv[1])
""")


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("commits", [1, 3, 5])
def test_a_killed_run_loses_and_repeats_nothing(tmp_path: Path, commits: int, when: str) -> None:
    location = str(tmp_path / "index")
    index_sources([clone(tmp_path, "before", FEET)], location)
    with open_index(location) as index:
        index.watch("area", files={"area.py": AREA})
    sources = [clone(tmp_path, f"r{number}", f"{AREA}\n\nx = {number}\n") for number in range(6)]
    command = [sys.executable, "-c", KILLED, location, str(commits), when, *map(str, sources)]
    killed = subprocess.run(command, capture_output=True, timeout=HANGS, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    with open_index(location) as index:
        first = reported(index)
    index_sources(sources, location)
    with open_index(location) as index:
        index.stats(verify=True)
        rest = reported(index)
        assert sorted(first + rest) == [("area", f"r{number}", "code.py") for number in range(6)]
        assert reported(index) == []


def test_new_places_are_posted_signed_and_again_after_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(posting, "WAITS", (0.1, 0.1))
    location = str(tmp_path / "index")
    options = PostOptions(post_secret=SECRET, private_posts=True)
    index_sources([clone(tmp_path, "before", FEET)], location)
    with receiving() as hook, open_index(location) as index:
        index.watch("area", files={"area.py": AREA}, post=hook.url, post_secret=SECRET)
        hook.statuses.append(503)
        report = index_sources([clone(tmp_path, "a", AREA)], location, post_secret=SECRET, private_posts=True)
        assert (report.watched, report.warnings) == (1, ())
        assert len(hook.messages) == 2, "the refused message is sent again"
        message = hook.messages[1]
        assert hook.messages[0].body == message.body
        place = json.loads(message.body)
        assert (place["watch"], place["path"], place["id"]) == ("area", "code.py", message.headers["webhook-id"])
        signed = f"{place['id']}.{message.headers['webhook-timestamp']}.".encode() + message.body
        key = b64decode(SECRET.removeprefix("whsec_"))
        version, _, signature = message.headers["webhook-signature"].partition(",")
        assert (version, b64decode(signature)) == ("v1", hmac.digest(key, signed, "sha256"))
        assert index.watch_news(()).places == ()

        hook.statuses.extend([500, 302, 429])
        report = index_sources([clone(tmp_path, "b", RENAMED)], location, post_secret=SECRET, private_posts=True)
        [warning] = report.warnings
        assert "status 429" in warning
        assert "the next run tries again" in warning
        before = len(hook.messages)
        news = index.watch_news((), options)
        assert named(news.posted) == [("area", "b", "code.py")]
        assert len({sent.headers["webhook-id"] for sent in hook.messages[before - 3 :]}) == 1
        index.mark_reported(news.posted)
        assert index.watch_news((), options).places == ()


def test_nothing_is_posted_to_a_private_address_unless_configured(tmp_path: Path) -> None:
    location = str(tmp_path / "index")
    index_sources([clone(tmp_path, "before", FEET)], location)
    with receiving() as hook, open_index(location) as index:
        for number, host in enumerate(("127.0.0.1", "localhost")):
            url = hook.url.replace("127.0.0.1", host)
            index.watch(f"w{number}", files={"area.py": AREA}, post=url, post_secret=SECRET)
        report = index_sources([clone(tmp_path, "a", AREA)], location, post_secret=SECRET)
        assert hook.messages == []
        assert len(report.warnings) == 2
        assert all("private_posts" in warning for warning in report.warnings)
        assert len(index.watch_news(()).places) == 2, "they are still new"


def test_without_a_secret_nothing_is_posted(tmp_path: Path) -> None:
    location = str(tmp_path / "index")
    index_sources([clone(tmp_path, "before", FEET)], location)
    with receiving() as hook, open_index(location) as index:
        index.watch("area", files={"area.py": AREA}, post=hook.url, post_secret=SECRET)
        report = index_sources([clone(tmp_path, "a", AREA)], location, private_posts=True)
        assert hook.messages == []
        assert "WHEREFROM_POST_SECRET" in report.warnings[0]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("a/b", {"files": {"a.py": AREA}}, "not a name for a watch"),
        ("a", {}, "name the files to watch for"),
        ("a", {"files": {"a.py": AREA}, "fixed": "HEAD"}, "not both"),
        ("a", {"files": {"a.py": "x = 1\n"}}, "has no code of 30 tokens"),
        ("a", {"files": {"a.bin": b"\0\1\2\xff" * 50}}, "cannot be watched for: binary"),
        ("known", {"files": {"a.py": AREA}}, "there is a watch 'known' already"),
        ("a", {"files": {"a.py": AREA}, "post": "ftp://example.org/x"}, "not an address to post to"),
        ("a", {"files": {"a.py": AREA}, "post": "https://u:p@example.org/x"}, "not an address to post to"),
        ("a", {"files": {"a.py": AREA}, "post": "https://example.org/x"}, "there is no secret of 24 bytes"),
        ("a", {"files": {"a.py": AREA}, "post": "https://example.org/x", "post_secret": "short"}, "no secret of 24"),
    ],
)
def test_what_cannot_be_watched_is_refused(tmp_path: Path, name: str, options: dict[str, object], message: str) -> None:
    location = str(tmp_path / "index")
    index_sources([clone(tmp_path, "before", FEET)], location)
    with open_index(location) as index:
        index.watch("known", files={"a.py": PERIMETER})
        with pytest.raises(UsageError, match=message):
            index.watch(name, **options)  # type: ignore[call-overload]
        assert [watch.name for watch in index.watches()] == ["known"]
        with pytest.raises(UsageError, match="watch list"):
            index.unwatch("unknown")


def test_own_repositories_are_no_news(tmp_path: Path) -> None:
    location = str(tmp_path / "index")
    index_sources([clone(tmp_path, "before", FEET)], location)
    with open_index(location) as index:
        index.watch("area", files={"area.py": AREA}, own=["*/mine*"])
    index_sources([clone(tmp_path, "mine", AREA), clone(tmp_path, "theirs", AREA)], location)
    with open_index(location) as index:
        assert named(index.watch_news(()).places) == [("area", "theirs", "code.py")]


def test_the_clone_that_has_the_watched_file_is_no_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    location = str(tmp_path / "index")
    clones = [clone(tmp_path, name, AREA) for name in ("mine", "theirs")]
    index_sources(clones, location)
    assert main(["watch", "add", "area", f"{clones[0]}/code.py", "--index", location]) == 0
    printed = capsys.readouterr()
    assert f"{clones[1]} code.py" in printed.out
    assert "1 place with this code by now" in printed.err


def test_an_index_without_code_is_not_watched(tmp_path: Path) -> None:
    location = tmp_path / "index"
    index_sources([clone(tmp_path, "before", FEET)], location, fingerprints_only=True)
    with open_index(location) as index, pytest.raises(NoCode):
        index.watch("area", files={"area.py": AREA})


def test_a_post_waits_and_tries_three_times(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(posting, "WAITS", (0.0, 0.0))
    location = str(tmp_path / "index")
    index_sources([clone(tmp_path, "before", FEET)], location)
    with receiving() as hook, open_index(location) as index:
        index.watch("area", files={"area.py": AREA}, post=hook.url, post_secret=SECRET)
        hook.statuses.extend([500] * 3)
        report = index_sources(
            [clone(tmp_path, "a", AREA), clone(tmp_path, "b", RENAMED)],
            location,
            post_secret=SECRET,
            private_posts=True,
        )
        assert len(hook.messages) == 3, "after one failure the other places of the address wait"
        assert len(report.warnings) == 1


def test_a_watch_of_another_scheme_is_screened_anew_and_one_of_a_newer_version_refused(tmp_path: Path) -> None:
    location = str(tmp_path / "index")
    index_sources([clone(tmp_path, "before", FEET)], location)
    with open_index(location) as index:
        index.watch("area", files={"area.py": AREA})

    def changed(name: str, **values: object) -> None:
        with closing(open_engine(location, schemes=scheme_ids())) as engine, engine.writer() as writer:
            writer.put_note(name, {**engine.notes(name)[name], **values})

    changed("code/area", schemes={"exact": "other"}, windows=Windows.of([]).dump())
    assert index_sources([clone(tmp_path, "a", RENAMED)], location).watched == 1
    changed("watch/area", format=99, reader=99)
    with open_index(location) as index, pytest.raises(IndexFormatError, match=r"the watch 'area' .*upgrade"):
        index.watches()
