"""Compares since when the project has a piece of code with since when the other places have it."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.errors import AnalysisError, SourceError
from wherefrom.indexer.history import EARLIEST, SLACK_SECONDS
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.options import FirstOptions
from wherefrom.projects.check.findings import Finding, MatchedLocation
from wherefrom.queries.filters import OwnPlaces
from wherefrom.queries.first import first
from wherefrom.queries.history import Histories, LineRanges, is_vendored, owner_of
from wherefrom.queries.judging.odds import STRONG
from wherefrom.queries.occurrences import records_at
from wherefrom.results import Age, Appearance, Doubt
from wherefrom.sources.checkout import Checkout
from wherefrom.sources.git import GitSource, read_path, resolve
from wherefrom.sources.indexed import BlamedCommit, blamed_commits, latest_before
from wherefrom.sources.source import Files, blob_ids, path_bytes
from wherefrom.support.contract import day_of
from wherefrom.support.values import dataclass, field, replace

DATED_SECONDS = 60.0
"""A check reads the history of its project for at most this long. Code that is not dated by then has no known day."""

MOST_PLACES = 1_000  # if more places than these have a piece, it is not known whether the project had it first


@dataclass(slots=True)
class Ages:
    """Dates the findings of a check by the history of the index, and of the project (`checkout`) if it is at hand. The
    checked state of the project are `files`; `contents` are those with findings, by path.
    """

    engine: Engine
    analyzer: Analyzer
    checkout: Checkout | None
    files: Files
    contents: Mapping[str, bytes]
    own: OwnPlaces
    _histories: Histories = field(init=False)
    _seconds: float = field(default=DATED_SECONDS, init=False)

    def __post_init__(self) -> None:
        self._histories = Histories(self.engine)
        self._histories.refresh()

    def of(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings with `Finding.since`, `Finding.is_older` and the ages of their places."""
        places = [place for finding in findings for place in finding.places]
        lines = [[(region.start_line, region.end_line) for region in place.matched_regions] for place in places]
        found = self._histories.ages([(place.occurrence, at) for place, at in zip(places, lines, strict=True)])
        if not any(found):
            return list(findings)
        ages = iter(found)
        dated = [
            replace(finding, places=tuple(replace(place, age=next(ages)) for place in finding.places))
            for finding in findings
        ]
        comparable = [number for number, finding in enumerate(dated) if any(place.age for place in finding.places)]
        for number, since in zip(comparable, self._since([dated[at] for at in comparable]), strict=True):
            if since is not None:
                older = self._is_older(dated[number], since)
                dated[number] = replace(dated[number], since=since, is_older=older)
        return dated

    def _is_older(self, finding: Finding, since: Appearance) -> bool:
        """Whether the project had all of a piece before any other repository had any of it.

        Every line here must be older than the first commit of each known place that has the code or had it. A date that
        may be wrong proves nothing. Ours must not be too early: before that of an earlier commit, or out of range.
        Theirs must not be too late: of an import, a merge, a vendored folder, or the first commit of a repository. If
        the author's date there is earlier, it counts. Vendored code here is not the project's.
        """
        day = since.not_after
        if day is None or Doubt.VENDORED in since.doubts:
            return False

        def is_younger(age: Age | None) -> bool:
            begun = None if age is None else age.first.not_before
            return begun is not None and day < begun

        if not all(is_younger(place.age) for place in finding.places):
            return False
        region = finding.region
        options = FirstOptions(name=finding.path, lines=(region.start_line, region.end_line), limit=MOST_PLACES)
        try:
            found = first(self.engine, self.contents[finding.path], options, analyzer=self.analyzer, reads_clones=False)
        except AnalysisError:
            return False
        owners = set() if self.checkout is None else set(map(owner_of, self.checkout.keys()))
        others = [
            place
            for place in found.places
            if place.probability >= STRONG
            and place.occurrence not in self.own
            and owner_of(place.occurrence.repository) not in owners
        ]
        return (
            found.total <= MOST_PLACES
            and {place.occurrence.repository for place in finding.places}
            <= {place.occurrence.repository for place in others}
            and all(is_younger(place.age) for place in others)
        )

    def _since(self, findings: Sequence[Finding]) -> list[Appearance | None]:
        """The commit since which the project has all lines of each finding, from the index or else from the clone."""
        if self.checkout is None:
            return [None] * len(findings)
        root, ranges = self.checkout.root, [_lines(finding) for finding in findings]
        found: list[Appearance | None] = [None] * len(findings)
        records = self.engine.repositories(OwnPlaces.named(self.engine, (), self.checkout.keys()).keys)
        for record in records:
            indexed = [
                (self._occurrence(record, finding.path), at) for finding, at in zip(findings, ranges, strict=True)
            ]
            ages = self._histories.ages(indexed)
            found = [known or (None if age is None else age.newest) for known, age in zip(found, ages, strict=True)]
        blamed = [
            self._blamed(finding.path, at) if known is None else ()
            for known, finding, at in zip(found, findings, ranges, strict=True)
        ]
        named = [*dict.fromkeys(commit.id for commits in blamed for commit in commits)]
        latest = latest_before(root, named, seconds=self._seconds) if named and self._seconds > 0 else {}
        return [
            known or (_appearance(commits, finding.path, latest) if commits else None)
            for known, commits, finding in zip(found, blamed, findings, strict=True)
        ]

    def _occurrence(self, record: RepositoryRecord, path: str) -> Occurrence:
        """The content of a file of the project, as if it were indexed in a repository."""
        sha1, sha256 = blob_ids(self.contents[path])
        return Occurrence(record.key, path, sha256 if len(record.revision) == len(sha256) else sha1, record.revision)

    def _blamed(self, path: str, ranges: LineRanges) -> Sequence[BlamedCommit]:
        """The commits that wrote some lines. Empty if the file has changes that are not committed."""
        if self.checkout is None or not self.checkout.is_git or self._seconds <= 0:
            return ()
        begin = time.monotonic()
        root = self.checkout.root
        commits: Sequence[BlamedCommit] = ()
        with suppress(SourceError, OSError):
            revision = self.files.revision if isinstance(self.files, GitSource) else resolve(root, None)
            committed = (read_path(root, revision, raw) for raw in path_bytes(path) if revision)
            if any(read is not None and read[1] == self.contents[path] for read in committed):
                commits = blamed_commits(root, path, ranges, revision=revision, seconds=self._seconds)
        self._seconds -= time.monotonic() - begin
        return commits


