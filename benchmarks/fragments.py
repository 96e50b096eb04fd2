"""Pieces of real files whose language is known: functions, halves, bodies, and stretches cut anywhere."""

from __future__ import annotations

import random
import re
import subprocess
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.guessing import guess
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.languages import LANGUAGES
from wherefrom.model import SkipReason

LINES = (6, 40)
"""A fragment has this many lines that are not blank, from and to."""

_KINDS = ("function", "first half", "second half", "body", "stretch")
_SIZE = (200, 200_000)
_MARKS = re.compile(r"[(){}\[\]<>=;$\\_|@#&*+/]")
_LETTERS_PER_MARK = 20
_PROSE = ("text", "markdown")
_MARKUP = ("html", "css")


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of a file: `kind` tells how it was cut, `lines` counts the lines that are not blank."""

    language: str
    path: str
    kind: str
    lines: int
    code: str


def repositories(folders: Sequence[Path]) -> list[Path]:
    """The git repositories, bare or not, in these folders and two levels below, ascending."""
    found = chain.from_iterable(folder.glob(pattern) for folder in folders for pattern in ("*", "*/*"))
    return sorted({path for path in found if (path / "HEAD").is_file() or (path / ".git").exists()})


def files(repository: Path, per_language: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """The path and content of `per_language` files of each language."""
    git = ("git", "-C", str(repository))
    listed = subprocess.run((*git, "ls-tree", "-r", "-z", "HEAD"), check=True, capture_output=True).stdout
    by_language: dict[str, list[tuple[str, str]]] = {}
    for entry in listed.split(b"\0"):
        facts, _, name = entry.partition(b"\t")
        path = name.decode("utf-8", "replace")
        language = guess(path, b"")
        if facts[:6] in (b"100644", b"100755") and (LANGUAGES[language].grammar or language in _PROSE):
            by_language.setdefault(language, []).append((facts.split()[2].decode(), path))
    chosen = []
    for language in sorted(by_language):
        entries = by_language[language]
        random.Random(seed).shuffle(entries)
        chosen.extend(entries[:per_language])
    asked = "".join(f"{blob}\n" for blob, _ in chosen).encode()
    answer = subprocess.run((*git, "cat-file", "--batch"), input=asked, check=True, capture_output=True).stdout
    position = 0
    for _, path in chosen:
        end = answer.index(b"\n", position)
        head = answer[position:end].split()
        position = end + 1
        if head[1] != b"missing":
            size = int(head[2])
            if _SIZE[0] < size < _SIZE[1]:
                yield path, answer[position : position + size]
            position += size + 1


def fragments(path: str, content: bytes, chance: random.Random) -> list[Fragment]:
    """One fragment of each kind that the file has.

    Left out are fragments whose language nobody could tell: those that are mostly comment, docstring or blank, or have
    more literals than names; and scripts and styles in HTML, which are in another language.
    """
    analysis = analyze_file(path, content)
    if isinstance(analysis, SkipReason):
        return []
    if not LANGUAGES[analysis.language].grammar:
        return _paragraphs(path, content, chance)
    tokens = analysis.tokens
    lines = content.decode("utf-8", "replace").expandtabs(8).split("\n")
    blocks = _blocks(lines)
    found = []
    for kind in _KINDS:
        if kind == "stretch":
            start = chance.randrange(len(lines))
            end = start + chance.randint(*LINES)
        elif blocks:
            start, end = chance.choice(blocks)
            middle = (start + end) // 2
            start, end = {
                "function": (start, end),
                "first half": (start, middle),
                "second half": (middle, end),
                "body": (start + 1, end - 1),
            }[kind]
        else:
            continue
        piece = lines[start:end]
        written = sum(1 for line in piece if line.strip())
        inside = slice(*np.searchsorted(tokens.start_lines, (start + 1, end + 1)).tolist())
        classes = tokens.classes[inside]
        names = np.count_nonzero(classes == TokenClass.NAME)
        literals = np.count_nonzero((classes == TokenClass.STRING) | (classes == TokenClass.NUMBER))
        with_code = len(np.unique(tokens.start_lines[inside]))
        is_own = set(tokens.languages) == {analysis.language}
        if (
            LINES[0] <= written <= LINES[1]
            and with_code >= 0.6 * written
            and (names >= literals or analysis.language in _MARKUP)
            and is_own
        ):
            text = textwrap.dedent("\n".join(piece)) if kind == "body" else "\n".join(piece)
            found.append(Fragment(analysis.language, path, kind, written, text + "\n"))
    return found


def _paragraphs(path: str, content: bytes, chance: random.Random) -> list[Fragment]:
    """A stretch of prose, if the lines of the file from some line on are all prose."""
    lines = content.decode("utf-8", "replace").split("\n")
    start = chance.randrange(len(lines))
    piece = lines[start : start + chance.randint(*LINES)]
    written = [line for line in piece if line.strip()]
    if len(written) < LINES[0] or any(len(_MARKS.findall(line)) * _LETTERS_PER_MARK > len(line) for line in written):
        return []
    return [Fragment("text", path, "stretch", len(written), "\n".join(piece) + "\n")]


def _blocks(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Half-open spans of lines: each begins with less indentation than the lines that follow, and ends before the next
    line with as little.
    """
    depths = [len(line) - len(line.lstrip()) if line.strip() else None for line in lines]
    found = []
    for start, depth in enumerate(depths[:-1]):
        following = next((each for each in depths[start + 1 : start + 3] if each is not None), None)
        if depth is None or following is None or following <= depth:
            continue
        end = start + 1
        while end < len(lines) and ((each := depths[end]) is None or each > depth):
            end += 1
        if end < len(lines) and lines[end].strip()[:1] in ("}", ")", "e", "f", "d", "]", "<"):  # closes a block
            end += 1
        if LINES[0] <= end - start <= 2 * LINES[1]:
            found.append((start, end))
    return found


def collected(folders: Sequence[Path], per_language: int, seed: int) -> dict[str, list[Fragment]]:
    """The fragments of each repository in these folders; the same ones for the same clones and seed."""
    found = {}
    for repository in repositories(folders):
        name = "/".join(repository.parts[-2:])
        chance = random.Random(f"{seed} {name}")
        pieces = [
            piece
            for path, content in files(repository, per_language, seed)
            for piece in fragments(path, content, chance)
        ]
        if pieces:
            found[name] = pieces
    return found


def halves(found: Mapping[str, Sequence[Fragment]]) -> tuple[dict[str, list[Fragment]], dict[str, list[Fragment]]]:
    """Fragments to learn from, and others to measure on: in each language every second repository is learned."""
    counts: dict[str, list[tuple[int, str]]] = {}
    for name, pieces in found.items():
        for language, count in Counter(piece.language for piece in pieces).items():
            counts.setdefault(language, []).append((-count, name))
    learned = {(name, language) for language, each in counts.items() for _, name in sorted(each)[::2]}
    return (
        {name: [each for each in pieces if (name, each.language) in learned] for name, pieces in found.items()},
        {name: [each for each in pieces if (name, each.language) not in learned] for name, pieces in found.items()},
    )
