"""How pages are read, followed and recorded; their commands here are those of the shell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.record import recorded
from tests.documentation import ROOT, Example, examples, follow, run

PAGE = """\
```bash
cd part
name=there
```

Some prose.

```console
$ echo hello \\
    $name
hello there
$ cat lines
one
...
four
$ echo nothing; false
nothing
$ echo $?
1
```

```console
$ docker pull everything
$ pwd
/home/me/part
$ echo 0.4 s
9.9 s
```
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    made = tmp_path / "page.md"
    made.write_text(PAGE)
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "home" / "part").mkdir(parents=True)
    (tmp_path / "home" / "part" / "lines").write_text("one\ntwo\nthree\nfour\n")
    return tmp_path / "home"


def test_the_commands_of_a_page_in_their_order(page: Path) -> None:
    assert [(each.line, each.command, each.output) for each in examples(page)] == [
        (2, "cd part\nname=there\n", ""),
        (9, "echo hello \\\n    $name", "hello there\n"),
        (12, "cat lines", "one\n...\nfour\n"),
        (16, "echo nothing; false", "nothing\n"),
        (18, "echo $?", "1\n"),
        (23, "docker pull everything", ""),
        (24, "pwd", "/home/me/part\n"),
        (26, "echo 0.4 s", "9.9 s\n"),
    ]


def test_a_page_is_followed_in_one_shell(page: Path, folder: Path) -> None:
    printed = follow(page, folder, {})
    assert list(printed.values()) == [
        "", "hello there\n", "one\ntwo\nthree\nfour\n", "nothing\n", "1\n", "/home/me/part\n", "0.4 s\n"
    ]  # fmt: skip
    assert [step.difference(printed[step]) for step in printed] == [""] * 7


def test_a_text_of_the_page_stands_for_another(page: Path, folder: Path) -> None:
    page.write_text("```console\n$ echo localhost:9200 | tee address\nlocalhost:9200\n```\n")
    assert [*follow(page, folder, {"localhost:9200": "127.0.0.1:1"}).values()] == ["localhost:9200\n"]
    assert (folder / "address").read_text() == "127.0.0.1:1\n"


def test_a_command_that_fails_without_a_word_is_an_error(page: Path, folder: Path) -> None:
    page.write_text("```bash\ntrue\nfalse\n```\n")
    with pytest.raises(AssertionError, match=r"page.md:2: true\nfalse\n\nprints nothing and ends with 1"):
        follow(page, folder, {})


def test_a_command_that_ends_the_shell_is_an_error(folder: Path) -> None:
    with pytest.raises(AssertionError, match="ended after 1 of 3 commands"):
        run(["true", "exit", "true"], folder)


def test_the_exit_code_is_kept_for_the_next_command(folder: Path) -> None:
    assert run(["(exit 3)", "echo $?"], folder) == [("", 3), ("3\n", 0)]


def example(output: str) -> Example:
    return Example(ROOT / "README.md", 1, "wherefrom", output, 0)


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nscore 1.25\n", "a\nscore 9.5\n", True),
        ("a 51%  fair\n", "a 51%  weak\n", False),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nd\n", True),
        ("a\n...\nd\n", "b\nd\n", False),
        ("a\n", "a\nb\n", False),
        ("digest: ...\n", "digest: 0a1b\n", True),
        ("digest: ...\n", "digests: 0a1b\n", False),
        ("/home/me/redis: commit 1\n", "/srv/redis: commit 1\n", True),
        ("of 1 function, 0.4 s\n", "of 1 function, 12.9 s\n", True),
        ("0.4 s, 12 B parsed, 30 B/s\n", "3 min 05 s, 12 B parsed, 1.2 kB/s\n", True),
        ("0.4 s, 12 B parsed, 30 B/s\n", "0.4 s, 13 B parsed, 30 B/s\n", False),
        ("committed on 2024-01-01\n", "committed on 2026-11-24\n", True),
    ],
)
def test_what_varies_is_not_compared(shown: str, printed: str, same: bool) -> None:
    assert (example(shown).difference(printed) == "") is same


@pytest.mark.parametrize(
    ("shown", "printed", "updated"),
    [
        ("", "a\n", "a\n"),
        ("a\nb\n", "a\nc\n", "a\nc\n"),
        ("a\n...\nd\n", "A\nb\nc\nd\n", "A\n...\nd\n"),
        ("a\n...\nd\n", "a\nb\nc\nD\n", "a\n...\nD\n"),
        ("...\nd\n", "b\nc\nD\nE\n", "...\nE\n"),
        ("a\nid ...\n", "b\nid 12\n", "b\nid ...\n"),
    ],
)
def test_an_output_is_updated_and_stays_shortened(shown: str, printed: str, updated: str) -> None:
    assert example(shown).updated(printed) == updated
    assert example(updated).difference(printed) == ""


def test_only_outputs_that_differ_are_recorded(page: Path, folder: Path) -> None:
    page.write_text(
        PAGE.replace("hello there", "hallo there").replace("one\n...", "eins\n...").replace("1\n```", "```")
    )
    assert recorded(page.read_text(), follow(page, folder, {})) == PAGE
