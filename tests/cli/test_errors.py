"""Whatever goes wrong is one line on standard error and an exit code."""

from __future__ import annotations

import errno
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import wherefrom
from tests.polygons import AREA
from tests.processes import HANGS
from wherefrom.cli import main
from wherefrom.serve.people import TokenFile

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Refused = Callable[..., str]


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["--debug"], "Missing command"),
        (["serch"], "Did you mean 'search'"),
        (["search", "--bogus"], "No such option: --bogus"),
        (["search", "x", "--limit", "0"], "--limit must be a whole number, at least 1, not 0"),
        (["search", "x", "--limit", "2.5"], "Invalid value for '--limit'"),
        (["search", "x", "--limit", "nan"], "Invalid value for '--limit'"),
        (["lab", "samplers", "--window", "-1"], "--window must be a whole number, at least 1, not -1"),
        (["search", "x", "--min-containment", "nan"], "--min-containment must be a share from 0 to 1, not nan"),
        (["search", "x", "--min-containment", "-0.1"], "--min-containment must be a share from 0 to 1, not -0.1"),
        (["search", "x", "--min-containment", "1.5"], "--min-containment must be a share from 0 to 1, not 1.5"),
        (["search", "x", "--max-df", "0"], "--max-df must be a share above 0, up to 1, not 0.0"),
        (["search", "x", "--max-df", "inf"], "--max-df must be a share above 0, up to 1, not inf"),
        (["search", "x", "--language", ""], "--language must be a text that is not empty"),
        (["search", "x", "--repository", " "], "--repository must be a text that is not empty"),
        (["search", "x", "--without", ""], "--without must be a text that is not empty"),
        (["search", "x", "--format", "xml"], "--format must be one of text, json, jsonl, csv, not 'xml'"),
        (["search", "x", "--color", "red"], "--color must be one of auto, always, never, not 'red'"),
        (["search", "x", "--index", ""], "--index must be a path or a URL, not ''"),
        (["--index", "", "search", "x"], "--index must be a path or a URL, not ''"),
        (["search", "x", "--code", "y"], "both files and --code are given"),
        (["search", "--code", " \n"], "--code is empty"),
        (["search", ""], "it is empty"),
        (["search", "-", "-"], "standard input can be read once only"),
        (["search", "-", "--without-file", "-"], "standard input can be read once only"),
        (["search", "x", "--without-file", "not-there"], "not-there is not there; check the path"),
        (["similar", ""], "it is empty"),
        (["similar", "a:b", "--by", "taste"], "--by must be one of either, containment, resemblance, not 'taste'"),
        (["index"], "no source to index"),
        (["index", ""], "it is empty"),
        (["index", "--from", "-"], "no source to index"),
        (["index", "--from", "not-there"], "not-there is not there"),
        (["index", "x", "--jobs", "0"], "--jobs must be a whole number, at least 1, not 0"),
        (["index", "x", "--max-file-size", "0"], "--max-file-size must be a whole number of bytes, at least 1, not 0"),
        (["index", "x", "--parse-seconds", "nan"], "--parse-seconds must be a number of seconds above 0, not nan"),
        (["index", "x", "--name", ""], "--name must be a text that is not empty"),
        (["index", ".", "--name", "a\nb"], "--name is 'a\\nb', which has characters that do not print"),
        (["index", ".", "--name", "a\x1b[2J"], "--name is 'a\\x1b[2J', which has characters that do not print"),
        (["boilerplate", "add", "name"], "nothing to make a set of"),
        (["boilerplate", "add", "name", "not-there"], "not-there is not there"),
        (["boilerplate", "add", "name", "-", "-"], "standard input can be read once only"),
        (["boilerplate", "show"], "Missing argument"),
        (["remove"], "Missing argument"),
        (["copy", "from"], "Missing argument 'FROM-INDEX'"),
        (["copy", " ", "to"], "it is empty"),
        (["copy", "from", "to", "--jobs", "0"], "--jobs must be a whole number, at least 1, not 0"),
    ],
)
def test_a_wrong_argument_is_one_line(refused: Refused, arguments: list[str], printed: str) -> None:
    assert printed in refused(*arguments)


@pytest.mark.parametrize("group", [[], ["boilerplate"], ["posts"], ["lab"]])
def test_a_group_of_commands_alone_writes_its_help(run: Run, group: list[str]) -> None:
    alone, requested = run(*group), run(*group, "--help")
    assert (alone.returncode, alone.stderr) == (2, "")
    assert alone.stdout == requested.stdout


def test_a_usage_error_names_the_help_of_its_command(refused: Refused) -> None:
    assert refused("boilerplate", "show").endswith("(see `wherefrom boilerplate show --help`)")


def test_settings_that_are_wrong_are_one_line(run: Run) -> None:
    done = run("search", "x", WHEREFROM_LIMIT="x")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "wherefrom: error: WHEREFROM_LIMIT must be a whole number, at least 1, not 'x'\n"


def test_an_error_prints_nothing_that_a_terminal_obeys(refused: Refused) -> None:
    assert "␛[31m" in refused("search", "x", "--without-file", "\x1b[31m\nred\u202e")


def test_a_name_that_is_not_utf8_is_percent_encoded(refused: Refused) -> None:
    assert refused("index", "--from", os.fsdecode(b"caf\xe9")).startswith("caf%E9 is not there")