def with_records(engine: Engine, findings: Sequence[Finding]) -> list[Finding]:
    """The findings, with the records of the repositories of their places."""
    records = records_at(engine, (place.occurrence for finding in findings for place in finding.places))

    def known(places: Sequence[MatchedLocation]) -> tuple[MatchedLocation, ...]:
        return tuple(replace(at, record=records.get(at.occurrence.repository)) for at in places)

    return [replace(finding, places=known(finding.places)) for finding in findings]


def _lines(finding: Finding) -> LineRanges:
    first_line, last_line = finding.region.start_line, finding.region.end_line
    clipped = {
        (max(pair.query.start_line, first_line), min(pair.query.end_line, last_line))
        for place in finding.places
        for pair in place.regions
    }
    return sorted((begin, end) for begin, end in clipped if begin <= end) or [(first_line, last_line)]


def _appearance(commits: Sequence[BlamedCommit], path: str, latest: Mapping[str, int]) -> Appearance:
    newest = max(commits, key=lambda commit: commit.committed)
    doubts = []
    if any(latest.get(commit.id, math.inf) > commit.committed + SLACK_SECONDS for commit in commits):
        doubts.append(Doubt.OUT_OF_ORDER)
    if not all(EARLIEST <= commit.committed <= time.time() + SLACK_SECONDS for commit in commits):
        doubts.append(Doubt.OUT_OF_RANGE)
    if is_vendored(path):
        doubts.append(Doubt.VENDORED)
    return Appearance(
        commit=newest.id, day=day_of(newest.committed), written=day_of(newest.authored), doubts=tuple(doubts)
    )
