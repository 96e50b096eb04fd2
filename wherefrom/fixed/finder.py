"""Finds who has the code that a change fixed."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from wherefrom import queries
from wherefrom.analyzers.units import part
from wherefrom.changes.comparison import Pair, Patched, pairs
from wherefrom.changes.patches import parse
from wherefrom.changes.revisions import is_range, revisions
from wherefrom.errors import NotFound, UsageError
from wherefrom.fixed.forms import Forms, Held, held
from wherefrom.fixed.pieces import K, Side, changed_functions
from wherefrom.fixed.verdict import judged, score_of
from wherefrom.languages import LANGUAGES
from wherefrom.model import SkipReason
from wherefrom.options import SearchOptions
from wherefrom.printable import visible
from wherefrom.queries.regions import region
from wherefrom.results.fixed import (
    FixedChange,
    FixedFunction,
    FixedLocation,
    FixedPlace,
    FixedProgress,
    FixedReport,
    Form,
)
from wherefrom.sources.checkout import Checkout
from wherefrom.workers.analyzer import Analyzer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wherefrom.engines.engine import Engine
    from wherefrom.fixed.pieces import ChangedFunction, Part, Site
    from wherefrom.model import Hashes, RepositoryRecord
    from wherefrom.options import FixedOptions
    from wherefrom.queries import Holder
    from wherefrom.results import Region

MOST_GROUPS = 10_000
"""Groups of nearly identical contents beyond which the search for one form stops; the search has lower limits."""

LEAST_MATCH = 0.5
"""Share of what is looked up, the change and what is around it, that a location has."""

_TEST = re.compile(
    r"(?:^|/)(?:tests?|testing|testdata|testsuite|specs?|__tests__|t)/"
    r"|(?:^|/)(?:test[_-][^/]*|[^/]*[_-](?:test|tests|spec)\.[^/.]+|[^/]*\.(?:test|spec)\.[^/]+|conftest\.py)$"
    r"|(?:^|/)[^/]*Tests?\.(?:java|kt|scala|cs|swift|php|groovy)$"
)


def is_test(path: str) -> bool:
    """Whether a path is that of a test, by its name or a folder."""
    return _TEST.search(path) is not None


@dataclass(slots=True)
class _Found:
    """A content that has a function: what it holds of each change, and the best share of a site that is there."""

    holder: Holder
    held: dict[int, Held] = field(default_factory=dict)
    match: float = 0.0


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
        self._references = queries.IndexReferences(engine)
        self._admitted = queries.AdmittedBlobs(engine)
        self._began = time.perf_counter()
        self._skipped: Counter[SkipReason] = Counter()
        self._tests = 0

    def run(self) -> FixedReport:
        """Looks up both forms of everything that was changed.

        Raises:
            UsageError: neither a commit nor a diff, or both; or an option that cannot be right.
            SourceError: the repository, the commit or the diff cannot be read, or the diff does not apply.
            BoilerplateError: a set is not there.
        """
        options = self._options
        checkout, _ = Checkout.of([options.project or "."])
        changed, words, commit = self._change(checkout)
        sides = list(self._sides(changed))
        own = frozenset() if options.itself else checkout.keys()
        keys = queries.own_keys(self._engine.repositories(), own, options.own)
        search = SearchOptions(
            limit=MOST_GROUPS,
            repositories=options.repositories,
            not_repositories=options.not_repositories,
            paths=options.paths,
            without_sets=queries.stored_sets(self._engine, options.without),
        )
        different = {k: _different([old for old, _ in sides], [new for _, new in sides], k) for k in K}
        found = changed_functions(sides)
        records = {record.key: record for record in self._engine.repositories()}
        functions = []
        for number, function in enumerate(found):
            self._report(function.span[0].path, number, len(found))
            functions.append(self._function(function, different, search, keys, records))
        self._report("", len(found), len(found))
        return FixedReport(
            project=checkout.key,
            change=words,
            commit=commit,
            engine=self._engine.name,
            functions=tuple(functions),
            tests=self._tests,
            skipped=dict(self._skipped),
            own=tuple(sorted(keys)),
            seconds=round(time.perf_counter() - self._began, 3),
            before={old.path: old.content for old, _ in sides if old is not None},
            after={new.path: new.content for _, new in sides if new is not None},
            texts=queries.texts(self._engine),
        )

    def _change(self, checkout: Checkout) -> tuple[Iterator[Pair], str, str | None]:
        """The files before and after, what the change is in words, and its commit."""
        patch = self._options.patch
        if self._options.diff is not None:
            try:
                patch = self._options.diff.read_bytes()
            except OSError as error:
                name = visible(self._options.diff)
                raise NotFound(f"cannot read the diff {name}: {error.strerror}; check the path") from None
        if (self._commit is None) == (patch is None):
            raise UsageError("name the commit that fixed something, or a diff with --diff FILE, and not both")
        if self._commit is None:
            patched = Patched(checkout.work_tree(), parse(patch or b""))
            changed = pairs(patched.before, patched.after, self._options.limits, only=patched.touched)
            return changed, "a diff", None
        if is_range(self._commit):
            one, other = revisions(checkout, self._commit)
            before, after = checkout.revision(one), checkout.revision(other)
            return pairs(before, after, self._options.limits), self._commit, None
        old, new, commit = checkout.commit(self._commit)
        return pairs(old, new, self._options.limits), f"commit {commit[:12]}", commit

    def _sides(self, changed: Iterable[Pair]) -> Iterator[tuple[Side | None, Side | None]]:
        """The files that are looked at, analyzed."""
        for pair in changed:
            if not isinstance(pair.new, bytes | None):
                self._skipped[pair.new] += 1
            elif not self._options.tests and is_test(pair.path):
                self._tests += 1
            else:
                old = self._side(pair.old_path, pair.old)
                new = self._side(pair.path, pair.new)
                reason = next((side for side in (new, old) if isinstance(side, SkipReason)), None)
                if reason is not None:
                    self._skipped[reason] += 1
                elif not isinstance(old, SkipReason) and not isinstance(new, SkipReason):
                    yield old, new

    def _side(self, path: str | None, content: bytes | None) -> Side | SkipReason | None:
        if path is None or not content:
            return None
        analyzed = self._analyzer.functions(path, content, self._options.limits)
        if isinstance(analyzed, SkipReason):
            return analyzed
        # Where a text has no grammar nothing tells code from prose.
        return Side.of(path, content, analyzed) if any(map(_has_grammar, analyzed[0].tokens.languages)) else None

    def _function(
        self,
        function: ChangedFunction,
        different: Mapping[int, tuple[Hashes, Hashes]],
        search: SearchOptions,
        own: frozenset[str],
        records: Mapping[str, RepositoryRecord],
    ) -> FixedFunction:
        by_blob: dict[str, _Found] = {}
        changes: list[FixedChange] = []
        truncated = False
        for site in function.sites():
            forms = Forms.of(site, different)
            found, is_cut = self._holders(site, search, own)
            truncated |= is_cut
            for blob, (old, new) in found.items():
                match = max(_match(site.old, old), _match(site.new, new))
                holder = old or new
                if holder is None or match < LEAST_MATCH:
                    continue
                known = by_blob.setdefault(blob, _Found(holder))
                known.match = max(known.match, match)
                for number, each in enumerate(held(forms, old, new), len(changes)):
                    known.held[number] = each
            changes += [
                FixedChange(_region(site.old, change.old), _region(site.new, change.new)) for change in forms.changes
            ]
        located = [place for found in by_blob.values() if (place := _location(found, records)) is not None]
        side = function.span[0]
        return FixedFunction(
            path=side.path,
            old_path=None if function.old is None else function.old[0].path,
            name=function.label,
            is_function=function.is_function,
            language=side.language,
            old=None if function.old is None else region(function.old[0].stream, *function.old[1:]),
            new=None if function.new is None else region(function.new[0].stream, *function.new[1:]),
            changes=tuple(changes),
            locations=tuple(sorted(located, key=_order)),
            truncated=truncated,
        )

    def _holders(
        self, site: Site, search: SearchOptions, own: frozenset[str]
    ) -> tuple[dict[str, tuple[Holder | None, Holder | None]], bool]:
        """The contents that have a site, each as it was found by the old and by the new form."""
        both: list[dict[str, Holder]] = []
        truncated = False
        for form in (site.old, site.new):
            found: list[Holder] = []
            if form is not None and form.end - form.begin >= self._options.min_tokens:
                found, is_cut = queries.holders(
                    self._engine,
                    part(form.side.stream, form.begin, form.end),
                    search,
                    own=own,
                    references=self._references,
                    admitted_blobs=self._admitted,
                )
                truncated |= is_cut
            both.append(
                {
                    holder.blob: holder
                    for holder in found
                    if sum(run.end - run.begin for run in holder.runs) >= self._options.min_tokens
                }
            )
        old, new = both
        return {blob: (old.get(blob), new.get(blob)) for blob in sorted({*old, *new})}, truncated

    def _report(self, path: str, functions: int, total: int) -> None:
        if self._options.progress is not None:
            seconds = time.perf_counter() - self._began
            self._options.progress(FixedProgress(path, functions, total, seconds))


def _has_grammar(language: str) -> bool:
    return bool(LANGUAGES[language].grammar)


def _different(olds: Sequence[Side | None], news: Sequence[Side | None], k: int) -> tuple[Hashes, Hashes]:
    """The k-grams of which all files together have fewer after the change, and those of which they have more."""
    every = [side.hashes(k) for sides in (olds, news) for side in sides if side is not None]
    signs = [sign for sides, sign in ((olds, -1), (news, 1)) for side in sides if side is not None]
    hashes = np.concatenate([np.empty(0, np.uint64), *every])
    values, numbers = np.unique(hashes, return_inverse=True)
    weights = np.repeat(signs, [len(each) for each in every])
    counts = np.bincount(numbers, weights, minlength=len(values))
    return values[counts < 0], values[counts > 0]


def _match(form: Part | None, holder: Holder | None) -> float:
    """The share of a form that a content has."""
    if form is None or holder is None:
        return 0.0
    return sum(run.end - run.begin for run in holder.runs) / (form.end - form.begin)


def _region(form: Part | None, span: tuple[int, int]) -> Region | None:
    """A changed place of a file; of none of its tokens, those around it where they are on one line."""
    if form is None:
        return None
    (begin, end), stream = span, form.side.stream
    if begin < end:
        return region(stream, begin, end)
    is_inside = 0 < begin < len(stream) and stream.end_lines[begin - 1] == stream.start_lines[begin]
    return region(stream, begin - 1, begin + 1) if is_inside else None


def _location(found: _Found, records: Mapping[str, RepositoryRecord]) -> FixedLocation | None:
    """What a content holds of a function; None where it has none of the changed places."""
    there = {number: each for number, each in found.held.items() if each.place is not None}
    places = tuple(
        FixedPlace(number, region(found.holder.stream, *each.place), score_of([each]).score)
        for number, each in sorted(there.items())
        if each.place is not None
    )
    if not places:
        return None
    score = score_of(there.values())
    form, certainty = judged(score)
    return FixedLocation(
        blob=found.holder.blob,
        language=found.holder.language,
        occurrences=found.holder.occurrences,
        form=form,
        certainty=certainty,
        score=score.score,
        held_old=score.held_old,
        held_new=score.held_new,
        match=int(found.match * 10_000) / 100,
        places=places,
        records={at.repository: records[at.repository] for at in found.holder.occurrences if at.repository in records},
    )


def _order(location: FixedLocation) -> tuple[int, float, Sequence[str]]:
    """Old forms first, the surest first; then by place."""
    at = location.occurrences[0]
    return list(Form).index(location.form), -abs(location.score), (at.repository, at.path, location.blob)
