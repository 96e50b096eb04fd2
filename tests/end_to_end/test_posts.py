"""The code of Stack Exchange posts: a dump imported, all of it looked up; one post by its URL."""

from __future__ import annotations

import csv
import heapq
import io
import json
import os
import re
import shlex
import shutil
import signal
import sys
import textwrap
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import Wherefrom, harmless, module_source
from tests.end_to_end.edits import UNRELATED, source_of
from tests.end_to_end.runs import start
from tests.post_search import deadly
from tests.post_search.deadly import DEADLY
from tests.posts.api_server import Server, serving
from tests.posts.conftest import dump, row
from tests.repositories import Repository
from wherefrom import open_posts
from wherefrom.options import PostsOptions
from wherefrom.posts.search import BlockSkip, ReportFile
from wherefrom.posts.store import Selection
from wherefrom.reports.posts import COLUMNS
from wherefrom.results import Verdict

MERGE, DEDENT = source_of(heapq.merge), source_of(textwrap.dedent)
READ_TOKEN = textwrap.dedent(source_of(shlex.shlex.read_token))
ALONE = "https://stackoverflow.com"


def coded(*texts: str) -> str:
    return "<p>Try</p>" + "".join(f"<pre><code>{escape(text)}</code></pre>" for text in texts)


def posts_dump() -> bytes:
    """Question 11 with answers 12 and 13, question 20, and a question without code."""
    tags = "<python><heap>"
    return dump(
        row(11, Tags=tags, Body=coded("x = 1", UNRELATED)),
        row(12, PostTypeId="2", ParentId="11", Body=coded("merge(a, b)", MERGE)),
        row(13, PostTypeId="2", ParentId="11", Body=coded(DEDENT), ContentLicense="CC BY-SA 4.0"),
        row(20, Tags="<c++>", Body=coded(READ_TOKEN), CreationDate="2030-01-01T00:00:00.000"),
        row(21, Tags=tags, Body="<p>No code</p>"),
    )


def planted(module: str, code: str) -> bytes:
    """A module of the standard library with other code at its end, some lines away."""
    padding = "".join(f"OPTION_{number} = {number}\n" for number in range(20))
    return f"{module_source(module).decode()}\n{padding}\n\n{code}".encode()


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """An index of clones with the code of the posts, some with credit; and the imported dump."""
    wherefrom = Wherefrom(tmp_path_factory.mktemp("posts"))
    clones = wherefrom.folder / "clones"
    Repository.make(clones / "named", {"a.py": planted("netrc", f"# see {ALONE}/a/12\n{MERGE}")})
    Repository.make(clones / "requested", {"b.py": f"# {ALONE}/questions/11/how\n".encode() + planted("sched", MERGE)})
    Repository.make(clones / "silent", {"deep/c.py": planted("cmd", MERGE), "d.py": planted("trace", DEDENT)})
    Repository.make(clones / "told", {"e.py": planted("queue", DEDENT), "NOTICE": f"Uses {ALONE}/a/13 .\n".encode()})
    license = b"SPDX-License-Identifier: MIT\n"
    Repository.make(clones / "older", {"f.py": planted("calendar", READ_TOKEN), "LICENSE": license})
    wherefrom.indexes(clones)
    wherefrom.environment["WHEREFROM_POSTS"] = str(wherefrom.folder / "posts.sqlite")
    (wherefrom.folder / "Posts.xml").write_bytes(posts_dump())
    wherefrom("posts", "import", "Posts.xml")
    return wherefrom


