"""Which contents an indexing run analyzes again, because a newer grammar or rule is installed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from wherefrom.analyzers import stamps
from wherefrom.analyzers.containers import CONTAINERS
from wherefrom.analyzers.guessing import guess
from wherefrom.engines.engine import Engine
from wherefrom.languages import LANGUAGES
from wherefrom.model import RepositoryRecord, SkipReason
from wherefrom.support.chunks import by_key

COSTLY = frozenset({SkipReason.PARSE_TIMEOUT, SkipReason.WORKER_DIED})
"""Skip reasons that take seconds to find out. So the index remembers contents that were refused for one of them."""


class Stale(NamedTuple):
    """Why an indexed blob is analyzed again: an older version made its analysis, which has this `stamp`, or a file name
    of it adds a language to it (`again` is as in `job.ContentKey`). Or it may have code in one of the new `languages`.
    """

    stamp: str
    languages: frozenset[str] | None = None
    again: str = ""


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

    def stale(self, record: RepositoryRecord | None, files: Iterable[tuple[str, str]]) -> dict[str, Stale]:
        """The blobs that an upgrade concerns, by id, among files of a repository given as (path, blob). `record` is
        None if the repository is not in the index.
        """
        if not self._wanted or not (self._older or self._new_to_some):
            return {}
        paths = by_key((blob, path) for path, blob in files)
        new = self._new_to_some if record is None else stamps.new_languages(record.analysis)
        claims = tuple(claim.ending for name in new for claim in LANGUAGES[name].claims)
        found: dict[str, Stale] = {}
        for blob, stamp in self._engine.analyses(paths).items():
            if stamp in self._older:
                found[blob] = Stale(stamp)
            elif not stamps.is_newer(stamp, stamps.installed()):
                named = {guess(path, b"") for path in paths[blob]}
                is_claimed = any(path.lower().endswith(claims) for path in paths[blob])
                if not named.isdisjoint(self._new_to_some - stamps.languages(stamp)):
                    found[blob] = Stale(stamp)
                elif new and (is_claimed or not named.isdisjoint({"text", *CONTAINERS})):
                    found[blob] = Stale(stamp, new)
        return found
