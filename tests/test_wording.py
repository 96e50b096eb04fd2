"""Phrases that make a reader read twice appear in no comment, docstring, message or page of documentation."""

from __future__ import annotations

import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PHRASES = {
    "whose, or two sentences": r"\bof (which|whom)\b",
    "where, or two sentences": r"\bin which\b",
    "returns None if": r"\b(None|none|empty|nothing|0|False|True) where\b",
    "except": r"\bbut (for|where)\b",
    "as many, or the number of": r"\bso (many|much|few)\b(?! that)",
    "so that not": r"\blest\b",
    "again, or from scratch": r"\banew\b",
    "is not a": r"(?<![Tt]here )\b(is|are) no (?!longer\b|more\b|less\b|fewer\b)",
    "appears": r"\b(stands?|stood) (in|at|on|for|there|beside|before|after|behind|alone|above|below)\b",
    "if, or up to": r"\b(as|so) far as\b",
    "the noun itself": r"(?<!^)(?<![.?] )\b(of|for|in|with|by|from|and|to|is|on|at|than|as) what (is|are|was|were)\b",
    "a verb with a subject": r"\b(is|are|was|were|been|as|what|not|those|than) (said|told|held|asked)\b(?! (by|to)\b)",
    "otherwise": r"\b(otherwise|else) as (is|are)\b",
    "from it, by it": r"\b(there|where)(of|by|upon)\b",
    "while, so": r"\b(hence|whence|whilst|thus)\b",
}
"""A pattern of each phrase, by the advice what to write instead."""

ENDINGS = {".py", ".md", ".html"}

ANY = re.compile("|".join(f"(?:{pattern})" for pattern in PHRASES.values()), re.MULTILINE)

LEFT_OUT = ("CHANGELOG.md", "benchmarks/notes/", "benchmarks/results/", "kernel/core/", "tests/test_wording.py")
"""Records of the past, and texts by others."""


def files() -> list[str]:
    """The files of the project that people read."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [
        name
        for name in listed.split("\0")
        if Path(name).suffix in ENDINGS and not name.startswith(LEFT_OUT) and (ROOT / name).is_file()
    ]


def lines(name: str, text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text that people read: all of them, or those of comments and longer strings of Python."""
    if not name.endswith(".py"):
        yield from enumerate(text.splitlines(), 1)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if kind in {"COMMENT", "FSTRING_MIDDLE"} or (kind == "STRING" and " " in token.string):
            for number, line in enumerate(token.string.split("\n")):
                yield token.start[0] + number, line


def found(name: str, text: str) -> list[str]:
    """A line for each phrase that is found, with the advice."""
    if not ANY.search(text):  # saves time: most texts have none of the phrases
        return []
    return [
        f"{name}:{number}: {match[0]!r}; write: {instead}"
        for number, line in lines(name, text)
        for instead, pattern in PHRASES.items()
        if (match := re.search(pattern, line))
    ]


@pytest.mark.parametrize("name", ["a.md", "a.py"])
@pytest.mark.parametrize(
    "text",
    [
        "None where it is not known",
        "the files of which two are new",
        "all but for the last",
        "what is said of it is told",
    ],
)
def test_a_phrase_is_found(name: str, text: str) -> None:
    assert found(name, f'"""{text}"""\n' if name == "a.py" else text) != []


@pytest.mark.parametrize("text", ["There is no index.", "Returns None if it is not known.", "so many that memory ends"])
def test_plain_english_is_left_alone(text: str) -> None:
    assert found("a.md", text) == []


@pytest.mark.thorough
def test_nothing_makes_a_reader_read_twice() -> None:
    assert [place for name in files() for place in found(name, (ROOT / name).read_text(errors="replace"))] == []
