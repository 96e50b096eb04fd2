"""Which contents an indexing run analyzes again, because a newer grammar or rule is installed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from wherefrom.analyzers import stamps
from wherefrom.analyzers.containers import CONTAINERS
from wherefrom.analyzers.guessing import guess
from wherefrom.engines.engine import Engine
from wherefrom.languages import LANGUAGES
from wherefrom.model import RepositoryRecord, SkipReason

COSTLY = frozenset({SkipReason.PARSE_TIMEOUT, SkipReason.WORKER_DIED})
"""Skip reasons that take seconds to find out. So the index remembers contents that were refused for one of them."""


@dataclass(slots=True)
class Stale:
    """The indexed blobs of a repository that a newer version may analyze differently, with their analysis stamps.

    Attributes:
        sure: the blobs with an older analysis, or with a file name of a new language.
        perhaps: the blobs that may have code in one of the new `languages`.
    """

    sure: dict[str, str] = field(default_factory=dict)
    perhaps: dict[str, str] = field(default_factory=dict)
    languages: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.sure or self.perhaps)

    def __contains__(self, blob: object) -> bool:
        return blob in self.sure or blob in self.perhaps

    def stamp(self, blob: str) -> str | None:
        """The stamp of one of these blobs; None for any other."""
        return self.sure.get(blob, self.perhaps.get(blob))

    def add(self, other: Stale) -> None:
        """Adds other blobs of the same repository."""
        self.sure |= other.sure
        self.perhaps |= other.perhaps
        self.languages |= other.languages


class Renewal:
    """Finds what one run analyzes again. A language is new to a repository if it was not in the table of languages when
    the repository was last indexed. (If only its grammar was missing, the stamps of the contents are older.)
    """

    def __init__(self, engine: Engine, *, wanted: bool) -> None:
        self._engine = engine
        self._wanted = wanted
        self._older = frozenset(filter(stamps.is_older, engine.count_analyses())) if wanted else frozenset()

    @cached_property
    def _new_to_some(self) -> frozenset[str]:
        """The languages that are new to some repository in the index."""
        found = (stamps.new_languages(record.analysis) for record in self._engine.repositories())
        return frozenset().union(*found)

    def is_due(self, record: RepositoryRecord) -> bool:
        """True if an installed component is newer than when a repository was last indexed."""
        return self._wanted and stamps.is_behind(record.analysis)

    def lists_again(self, record: RepositoryRecord) -> bool:
        """True if skipped files might be indexed now, so that the source has to be listed again."""
        has_costly = not COSTLY.isdisjoint(record.skipped)
        return self.is_due(record) and (has_costly or stamps.has_newer_rules(record.analysis))

    def stale(self, record: RepositoryRecord | None, files: Iterable[tuple[str, str]]) -> Stale:
        """The blobs that an upgrade concerns, among files of a repository given as (path, blob). `record` is None if
        the repository is not in the index.
        """
        if not self._wanted or not (self._older or self._new_to_some):
            return Stale()
        paths: dict[str, set[str]] = {}
        for path, blob in files:
            paths.setdefault(blob, set()).add(path)
        new = self._new_to_some if record is None else stamps.new_languages(record.analysis)
        claims = tuple(claim.ending for name in new for claim in LANGUAGES[name].claims)
        found = Stale(languages=new)
        for blob, stamp in self._engine.analyses(paths).items():
            if stamp in self._older:
                found.sure[blob] = stamp
                continue
            if stamps.is_newer(stamp, stamps.installed()):
                continue
            named = {guess(path, b"") for path in paths[blob]}
            is_claimed = any(path.lower().endswith(claims) for path in paths[blob])
            if not named.isdisjoint(self._new_to_some - stamps.languages(stamp)):
                found.sure[blob] = stamp
            elif new and (is_claimed or not named.isdisjoint({"text", *CONTAINERS})):
                found.perhaps[blob] = stamp
        return found
