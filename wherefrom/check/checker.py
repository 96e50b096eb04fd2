"""The check: all that is looked at, looked up, and compared with the baseline."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from wherefrom import queries
from wherefrom.changes.comparison import Scope
from wherefrom.check.baseline import KnownFindings, load_baseline, write_baseline
from wherefrom.check.findings import MOST_PLACES, Acceptance, BaselineEntry, CheckProgress, CheckReport, Finding
from wherefrom.check.folders import copied_folders
from wherefrom.check.parallel import Lookups, Setup
from wherefrom.check.project import Project
from wherefrom.check.states import inspected
from wherefrom.model import Rule, SkipReason
from wherefrom.options import SearchOptions
from wherefrom.sources.checkout import Checkout
from wherefrom.workers.analyzer import Analyzer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from wherefrom.check.lookup import Checked, Found
    from wherefrom.engines.engine import Engine
    from wherefrom.options import CheckOptions, SearchOptions


class Check:
    """One check.

    Args:
        engine: the index.
        paths: files and folders of one project; empty for the working directory.
        options: what to check, and how.
        analyzer: what analyzes the files.
        reopen: opens the index in another process; None where it cannot be opened again.
    """

    def __init__(
        self,
        engine: Engine,
        paths: Sequence[str | Path],
        options: CheckOptions,
        analyzer: Analyzer | None = None,
        reopen: Callable[[], Engine] | None = None,
    ) -> None:
        self._engine = engine
        self._analyzer = analyzer or Analyzer()
        self._options = options
        self._reopen = reopen
        self._paths = paths or ["."]
        self._progress = options.progress
        self._began = time.perf_counter()
        self._skipped: Counter[SkipReason] = Counter()
        self._unread: set[str] = set()
        self._checked: list[Checked] = []
        self._found = 0
        self._contents: dict[str, bytes] = {}
        self._unexplained: list[tuple[str, int]] = []
        self._units = 0

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
        setup = Setup(
            Project.of(looked_at.files, self._options.limits, self._analyzer),
            self._options,
            SearchOptions(limit=MOST_PLACES, without_sets=sets),
            own,
        )
        lookups = Lookups(setup, self._engine, self._analyzer, self._reopen, len(looked_at.paths))
        known = KnownFindings(entries, {entry.path for entry in looked_at.files.entries()} if entries else ())
        accepted = {entry.path for entry in entries}
        total = len(looked_at.paths)
        # An entry of a file that is gone may fit any other one.
        is_all_whole = not looked_at.is_change or bool(known.gone)
        files = ((changed, is_all_whole or changed.path in accepted) for changed in looked_at.changed)
        for number, (changed, file) in enumerate(lookups.run(files), 1):
            self._report(changed.path, number, total)
            if isinstance(file, SkipReason):
                self._skipped[file] += 1
                if file is not SkipReason.EMPTY:
                    self._unread.add(changed.path)
            elif file is not None and isinstance(changed.content, bytes):
                self._add(file, changed.content)
        self._report("", total, total)
        findings = self._accepted(known)
        scope = Scope(inside)
        meant = set(looked_at.paths) if looked_at.is_change else {path for path in accepted if scope.holds(path)}
        is_all = not looked_at.is_change and (not inside or "" in inside)
        stale = known.stale(meant - self._unread, is_whole=is_all)
        if self._options.baseline is not None and (self._options.update_baseline or self._options.prune_baseline):
            findings = self._update(findings, known.kept(stale), self._options.baseline)
            stale = set()
        copies = {finding.path: finding.copy for finding in findings if finding.copy is not None}
        return CheckReport(
            project=checkout.key,
            state=looked_at.state,
            engine=self._engine.name,
            files=len(self._checked),
            units=self._units,
            skipped=dict(self._skipped),
            own=tuple(sorted(own)),
            findings=tuple(findings),
            fail_on=self._failing_rules(),
            folders=copied_folders(copies, [file.path for file in self._checked if file.has_code]),
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

    def _add(self, file: Checked, content: bytes) -> None:
        """Takes what was found of a file."""
        self._checked.append(file)
        self._units += file.units
        self._found += sum(found.counts for found in file.found)
        self._unexplained += [(file.path, line) for line, reason in file.marks.reasons.items() if not reason]
        if any(found.counts for found in file.found):
            self._contents[file.path] = content

    def _accepted(self, known: KnownFindings) -> list[Finding]:
        """The findings that count, in their order, each accepted or not."""
        everything = ((found, file) for file in self._checked for found in file.found)
        findings = []
        for found, file in sorted(everything, key=lambda each: _order(each[0].finding)):
            acceptance = self._acceptance(found, file, known)
            if found.counts:
                findings.append(replace(found.finding, accepted=acceptance))
        return findings

    @staticmethod
    def _acceptance(found: Found, file: Checked, known: KnownFindings) -> Acceptance | None:
        finding = found.finding
        fits = known.fits(_entry(finding))
        for mark in found.files:
            fits |= known.fits(BaselineEntry(finding.path, finding.rule, mark))
        reason = file.marks.reason(*found.starts, last=found.last)
        if reason is not None:
            return Acceptance("comment", reason)
        return Acceptance("baseline") if fits else None

    def _update(self, findings: list[Finding], kept: Collection[BaselineEntry], path: Path) -> list[Finding]:
        """Writes into the baseline what is still there, and with `update_baseline` what fails, which is accepted then.

        Returns:
            The findings.
        """
        rules = self._failing_rules() if self._options.update_baseline else ()
        fresh = {_entry(each) for each in findings if each.accepted is None and each.rule in rules}
        write_baseline(path, {*kept, *fresh})
        return [
            replace(each, accepted=Acceptance("baseline")) if each.accepted is None and _entry(each) in fresh else each
            for each in findings
        ]

    def _report(self, path: str, files: int, total: int) -> None:
        if self._progress is not None:
            seconds = time.perf_counter() - self._began
            self._progress(CheckProgress(path, files, total, self._units, self._found, seconds))


def _entry(finding: Finding) -> BaselineEntry:
    return BaselineEntry(finding.path, finding.rule, finding.fingerprint)


def _order(finding: Finding) -> tuple[str, int, int, int]:
    region = finding.region
    return finding.path, region.start_byte, region.end_byte, list(Rule).index(finding.rule)
