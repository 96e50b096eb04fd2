"""Filters: which blobs and occurrences a search may answer with."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from wcmatch import glob
from wcmatch._wcparse import PatternLimitException  # it has no public name

from wherefrom.errors import UsageError
from wherefrom.languages import get

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wherefrom.engines.base import Engine
    from wherefrom.model import Occurrence

_FLAGS = glob.GLOBSTAR | glob.BRACE | glob.DOTGLOB | glob.MATCHBASE | glob.CASE | glob.FORCEUNIX


@dataclass(frozen=True, slots=True)
class Filters:
    """`repositories` are patterns over keys (`*`, `?`), `paths` globs (`**` crosses folders; one without a slash fits
    the file's name), `languages` names; empty ones let everything through. `not_repositories` (patterns over keys) and
    `not_blobs` let nothing through.
    """

    repositories: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    not_repositories: tuple[str, ...] = ()
    not_blobs: tuple[str, ...] = ()

    @staticmethod
    def of(
        repositories: Sequence[str],
        paths: Sequence[str],
        languages: Sequence[str],
        not_repositories: Sequence[str] = (),
        not_blobs: Sequence[str] = (),
    ) -> Filters:
        """Filters with the languages' canonical names.

        Raises:
            LanguageError: no such language.
            UsageError: globs whose braces stand for more than a thousand others.
        """
        try:
            glob.translate(list(paths), flags=_FLAGS)
        except PatternLimitException:
            raise UsageError("the path globs stand for more than a thousand others; give plainer ones") from None
        return Filters(
            tuple(repositories),
            tuple(paths),
            tuple(get(name).name for name in languages),
            tuple(not_repositories),
            tuple(not_blobs),
        )

    def admits(self, occurrence: Occurrence) -> bool:
        """Whether repository, path and blob fit."""
        return (
            occurrence.blob not in self.not_blobs
            and self._repository_fits(occurrence.repository)
            and (not self.paths or glob.globmatch(occurrence.path, list(self.paths), flags=_FLAGS))
        )

    def _repository_fits(self, key: str) -> bool:
        return (not self.repositories or _fits(key, self.repositories)) and not _fits(key, self.not_repositories)

    def blobs(self, engine: Engine) -> set[str] | None:
        """The blobs that stand at a place that fits; None where every place does, but for those of `not_blobs`."""
        if not self.repositories and not self.paths and not self.not_repositories:
            return None
        return {
            occurrence.blob
            for record in engine.repositories()
            if self._repository_fits(record.key)
            for occurrence in engine.occurrences(repository=record.key)
            if self.admits(occurrence)
        }


def _fits(key: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(key, pattern) for pattern in patterns)
