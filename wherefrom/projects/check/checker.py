"""Runs a check: looks the files up and compares the findings with the baseline."""

from __future__ import annotations

import posixpath
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.errors import UsageError
from wherefrom.languages import read_as_text
from wherefrom.model import Rule, SkipReason
from wherefrom.options import CheckOptions, SearchOptions
from wherefrom.projects.changes.comparison import Changed, Overlaid, Patched, Scope, ShownProject, between, whole
from wherefrom.projects.changes.patches import parse_diff
from wherefrom.projects.check.ages import Ages, with_records
from wherefrom.projects.check.baseline import KnownFindings, load_baseline, write_baseline
from wherefrom.projects.check.findings import (
    MOST_PLACES,
    Acceptance,
    BaselineEntry,
    CheckProgress,
    CheckReport,
    FileCopy,
    Finding,
    FolderCopy,
)
from wherefrom.projects.check.judging import CountedFinding
from wherefrom.projects.check.lookup import LookedUpFile, Setup
from wherefrom.projects.check.project import Project
from wherefrom.projects.check.unfinished import Lookups, UnfinishedCheck
from wherefrom.queries import boilerplate, filters, folders, occurrences
from wherefrom.queries.folders import Folder, facing_folders, folders_above
from wherefrom.sources.checkout import Checkout
from wherefrom.sources.source import Files
from wherefrom.support.values import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Inspected:
    """The files that a check looks at (`changed`), in a whole project in some state. `paths` has deleted files as well.
    If only a change is checked, only its added lines count.
    """

    state: str
    files: Files
    changed: Iterator[Changed]
    paths: Sequence[str]
    is_change: bool


def inspected(checkout: Checkout | ShownProject, inside: Sequence[str], options: CheckOptions) -> Inspected:
    """The files that the options name, limited to the paths `inside`."""
    scope = Scope(frozenset(inside))
    if options.patch is not None:
        patches = checkout.patches if isinstance(checkout, ShownProject) else parse_diff(options.patch)
        patched = Patched(checkout.work_tree(), patches)
        return _change("a diff", patched.before, patched.after, replace(scope, only=patched.touched), options)
    if isinstance(checkout, ShownProject):
        raise UsageError("without a project there is only a diff to check; leave staged, base and diff out")
    if options.staged:
        return _change("what is staged", checkout.revision(), checkout.staged(), scope, options)
    if options.base is not None:
        old = checkout.revision(checkout.merge_base(options.base, None))
        return _change(f"the work tree since {options.base}", old, _work_tree(checkout, options), scope, options)
    if options.diff is not None:
        states = checkout.between(options.diff)
        if states is None:
            raise UsageError(
                f"{options.diff!r} is not a range of revisions; give A..B or A...B, or `-` for a diff on standard input"
            )
        return _change(options.diff, *states, scope, options)
    files = _work_tree(checkout, options)
    changed, paths = whole(files, scope, options.limits)
    return Inspected("the work tree", files, changed, paths, is_change=False)


def _work_tree(checkout: Checkout, options: CheckOptions) -> Files:
    files = checkout.work_tree()
    texts = {checkout.inside(path): text for path, text in (options.texts or {}).items()}
    return Overlaid(texts, files, list(files.entries())) if texts else files


def _change(state: str, old: Files, new: Files, scope: Scope, options: CheckOptions) -> Inspected:
    changed, paths = between(old, new, scope, options.limits)
    return Inspected(state, new, changed, paths, is_change=True)


