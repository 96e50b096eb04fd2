"""Finds who has the code that a change fixed."""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.errors import GitError, NotFound, UnknownRepository, UsageError
from wherefrom.languages import LANGUAGES
from wherefrom.model import SkipReason
from wherefrom.options import FixedOptions, SearchOptions
from wherefrom.projects.changes.comparison import Pair, Patched, pairs
from wherefrom.projects.changes.patches import parse_diff
from wherefrom.projects.fixed.forms import Holders, different_hashes, looked_up
from wherefrom.projects.fixed.functions import changed_functions
from wherefrom.projects.fixed.sites import FileSide, Sides, Site, SiteForm
from wherefrom.queries import boilerplate, filters, occurrences, repository_names, searching
from wherefrom.queries.attributing import index_references
from wherefrom.queries.history import Histories
from wherefrom.queries.judging import odds
from wherefrom.queries.searching import Holder
from wherefrom.results.projects import FixedFunction, FixedProgress, FixedReport
from wherefrom.sources.checkout import Checkout
from wherefrom.sources.source import found_path
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field

MOST_GROUPS = 10_000
"""The highest number of groups of nearly identical contents that a search for one form returns. Other limits of the
search may end it earlier."""

_TEST = re.compile(
    r"(?:^|/)(?:tests?|testing|testdata|testsuite|specs?|__tests__|t)/"
    r"|(?:^|/)(?:test[_-][^/]*|[^/]*[_-](?:test|tests|spec)\.[^/.]+|[^/]*\.(?:test|spec)\.[^/]+|conftest\.py)$"
    r"|(?:^|/)[^/]*Tests?\.(?:java|kt|scala|cs|swift|php|groovy)$"
)


def is_test(path: str) -> bool:
    """Whether a file is a test, by its name or the name of one of its folders."""
    return _TEST.search(path) is not None