def test_without_a_snippet_a_terminal_gets_the_usage(run: Run) -> None:
    ours, theirs = pty.openpty()
    try:
        done = run("search", stdin=theirs)
        assert done.returncode == 2
        assert done.stderr.startswith("wherefrom: error: no snippet; usage: wherefrom search FILE...")
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_reader_that_is_gone_is_no_error(run: Run) -> None:
    for arguments in (["languages"], ["--help"], ["--version"]):
        reading, writing = os.pipe()
        os.close(reading)
        done = run(*arguments, stdout=writing)
        os.close(writing)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_line(run: Run) -> None:
    with Path("/dev/full").open("w") as full:
        done = run("languages", stdout=full)
    assert done.returncode == 2
    assert done.stderr == (
        f"wherefrom: error: cannot write to standard output: {os.strerror(errno.ENOSPC)}; send it somewhere else\n"
    )


OUTPUT = "standard output is closed; send it to a file, a pipe or a terminal"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("languages >&-", OUTPUT),
        ("search a.py >&-", OUTPUT),
        ("search a.py >&- <&-", OUTPUT),
        ("check --format json . >&-", OUTPUT),
        ("search - <&-", "standard input is closed; name a file"),
        ("search <&-", "no snippet; usage: wherefrom search"),
        ("mcp <&-", "standard input is closed; a program that talks to this command opens both"),
        ("mcp >&-", "standard output is closed; a program that talks to this command opens both"),
        ("lsp <&-", "standard input is closed; a program that talks to this command opens both"),
        ("lsp >&-", "standard output is closed; a program that talks to this command opens both"),
        ("token add ann >&-", OUTPUT),
        ("token add ann >/dev/full", "cannot write to standard output"),
    ],
)
def test_a_closed_stream_is_one_line(command: str, message: str, environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(AREA)
    wherefrom.index_sources([tmp_path], tmp_path / "ix")
    tokens = tmp_path / "tokens.json"
    done = subprocess.run(
        ["sh", "-c", f"exec '{sys.executable}' -m wherefrom {command}"],
        env={**environment, "WHEREFROM_INDEX": str(tmp_path / "ix"), "WHEREFROM_TOKENS": str(tokens)},
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        timeout=HANGS,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"wherefrom: error: {message}")
    assert done.stderr.count("\n") == 1
    assert TokenFile(tokens).people() == []


def test_standard_error_that_is_closed_leaves_the_results_alone(environment: dict[str, str]) -> None:
    command = f"exec '{sys.executable}' -m wherefrom search --limit 0 x 2>&-"
    done = subprocess.run(
        ["sh", "-c", command], env=environment, stdout=subprocess.PIPE, text=True, timeout=HANGS, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")


def test_an_interrupt_while_a_class_is_made_is_one_line(environment: dict[str, str]) -> None:
    program = """
import dataclasses, os, signal, sys
from wherefrom.cli import main

dataclasses.Field.__set_name__ = lambda field, owner, name: os.kill(os.getpid(), signal.SIGINT)
sys.exit(main(["languages"]))
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "wherefrom: interrupted\n")


def test_an_interrupt_is_one_line(environment: dict[str, str], tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    command = [sys.executable, "-m", "wherefrom", "boilerplate", "add", "name", str(fifo)]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    # Opening waits until the command has opened its end: it is reading then.
    with process, fifo.open("w"):
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=HANGS)
    assert (process.returncode, errors) == (130, "wherefrom: interrupted\n")


class Broken:
    """Stands for a defect in the library."""

    def __call__(self, *arguments: object, **named: object) -> None:
        raise RuntimeError("what nobody foresaw\x1b[2J")


@pytest.mark.parametrize("arguments", [["list"], ["--debug", "list"]])
def test_a_defect_is_one_line_and_the_traceback_only_on_demand(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("wherefrom.public.open_index", Broken())
    monkeypatch.delenv("WHEREFROM_DEBUG", raising=False)
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    first, *more = output.err.splitlines()
    assert first.startswith("wherefrom: error: unexpected RuntimeError: what nobody foresaw␛[2J; please report it")
    assert ("Traceback (most recent call last):" in more) == bool(more) == ("--debug" in arguments)
    assert "\x1b" not in output.err


def test_the_variable_shows_the_traceback_as_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("wherefrom.public.open_index", Broken())
    monkeypatch.setenv("WHEREFROM_DEBUG", "1")
    assert main(["list"]) == 2
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["search", "a.py", "--index", "LONG"], ["index", "LONG"], ["check", "LONG"], ["search", "LONG"]]
)
def test_a_path_of_5000_characters_is_one_line(arguments: list[str], run: Run) -> None:
    done = run(*("x" * 5000 if argument == "LONG" else argument for argument in arguments))
    assert done.returncode == 2
    assert done.stderr.startswith("wherefrom: error: ")
    assert "unexpected" not in done.stderr
    assert (done.stderr.count("\n"), len(done.stderr) < 1_500) == (1, True)


@pytest.mark.parametrize("command", ["check", "index .", "compare a b", "search a.py", "watch report", "fixed HEAD"])
def test_a_removed_folder_is_one_line(command: str, run: Run, environment: dict[str, str], tmp_path: Path) -> None:
    away = f"mkdir '{tmp_path}/a' && cd '{tmp_path}/a' && rmdir '{tmp_path}/a'"
    script = f"{away} && exec '{sys.executable}' -m wherefrom {command}"
    done = subprocess.run(
        ["sh", "-c", script], env=environment, capture_output=True, text=True, timeout=HANGS, check=False
    )
    assert done.returncode == 2
    assert "unexpected" not in done.stderr
    assert done.stderr.count("\n") == 1