def copied_folders(copies: Mapping[str, FileCopy], checked: Collection[str]) -> tuple[FolderCopy, ...]:
    """The folders that are copies, by path. A folder inside a copied one is not given on its own."""
    code = Counter(Folder("", folder) for path in checked for folder in folders_above(path))
    files: defaultdict[tuple[Folder, tuple[str, str]], set[str]] = defaultdict(set)
    for path, copy in copies.items():
        for at in copy.occurrences:
            for here, there in facing_folders(path, at.path):
                files[Folder("", here), (at.repository, there)].add(path)
    chosen = []
    for folder, (repository, there), paths in folders.copied_folders(files, code):
        # The innermost folder with all these copies is named if it has as many checked files as the outer one. The
        # outer one may have unchecked files as well.
        inner = posixpath.commonpath([posixpath.dirname(path) for path in paths])
        if code[Folder("", inner)] < code[folder]:
            inner = folder.path
        inner_there = posixpath.join(there, inner[len(folder.path) :].lstrip("/")).rstrip("/")
        chosen.append(FolderCopy(inner, repository, inner_there, tuple(sorted(paths)), code[folder]))
    return tuple(sorted(chosen, key=lambda folder: folder.path))


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
    """One check of files and folders of one project; without paths, of the working directory. If `paths` is None, the
    project is not at hand, only the diff in the options. `reopen` opens the index in another process, if it can be.
    """

    engine: Engine
    paths: Sequence[str | Path] | None
    options: CheckOptions
    analyzer: Analyzer
    reopen: Callable[[], Engine] | None
    _began: float = field(default_factory=time.perf_counter, init=False)

    def run(self) -> CheckReport:
        """Checks the project, and updates the baseline if asked to (`wherefrom.Index.check` has the errors)."""
        path = self.options.baseline
        fail_on = tuple(rule for rule in Rule if rule in self.options.fail_on)
        is_new = path is None or (self.options.update_baseline and not path.exists())
        entries = frozenset() if path is None or is_new else load_baseline(path)
        checkout: Checkout | ShownProject = ShownProject(parse_diff(self.options.patch or b""))
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
            project = checkout if isinstance(checkout, Checkout) else None
            ages = Ages(self.engine, self.analyzer, project, looked_at.files, tally.contents, setup.own)
            findings = ages.of(with_records(self.engine, list(self._accepted(tally, known))))
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
            unexplained=tuple(sorted((file.path, line) for file in tally.checked for line in file.marks.unexplained)),
            seconds=round(time.perf_counter() - self._began, 3),
            boilerplate=tuple(sorted(file.path for file in tally.checked if file.is_boilerplate)),
            index=self.engine.location,
            baseline=tuple(sorted(kept)),
            contents=tally.contents,
            texts=occurrences.texts(self.engine),
            warnings=read_as_text({name for file in tally.checked for name in file.without_grammar}),
        )

    def _setup(self, checkout: Checkout | ShownProject, looked_at: Inspected) -> Setup:
        own = filters.OwnPlaces.named(self.engine, self.options.own, checkout.keys())
        sets = boilerplate.left_out(self.engine, self.options)
        if not self.options.include_frameworks and all(left_out.name != boilerplate.FRAMEWORKS for left_out in sets):
            sets.append(boilerplate.stored_set(self.engine, boilerplate.FRAMEWORKS))
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
        def order(pair: tuple[CountedFinding, LookedUpFile]) -> tuple[str, int, int, int]:
            finding = pair[0].finding
            return finding.path, finding.region.start_byte, finding.region.end_byte, list(Rule).index(finding.rule)

        everything = ((found, file) for file in tally.checked for found in file.found)
        for found, file in sorted(everything, key=order):
            finding = found.finding
            # Findings that do not count are matched too: otherwise their entries in the baseline would look stale.
            fits = known.fits(_entry(finding))
            for fingerprint in found.files:
                fits |= known.fits(BaselineEntry(finding.path, finding.rule, fingerprint))
            reason = file.marks.reason(*found.starts, last=found.last)
            if found.counts:
                by_comment = None if reason is None else Acceptance("comment", reason)
                yield replace(finding, accepted=by_comment or (_BASELINE if fits else None))

    @staticmethod
    def _stale(looked_at: Inspected, inside: Sequence[str], known: KnownFindings, tally: _Tally) -> set[BaselineEntry]:
        scope = Scope(frozenset(inside))
        paths = set(looked_at.paths) if looked_at.is_change else {path for path in known.paths if scope.holds(path)}
        is_whole = not looked_at.is_change and (not inside or "" in inside)
        return known.stale(paths - tally.unread, is_whole=is_whole)

    def _tell(self, path: str, done: int, total: int, tally: _Tally, unfinished: UnfinishedCheck) -> None:
        if self.options.progress is not None:
            seconds = time.perf_counter() - self._began
            progress = CheckProgress(path, done, total, tally.units, tally.found, seconds, unfinished.resumed)
            self.options.progress(progress)


def _entry(finding: Finding) -> BaselineEntry:
    return BaselineEntry(finding.path, finding.rule, finding.fingerprint)