@dataclass(slots=True)
class Fixed:
    """One search for the code that a commit fixed, or a range, or (for None) the diff in the options."""

    engine: Engine
    commit: str | None
    options: FixedOptions
    analyzer: Analyzer
    _began: float = field(default_factory=time.perf_counter, init=False)
    _skipped: Counter[SkipReason] = field(default_factory=Counter, init=False)
    _tests: int = field(default=0, init=False)

    def run(self) -> FixedReport:
        """Looks up both forms of every changed function (`wherefrom.Index.fixed` has the errors)."""
        checkout = self.checkout()
        files, words, commit = self.change(checkout)
        sides = self.sides(files)
        keys = () if self.options.itself else checkout.keys()
        own = filters.OwnPlaces.named(self.engine, self.options.own, keys)
        return FixedReport(
            project=checkout.key,
            change=words,
            commit=commit,
            engine=self.engine.name,
            functions=tuple(self.functions(sides, own)),
            tests=self._tests,
            skipped=dict(self._skipped),
            own=own.shown(),
            seconds=round(time.perf_counter() - self._began, 3),
            before={old.path: old.content for old, _ in sides if old is not None},
            after={new.path: new.content for _, new in sides if new is not None},
            texts=occurrences.texts(self.engine),
        )

    def functions(self, sides: Sequence[Sides], own: filters.OwnPlaces = filters.NOTHING_OWN) -> list[FixedFunction]:
        """Looks up both forms of every function that differs between the sides of files."""
        search = _FormSearch(self.engine, self.options, own)
        different = different_hashes(sides)
        records = partial(occurrences.records_at, self.engine, records={})
        changed = changed_functions(sides)
        histories = Histories(self.engine)
        histories.refresh()
        functions = []
        for number, function in enumerate(changed):
            self._report(function.span.side.path, number, len(changed))
            functions.append(looked_up(function, different, search.holders, records, histories))
        self._report("", len(changed), len(changed))
        return functions

    def checkout(self) -> Checkout:
        """The project that was fixed; raises the errors of `run` about it."""
        checkout, _ = Checkout.of([self._project()])
        if self.commit is not None and not checkout.is_git:
            raise GitError(
                f"{visible(checkout.root)} is not a git repository; name the one that was fixed (--project), or give "
                "the change (--diff FILE)"
            )
        return checkout

    def _project(self) -> Path:
        """The folder of the repository that was fixed; if the option names an indexed repository, its clone."""
        named = self.options.project or Path()
        if os.path.lexists(named):
            return named
        try:
            location = repository_names.repository(self.engine, str(named)).location
        except UnknownRepository as error:
            raise UnknownRepository(f"{visible(named)} is not a folder here, and {error}") from None
        return found_path(location) or Path(location)

    def change(self, checkout: Checkout) -> tuple[Iterator[Pair], str, str | None]:
        """The changed files, the name of the change for the answer, and the id of the commit if it is a single one."""
        commit, limits, diff, path = self.commit, self.options.limits, self.options.patch, self.options.diff
        if path is not None:
            try:
                diff = path.read_bytes()
            except OSError as error:
                raise NotFound(f"cannot read the diff {visible(path)}: {error.strerror}; check the path") from None
        if (commit is None) == (diff is None):
            raise UsageError("name the commit that fixed something, or a diff with --diff FILE, and not both")
        if commit is None:
            patched = Patched(checkout.work_tree(), parse_diff(diff or b""))
            return pairs(patched.before, patched.after, limits, only=patched.touched), "a diff", None
        states = checkout.between(commit)
        if states is not None:
            return pairs(*states, limits), commit, None
        before, after, found = checkout.commit(commit)
        return pairs(before, after, limits), f"commit {found[:12]}", found

    def sides(self, files: Iterable[Pair]) -> list[Sides]:
        """The changed files before and after the change, except those that are skipped."""
        sides: list[Sides] = []
        for pair in files:
            if not isinstance(pair.new, bytes | None):
                self._skipped[pair.new] += 1
            elif not self.options.tests and is_test(pair.path):
                self._tests += 1
            else:
                old, new = self._side(pair.old_path, pair.old), self._side(pair.path, pair.new)
                if isinstance(new, SkipReason):
                    self._skipped[new] += 1
                elif isinstance(old, SkipReason):
                    self._skipped[old] += 1
                else:
                    sides.append((old, new))
        return sides

    def _side(self, path: str | None, content: bytes | None) -> FileSide | SkipReason | None:
        if path is None or not content:
            return None
        analyzed = self.analyzer.functions(path, content, self.options.limits)
        if isinstance(analyzed, SkipReason):
            return analyzed
        analysis, functions = analyzed
        # Without a grammar, code cannot be distinguished from prose, so the file is left out.
        if not any(LANGUAGES[language].grammar for language in analysis.tokens.languages):
            return None
        return FileSide(path, content, analysis.tokens, analysis.language, functions)

    def _report(self, path: str, functions: int, total: int) -> None:
        if self.options.progress is not None:
            seconds = time.perf_counter() - self._began
            self.options.progress(FixedProgress(path, functions, total, seconds))


class _FormSearch:
    def __init__(self, engine: Engine, options: FixedOptions, own: filters.OwnPlaces) -> None:
        self._engine = engine
        self._own = own
        self._min_tokens = options.min_tokens
        self._options = SearchOptions(
            limit=MOST_GROUPS,
            repositories=options.repositories,
            not_repositories=options.not_repositories,
            paths=options.paths,
            without_sets=boilerplate.left_out(engine, options),
        )
        self._references = index_references.IndexReferences(engine)

    def holders(self, site: Site) -> tuple[Holders, bool]:
        """Searches both forms of a site. Returns the contents that have the site, as the searches for the old and for
        the new form found them, and whether a search stopped before the last content.
        """
        old, is_old_cut = self._of_form(site.old)
        new, is_new_cut = self._of_form(site.new)
        forms = ((site.old, old), (site.new, new))
        # Other contents may have just code of the same shape, such as a common idiom.
        certain = {
            blob
            for form, found in forms
            for blob, holder in found.items()
            if form is not None and (holder.probability >= odds.STRONG or holder.matched_tokens == len(form))
        }
        return {blob: (old.get(blob), new.get(blob)) for blob in sorted(certain)}, is_old_cut or is_new_cut

    def _of_form(self, form: SiteForm | None) -> tuple[dict[str, Holder], bool]:
        if form is None or len(form) < self._min_tokens:
            return {}, False
        found, is_cut = searching.holders(
            self._engine, form.tokens, self._options, own=self._own, references=self._references
        )
        return {holder.blob: holder for holder in found if holder.matched_tokens >= self._min_tokens}, is_cut
