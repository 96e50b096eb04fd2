"""Which contents an indexing run analyzes again, because what analyzed them is older than what is installed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wherefrom.analyzers import versions
from wherefrom.analyzers.containers import CONTAINERS
from wherefrom.analyzers.guessing import guess
from wherefrom.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from wherefrom.engines.base import Engine
    from wherefrom.model import RepositoryRecord


@dataclass(slots=True)
class Stale:
    """Blobs of a repository that an upgrade concerns, all of them in the index.

    Attributes:
        sure: their analysis is older, or their names are those of a language that is new.
        perhaps: their contents may be in a language that is new, which only reading them tells.
        languages: those that are new.
    """

    sure: set[str] = field(default_factory=set)
    perhaps: set[str] = field(default_factory=set)
    languages: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.sure or self.perhaps)

    def __contains__(self, blob: object) -> bool:
        return blob in self.sure or blob in self.perhaps

    def add(self, other: Stale) -> None:
        """Takes in other blobs of the same repository."""
        self.sure |= other.sure
        self.perhaps |= other.perhaps
        self.languages |= other.languages


class Renewal:
    """What one run renews.

    Args:
        engine: the index as it was when the run began.
        wanted: whether anything is to be renewed.
    """

    def __init__(self, engine: Engine, *, wanted: bool) -> None:
        self._engine = engine
        self._wanted = wanted
        self._older = self._stamps(versions.is_older) if wanted else []

    def is_due(self, record: RepositoryRecord | None) -> bool:
        """Whether a repository was never indexed, or last by other versions than those installed."""
        return self._wanted and (record is None or record.analysis != versions.installed())

    def lists_again(self, record: RepositoryRecord) -> bool:
        """Whether files that were skipped may be indexed now, so that the source has to be listed."""
        then, now = record.analysis.get(versions.SKIP_RULES), versions.installed()[versions.SKIP_RULES]
        return self.is_due(record) and then != now

    def stale(self, record: RepositoryRecord | None, files: Iterable[tuple[str, str]]) -> Stale:
        """Which of some files of a repository, given as (path, blob), an upgrade concerns.

        A language is new if it was not in the table of languages when the repository was last indexed. One whose
        grammar was missing then is told by the stamps of the contents that it left as text. If the repository was never
        indexed, its files are known by others: those are stale that are text although their names are those of code.
        """
        if not self.is_due(record):
            return Stale()
        blobs: dict[str, set[str]] = {}
        for path, blob in files:
            blobs.setdefault(blob, set()).add(path)
        older = self._engine.known(blobs, analyses=self._older) if self._older else set()
        named = [(blob, path, guess(path, b"")) for blob in blobs.keys() - older for path in blobs[blob]]
        if record is None:
            code = {blob for blob, _, language in named if LANGUAGES[language].grammar}
            return Stale(older | self._known(code, lambda stamp: not versions.languages(stamp)))
        new = versions.new_languages(record.analysis)
        if not new:
            return Stale(older)
        claimed = {blob for blob, _, language in named if language in new}
        # Another repository may have brought them in a run since.
        claimed -= self._known(claimed, lambda stamp: not new.isdisjoint(versions.languages(stamp)))
        endings = tuple(claim.ending for name in new for claim in LANGUAGES[name].claims)
        perhaps = {
            blob
            for blob, path, language in named
            if language == "text" or language in CONTAINERS or path.lower().endswith(endings)
        }
        return Stale(older | claimed, perhaps - claimed, new)

    def _known(self, blobs: Collection[str], fits: Callable[[str], bool]) -> set[str]:
        """Those of these blobs that the index holds with a stamp that fits."""
        return self._engine.known(blobs, analyses=self._stamps(fits)) if blobs else set()

    def _stamps(self, fits: Callable[[str], bool]) -> list[str]:
        """The stamps in the index that fit."""
        return sorted({stamp for stamps in self._engine.analyses().values() for stamp in stamps if fits(stamp)})
