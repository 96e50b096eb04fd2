"""The files of the corpus, as the benchmarks choose among them: always the same ones for the same corpus."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpus import Project
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.languages import LANGUAGES
from wherefrom.model import SkipReason
from wherefrom.options import Limits

SEED = 4


@dataclass(frozen=True, slots=True)
class File:
    """A file of the corpus; `path` is relative to the project's folder."""

    project: str
    path: str
    content: bytes


def listed(project: Project) -> list[str]:
    """The paths of a project's files, ascending."""
    command = ("git", "-C", str(project.folder), "ls-files", "-z")
    found = subprocess.run(command, check=True, capture_output=True).stdout
    return sorted(path.decode("utf-8", "surrogateescape") for path in found.split(b"\0") if path)


def shuffled(projects: Sequence[Project], language: str, seed: int = SEED) -> Iterator[File]:
    """The files with an ending of this language, in a random order that depends on the seed alone."""
    endings = LANGUAGES[language].extensions
    paths = [(project, path) for project in projects for path in listed(project) if path.endswith(endings)]
    random.Random(seed).shuffle(paths)
    for project, path in paths:
        file = Path(project.folder, path)
        if file.is_file() and not file.is_symlink():
            yield File(project.name, path, file.read_bytes())


def sources(projects: Sequence[Project], language: str, megabytes: float, seed: int = SEED) -> list[File]:
    """Distinct files that wherefrom would index as this language, up to `megabytes` in total if there are enough."""
    chosen: list[File] = []
    seen: set[bytes] = set()
    size = 0
    for file in shuffled(projects, language, seed):
        if size >= megabytes * 1e6:
            break
        analysis = analyze_file(file.path, file.content, Limits())
        if isinstance(analysis, SkipReason) or analysis.language != language or file.content in seen:
            continue
        seen.add(file.content)
        chosen.append(file)
        size += len(file.content)
    return chosen
