"""A store has what the dump has, whenever the import is stopped; no other file is accepted as a store."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.posts.conftest import SAMPLES, dump, row
from wherefrom.errors import NotFound, SourceError
from wherefrom.posts import importing
from wherefrom.posts.dump import Dump, open_dump
from wherefrom.posts.importing import ImportProgress, import_dump
from wherefrom.posts.post import code_blocks
from wherefrom.posts.store import PostStore, Selection
from wherefrom.support import throttle

SITE = "stackoverflow.com"
EVERYTHING = Selection()


def coded(*texts: str, label: str = "") -> str:
    """A body with blocks of code."""
    return "<p>So:</p>" + "".join(f'<pre class="{label}"><code>{text}</code></pre>' for text in texts)


def written(path: Path, *rows: str) -> Path:
    path.write_bytes(dump(*rows))
    return path


def contents(path: Path) -> list[tuple[Any, ...]]:
    """All blocks of a store with their posts, without the keys."""
    with PostStore(path) as store:
        return [(stored.post, stored.block) for stored in store.blocks(EVERYTHING)]


@pytest.mark.parametrize(
    ("name", "report", "first"),
    [
        ("early.xml", {"posts": 3, "blocks": 4, "without_code": 1, "skipped": {}}, "2008-08-02"),
        ("late.xml", {"posts": 4, "blocks": 7, "without_code": 1, "skipped": {"other_type": 3}}, "2019-03-07"),
    ],
)
def test_what_a_store_holds_of_a_dump_is_what_the_dump_says(
    tmp_path: Path, name: str, report: dict[str, Any], first: str
) -> None:
    with open_dump(SAMPLES / name) as file:
        expected = [
            (post.url, post.created, post.license, post.tags, block)
            for post in Dump(file, name=name, site=SITE)
            for block in code_blocks(post.body)
        ]
    with PostStore(tmp_path / "posts", create=True) as store:
        done = import_dump(store, SAMPLES / name, site=SITE)
        found = list(store.blocks(EVERYTHING))
        [counts] = store.sites()
    assert [(it.post.url, it.post.created, it.post.license, it.post.tags, it.block) for it in found] == expected
    assert {
        "posts": done.written,
        "blocks": done.blocks,
        "without_code": done.without_code,
        "skipped": done.skipped,
    } == report
    assert (counts.site, counts.posts, counts.blocks, counts.first, counts.unfinished) == (
        *(SITE, report["posts"], report["blocks"], first, 0),
    )
    keys = [block.key for block in found]
    assert keys == sorted({*keys})


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return written(
        tmp_path / "Posts.xml",
        row(1, Tags="<python><regex>", Body=coded("one()", "two()", label="lang-py")),
        row(2, Tags="<java>", Body="<p>no code</p>"),
        row(3, PostTypeId="2", ParentId="2", Body=coded("three()")),
        row(4, PostTypeId="2", ParentId="99", Body=coded("four()")),
        row(5, PostTypeId="6"),
    )


def imported(path: Path, source: Path, **options: Any) -> importing.ImportReport:
    with PostStore(path, create=True) as store:
        return import_dump(store, source, site=SITE, **options)


def test_selections(small: Path, tmp_path: Path) -> None:
    imported(tmp_path / "posts", small)
    with PostStore(tmp_path / "posts") as store:

        def texts(after: int = 0, **options: Any) -> list[str]:
            found = [stored.block.text for stored in store.blocks(Selection(**options), after)]
            assert store.count(Selection(**options), after) == len(found)
            return found

        assert texts() == ["one()", "two()", "three()", "four()"]
        assert texts(after=next(iter(store.blocks(EVERYTHING))).key) == ["two()", "three()", "four()"]
        assert texts(tags=("python",)) == ["one()", "two()"]
        assert texts(tags=("java", "regex")) == ["one()", "two()", "three()"]
        assert texts(tags=("jav",)) == texts(tags=("python%",)) == texts(sites=("superuser.com",)) == []
        assert texts(sites=(SITE,), posts=((SITE, 4), (SITE, 3))) == ["three()", "four()"]
        for missing in ((SITE, 2), ("superuser.com", 1)):
            with pytest.raises(NotFound, match="has no code of post"):
                texts(posts=(missing,))
        names = [stored.name for stored in store.blocks(EVERYTHING)]
        assert names[1:3] == ["stackoverflow.com/q/1, block 2", "stackoverflow.com/a/3, block 1"]


def test_the_same_dump_is_not_read_twice_whatever_its_name(small: Path, tmp_path: Path) -> None:
    first = imported(tmp_path / "posts", small)
    assert (first.is_repeated, first.written, first.blocks) == (False, 3, 4)
    before = (tmp_path / "posts").read_bytes()
    again = imported(tmp_path / "posts", small.rename(tmp_path / "other.xml"))
    assert (again.is_repeated, again.written, again.known) == (True, 0, 0)
    assert (tmp_path / "posts").read_bytes() == before


def test_a_packed_copy_says_the_same(small: Path, tmp_path: Path) -> None:
    imported(tmp_path / "posts", small)
    with PostStore(tmp_path / "posts") as store:
        state = store.state
    (tmp_path / "Posts.xml.gz").write_bytes(gzip.compress(small.read_bytes()))
    report = imported(tmp_path / "posts", tmp_path / "Posts.xml.gz")
    assert (report.is_repeated, report.written, report.known, report.blocks) == (False, 0, 3, 4)
    with PostStore(tmp_path / "posts") as store:
        assert store.state == state


def test_a_later_dump_replaces_what_it_says_otherwise(small: Path, tmp_path: Path) -> None:
    imported(tmp_path / "posts", small)
    with PostStore(tmp_path / "posts") as store:
        before = {stored.block.text: stored.key for stored in store.blocks(EVERYTHING)}
        state = store.state
    later = written(
        tmp_path / "later.xml",
        row(1, Tags="<python>", Body=coded("one()", "two()", label="lang-py")),
        row(3, PostTypeId="2", ParentId="2", Body=coded("changed()")),
        row(4, PostTypeId="2", ParentId="99", Body="<p>The code is gone</p>"),
        row(6, Tags="<new>", Body=coded("new()")),
    )
    report = imported(tmp_path / "posts", later)
    assert (report.written, report.known) == (2, 1)
    with PostStore(tmp_path / "posts") as store:
        after = {stored.block.text: (stored.key, stored.post.tags) for stored in store.blocks(EVERYTHING)}
        assert store.state != state
    assert list(after) == ["one()", "two()", "changed()", "new()"]
    assert after["one()"] == (before["one()"], ("python",))
    # The new blocks have higher keys, so a reader that stopped after the last old block gets them.
    assert min(after["changed()"][0], after["new()"][0]) > max(before.values())


def test_only_posts_with_a_tag_their_answers_too_however_far_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wherefrom.posts.dump.QUESTIONS", 1)
    source = written(
        tmp_path / "Posts.xml",
        row(1, Tags="<python>", Body=coded("one()")),
        row(2, Tags="<java>", Body=coded("two()")),
        row(3, PostTypeId="2", ParentId="1", Body=coded("three()")),
        row(4, PostTypeId="2", ParentId="2", Body=coded("four()")),
    )
    report = imported(tmp_path / "posts", source, tags=["python"])
    assert (report.written, report.other_tags) == (2, 2)
    assert [(post.id, post.tags) for post, _ in contents(tmp_path / "posts")] == [(1, ("python",)), (3, ("python",))]
    report = imported(tmp_path / "posts", source, tags=["java", "php"])
    assert (report.is_repeated, report.written) == (False, 2)
    assert imported(tmp_path / "posts", source, tags=["php", "java"]).is_repeated
    assert imported(tmp_path / "posts", source).known == 4
    assert [post.id for post, _ in contents(tmp_path / "posts")] == [1, 3, 2, 4]


class _StopError(Exception):
    """What stops an import in a test."""


posts = st.lists(
    st.tuples(st.booleans(), st.integers(1, 9), st.lists(st.sampled_from(["a()", "b()", "c()"]), max_size=3)),
    min_size=1,
    max_size=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(posts, st.lists(st.integers(1, 12), max_size=4), st.sampled_from([(), ("t1", "t2")]))
def test_an_import_that_is_stopped_goes_on_as_if_it_had_not_been(
    tmp_path: Path, made: list[tuple[bool, int, list[str]]], stops: list[int], tags: tuple[str, ...]
) -> None:
    for path in tmp_path.iterdir():
        path.unlink()
    source = written(
        tmp_path / "Posts.xml",
        *(
            row(at, Tags=f"<t{at % 4}>", Body=coded(*blocks))
            if is_question
            else row(at, PostTypeId="2", ParentId=str(parent), Body=coded(*blocks))
            for at, (is_question, parent, blocks) in enumerate(made, 1)
        ),
    )
    imported(tmp_path / "whole", source, tags=tags)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importing, "COMMIT_SECONDS", 0.0)
        patch.setattr(throttle, "SECONDS", 0.0)
        for stop in stops:
            seen: Iterator[int] = iter(range(stop))

            def stopping(_: ImportProgress, seen: Iterator[int] = seen) -> None:
                if next(seen, None) is None:
                    raise _StopError

            with suppress(_StopError):
                imported(tmp_path / "parts", source, tags=tags, progress=stopping)
        imported(tmp_path / "parts", source, tags=tags)
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    assert imported(tmp_path / "parts", source, tags=tags).is_repeated


def test_a_dump_that_was_cut_is_kept_as_far_as_it_goes_and_its_whole_file_goes_on(small: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.xml"
    cut.write_bytes(small.read_bytes()[: small.read_bytes().index(b'Id="4"')])
    for _ in range(2):
        with pytest.raises(SourceError, match=r"cut\.xml ends in the middle, behind .*what comes before that is in"):
            imported(tmp_path / "posts", cut)
        assert [block.text for _, block in contents(tmp_path / "posts")] == ["one()", "two()", "three()"]
    with PostStore(tmp_path / "posts") as store:
        assert store.sites()[0].unfinished == 1
    report = imported(tmp_path / "posts", small)
    assert (report.written, report.known) == (1, 2)


@pytest.mark.parametrize("content", [b"", b"no dump", b"<posts>\n"])
def test_a_file_of_which_nothing_is_read_leaves_no_trace(content: bytes, small: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.xml"
    wrong.write_bytes(content)
    for known in ([], [1]):
        with pytest.raises(SourceError, match=r"unpack it again$|zstd$"):
            imported(tmp_path / "posts", wrong)
        with PostStore(tmp_path / "posts") as store:
            assert [site.unfinished for site in store.sites()] == [0] * len(known)
        imported(tmp_path / "posts", small)


def test_an_error_on_the_way_leaves_the_last_commit(small: Path, tmp_path: Path) -> None:
    def fail(_: ImportProgress) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(throttle, "SECONDS", 0.0)
        with pytest.raises(KeyboardInterrupt):
            imported(tmp_path / "posts", small, progress=fail)
    assert contents(tmp_path / "posts") == []
    assert imported(tmp_path / "posts", small).written == 3


def test_what_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("def no_store():\n    return 'a file of somebody else'\n" * 20)
    other = tmp_path / "other"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE mine (value)")
    for path in (text, other):
        before = path.read_bytes()
        for create in (False, True):
            with pytest.raises(SourceError, match=r"is not a store of posts.*; name another file with --posts"):
                PostStore(path, create=create)
        assert path.read_bytes() == before
    with pytest.raises(NotFound, match="import a data dump first"):
        PostStore(tmp_path / "missing")
    with pytest.raises(SourceError, match="cannot use"):
        PostStore(tmp_path)
    with pytest.raises(SourceError, match="cannot make"):
        PostStore(text / "posts", create=True)


def test_another_format_is_refused(small: Path, tmp_path: Path) -> None:
    imported(tmp_path / "posts", small)
    with closing(sqlite3.connect(tmp_path / "posts")) as connection:
        connection.execute(f"PRAGMA user_version = {7 << 16 | 8}")
    for create in (False, True):
        with pytest.raises(SourceError, match=r"newer version .* \(format 8; .* up to 1\); upgrade .* into another"):
            PostStore(tmp_path / "posts", create=create)


def test_a_newer_format_that_this_version_can_read_is_opened(small: Path, tmp_path: Path) -> None:
    imported(tmp_path / "posts", small)
    with closing(sqlite3.connect(tmp_path / "posts")) as connection:
        connection.execute(f"PRAGMA user_version = {1 << 16 | 8}")
    with PostStore(tmp_path / "posts") as store:
        assert store.sites()


def test_a_store_that_another_writes_to_is_told(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imported(tmp_path / "posts", small)
    monkeypatch.setattr("wherefrom.posts.store.BUSY_SECONDS", 0.0)
    with PostStore(tmp_path / "posts") as store:
        store.connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(SourceError, match=r"another process writes to .*; try again when it has ended"):
            imported(tmp_path / "posts", small)


def test_what_is_no_file_is_no_dump(tmp_path: Path) -> None:
    with PostStore(tmp_path / "posts", create=True) as store:
        with pytest.raises(SourceError, match="is not a file"):
            import_dump(store, tmp_path, site=SITE)
        with pytest.raises(NotFound):
            import_dump(store, tmp_path / "missing", site=SITE)


def test_a_closed_store_says_so(small: Path, tmp_path: Path) -> None:
    imported(tmp_path / "posts", small)
    store = PostStore(tmp_path / "posts")
    store.close()
    store.close()
    for use in (
        lambda: list(store.blocks(EVERYTHING)),
        lambda: store.count(EVERYTHING),
        store.sites,
        lambda: store.state,
        lambda: import_dump(store, small, site=SITE),
    ):
        with pytest.raises(SourceError, match=r"^the posts store .*posts is closed; open it again$"):
            use()
