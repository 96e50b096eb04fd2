"""Which contents an indexing run analyzes again, because what analyzed them is older than what is installed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wherefrom.analyzers import versions
from wherefrom.analyzers.containers import CONTAINERS
from wherefrom.analyzers.guessing import guess
from wherefrom.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wherefrom.engines.base import Engine
    from wherefrom.model import RepositoryRecord


@dataclass(frozen=True, slots=True)
class Stale:
    """Blobs of a repository that an upgrade concerns, all of them in the index.

    Attributes:
        sure: their analysis is older, or their names are those of a language that is new.
        perhaps: their contents may be in a language that is new, which only reading them tells.
        languages: those that are new.
    """

    sure: frozenset[str] = frozenset()
    perhaps: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.sure or self.perhaps)

    def __contains__(self, blob: object) -> bool:
        return blob in self.sure or blob in self.perhaps

    def __or__(self, other: Stale) -> Stale:
        return Stale(self.sure | other.sure, self.perhaps | other.perhaps, self.languages | other.languages)


class Renewal:
    """What one run renews.

    Args:
        engine: the index as it was when the run began.
        wanted: whether anything is to be renewed.
    """

    def __init__(self, engine: Engine, *, wanted: bool) -> None:
        self._engine = engine
        self._wanted = wanted
        found = (stamp for stamps in engine.analyses().values() for stamp in stamps) if wanted else ()
        self._older = sorted({stamp for stamp in found if versions.is_older(stamp)})

    def is_due(self, record: RepositoryRecord) -> bool:
        """Whether the repository was last indexed by other versions than those installed."""
        return self._wanted and record.analysis != versions.installed()

    def lists_again(self, record: RepositoryRecord) -> bool:
        """Whether files that were skipped may be indexed now, so that the source has to be listed."""
        then, now = record.analysis.get(versions.SKIP_RULES), versions.installed()[versions.SKIP_RULES]
        return self.is_due(record) and then != now

    def stale(self, record: RepositoryRecord, files: Iterable[tuple[str, str]]) -> Stale:
        """Which of some files of the repository, given as (path, blob), an upgrade concerns.

        A language is new if it was not in the table of languages when the repository was last indexed. One whose
        grammar was missing then is told by the stamps of the contents that it left as text.
        """
        if not self.is_due(record):
            return Stale()
        new = frozenset(
            name
            for name, version in versions.installed().items()
            if name in LANGUAGES and version and name not in record.analysis
        )
        named, perhaps, blobs = set(), set(), set()
        for path, blob in files:
            blobs.add(blob)
            language = guess(path, b"")
            if language in new:
                named.add(blob)
            elif new and _is_told_by_content(path, language, new):
                perhaps.add(blob)
        # Another repository may have brought them in a run since.
        named -= self._engine.known(named, analyses=self._stamped(new)) if named else set()
        sure = named | (self._engine.known(blobs, analyses=self._older) if self._older else set())
        return Stale(frozenset(sure), frozenset(perhaps - sure), new)

    def _stamped(self, languages: frozenset[str]) -> list[str]:
        """The stamps in the index that name one of these languages."""
        found = (stamp for stamps in self._engine.analyses().values() for stamp in stamps)
        return sorted({stamp for stamp in found if not languages.isdisjoint(versions.components(stamp))})


def _is_told_by_content(path: str, language: str, new: frozenset[str]) -> bool:
    """Whether a file may be, or hold, code in a new language although its name does not tell it.

    Args:
        path: of the file.
        language: what its name tells; `text` if it tells none.
        new: the languages that are new.
    """
    endings = tuple(claim.ending for name in new for claim in LANGUAGES[name].claims)
    return language == "text" or language in CONTAINERS or path.lower().endswith(endings)