def searched(wherefrom: Wherefrom, *options: str, code: int = 0) -> tuple[list[dict[str, Any]], str]:
    """The rows as JSON, which must agree with those as CSV, and the text on standard error."""
    done, output, printed = wherefrom.run("posts", "search", *options, "--format", "jsonl")
    assert done == code, printed
    rows = [json.loads(line) for line in output.splitlines()]
    done, output, again = wherefrom.run("posts", "search", *options, "--format", "csv")
    assert (done, again) == (code, printed)
    table = list(csv.DictReader(io.StringIO(output)))
    assert [(item["post"], item["repository"], item["verdict"]) for item in table] == [
        (item["post"], item["repository"], item["verdict"]) for item in rows
    ]
    assert all(tuple(item) == ("format", *COLUMNS) for item in rows)
    return rows, printed


def test_every_block_is_held_against_its_own_post(indexed: Wherefrom) -> None:
    rows, printed = searched(indexed)
    found = {(item["post"].removeprefix(f"{ALONE}/"), item["path"]): (item["verdict"], item["where"]) for item in rows}
    assert found == {
        ("a/12", "a.py"): ("attributed", "match"),
        ("a/12", "b.py"): ("attributed", "file"),
        ("a/12", "deep/c.py"): ("unattributed", None),
        ("a/13", "d.py"): ("unattributed", None),
        ("a/13", "e.py"): ("attributed", "notice"),
        ("q/20", "f.py"): ("earlier", None),
    }
    assert printed == "wherefrom: 6 blocks: 3 found (6 rows), skipped: 2 too short\n"


def test_a_row_says_all_of_the_post_and_of_the_place(indexed: Wherefrom) -> None:
    rows, _ = searched(indexed)
    by_path = {item["path"]: item for item in rows}
    older, named = by_path["f.py"], by_path["a.py"]
    assert (older["first_seen"], older["is_older"]) == ("2024-01-01", True)
    assert (older["language"], older["licenses"], older["created"]) == ("python", ["MIT"], "2030-01-01")
    assert (older["post_license"], older["evidence"]) == ("CC-BY-SA-4.0", None)
    assert (named["post_license"], named["question"], named["block"]) == ("CC-BY-SA-3.0", f"{ALONE}/q/11", 2)
    assert (named["first_seen"], named["is_older"]) == ("2024-01-01", False)
    assert (named["evidence"]["text"], named["evidence"]["path"]) == (f"# see {ALONE}/a/12", "a.py")
    assert by_path["e.py"]["evidence"]["path"] == "NOTICE"
    assert by_path["b.py"]["evidence"]["line"] == 1
    silent = by_path["deep/c.py"]
    before = planted("cmd", "").count(b"\n")
    assert silent["query_lines"] == [[1, MERGE.count("\n")]]
    assert silent["document_lines"] == [[before + 1, before + MERGE.count("\n")]]
    assert (silent["repository"], silent["occurrences"]) == (str(indexed.folder / "clones" / "silent"), 1)


def test_only_places_that_do_not_name_the_post(indexed: Wherefrom) -> None:
    rows, printed = searched(indexed, "--unattributed", "--tag", "heap")
    assert {(item["repository"].rpartition("/")[2], item["path"]) for item in rows} == {
        ("silent", "deep/c.py"),
        ("silent", "d.py"),
    }
    assert {item["verdict"] for item in rows} == {"unattributed"}
    assert all(item["occurrences"] == item["unattributed"] == 1 for item in rows)
    assert "wherefrom: 5 blocks: 2 found (2 rows)" in printed


def test_text_names_the_place_and_what_it_says(indexed: Wherefrom) -> None:
    done, output, _ = indexed.run("posts", "search", "--post", f"{ALONE}/a/12")
    assert done == 0
    assert output.splitlines()[0].startswith("stackoverflow.com/a/12, block 2  (python, ")
    located = re.findall(r"^ +100%  strong: \S+ probable  \S+@[0-9a-f]{12}  (\S+):\d+-\d+$", output, re.MULTILINE)
    assert {*located} == {"a.py", "b.py", "deep/c.py"}
    line = planted("netrc", "").count(b"\n") + 1
    assert f"attributed, beside the match: a.py:{line}: # see {ALONE}/a/12" in output


