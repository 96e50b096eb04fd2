"""Finds who has the code that a change fixed."""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from wherefrom import queries
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.errors import GitError, UnknownRepository
from wherefrom.languages import LANGUAGES
from wherefrom.model import RepositoryRecord, SkipReason
from wherefrom.options import FixedOptions, SearchOptions
from wherefrom.projects.changes.comparison import Pair
from wherefrom.projects.fixed.fix import fix_of
from wherefrom.projects.fixed.forms import Different, different_hashes
from wherefrom.projects.fixed.functions import ChangedFunction, changed_functions
from wherefrom.projects.fixed.locations import Locations
from wherefrom.projects.fixed.sides import Side
from wherefrom.projects.fixed.sites import Site, SiteForm, sites
from wherefrom.queries import Holder
from wherefrom.queries.alignment.regions import region
from wherefrom.results.fixed import FixedFunction, FixedProgress, FixedReport
from wherefrom.sources.checkout import Checkout
from wherefrom.sources.source import found_path
from wherefrom.support.printable import visible

MOST_GROUPS = 10_000
"""Groups of nearly identical contents beyond which the search for one form stops; the search has lower limits."""


_TEST = re.compile(
    r"(?:^|/)(?:tests?|testing|testdata|testsuite|specs?|__tests__|t)/"
    r"|(?:^|/)(?:test[_-][^/]*|[^/]*[_-](?:test|tests|spec)\.[^/.]+|[^/]*\.(?:test|spec)\.[^/]+|conftest\.py)$"
    r"|(?:^|/)[^/]*Tests?\.(?:java|kt|scala|cs|swift|php|groovy)$"
)


def is_test(path: str) -> bool:
    """Whether a path is that of a test, by its name or a folder."""
    return _TEST.search(path) is not None


class Fixed:
    """One search for what a change fixed.

    Args:
        engine: the index.
        commit: the revision of the commit, or a range; None for a diff.
        options: where the change is, and where to look.
        analyzer: what analyzes the files.
    """

    def __init__(
        self, engine: Engine, commit: str | None, options: FixedOptions, analyzer: Analyzer | None = None
    ) -> None:
        self._engine = engine
        self._commit = commit
        self._options = options
        self._analyzer = analyzer or Analyzer()
        self._began = time.perf_counter()
        self._skipped: Counter[SkipReason] = Counter()
        self._tests = 0

    def run(self) -> FixedReport:
        """Looks up both forms of everything that was changed.

        Raises:
            UsageError: neither a commit nor a diff, or both; or an option that cannot be right.
            SourceError: the repository, the commit or the diff cannot be read, or the diff does not apply.
            UnknownRepository: the repository is neither a folder nor indexed.
            BoilerplateError: a set is not there.
        """
        options = self._options
        checkout, _ = Checkout.of([self._project()])
        if self._commit is not None and not checkout.is_git:
            raise GitError(
                f"{visible(checkout.root)} is not a git repository; name the one that was fixed (--project), or give "
                "the change (--diff FILE)"
            )
        fix = fix_of(checkout, self._commit, options)
        sides = list(self._sides(fix.files))
        records = list(self._engine.repositories())
        own = queries.own_keys(records, frozenset() if options.itself else checkout.keys(), options.own)
        search = _FormSearch(self._engine, options, own)
        different = different_hashes(sides)
        repositories = {record.key: record for record in records}
        changed = changed_functions(sides)
        functions = []
        for number, function in enumerate(changed):
            self._report(function.span.side.path, number, len(changed))
            functions.append(_looked_up(function, different, search, repositories))
        self._report("", len(changed), len(changed))
        return FixedReport(
            project=checkout.key,
            change=fix.words,
            commit=fix.commit,
            engine=self._engine.name,
            functions=tuple(functions),
            tests=self._tests,
            skipped=dict(self._skipped),
            own=tuple(sorted(own)),
            seconds=round(time.perf_counter() - self._began, 3),
            before={old.path: old.content for old, _ in sides if old is not None},
            after={new.path: new.content for _, new in sides if new is not None},
            texts=queries.texts(self._engine),
        )

    def _project(self) -> Path:
        """Where the repository that was fixed is: a folder, or the clone of an indexed repository of that name."""
        named = self._options.project or Path()
        if os.path.lexists(named):
            return named
        try:
            location = queries.repository(self._engine, str(named)).location
        except UnknownRepository as error:
            raise UnknownRepository(f"{visible(named)} is not a folder here, and {error}") from None
        return found_path(location) or Path(location)

    def _sides(self, files: Iterable[Pair]) -> Iterator[tuple[Side | None, Side | None]]:
        """The files that are looked at, analyzed."""
        for pair in files:
            if not isinstance(pair.new, bytes | None):
                self._skipped[pair.new] += 1
            elif not self._options.tests and is_test(pair.path):
                self._tests += 1
            else:
                old, new = self._side(pair.old_path, pair.old), self._side(pair.path, pair.new)
                if isinstance(new, SkipReason):
                    self._skipped[new] += 1
                elif isinstance(old, SkipReason):
                    self._skipped[old] += 1
                else:
                    yield old, new

    def _side(self, path: str | None, content: bytes | None) -> Side | SkipReason | None:
        if path is None or not content:
            return None
        analyzed = self._analyzer.functions(path, content, self._options.limits)
        if isinstance(analyzed, SkipReason):
            return analyzed
        # Where a text has no grammar nothing tells code from prose.
        is_code = any(LANGUAGES[language].grammar for language in analyzed[0].tokens.languages)
        return Side.of(path, content, analyzed) if is_code else None

    def _report(self, path: str, functions: int, total: int) -> None:
        if self._options.progress is not None:
            seconds = time.perf_counter() - self._began
            self._options.progress(FixedProgress(path, functions, total, seconds))


