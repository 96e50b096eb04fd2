"""Files for the mutation benchmark, from whatever `whence index` takes: clones, folders of clones, archives."""

from __future__ import annotations

import random
import re
import sysconfig
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.effectiveness.syntax import SHAPES
from whence.analyzers.analysis import Analysis, analyze_file
from whence.analyzers.languages import LANGUAGES
from whence.sources import discover
from whence.sources.base import Entry, Source

MOST_BYTES = 200_000
"""Larger files are no corpus."""

_HELD_OUT = 4
"""One repository in so many is not indexed, at least one."""


@dataclass(frozen=True, slots=True)
class File:
    """A file that whence would index; `project` is its repository, or its folder where there is but one repository."""

    project: str
    path: str
    content: bytes
    analysis: Analysis

    @property
    def place(self) -> str:
        """Where it stands in the folder that is indexed."""
        return re.sub(r"[^\w./+-]", "_", f"{self.project}/{self.path}")


@dataclass(frozen=True, slots=True)
class Corpus:
    """For each language the files to be indexed and those of projects that are not."""

    indexed: Mapping[str, Sequence[File]]
    unknown: Mapping[str, Sequence[File]]


def load(specs: Sequence[str], languages: Sequence[str], number: int, seed: int, cache: Path) -> Corpus:
    """Chooses files; the same ones for the same sources and seed.

    Args:
        specs: sources, as `whence index` takes them.
        languages: of `SHAPES`.
        number: files of each language that are indexed, at most; half as many are not.
        seed: of every choice.
        cache: folder for clones of URLs.
    """
    listed = [(source, _by_language(source, languages)) for source in discover(specs, cache=cache)]
    indexed, unknown = {}, {}
    for language in languages:
        chance = random.Random(f"{seed} {language}")
        groups = _groups(language, listed)
        names = sorted(groups)
        chance.shuffle(names)
        held_out = names[: max(1, len(names) // _HELD_OUT)]
        indexed[language] = _chosen(language, {name: groups[name] for name in names[len(held_out) :]}, number, chance)
        seen = {file.content for file in indexed[language]}
        others = _chosen(language, {name: groups[name] for name in held_out}, number // 2, chance)
        unknown[language] = [file for file in others if file.content not in seen]
    return Corpus(indexed, unknown)


def standard_library() -> str:
    """The folder of the running Python's standard library."""
    return sysconfig.get_path("stdlib")


_Group = tuple[Source, list[Entry]]


def _by_language(source: Source, languages: Sequence[str]) -> dict[str, list[Entry]]:
    found = defaultdict(list)
    for entry in source.entries():
        language = _ENDINGS.get(Path(entry.path).suffix)
        if language in languages and entry.skip is None and "site-packages" not in entry.path:
            found[language].append(entry)
    return found


_ENDINGS = {ending: language for language in SHAPES for ending in LANGUAGES[language].extensions}


def _groups(language: str, listed: Sequence[tuple[Source, Mapping[str, list[Entry]]]]) -> dict[str, _Group]:
    """Projects: the repositories with files of a language; where there is but one, the folders and files at its top."""
    there = [(source, entries[language]) for source, entries in listed if language in entries]
    if len(there) > 1:
        return {_short(source.key): (source, entries) for source, entries in there}
    groups: dict[str, _Group] = {}
    for source, entries in there:
        for entry in entries:
            groups.setdefault(entry.path.partition("/")[0], (source, []))[1].append(entry)
    return groups


def _short(key: str) -> str:
    return "/".join(key.removesuffix(".git").rstrip("/").split("/")[-2:])


def _chosen(language: str, groups: Mapping[str, _Group], number: int, chance: random.Random) -> list[File]:
    """Files of all groups in equal parts, as far as they have so many; every content once."""
    files: list[File] = []
    seen: set[bytes] = set()
    for left, (name, (source, entries)) in zip(
        range(len(groups), 0, -1), sorted(groups.items(), key=lambda item: len(item[1][1])), strict=True
    ):
        share = -(-(number - len(files)) // left)
        # More are read than wanted: some are skipped for their content.
        picked = set(chance.sample(range(len(entries)), min(len(entries), 2 * share + 10)))
        read = list(source.read([entry for at, entry in enumerate(entries) if at in picked]))
        chance.shuffle(read)
        for entry, content in read:
            if share <= 0:
                break
            file = _file(language, name, entry, content)
            if file is not None and file.content not in seen:
                seen.add(file.content)
                files.append(file)
                share -= 1
    return files


def _file(language: str, project: str, entry: Entry, content: object) -> File | None:
    if not isinstance(content, bytes) or not 500 < len(content) < MOST_BYTES or b"\r" in content:
        return None
    try:
        content.decode()
    except UnicodeDecodeError:
        return None
    analysis = analyze_file(entry.path, content)
    if not isinstance(analysis, Analysis) or analysis.language != language:
        return None
    return File(project, entry.path, content, analysis)