@pytest.mark.nightly
def test_boilerplate_and_what_is_not_found(indexed: Wherefrom) -> None:
    (indexed.folder / "merge.py").write_text(MERGE)
    indexed("boilerplate", "add", "merge", "merge.py")
    rows, printed = searched(indexed, "--without", "merge", "--post", f"{ALONE}/a/12", code=1)
    assert (rows, printed) == ([], "wherefrom: 2 blocks: 0 found (0 rows), skipped: 1 too short, 1 boilerplate\n")
    assert "no boilerplate set 'other'" in indexed("posts", "search", "--without", "other", code=2)
    done, _, printed = indexed.run("posts", "search", WHEREFROM_WITHOUT="other")
    assert (done, "the setting `without` names 'other'" in printed) == (0, True)
    assert "has no code of post 21" in indexed("posts", "search", "--post", f"{ALONE}/q/21", code=2)
    assert "is not a post of a Stack Exchange site" in indexed("posts", "search", "--post", "https://a.org", code=2)
    assert searched(indexed, "--site", "superuser.com", code=1)[0] == []


@pytest.mark.parametrize(("post", "code"), [("q/20", 0), ("q/21", 2)])
def test_csv_is_a_table_even_if_a_post_cannot_be_looked_up(indexed: Wherefrom, post: str, code: int) -> None:
    done, output, printed = indexed.run("posts", "search", "--post", f"{ALONE}/{post}", "--format", "csv")
    assert (done, output.splitlines()[:1]) == (code, [",".join(COLUMNS)]), printed


def test_the_library_says_the_same(indexed: Wherefrom) -> None:
    with open_posts(indexed.environment["WHEREFROM_POSTS"]) as store, indexed.open() as index:
        some = PostsOptions(tags=["Heap"], posts=[f"{ALONE}/a/13", f"{ALONE}/q/11"])
        answers = list(index.search_posts(store, some))
        others = PostsOptions(sites=["stackoverflow.com"], after=answers[-1].block.key)
        rest = list(index.search_posts(store, others))
    assert [(item.block.name, item.skipped) for item in answers] == [
        ("stackoverflow.com/q/11, block 1", BlockSkip.TOO_SHORT),
        ("stackoverflow.com/q/11, block 2", None),
        ("stackoverflow.com/a/13, block 1", None),
    ]
    assert answers[2].result is not None
    assert sorted(item.verdict for hit in answers[2].result.hits for item in hit.attributions) == [
        Verdict.ATTRIBUTED,
        Verdict.UNATTRIBUTED,
    ]
    assert [item.block.name for item in rest] == ["stackoverflow.com/q/20, block 1"]


def test_what_was_imported_is_counted(indexed: Wherefrom) -> None:
    [site] = indexed.json("posts", "stats")["sites"]
    assert site == {
        "site": "stackoverflow.com",
        "posts": 4,
        "blocks": 6,
        "first": "2012-03-04",
        "last": "2030-01-01",
        "unfinished": 0,
    }
    assert indexed("posts", "stats").splitlines()[1].split()[:3] == ["stackoverflow.com", "4", "6"]
    assert indexed("posts", "import", "Posts.xml") == (
        "stackoverflow.com: this dump was imported already; nothing to do\n"
    )


def test_a_dump_that_cannot_be_read_is_one_line(wherefrom: Wherefrom) -> None:
    whole = posts_dump()
    (wherefrom.folder / "Posts.xml").write_bytes(whole[: whole.index(b'Id="20"')])
    store = str(wherefrom.folder / "store")
    printed = wherefrom("posts", "import", "Posts.xml", "--posts", store, code=2)
    assert "Posts.xml ends in the middle, behind post 13 " in printed
    assert wherefrom.json("posts", "stats", "--posts", store)["sites"][0]["posts"] == 3
    assert "no such file" in wherefrom("posts", "import", "missing.xml", code=2)
    assert "'nowhere' is not a site" in wherefrom("posts", "import", "Posts.xml", "--site", "nowhere", code=2)
    assert "import a data dump first" in wherefrom("posts", "stats", code=2)
    (wherefrom.folder / "other").write_text("no store\n" * 200)
    assert "is not a store of posts" in wherefrom("posts", "stats", "--posts", "other", code=2)


