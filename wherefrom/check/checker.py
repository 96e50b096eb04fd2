"""The check: all that is looked at, looked up, and compared with the baseline."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from wherefrom import queries
from wherefrom.changes.comparison import Scope
from wherefrom.check.baseline import load_baseline, write_baseline
from wherefrom.check.findings import MOST_PLACES, Acceptance, BaselineEntry, CheckProgress, CheckReport, Finding
from wherefrom.check.lookup import Checked, Lookup
from wherefrom.check.project import Project
from wherefrom.check.states import inspected
from wherefrom.model import Rule, SkipReason
from wherefrom.options import SearchOptions
from wherefrom.sources.checkout import Checkout
from wherefrom.workers.analyzer import Analyzer

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from wherefrom.engines.engine import Engine
    from wherefrom.options import CheckOptions, SearchOptions


class Check:
    """One check.

    Args:
        engine: the index.
        paths: files and folders of one project; empty for the working directory.
        options: what to check, and how.
        analyzer: what analyzes the files.
    """

    def __init__(
        self,
        engine: Engine,
        paths: Sequence[str | Path],
        options: CheckOptions,
        analyzer: Analyzer | None = None,
    ) -> None:
        self._engine = engine
        self._analyzer = analyzer or Analyzer()
        self._options = options
        self._paths = paths or ["."]
        self._progress = options.progress
        self._began = time.perf_counter()
        self._skipped: Counter[SkipReason] = Counter()
        self._unread: set[str] = set()
        self._findings: list[Finding] = []
        self._contents: dict[str, bytes] = {}
        self._unexplained: list[tuple[str, int]] = []
        self._seen: set[BaselineEntry] = set()
        self._files = self._units = 0

    def run(self) -> CheckReport:
        """Checks, and updates the baseline where that is asked for.

        Raises:
            UsageError: options that do not go together.
            SourceError: the project, a revision or the diff cannot be read, or the diff does not apply.
            BoilerplateError: a set is not there.
            BaselineError: the baseline cannot be used.
        """
        entries = self._baseline()
        checkout, inside = Checkout.of(self._paths)
        own = queries.own_keys(self._engine.repositories(), checkout.keys(), self._options.own)
        sets = queries.stored_sets(self._engine, self._options.without)
        looked_at = inspected(checkout, inside, self._options)
        lookup = Lookup(
            self._engine,
            queries.IndexReferences(self._engine),
            Project.of(looked_at.files, self._options.limits, self._analyzer),
            options=self._options,
            search=SearchOptions(limit=MOST_PLACES, without_sets=sets),
            own=own,
            analyzer=self._analyzer,
        )
        accepted = {entry.path for entry in entries}
        total = len(looked_at.paths)
        for number, changed in enumerate(looked_at.changed):
            self._report(changed.path, number, total)
            is_whole = not looked_at.is_change or changed.path in accepted
            file = lookup.file(changed, is_whole=is_whole)
            if isinstance(file, SkipReason):
                self._skipped[file] += 1
                if file is not SkipReason.EMPTY:
                    self._unread.add(changed.path)
            elif file is not None:
                self._add(file, entries)
        self._report("", total, total)
        scope = Scope(inside)
        meant = set(looked_at.paths) if looked_at.is_change else {path for path in accepted if scope.holds(path)}
        stale = {entry for entry in entries if entry.path in meant - self._unread} - self._seen
        if self._options.update_baseline and self._options.baseline is not None:
            self._update(entries - stale, self._options.baseline)
            stale = set()
        return CheckReport(
            project=checkout.key,
            state=looked_at.state,
            engine=self._engine.name,
            files=self._files,
            units=self._units,
            skipped=dict(self._skipped),
            own=tuple(sorted(own)),
            findings=tuple(sorted(self._findings, key=_order)),
            fail_on=self._failing_rules(),
            stale=tuple(sorted(stale)),
            unexplained=tuple(sorted(self._unexplained)),
            seconds=round(time.perf_counter() - self._began, 3),
            contents=self._contents,
            texts=queries.texts(self._engine),
        )

    def _baseline(self) -> frozenset[BaselineEntry]:
        path = self._options.baseline
        if path is None or (self._options.update_baseline and not path.exists()):
            return frozenset()
        return load_baseline(path)

    def _failing_rules(self) -> tuple[Rule, ...]:
        return tuple(rule for rule in Rule if rule in self._options.fail_on)

    def _add(self, file: Checked, entries: Collection[BaselineEntry]) -> None:
        """Takes the findings of a file that count, each accepted or not."""
        self._files += 1
        self._units += file.units
        self._unexplained += [(file.path, line) for line, reason in file.marks.reasons.items() if not reason]
        for found in file.found:
            finding = found.finding
            entry = _entry(finding)
            self._seen.add(entry)
            if not found.counts:
                continue
            self._contents[file.path] = file.content
            lines = finding.region
            reason = file.marks.reason(lines.start_line, found.first_line, last=lines.end_line)
            if reason is not None:
                finding = replace(finding, accepted=Acceptance("comment", reason))
            elif entry in entries:
                finding = replace(finding, accepted=Acceptance("baseline"))
            self._findings.append(finding)

    def _update(self, kept: Collection[BaselineEntry], path: Path) -> None:
        """Writes what fails into the baseline, beside what is still there, and takes it for accepted."""
        rules = self._failing_rules()
        fresh = {_entry(each) for each in self._findings if each.accepted is None and each.rule in rules}
        write_baseline(path, {*kept, *fresh})
        self._findings = [
            replace(each, accepted=Acceptance("baseline")) if each.accepted is None and _entry(each) in fresh else each
            for each in self._findings
        ]

    def _report(self, path: str, files: int, total: int) -> None:
        if self._progress is not None:
            seconds = time.perf_counter() - self._began
            self._progress(CheckProgress(path, files, total, self._units, len(self._findings), seconds))


def _entry(finding: Finding) -> BaselineEntry:
    return BaselineEntry(finding.path, finding.rule, finding.fingerprint)


def _order(finding: Finding) -> tuple[str, int, int, int]:
    region = finding.region
    return finding.path, region.start_byte, region.end_byte, list(Rule).index(finding.rule)
