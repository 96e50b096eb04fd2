"""From real clones to an answer, as a user runs it."""

from __future__ import annotations

import heapq
import inspect
import json
import os
import pty
import random
import re
import shutil
import signal
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import jsonschema_rs
import pytest

from tests.processes import HANGS
from tests.queries.test_refused import make_index, missed_by
from tests.schemas import schema
from wherefrom import open_index

Run = Callable[..., "subprocess.CompletedProcess[str]"]

SNIPPET = inspect.getsource(heapq.merge).replace("key_value", "weight")

UNRELATED = """
def greet(people):
    for person in people:
        print(f"hello {person.name}, you are {person.age} years old")
    return [person for person in people if person.invited and not person.late]
"""

SCHEMA = schema("search")


def valid(text: str) -> dict[str, list[dict[str, list[dict[str, str]]]]]:
    answer = json.loads(text)
    jsonschema_rs.Draft202012Validator(SCHEMA).validate(answer)
    return answer  # type: ignore[no-any-return]  # what the schema has just said


def test_an_edited_function_is_found_with_both_sides(indexed: Run) -> None:
    done = indexed("search", "-", input=SNIPPET, COLUMNS="160")
    assert (done.returncode, done.stderr) == (0, "")
    assert "lib/queue.py" in done.stdout
    assert "│" in done.stdout
    assert "\x1b" not in done.stdout
    [line] = [line for line in done.stdout.splitlines() if "def merge(" in line]
    assert line.count("def merge(*iterables, key=None, reverse=False):") == 2
    assert "more lines" in done.stdout


def test_colors_on_demand(indexed: Run) -> None:
    assert "\x1b[32m" in indexed("search", "--color", "always", "-", input=SNIPPET).stdout


def test_json_is_the_contract(indexed: Run) -> None:
    done = indexed("search", "--code", SNIPPET, "--explain", "--format", "json")
    answer = valid(done.stdout)
    assert done.returncode == 0
    assert answer["hits"][0]["occurrences"][0]["path"] == "lib/queue.py"
    assert answer["hits"][0]["explanation"]


def test_where_nothing_is_found_the_nearest_is_named_in_text_and_json(run: Run, tmp_path: Path) -> None:
    location, clones = make_index(tmp_path / "made")
    with open_index(location) as index:
        missed = missed_by(index).decode()

    def search(*arguments: str) -> str:
        command = ("--index", str(location), "search", "-", "--language", "c", *arguments)
        done = run(*command, input=missed, COLUMNS="400")
        assert (done.returncode, done.stderr) == (1, "")
        return done.stdout

    words = r"(\d+ of \d+ tokens) in the same order(?:, \d+ of them with another name or literal)?"
    nearest = rf"^the nearest is (.*)  near\.c:\d+-\d+.*: 0\.[0-4]\d probable, {words}$"
    text = search()
    assert ": nothing found\n" in text
    reported = re.search(nearest, text, re.MULTILINE)
    assert reported is not None
    assert reported[1] in map(str, clones)
    evidence = f"\n{reported[2]} are there in the same order: "
    assert evidence not in text
    explained = search("--explain")
    assert reported[0] + evidence in explained
    # Neither the file nor the snippet is shown beside it.
    assert "m0.f0" not in explained
    refused = json.loads(search("--format", "json"))["refused"]
    assert refused["occurrences"][0]["path"] == "near.c"
    assert 0 < refused["probability"] < 0.5
    for filters in (("--path", "one1000.c"), tuple(word for clone in clones for word in ("--own", str(clone)))):
        assert "near.c" not in search(*filters)
        assert "near.c" not in search(*filters, "--format", "json")


def test_several_answers_are_an_array_and_go_on_after_a_file_that_is_not_there(indexed: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SNIPPET)
    (tmp_path / "b.py").write_text(UNRELATED)
    done = indexed("search", str(tmp_path), "--format", "json")
    assert done.returncode == 0
    assert [bool(valid(json.dumps(answer))["hits"]) for answer in json.loads(done.stdout)] == [True, False]
    done = indexed("search", str(tmp_path / "a.py"), str(tmp_path / "missing"), "--format", "json")
    assert done.returncode == 2
    assert "is not there" in done.stderr
    [answer] = json.loads(done.stdout)
    assert valid(json.dumps(answer))["hits"]
    done = indexed("search", str(tmp_path / "missing"), str(tmp_path / "gone"), "--format", "json")
    assert (done.returncode, json.loads(done.stdout)) == (2, [])