RUNNER = '''\
"""The command, with a commit and a position after each post and block."""

import sys

from wherefrom.cli import main
from wherefrom.posts import importing, search

importing.COMMIT_SECONDS = search.SYNC_SECONDS = 0.0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
'''


def killed(wherefrom: Wherefrom, watched: Path, *arguments: str, seen: int) -> bool:
    """Runs the command, and kills it when a file has `seen` bytes; returns True if it was still running."""
    script = wherefrom.folder / "runner.py"
    script.write_text(RUNNER)
    running = start(wherefrom, sys.executable, script, *arguments)
    while running.poll() is None and not (watched.exists() and watched.stat().st_size >= seen):
        pass
    if running.poll() is None:
        os.killpg(running.pid, signal.SIGKILL)
    _, errors = map(harmless, running.communicate(timeout=60))
    assert running.returncode in {0, -signal.SIGKILL}, errors
    return running.returncode != 0


@pytest.mark.nightly
def test_an_import_that_is_killed_goes_on(wherefrom: Wherefrom) -> None:
    rows = (row(at, Tags=f"<t{at}>", Body=coded(*(f"f({at}, {n})\n" * 40 for n in range(4)))) for at in range(1, 400))
    (wherefrom.folder / "Posts.xml").write_bytes(dump(*rows))
    whole, parts = wherefrom.folder / "whole", wherefrom.folder / "parts"
    wherefrom("posts", "import", "Posts.xml", "--posts", str(whole))
    stopped = 0
    for seen in (40_000, 90_000, 140_000):
        stopped += killed(wherefrom, parts, "posts", "import", "Posts.xml", "--posts", str(parts), seen=seen)
    assert stopped == 3
    [before] = wherefrom.json("posts", "stats", "--posts", str(parts))["sites"]
    assert 0 < before["posts"] < 399
    assert before["unfinished"] == 1
    assert "gone on with at byte" in wherefrom("posts", "import", "Posts.xml", "--posts", str(parts))
    assert wherefrom("posts", "stats", "--posts", str(parts)) == wherefrom("posts", "stats", "--posts", str(whole))
    assert contained(parts) == contained(whole)


def contained(store: Path) -> list[tuple[Any, ...]]:
    with open_posts(store) as opened:
        return [(item.post, item.block, item.key) for item in opened.blocks(Selection())]


@pytest.fixture
def many(indexed: Wherefrom, tmp_path: Path) -> Path:
    """A store of posts with the same code."""
    rows = (row(at, Tags="<python>", Body=coded(MERGE, f"alone_{at}()", DEDENT)) for at in range(1, 25))
    (tmp_path / "many.xml").write_bytes(dump(*rows))
    indexed("posts", "import", tmp_path / "many.xml", "--posts", tmp_path / "posts.sqlite")
    return tmp_path / "posts.sqlite"


@pytest.mark.nightly
@pytest.mark.parametrize("output", ["csv", "jsonl"])
def test_a_search_that_is_killed_goes_on(indexed: Wherefrom, many: Path, output: str) -> None:
    options = ("posts", "search", "--format", output, "--posts", str(many))
    done, expected, printed = indexed.run(*options)
    assert done == 0
    file = many.with_name("rows")
    stopped = 0
    for share in (0.2, 0.6):
        stopped += killed(indexed, file, *options, "--output", str(file), seen=int(share * len(expected.encode())))
        # As if the kill had come in the middle of a row.
        with file.open("ab") as half:
            half.write(b"half a row")
    assert stopped == 2
    assert 0 < file.stat().st_size < len(expected.encode())
    assert indexed.run(*options, "--output", str(file)) == (0, "", printed)
    assert file.read_text() == expected
    assert not file.with_name("rows.position").exists()
    assert "rows is there already; remove it, or name another file" in indexed(*options, "--output", file, code=2)


