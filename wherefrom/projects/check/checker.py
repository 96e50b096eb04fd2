"""The check: what is looked at, looked up, and compared with the baseline."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from wherefrom import queries
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.model import Rule, SkipReason
from wherefrom.options import CheckOptions, SearchOptions
from wherefrom.projects.changes.comparison import Changed, Scope
from wherefrom.projects.changes.patches import parse
from wherefrom.projects.changes.shown import ShownProject
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
from wherefrom.projects.check.judging import CountedFinding
from wherefrom.projects.check.lookup import Checked, Setup
from wherefrom.projects.check.parallel import Lookups
from wherefrom.projects.check.project import Project
from wherefrom.projects.check.states import Inspected, inspected
from wherefrom.projects.check.unfinished import UnfinishedCheck
from wherefrom.queries import frameworks
from wherefrom.sources.checkout import Checkout

_BASELINE = Acceptance("baseline")


@dataclass(slots=True)
class _Tally:
    """What the lookups have come to so far; `found` counts findings that count, `unread` has no empty files."""

    checked: list[Checked] = field(default_factory=list)
    contents: dict[str, bytes] = field(default_factory=dict)
    units: int = 0
    found: int = 0
    skipped: Counter[SkipReason] = field(default_factory=Counter)
    unread: set[str] = field(default_factory=set)

    def add(self, changed: Changed, outcome: Checked | SkipReason | None) -> None:
        """Takes what `Lookup.file` gives for a file."""
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

    def findings(self) -> Iterator[tuple[CountedFinding, Checked]]:
        """Every finding with its file, by path, then by place, then by rule."""
        everything = ((found, file) for file in self.checked for found in file.found)
        yield from sorted(everything, key=lambda pair: _order(pair[0].finding))

    def unexplained(self) -> list[tuple[str, int]]:
        """Path and line of every mark without a reason."""
        marks = ((file.path, line, reason) for file in self.checked for line, reason in file.marks.reasons.items())
        return sorted((path, line) for path, line, reason in marks if not reason)


class Check:
    """One check.

    Args:
        engine: the index.
        paths: files and folders of one project; empty for the working directory. None: the project is not at hand, and
            known only by the diff in the options.
        options: what to check, and how.
        analyzer: what analyzes the files.
        reopen: opens the index in another process, or in a later run; None where it cannot be opened again.
    """

    def __init__(
        self,
        engine: Engine,
        paths: Sequence[str | Path] | None,
        options: CheckOptions,
        analyzer: Analyzer | None = None,
        reopen: Callable[[], Engine] | None = None,
    ) -> None:
        self._engine = engine
        self._paths = paths
        self._options = options
        self._analyzer = analyzer or Analyzer()
        self._reopen = reopen
        self._began = time.perf_counter()

    def run(self) -> CheckReport:
        """Checks, and updates the baseline where that is asked for.

        Raises:
            UsageError: options that do not go together.
            SourceError: the project, a revision or the diff cannot be read, or the diff does not apply.
            BoilerplateError: a set is not there.
            BaselineError: the baseline cannot be used.
        """
        path = self._options.baseline
        is_new = path is None or (self._options.update_baseline and not path.exists())
        entries = frozenset() if path is None or is_new else load_baseline(path)
        checkout, inside = self._checkout()
        looked_at = inspected(checkout, inside, self._options)
        setup = self._setup(checkout, looked_at)
        known = KnownFindings(entries, {entry.path for entry in looked_at.files.entries()} if entries else ())
        name = "\n".join([checkout.key, looked_at.state, *sorted(inside), self._engine.location])
        is_kept = self._reopen is not None and self._paths is not None
        with UnfinishedCheck(name if is_kept else None, setup.digest(self._engine)) as unfinished:
            tally = self._look_up(setup, looked_at, known, unfinished)
            findings = self._with_records(list(self._accepted(tally, known)))
            stale = self._stale(looked_at, inside, known, tally)
            kept = known.kept(stale)
            if path is not None and (self._options.update_baseline or self._options.prune_baseline):
                # With `update_baseline` what fails is kept as well.
                rules = self._failing_rules() if self._options.update_baseline else ()
                kept |= {_entry(finding) for finding in findings if finding.fails(rules)}
                write_baseline(path, kept)
                findings = [
                    replace(each, accepted=_BASELINE) if each.accepted is None and _entry(each) in kept else each
                    for each in findings
                ]
                stale = set()
            unfinished.finish()
        copies = {finding.path: finding.copy for finding in findings if finding.copy is not None}
        return CheckReport(
            project=checkout.key,
            state=looked_at.state,
            engine=self._engine.name,
            files=len(tally.checked),
            units=tally.units,
            resumed=unfinished.resumed,
            skipped=dict(tally.skipped),
            own=tuple(sorted(setup.own)),
            findings=tuple(findings),
            fail_on=self._failing_rules(),
            folders=copied_folders(copies, [file.path for file in tally.checked if file.has_code]),
            stale=tuple(sorted(stale)),
            unexplained=tuple(tally.unexplained()),
            seconds=round(time.perf_counter() - self._began, 3),
            boilerplate=tuple(sorted(file.path for file in tally.checked if file.is_boilerplate)),
            index=self._engine.location,
            baseline=tuple(sorted(kept)),
            contents=tally.contents,
            texts=queries.texts(self._engine),
        )

    def _checkout(self) -> tuple[Checkout | ShownProject, tuple[str, ...]]:
        """The project, and the paths in it that are meant."""
        if self._paths is not None:
            return Checkout.of(self._paths or ["."])
        return ShownProject(parse(self._options.patch or b"")), ()

    def _setup(self, checkout: Checkout | ShownProject, looked_at: Inspected) -> Setup:
        own = queries.own_keys(self._engine.repositories(), checkout.keys(), self._options.own)
        sets = queries.left_out(self._engine, self._options)
        if not self._options.include_frameworks and all(each.name != frameworks.NAME for each in sets):
            sets.append(queries.stored_set(self._engine, frameworks.NAME))
        return Setup(
            Project.of(looked_at.files, self._options.limits, self._analyzer),
            self._options,
            SearchOptions(limit=MOST_PLACES, without_sets=sets),
            own,
            isinstance(checkout, ShownProject),
        )

    def _look_up(self, setup: Setup, looked_at: Inspected, known: KnownFindings, unfinished: UnfinishedCheck) -> _Tally:
        """Looks every file up."""
        tally = _Tally()
        total = len(looked_at.paths)
        # An entry of a file that is gone may fit any other one.
        is_all_whole = not looked_at.is_change or bool(known.gone)
        tasks = ((changed, is_all_whole or changed.path in known.paths) for changed in looked_at.changed)
        lookups = Lookups(setup, self._engine, self._analyzer, self._reopen, total, unfinished=unfinished)
        for done, (changed, outcome) in enumerate(lookups.run(tasks), 1):
            tally.add(changed, outcome)
            self._tell(changed.path, done, total, tally, unfinished)
        self._tell("", total, total, tally, unfinished)
        return tally

    @staticmethod
    def _accepted(tally: _Tally, known: KnownFindings) -> Iterator[Finding]:
        """The findings that count, in their order, each accepted or not."""
        for found, file in tally.findings():
            finding = found.finding
            # Those that do not count take their entries of the baseline as well.
            fits = known.fits(_entry(finding))
            for mark in found.files:
                fits |= known.fits(BaselineEntry(finding.path, finding.rule, mark))
            reason = file.marks.reason(*found.starts, last=found.last)
            accepted = _BASELINE if fits else None
            if found.counts:
                yield replace(finding, accepted=accepted if reason is None else Acceptance("comment", reason))

    def _with_records(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings, whose places know the records of their repositories."""
        occurrences = (place.occurrence for finding in findings for place in finding.places)
        records = queries.records_at(self._engine, occurrences)
        return [
            replace(
                finding,
                places=tuple(replace(at, record=records.get(at.occurrence.repository)) for at in finding.places),
            )
            for finding in findings
        ]

    @staticmethod
    def _stale(looked_at: Inspected, inside: Sequence[str], known: KnownFindings, tally: _Tally) -> set[BaselineEntry]:
        """The entries of the baseline that fit nothing any longer."""
        scope = Scope(inside)
        paths = set(looked_at.paths) if looked_at.is_change else {path for path in known.paths if scope.holds(path)}
        is_whole = not looked_at.is_change and (not inside or "" in inside)
        return known.stale(paths - tally.unread, is_whole=is_whole)

    def _failing_rules(self) -> tuple[Rule, ...]:
        return tuple(rule for rule in Rule if rule in self._options.fail_on)

    def _tell(self, path: str, done: int, total: int, tally: _Tally, unfinished: UnfinishedCheck) -> None:
        """Calls the caller's `progress`."""
        if self._options.progress is not None:
            seconds = time.perf_counter() - self._began
            self._options.progress(
                CheckProgress(path, done, total, tally.units, tally.found, seconds, unfinished.resumed)
            )


def _entry(finding: Finding) -> BaselineEntry:
    return BaselineEntry(finding.path, finding.rule, finding.fingerprint)


def _order(finding: Finding) -> tuple[str, int, int, int]:
    region = finding.region
    return finding.path, region.start_byte, region.end_byte, list(Rule).index(finding.rule)