def test_json_lines_are_one_line_for_each_answer(indexed: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SNIPPET)
    (tmp_path / "b.py").write_text(UNRELATED)
    done = indexed("search", str(tmp_path), "--format", "jsonl")
    assert [bool(valid(line)["hits"]) for line in done.stdout.splitlines()] == [True, False]


def test_an_array_that_is_interrupted_is_closed(world: Path, indexed: Run, tmp_path: Path) -> None:
    del indexed  # it has made the index
    (tmp_path / "a.py").write_text(SNIPPET)
    os.mkfifo(tmp_path / "b.py")
    command = [sys.executable, "-m", "wherefrom", "--index", str(world / "index"), "search", "--format", "json"]
    with subprocess.Popen(
        [*command, str(tmp_path / "a.py"), str(tmp_path / "b.py")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as search:
        assert search.stdout is not None
        written = ""
        while not written.endswith("\n  ]\n}"):
            written += search.stdout.read(1)
        # The command waits for somebody who writes to the pipe.
        search.send_signal(signal.SIGINT)
        rest, printed = search.communicate(timeout=HANGS)
    assert (search.returncode, printed) == (130, "wherefrom: interrupted\n")
    [answer] = json.loads(written + rest)
    assert valid(json.dumps(answer))["hits"]


def test_short_forms(indexed: Run, world: Path, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SNIPPET)
    (tmp_path / "b.py").write_text(UNRELATED)
    (tmp_path / "c.py").write_text("x = 1")
    second = world / "clones" / "second"
    done = indexed("search", "--brief", "-", input=SNIPPET)
    assert re.fullmatch(
        rf" *\d+%  strong  0\.9\d probable  {re.escape(str(second))}  lib/queue\.py:\d+-\d+\n", done.stdout
    )
    line = done.stdout.rpartition(":")[2].partition("-")[0]
    assert "def merge" in (second / "lib" / "queue.py").read_text().splitlines()[int(line) - 1]
    for flag in ("-l", "--locations"):
        done = indexed("search", flag, str(tmp_path / "a.py"), str(tmp_path / "b.py"))
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{second}:lib/queue.py:{line}\n", "")
    assert indexed("search", "--count", "-", input=SNIPPET).stdout == "1\n"
    done = indexed("search", "--count", str(tmp_path))
    assert done.stdout.replace("\\", "/") == f"{tmp_path}/a.py:1\n{tmp_path}/b.py:0\n{tmp_path}/c.py:0\n"
    assert re.fullmatch(
        rf"wherefrom: {tmp_path}/c\.py \(3 tokens\) is too short to be looked up: at least \d+ tokens are needed\r?\n",
        done.stderr.replace("\\", "/"),
    )
    done = indexed("search", "-l", "-", input=UNRELATED)
    assert (done.returncode, done.stdout) == (1, "")
    done = indexed("similar", "-l", f"{world / 'clones' / 'first'}:src/wrap.py")
    assert (done.returncode, done.stdout) == (0, f"{second}:vendor/wrap.py:1\n")


@pytest.mark.parametrize(
    ("flags", "printed"),
    [
        (["--brief", "--count"], "--brief and --count do not go together; give one of them"),
        (["-l", "--brief"], "--brief and --locations do not go together; give one of them"),
        (["-l", "--context", "3"], "--context is for code, which --locations does not show; give one of them"),
        (["--count", "--format", "json"], "--count is for text; leave it out, or leave out --format json"),
        (["--max-lines", "9", "--format", "csv"], "--max-lines is for text; leave it out, or leave out --format csv"),
        (["--context", "-1"], "--context must be a whole number, at least 0, not -1"),
    ],
)
def test_flags_of_the_output_that_make_no_sense_are_refused(
    refused: Callable[..., str], flags: list[str], printed: str
) -> None:
    assert refused("search", "--code", SNIPPET, *flags) == printed
    assert refused("similar", "a:b", *flags) == printed


@pytest.mark.nightly
def test_context_and_a_cap_on_lines(indexed: Run) -> None:
    assert "def heapify" not in indexed("search", "-", "--context", "0", input=SNIPPET).stdout
    shown = [
        indexed("search", "-", *flags, input=SNIPPET).stdout.count("\n")
        for flags in (["--max-lines", "5"], [], ["--max-lines", "0"])
    ]
    assert shown == sorted(set(shown))
    assert "(--max-lines 0 shows all)" not in indexed("search", "-", "--max-lines", "0", input=SNIPPET).stdout


def test_of_several_snippets_the_marks_are_told_once(indexed: Run, tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(SNIPPET)
    shown = indexed("search", str(tmp_path)).stdout
    assert shown.count("1 hit") == 2
    assert shown.count("the line matches") == 1


@pytest.mark.parametrize(("width", "is_beside"), [(200, True), (100, False)])
def test_the_width_and_the_colors_are_those_of_the_terminal(
    indexed: Run, tmp_path: Path, width: int, is_beside: bool
) -> None:
    (tmp_path / "a.py").write_text(SNIPPET)
    ours, theirs = pty.openpty()
    try:
        termios.tcsetwinsize(theirs, (24, width))
        # Few enough lines for the terminal to hold until somebody reads them.
        flags = ["--max-lines", "5", "--context", "0"]
        done = indexed("search", str(tmp_path / "a.py"), *flags, stdout=theirs, TERM="xterm")
        os.write(theirs, b"end")
        seen = b""
        while not seen.endswith(b"end"):
            seen += os.read(ours, 10_000)
    finally:
        os.close(ours)
        os.close(theirs)
    assert (done.returncode, done.stderr) == (0, "")
    shown = seen.decode()
    assert ("│" in shown) is is_beside
    assert "\x1b[32mdef merge(" in shown


def test_nothing_found_is_exit_code_1(indexed: Run) -> None:
    done = indexed("search", "-", input=UNRELATED)
    assert done.returncode == 1
    assert "nothing found" in done.stdout
    done = indexed("search", "--code", "x = 1")
    assert done.returncode == 1
    assert "too short" in done.stdout


def test_list_and_stats(indexed: Run) -> None:
    listed = json.loads(indexed("list", "--format", "json").stdout)["repositories"]
    assert [Path(record["repository"]).name for record in listed] == ["first", "second"]
    counts = json.loads(indexed("stats", "--format", "json").stdout)
    assert (counts["repositories"], counts["occurrences"], counts["blobs"]) == (2, 3, 2)
    assert "python" in indexed("stats").stdout


def test_sources_from_a_list_and_a_quiet_run(indexed: Run) -> None:
    done = indexed("index", "--from", "-", "--quiet", input="# all of them\nclones/first\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_index_that_is_not_there_is_one_line(run: Run) -> None:
    done = run("search", "-", input=SNIPPET)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("wherefrom: error: ")
    assert "unexpected" not in done.stderr


def test_a_source_that_fails_is_said_and_the_others_are_indexed(world: Path, run: Run, tmp_path: Path) -> None:
    shutil.copytree(world / "clones", tmp_path / "clones")
    (tmp_path / "clones" / "first" / ".git" / "refs" / "heads" / "main").write_text("1" * 40 + "\n")
    done = run("index", "clones")
    assert done.returncode == 2
    assert "2 repositories: 1 failed, 1 indexed" in done.stdout
    assert "failed: " in done.stdout
    assert run("search", "-", input=SNIPPET).returncode == 0
    done = run("index", "clones", "--quiet")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "first names no commit" in done.stderr


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 4
NOISE = random.Random(5).randbytes(4000).replace(b"\0", b"")


@pytest.mark.nightly
def test_a_binary_file_is_refused_in_one_line(indexed: Run, tmp_path: Path) -> None:
    for name, content in (("picture.png", PNG), ("noise.py", NOISE)):
        file = tmp_path / name
        file.write_bytes(content)
        for command in (
            ["search", str(file)],
            ["search", "--language", "python", str(file)],
            ["sources", str(file)],
            ["search", "--code", SNIPPET, "--without-file", str(file)],
            ["boilerplate", "add", "noise", str(file)],
        ):
            done = indexed(*command)
            printed = f"wherefrom: error: {file} is binary, not text; give source code or other text\n"
            assert (done.returncode, done.stdout, done.stderr) == (2, "", printed)


def test_a_binary_standard_input_is_refused(indexed: Run, tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(PNG)
    for command in ("search", "sources"):
        with (tmp_path / "picture.png").open() as given:
            done = indexed(command, "-", stdin=given)
        assert done.returncode == 2
        assert done.stderr == "wherefrom: error: <stdin> is binary, not text; give source code or other text\n"


def test_a_batch_goes_on_after_a_binary_file(indexed: Run, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    (tmp_path / "b.py").write_text(SNIPPET)
    done = indexed("search", str(tmp_path), "--format", "json")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"{tmp_path}/a.png is binary" in done.stderr.replace("\\", "/")
    [answer] = json.loads(done.stdout)
    assert answer["hits"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32", "utf-32-be", "latin-1"])
def test_a_text_in_any_encoding_is_searched(indexed: Run, tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "merge.py"
    text = SNIPPET + "# gr\u00f6\u00dfer\n"
    file.write_bytes(("\ufeff" + text if encoding.endswith("-be") else text).encode(encoding))
    done = indexed("search", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert "lib/queue.py" in done.stdout
    assert "def merge(" in done.stdout


TABLE = """
def load(path, parts):
    rows = [line.strip().split(",") for line in open(path)]
    table = build(rows[0], rows[1:], parts.first, sorted(parts.names, key=str.lower), limit=parts.limit)
    for row in table.rows:
        print(row.name, row.value, row.total)
    return table
"""


@pytest.mark.nightly
@pytest.mark.parametrize("columns", ["100", "160"])
def test_a_line_with_two_matches_is_shown_once(run: Run, tmp_path: Path, columns: str) -> None:
    added = "".join(f"\n        column_{at}=make_column({at}, {3 * at})," for at in range(9))
    longer = TABLE.replace("parts.first,", f"parts.first,{added}")
    for snippet, indexed in ((TABLE, longer), (longer, TABLE)):
        (tmp_path / "clone").mkdir(exist_ok=True)
        (tmp_path / "clone" / "table.py").write_text(indexed)
        run("index", "--keep-source", "clone", "--jobs", "1")
        answer = json.loads(run("search", "-", "--format", "json", input=snippet).stdout)
        assert len(answer["hits"][0]["regions"]) == 2
        shown = run("search", "-", input=snippet, COLUMNS=columns).stdout
        assert shown.count("arts.first,") == 2
        assert shown.count("return table") == 2


def test_a_long_query_is_announced_on_a_terminal_alone(indexed: Run, tmp_path: Path) -> None:
    for name, lines in (("long.py", 1500), ("short.py", 15)):
        (tmp_path / name).write_text("".join(f"value_{at} = {at} + other_{at}\n" for at in range(lines)))
    assert indexed("search", str(tmp_path / "long.py")).stderr == ""
    shown = {}
    for name in ("long.py", "short.py"):
        ours, theirs = pty.openpty()
        try:
            environment = {"TERM": "xterm", "COLUMNS": "300"}
            done = indexed("search", str(tmp_path / name), stderr=theirs, **environment)
            os.write(theirs, b"end")
            seen = b""
            while not seen.endswith(b"end"):
                seen += os.read(ours, 10_000)
            shown[name] = seen.decode()
        finally:
            os.close(ours)
            os.close(theirs)
        assert "takes a while" not in done.stdout
    printed = f"looking up 7,500 tokens of {tmp_path}/long.py; this takes a while"
    assert shown == {"long.py": f"\r\x1b[K{printed}\r\x1b[Kend", "short.py": "end"}