def test_a_report_in_which_no_row_is_yet_goes_on_behind_its_last_block(tmp_path: Path) -> None:
    with ReportFile(tmp_path / "rows", "one") as file:
        assert file.is_new
        file.write("", 7, {"searched": 3})
    with ReportFile(tmp_path / "rows", "one") as file:
        assert (file.is_new, file.after, file.counts) == (False, 7, {"searched": 3})


@pytest.mark.nightly
def test_a_search_that_was_stopped_is_not_gone_on_with_as_another(indexed: Wherefrom, many: Path) -> None:
    file = many.with_name("rows")
    options = ("posts", "search", "--format", "csv", "--posts", str(many), "--output", str(file))
    assert killed(indexed, file, *options, seen=2000)
    for other in (("--limit", "3"), ("--unattributed",)):
        assert "was begun by another search" in indexed(*options, *other, code=2)
    left_out = ("--without", "usual", "--output", str(file.with_name("others")))
    for code in (DEDENT, UNRELATED):
        (indexed.folder / "usual.py").write_text(code)
        indexed("boilerplate", "add", "usual", "usual.py")
        if code == DEDENT:
            assert killed(indexed, file.with_name("others"), *options[:-2], *left_out, seen=2000)
    assert "was begun by another search" in indexed(*options[:-2], *left_out, code=2)
    indexed("boilerplate", "remove", "usual")
    indexed("posts", "import", "Posts.xml", "--posts", many)
    assert "or the posts or the index have changed since" in indexed(*options, code=2)
    file.unlink()
    assert indexed.run(*options)[0] == 0


CRASHING = '''\
"""The command, with a grammar that crashes on some blocks."""

import sys

import deadly
from wherefrom.cli import main
from wherefrom.analyzers import analyzer

analyzer.answer = deadly.answer

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
'''


def test_a_block_that_crashes_its_grammar_does_not_end_the_run(indexed: Wherefrom, tmp_path: Path) -> None:
    (tmp_path / "crashing.py").write_text(CRASHING)
    shutil.copy(deadly.__file__, tmp_path)
    (tmp_path / "Posts.xml").write_bytes(dump(row(1, Tags="<python>", Body=coded(MERGE, DEADLY, DEDENT))))
    options = ("--posts", tmp_path / "posts.sqlite")
    indexed("posts", "import", tmp_path / "Posts.xml", *options)
    running = start(indexed, sys.executable, tmp_path / "crashing.py", "posts", "search", *options)
    output, printed = map(harmless, running.communicate(timeout=600))
    assert running.returncode == 0, printed
    assert printed == "wherefrom: 3 blocks: 2 found (5 rows), skipped: 1 crashed or stalled the analysis\n"
    assert [line.split("  ")[0] for line in output.splitlines() if line[0] != " "] == [
        "stackoverflow.com/q/1, block 1",
        "stackoverflow.com/q/1, block 3",
    ]


@pytest.fixture
def server(indexed: Wherefrom, tmp_path: Path) -> Iterator[Server]:
    """A server of the API that the command is set to use."""
    with serving() as made:
        made.posts = {
            "/2.3/questions/11": post("question_id", 11, coded("x = 1", UNRELATED)),
            "/2.3/answers/12": post("answer_id", 12, coded("merge(a, b)", MERGE, MERGE)),
            "/2.3/questions/21": post("question_id", 21, "<p>No code</p>"),
        }
        before = dict(indexed.environment)
        indexed.environment |= {
            "WHEREFROM_STACKEXCHANGE_API": made.base,
            "WHEREFROM_STACKEXCHANGE_KEY": "kept to ourselves",
            "XDG_CACHE_HOME": str(tmp_path),
            "no_proxy": "127.0.0.1",
        }
        yield made
        indexed.environment = before