class _FormSearch:
    """Searches for the forms of changed code, one after the other."""

    def __init__(self, engine: Engine, options: FixedOptions, own: frozenset[str]) -> None:
        self._engine = engine
        self._own = own
        self._min_tokens = options.min_tokens
        self._options = SearchOptions(
            limit=MOST_GROUPS,
            repositories=options.repositories,
            not_repositories=options.not_repositories,
            paths=options.paths,
            without_sets=queries.left_out(engine, options),
        )
        self._references = queries.IndexReferences(engine)

    def holders(self, site: Site) -> tuple[dict[str, tuple[Holder | None, Holder | None]], bool]:
        """The contents that have a site, by blob, each as it was found by the old and by the new form; and whether the
        search stopped before the last one.
        """
        old, is_old_cut = self._of_form(site.old)
        new, is_new_cut = self._of_form(site.new)
        forms = ((site.old, old), (site.new, new))
        certain = {blob for form, found in forms for blob, holder in found.items() if _is_certain(form, holder)}
        return {blob: (old.get(blob), new.get(blob)) for blob in sorted(certain)}, is_old_cut or is_new_cut

    def _of_form(self, form: SiteForm | None) -> tuple[dict[str, Holder], bool]:
        if form is None or len(form) < self._min_tokens:
            return {}, False
        found, is_cut = queries.holders(
            self._engine,
            form.tokens,
            self._options,
            own=self._own,
            references=self._references,
        )
        return {holder.blob: holder for holder in found if holder.matched_tokens >= self._min_tokens}, is_cut


def _is_certain(form: SiteForm | None, holder: Holder) -> bool:
    """Whether a content has a form, and not only code of its shape, as a common idiom with other names is."""
    return form is not None and (holder.probability >= queries.STRONG or holder.matched_tokens == len(form))


def _looked_up(
    function: ChangedFunction,
    different: Different,
    search: _FormSearch,
    repositories: Mapping[str, RepositoryRecord],
) -> FixedFunction:
    """Who has a changed function, in which form."""
    locations = Locations()
    truncated = False
    for site in sites(function.old, function.new, function.differences):
        holders, is_cut = search.holders(site)
        locations.add(site, different, holders)
        truncated |= is_cut
    side = function.span.side
    old, new = (
        None if span is None else region(span.side.stream, span.begin, span.end)
        for span in (function.old, function.new)
    )
    return FixedFunction(
        path=side.path,
        old_path=None if function.old is None else function.old.side.path,
        name=function.name,
        is_function=function.is_function,
        language=side.language,
        old=old,
        new=new,
        changes=tuple(locations.changes),
        locations=locations.judged(repositories),
        truncated=truncated,
    )
