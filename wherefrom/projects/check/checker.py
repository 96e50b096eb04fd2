"""Runs a check: looks the files up and compares the findings with the baseline."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.model import Rule, SkipReason
from wherefrom.options import CheckOptions, SearchOptions
from wherefrom.projects.changes.comparison import Changed, Scope, ShownProject
from wherefrom.projects.changes.patches import parse
from wherefrom.projects.check.ages import Ages
from wherefrom.projects.check.baseline import KnownFindings, load_baseline, write_baseline
from wherefrom.projects.check.findings import (
    MOST_PLACES,
    Acceptance,
    BaselineEntry,
    CheckProgress,
    CheckReport,
    Finding,
)
from wherefrom.projects.check.folders import copied_folders
from wherefrom.projects.check.lookup import LookedUpFile, Setup
from wherefrom.projects.check.parallel import Lookups
from wherefrom.projects.check.project import Project
from wherefrom.projects.check.states import Inspected, inspected
from wherefrom.projects.check.unfinished import UnfinishedCheck
from wherefrom.queries import boilerplate, filters, frameworks, occurrences
from wherefrom.sources.checkout import Checkout

_BASELINE = Acceptance("baseline")


@dataclass(slots=True)
class _Tally:
    """The results so far. `found` counts the findings that count. `unread` has the paths of skipped, nonempty files."""

    checked: list[LookedUpFile] = field(default_factory=list)
    contents: dict[str, bytes] = field(default_factory=dict)
    units: int = 0
    found: int = 0
    skipped: Counter[SkipReason] = field(default_factory=Counter)
    unread: set[str] = field(default_factory=set)

    def add(self, changed: Changed, outcome: LookedUpFile | SkipReason | None) -> None:
        if isinstance(outcome, SkipReason):
            self.skipped[outcome] += 1
            if outcome is not SkipReason.EMPTY:
                self.unread.add(changed.path)
        elif outcome is not None:
            self.checked.append(outcome)
            self.units += outcome.units
            counting = sum(found.counts for found in outcome.found)
            self.found += counting
            if counting and isinstance(changed.content, bytes):
                self.contents[changed.path] = changed.content


@dataclass(slots=True)
class Check:
    """One check.

    Attributes:
        engine: the index.
        paths: files and folders of one project; empty for the working directory. None: the project is not at hand, only
            the diff in the options.
        options: what to check, and how.
        analyzer: analyzes the files.
        reopen: opens the index in another process; None if it cannot be opened again.
    """

    engine: Engine
    paths: Sequence[str | Path] | None
    options: CheckOptions
    analyzer: Analyzer
    reopen: Callable[[], Engine] | None
    _began: float = field(default_factory=time.perf_counter, init=False)

    def run(self) -> CheckReport:
        """Checks the project, and updates the baseline if the options say so.

        Raises:
            UsageError: the options contradict each other.
            SourceError: the project, a revision or the diff cannot be read, or the diff does not apply.
            BoilerplateError: a boilerplate set does not exist.
            BaselineError: the baseline cannot be used.
        """
        path = self.options.baseline
        fail_on = tuple(rule for rule in Rule if rule in self.options.fail_on)
        is_new = path is None or (self.options.update_baseline and not path.exists())
        entries = frozenset() if path is None or is_new else load_baseline(path)
        checkout: Checkout | ShownProject = ShownProject(parse(self.options.patch or b""))
        inside: Sequence[str] = ()
        if self.paths is not None:
            checkout, inside = Checkout.of(self.paths or ["."], self.options.texts or ())
        looked_at = inspected(checkout, inside, self.options)
        setup = self._setup(checkout, looked_at)
        known = KnownFindings(entries, {entry.path for entry in looked_at.files.entries()} if entries else ())
        name = "\n".join([checkout.key, looked_at.state, *sorted(inside), self.engine.location])
        is_kept = self.reopen is not None and self.paths is not None and not self.options.texts
        with UnfinishedCheck(name if is_kept else None, setup.digest(self.engine)) as unfinished:
            tally = self._look_up(setup, looked_at, known, unfinished)
            findings = self._with_records(list(self._accepted(tally, known)))
            project = checkout if isinstance(checkout, Checkout) else None
            ages = Ages(self.engine, self.analyzer, project, looked_at.files, tally.contents, setup.own)
            findings = ages.of(findings)
            stale = self._stale(looked_at, inside, known, tally)
            kept = known.kept(stale)
            if path is not None and (self.options.update_baseline or self.options.prune_baseline):
                if self.options.update_baseline:
                    kept |= {_entry(finding) for finding in findings if finding.fails(fail_on)}
                write_baseline(path, kept)
                findings = [
                    replace(finding, accepted=finding.accepted or (_BASELINE if _entry(finding) in kept else None))
                    for finding in findings
                ]
                stale = set()
            unfinished.finish()
        copies = {finding.path: finding.copy for finding in findings if finding.copy is not None}
        return CheckReport(
            project=checkout.key,
            state=looked_at.state,
            engine=self.engine.name,
            files=len(tally.checked),
            units=tally.units,
            resumed=unfinished.resumed,
            skipped=dict(tally.skipped),
            own=setup.own.shown(),
            findings=tuple(findings),
            fail_on=fail_on,
            folders=copied_folders(copies, [file.path for file in tally.checked if file.has_code]),
            stale=tuple(sorted(stale)),
            unexplained=tuple(
                sorted(
                    (file.path, line)
                    for file in tally.checked
                    for line, reason in file.marks.reasons.items()
                    if not reason
                )
            ),
            seconds=round(time.perf_counter() - self._began, 3),
            boilerplate=tuple(sorted(file.path for file in tally.checked if file.is_boilerplate)),
            index=self.engine.location,
            baseline=tuple(sorted(kept)),
            contents=tally.contents,
            texts=occurrences.texts(self.engine),
        )

    def _setup(self, checkout: Checkout | ShownProject, looked_at: Inspected) -> Setup:
        own = filters.OwnPlaces.named(self.engine, self.options.own, checkout.keys())
        sets = boilerplate.left_out(self.engine, self.options)
        if not self.options.include_frameworks and all(left_out.name != frameworks.NAME for left_out in sets):
            sets.append(boilerplate.stored_set(self.engine, frameworks.NAME))
        return Setup(
            Project.of(looked_at.files, self.options.limits, self.analyzer),
            self.options,
            SearchOptions(limit=MOST_PLACES, without_sets=sets),
            own,
            isinstance(checkout, ShownProject),
        )

    def _look_up(self, setup: Setup, looked_at: Inspected, known: KnownFindings, unfinished: UnfinishedCheck) -> _Tally:
        tally = _Tally()
        total = len(looked_at.paths)
        # If the baseline has entries of deleted files, any file may be such a file under a new name.
        is_all_whole = not looked_at.is_change or bool(known.gone)
        files = (
            replace(changed, is_whole=is_all_whole or changed.path in known.paths) for changed in looked_at.changed
        )
        lookups = Lookups(setup, self.engine, self.analyzer, self.reopen, total, unfinished)
        for done, (changed, outcome) in enumerate(lookups.run(files), 1):
            tally.add(changed, outcome)
            self._tell(changed.path, done, total, tally, unfinished)
        self._tell("", total, total, tally, unfinished)
        return tally

    @staticmethod
    def _accepted(tally: _Tally, known: KnownFindings) -> Iterator[Finding]:
        """The findings that count, by path and position, with `Finding.accepted` set."""
        everything = ((found, file) for file in tally.checked for found in file.found)
        for found, file in sorted(everything, key=lambda pair: _order(pair[0].finding)):
            finding = found.finding
            # Findings that do not count are matched too: otherwise their entries in the baseline would look stale.
            fits = known.fits(_entry(finding))
            for fingerprint in found.files:
                fits |= known.fits(BaselineEntry(finding.path, finding.rule, fingerprint))
            reason = file.marks.reason(*found.starts, last=found.last)
            if found.counts:
                by_comment = None if reason is None else Acceptance("comment", reason)
                yield replace(finding, accepted=by_comment or (_BASELINE if fits else None))

    def _with_records(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings, with the records of the repositories of their places."""
        places = (place.occurrence for finding in findings for place in finding.places)
        records = occurrences.records_at(self.engine, places)
        return [
            replace(
                finding,
                places=tuple(replace(at, record=records.get(at.occurrence.repository)) for at in finding.places),
            )
            for finding in findings
        ]

    @staticmethod
    def _stale(looked_at: Inspected, inside: Sequence[str], known: KnownFindings, tally: _Tally) -> set[BaselineEntry]:
        """The entries of the baseline that match no finding any longer."""
        scope = Scope(frozenset(inside))
        paths = set(looked_at.paths) if looked_at.is_change else {path for path in known.paths if scope.holds(path)}
        is_whole = not looked_at.is_change and (not inside or "" in inside)
        return known.stale(paths - tally.unread, is_whole=is_whole)

    def _tell(self, path: str, done: int, total: int, tally: _Tally, unfinished: UnfinishedCheck) -> None:
        if self.options.progress is not None:
            seconds = time.perf_counter() - self._began
            self.options.progress(
                CheckProgress(path, done, total, tally.units, tally.found, seconds, unfinished.resumed)
            )


def _entry(finding: Finding) -> BaselineEntry:
    return BaselineEntry(finding.path, finding.rule, finding.fingerprint)


def _order(finding: Finding) -> tuple[str, int, int, int]:
    region = finding.region
    return finding.path, region.start_byte, region.end_byte, list(Rule).index(finding.rule)