def post(name: str, number: int, body: str) -> dict[str, Any]:
    """An item of the API's answers."""
    return {name: number, "question_id": 11 if name == "answer_id" else number, "tags": ["python"], "body": body} | {
        "creation_date": 1_893_456_000 if number == 12 else 1_300_000_000
    }


def test_a_post_by_its_url(indexed: Wherefrom, server: Server) -> None:
    done, output, printed = indexed.run("search", f"{ALONE}/a/12", "--format", "json", "--limit", "20")
    assert done == 0
    assert printed == "wherefrom: 1 block too short to be looked up: stackoverflow.com/a/12, block 1\n"
    answers = json.loads(output)
    assert [item["query"]["name"] for item in answers] == [f"stackoverflow.com/a/12, block {n}" for n in (2, 3)]
    assert answers[0]["query"]["language"] == "python"
    said_of = {
        at["path"]: (at["attribution"]["verdict"], at["attribution"]["is_older"])
        for hit in answers[0]["hits"]
        for at in hit["occurrences"]
    }
    assert said_of == {
        "a.py": ("attributed", True),
        "b.py": ("attributed", True),
        "deep/c.py": ("earlier", True),
    }
    assert {parameters["key"] for _, parameters, _ in server.asked} == {"kept to ourselves"}
    assert server.paths == ["/2.3/answers/12", "/2.3/questions/11"]
    only = indexed.run(
        "search", "stackoverflow.com/questions/11/how/12#12", "--unattributed", "--earlier", "--format", "csv"
    )
    assert [row["path"] for row in csv.DictReader(io.StringIO(only[1]))] == ["deep/c.py"] * 2
    assert len(server.paths) == 2  # the second one was kept


def test_a_post_that_gives_nothing_is_one_line(indexed: Wherefrom, server: Server) -> None:
    assert "stackoverflow.com/q/21 has no block of code" in indexed("search", f"{ALONE}/q/21", code=2)
    assert "stackoverflow.com has no post 77" in indexed("search", f"{ALONE}/a/77", code=2)
    for other in (
        "https://gist.github.com/a/0123456789abcdef0123",
        "https://example.org/x",
        "https://github.com/o/r",
        "https://example.org:99999/o/r/blob/main/x.py",
    ):
        printed = indexed("search", other, code=2)
        assert f"'{other}' is neither a file at a code host nor a post of a Stack Exchange site; give a URL" in printed
        assert "https://github.com/OWNER/REPO/blob/REV/PATH or https://stackoverflow.com/a/12345" in printed
    assert "secret" not in indexed("search", "https://me:secret@github.com/o/r", code=2)
    server.error = {"error_id": 400, "error_name": "bad_parameter", "error_message": "No site found for name `x`"}
    assert "knows no site ux.stackexchange.com" in indexed("search", "https://ux.stackexchange.com/q/1", code=2)
    server.error = {"error_id": 502, "error_name": "throttle_violation", "error_message": "too many requests"}
    assert "takes no more requests for now" in indexed("search", f"{ALONE}/q/5", code=2)
    printed = indexed("search", f"{ALONE}/q/6", code=2, WHEREFROM_STACKEXCHANGE_API="http://127.0.0.1:9/2.3")
    assert "cannot reach the Stack Exchange API" in printed
    assert "kept to ourselves" not in printed


def test_posts_and_files_together(indexed: Wherefrom, server: Server) -> None:
    (indexed.folder / "dedent.py").write_text(DEDENT)
    done, output, printed = indexed.run("search", f"{ALONE}/q/77", "dedent.py", f"{ALONE}/q/11", "--format", "jsonl")
    assert done == 2
    assert "has no post 77" in printed
    names = [json.loads(line)["query"]["name"] for line in output.splitlines()]
    assert names == ["dedent.py", "stackoverflow.com/q/11, block 2"]
