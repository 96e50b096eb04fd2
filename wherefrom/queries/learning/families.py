"""Families of repositories: forks and copies of one repository, which count once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from wherefrom.analyzers.references import scope
from wherefrom.engines.engine import Engine
from wherefrom.fitted import FEW
from wherefrom.languages import LANGUAGES
from wherefrom.support.linking import linked

_WIDELY_HELD = 32
"""A content in more repositories than this does not show that they are forks of each other."""

_OF_NO_LANGUAGE = (
    *("gradlew.bat", "mvnw.cmd", "make.bat", "build.gradle", "settings.gradle", "makefile.in", "cmakelists.txt"),
    "dockerfile",
)
_NAMES = frozenset((*_OF_NO_LANGUAGE, *(name for language in LANGUAGES.values() for name in language.template_names)))
"""Names that frameworks and build tools give to the files that they make."""


@dataclass(frozen=True, slots=True)
class LearnedContent:
    """A distinct content: the first repository that has it, its path there, and the families that it counts for."""

    blob: str
    repository: str
    path: str
    families: tuple[int, ...]

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]


def contents_of(engine: Engine) -> list[LearnedContent]:
    """Every content that has a location, ordered by repository and path. Each takes about 500 bytes of memory.

    A content counts for the family of its first repository only: vendored copies do not show that many people write it.
    A license, or a file with the name of a template, is alike everywhere, so it counts for every family that has it.
    """
    keys = [record.key for record in engine.repositories()]
    first: dict[str, tuple[int, str]] = {}
    others: dict[str, set[int]] = {}
    for number, key in enumerate(keys):
        for occurrence in engine.occurrences(repository=key):
            home, _ = first.setdefault(occurrence.blob, (number, occurrence.path))
            if home != number:
                others.setdefault(occurrence.blob, set()).add(number)
    family = _families(len(keys), first, others)
    found = []
    for blob, (home, path) in first.items():
        counted = {family[home]}
        if blob in others and is_alike_everywhere(path):
            counted |= {family[number] for number in others[blob]}
        found.append(LearnedContent(blob, keys[home], path, tuple(sorted(counted))))
    return found


def families_of(contents: Iterable[LearnedContent]) -> set[int]:
    """The families that some contents count for."""
    return {family for content in contents for family in content.families}


def is_alike_everywhere(path: str) -> bool:
    """Whether a file of this name is probably the same in unrelated repositories."""
    return scope(path) is not None or is_template_name(path.rpartition("/")[2])


def is_template_name(name: str) -> bool:
    """Whether a framework, a project generator or a build tool writes files of this name."""
    return name.lower() in _NAMES


def _families(repositories: int, first: dict[str, tuple[int, str]], others: dict[str, set[int]]) -> list[int]:
    """For each repository, the number of the first repository of its family."""
    sizes = Counter(home for home, _ in first.values())
    for holders in others.values():
        sizes.update(holders)
    shared: Counter[tuple[int, int]] = Counter()
    for blob, holders in others.items():
        home, path = first[blob]
        if len(holders) < _WIDELY_HELD and not is_alike_everywhere(path):
            shared.update(combinations(sorted({home, *holders}), 2))
    forks = (
        (one, other)
        for (one, other), count in shared.items()
        if count >= FEW and 2 * count > min(sizes[one], sizes[other])
    )
    family = list(range(repositories))
    for members in linked(forks):
        for number in members:
            family[number] = members[0]
    return family
