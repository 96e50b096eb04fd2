"""Files for the mutation benchmark, from whatever `wherefrom index` takes: clones, folders of clones, archives."""

from __future__ import annotations

import argparse
import random
import re
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.effectiveness.syntax import SHAPES
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.languages import LANGUAGES
from wherefrom.sources.discover import discover
from wherefrom.sources.source import Entry, Source

LEAST_BYTES, MOST_BYTES = 500, 200_000
"""Smaller and larger files are not chosen."""

_HELD_OUT = 4
"""One project in this many is not indexed, but at least one."""

_PROJECT = 50
"""A repository with at least this many files of a language can be held out. If fewer than two repositories have that
many, the top folders and files of all of them count as the projects.
"""


@dataclass(frozen=True, slots=True)
class File:
    """A file that wherefrom would index."""

    project: str
    path: str
    content: bytes
    analysis: Analysis

    @property
    def place(self) -> str:
        """The path of the file in the indexed folder."""
        return re.sub(r"[^\w./+-]", "_", f"{self.project}/{self.path}")


@dataclass(frozen=True, slots=True)
class Corpus:
    """For each language the files to index, and files of projects that are not indexed."""

    indexed: Mapping[str, Sequence[File]]
    unknown: Mapping[str, Sequence[File]]


def load(specs: Sequence[str], languages: Sequence[str], number: int, seed: int, cache: Path) -> Corpus:
    """Chooses files; the same ones for the same sources and seed.

    Args:
        specs: sources, as `wherefrom index` takes them.
        languages: of `SHAPES`.
        number: files of each language that are indexed, at most; half as many are not.
        seed: of every random choice.
        cache: folder for clones of URLs.
    """
    listed = [(source, _by_language(source, languages)) for source in discover(specs, cache=cache)]
    groups = {language: _groups(language, listed) for language in languages}
    held_out: set[str] = set()
    for language, (_, large) in groups.items():  # a project left out for one language is left out for all
        left = -(-len(large) // _HELD_OUT) - len(held_out & set(large))
        free = [name for name in large if name not in held_out]
        if left > 0 and len(free) > 1:
            held_out |= set(random.Random(f"{seed} {language}").sample(free, min(left, len(free) - 1)))
    indexed, unknown = {}, {}
    for language, (projects, large) in groups.items():
        chance = random.Random(f"{seed} {language} files")
        known = {name: group for name, group in projects.items() if name not in held_out}
        strange = {name: projects[name] for name in large if name in held_out}
        indexed[language] = _chosen(language, known, number, chance)
        seen = {file.content for file in indexed[language]}
        others = _chosen(language, strange, number // 2, chance)
        unknown[language] = [file for file in others if file.content not in seen]
    return Corpus(indexed, unknown)


def add_choice_options(parser: argparse.ArgumentParser, *, functions: int) -> None:
    """Adds the options of every run over functions. `functions` is the default number for each language."""
    parser.add_argument("--language", action="append", choices=sorted(SHAPES), help="only this one; may be repeated")
    parser.add_argument("--functions", type=int, default=functions, help="of each language (default: %(default)d)")
    parser.add_argument("--seed", type=int, default=5, help="of every choice (default: %(default)d)")


def standard_library() -> str:
    """The folder of the running Python's standard library."""
    return sysconfig.get_path("stdlib")


_Group = tuple[Source, list[Entry]]


def _by_language(source: Source, languages: Sequence[str]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in source.entries():
        language = _ENDINGS.get(Path(entry.path).suffix, "")
        fits = entry.size is None or LEAST_BYTES < entry.size < MOST_BYTES
        if language in languages and fits and entry.skip is None and "site-packages" not in entry.path:
            found.setdefault(language, []).append(entry)
    return found


_ENDINGS = {ending: language for language in SHAPES for ending in LANGUAGES[language].extensions}


def _groups(
    language: str, listed: Sequence[tuple[Source, Mapping[str, list[Entry]]]]
) -> tuple[dict[str, _Group], list[str]]:
    """The projects with files of a language, and the names of those that can be held out, ascending."""
    there = [(source, entries[language]) for source, entries in listed if language in entries]
    groups = {_short(source.key): (source, entries) for source, entries in there}
    large = sorted(name for name, (_, entries) in groups.items() if len(entries) >= _PROJECT)
    if len(large) > 1:
        return groups, large
    parts: dict[str, _Group] = {}
    for source, entries in there:
        for entry in entries:
            name = f"{_short(source.key)}/{entry.path.partition('/')[0]}"
            parts.setdefault(name, (source, []))[1].append(entry)
    return parts, sorted(parts)


def _short(key: str) -> str:
    return "/".join(key.removesuffix(".git").rstrip("/").split("/")[-2:])


def _chosen(language: str, groups: Mapping[str, _Group], number: int, chance: random.Random) -> list[File]:
    """Chooses `number` files with different contents, equally many from each group that has enough."""
    files: list[File] = []
    seen: set[bytes] = set()
    for left, (source, entries) in zip(
        range(len(groups), 0, -1), sorted(groups.values(), key=lambda group: len(group[1])), strict=True
    ):
        share = -(-(number - len(files)) // left)
        # Twice as many are read as are needed, because some are skipped for their content.
        picked = set(chance.sample(range(len(entries)), min(len(entries), 2 * share + 2)))
        read = list(source.read([entry for at, entry in enumerate(entries) if at in picked]))
        chance.shuffle(read)
        for entry, content in read:
            if share <= 0:
                break
            file = _file(language, _short(source.key), entry, content)
            if file is not None and file.content not in seen:
                seen.add(file.content)
                files.append(file)
                share -= 1
    return files


def _file(language: str, project: str, entry: Entry, content: object) -> File | None:
    if not isinstance(content, bytes) or not LEAST_BYTES < len(content) < MOST_BYTES or b"\r" in content:
        return None
    try:
        content.decode()
    except UnicodeDecodeError:
        return None
    analysis = analyze_file(entry.path, content)
    if not isinstance(analysis, Analysis) or analysis.language != language:
        return None
    return File(project, entry.path, content, analysis)
