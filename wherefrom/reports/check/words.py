"""What all reports of a check share: their entries, words and counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from wherefrom.model import LicenseJudgment, Rule
from wherefrom.public import Acceptance, CheckReport, FileCopy, Finding, FolderCopy, MatchedLocation
from wherefrom.reports import hit_fields
from wherefrom.reports.hit_fields import since
from wherefrom.reports.layout import count, in_order, percent, probable
from wherefrom.results import Evidence
from wherefrom.results.regions import Lines, line_range
from wherefrom.support.printable import one_line, visible
from wherefrom.support.values import dataclass, field


def folders_of(report: CheckReport) -> dict[str, FolderCopy]:
    """Maps the path of each file in a copied folder to that folder."""
    return {path: folder for folder in report.folders for path in folder.files}


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """An entry of a report: a copied folder with the findings of its files, or one piece of a file with its findings,
    one for each rule.
    """

    findings: Sequence[Finding]
    folder: FolderCopy | None = None

    @property
    def first(self) -> Finding:
        """The first of the findings."""
        return self.findings[0]

    @property
    def path(self) -> str:
        """The path of the folder or of the file."""
        return self.first.path if self.folder is None else self.folder.path

    @property
    def rules(self) -> list[Rule]:
        """The rules of the findings, each once."""
        found = {finding.rule for finding in self.findings}
        return [rule for rule in Rule if rule in found]

    @property
    def files(self) -> list[Finding]:
        """The first finding of each file, the most tokens first."""
        by_path = {finding.path: finding for finding in reversed(self.findings)}
        return sorted(by_path.values(), key=lambda finding: (-finding.tokens, finding.path))

    @property
    def tokens(self) -> int:
        """The tokens of the whole entry."""
        return sum(finding.tokens for finding in self.files)


def importance(entry: ReportEntry, report: CheckReport) -> tuple[bool, bool, int, str]:
    """A sort key that puts failing entries first, then folders, then the most tokens."""
    fails = any(report.is_failing(finding) for finding in entry.findings)
    return not fails, entry.folder is None, -entry.tokens, entry.path


def entries(report: CheckReport, *, accepted: bool) -> list[ReportEntry]:
    """The entries of a report: folders, then files and pieces by path and position. `accepted` adds accepted ones."""
    folders = folders_of(report)
    in_folders: defaultdict[str, list[Finding]] = defaultdict(list)
    by_place: defaultdict[tuple[str, int, int], list[Finding]] = defaultdict(list)
    for finding in report.findings:
        if finding.accepted is not None and not accepted:
            continue
        if finding.copy is not None and finding.path in folders:
            in_folders[folders[finding.path].path].append(finding)
        else:
            by_place[finding.path, finding.region.start_byte, finding.region.end_byte].append(finding)
    return [
        *(ReportEntry(in_folders[folder.path], folder) for folder in report.folders if folder.path in in_folders),
        *(ReportEntry(findings) for findings in by_place.values()),
    ]


EVIDENCE = (
    "This is evidence, not a verdict: it does not tell who copied from whom, nor whether both have it from a third."
)

_NOT_JUDGED = {
    LicenseJudgment.OWN_NOT_STATED: "this project states no license",
    LicenseJudgment.OWN_UNKNOWN: "the text of this project's license is not recognized",
    LicenseJudgment.NOT_STATED_THERE: "no license is stated there",
    LicenseJudgment.UNKNOWN_THERE: "the text of the license there is not recognized",
    LicenseJudgment.NOT_IN_TABLE: "the terms of the license there are not known",
}

_CREDITS = {
    Rule.COPIED_UNATTRIBUTED: "with no credit here",
    Rule.COPIED_ATTRIBUTED: "with credit here",
    Rule.LICENSE_CONFLICT: "under a license that may not go with this one",
}


def credit(finding: Finding) -> str:
    """The meaning of the rule of a finding, such as `with no credit here`."""
    settled = settled_by(finding)
    words = f"{_CREDITS[finding.rule]}; it was {settled}" if settled else _CREDITS[finding.rule]
    return f"{words}; older here" if finding.is_older else words


def rule_name(finding: Finding) -> str:
    """The rule of a finding, with the reason if it never fails: another release settles it, or it is older here."""
    if finding.is_older:
        return f"{finding.rule} (older here)"
    return f"{finding.rule} (relicensed)" if finding.is_settled else str(finding.rule)


def ages(place: MatchedLocation, finding: Finding) -> str:
    """`here since 2019-03-02, there since 2017-11-20`, without the days that are not known."""
    days = {"here": since(finding.since), "there": since(None if place.age is None else place.age.first)}
    return ", ".join(f"{where} {day}" for where, day in days.items() if day)


def settled_by(finding: Finding) -> str:
    """The release that settles a license conflict, such as `BSD-3-Clause in redis-7.0.0`; empty if none does."""
    if finding.relicensed is None or not finding.is_settled:
        return ""
    return f"{license_names(finding.relicensed.licenses)} in {visible(finding.relicensed.occurrence.repository)}"


def likeness(copy: FileCopy) -> str:
    """The part of a file that is in another one, such as `98% the same, 11 functions`."""
    functions = f", {count(copy.functions, 'function')}" if copy.functions else ""
    if copy.identical:
        return f"identical{functions}"
    return f"{'the same up to names and layout' if copy.share == 1 else f'{percent(copy.share)} the same'}{functions}"


def folder_name(folder: FolderCopy) -> str:
    """The path of a copied folder of the project, with a slash at its end."""
    return f"{folder.path or '.'}/"


def folder_words(entry: ReportEntry, folder: FolderCopy) -> str:
    """A copied folder in one line, without its path in the project."""
    copies = [finding.copy for finding in entry.files if finding.copy is not None]
    there = f"{folder.repository} {folder.there or '.'}/"
    identical = sum(copy.identical for copy in copies)
    return (
        f"a copy of {there}: {len(entry.files):,} of {count(folder.checked, 'file')}, {identical:,} of them identical; "
        f"{count(sum(copy.functions for copy in copies), 'function')}, {count(entry.tokens, 'token')}"
    )


def rule_counts(entry: ReportEntry) -> str:
    """The number of findings of each rule in a copied folder."""
    rules = Counter(rule_name(finding) for finding in entry.findings)
    return ", ".join(f"{rule} {number:,}" for rule, number in rules.items())


def acceptance(accepted: Acceptance) -> str:
    """The reason why a finding does not fail, such as `accepted by a comment: it is mine`."""
    by = "the baseline" if accepted.by == "baseline" else "a comment"
    return f"accepted by {by}{f': {one_line(accepted.reason)}' if accepted.reason else ''}"


def sentence(finding: Finding) -> str:
    """A finding in words, without its places: a sentence, and one with the ages if they are known."""
    days = next((ages(place, finding) for place in finding.places), "")
    if finding.is_older:
        days = f"older here: {days}"
    return f"{_sentence(finding)} {days[0].upper()}{days[1:]}." if days else _sentence(finding)


def _sentence(finding: Finding) -> str:
    lines = finding.region.end_line - finding.region.start_line + 1
    verb = "appears" if lines == 1 else "appear"
    tokens = count(finding.tokens, "token")
    alike = next((_alike(place, finding) for place in finding.places), "")
    words = f"{count(lines, 'line')} ({alike or tokens}) also {verb} elsewhere"
    if (copy := finding.copy) is not None:
        functions = f"{count(copy.functions, 'function')}, " if copy.functions else ""
        words = f"This file ({functions}{tokens}) is {'' if copy.identical else 'nearly '}identical to one elsewhere"
    if finding.rule is Rule.LICENSE_CONFLICT:
        from wherefrom.extend import licenses_conflict  # noqa: PLC0415 -- `--help` does not wait for it

        # The sentence names a license that conflicts. The first place may have another license, or none that is known.
        fitting = (place.licenses for place in finding.places if licenses_conflict(finding.licenses, place.licenses))
        theirs, ours = license_names(next(fitting, ())), license_names(finding.licenses)
        settled = f"; the code was {settled_by(finding)}" if finding.is_settled else ""
        return f"{words}, under {theirs}; this project is under {ours}{settled}."
    if finding.rule is Rule.COPIED_ATTRIBUTED:
        return f"{words}; this project names that place."
    hints = [hint for place in finding.places for hint in place.hints[:1]]
    if hints:
        return f"{words}; this project names that place only in {visible(hints[0].path)}:{hints[0].line}, as a hint."
    return f"{words}; this project does not name that place."


def _alike(place: MatchedLocation, finding: Finding) -> str:
    """How much of a piece a place has, and how sure it is a copy; empty if only a part of the match was added."""
    here = finding.region
    if place.translated_from is not None or any(
        pair.query.start_byte < here.start_byte or here.end_byte < pair.query.end_byte for pair in place.regions
    ):
        return ""
    words = in_order(place.matched_tokens, finding.tokens, sum(pair.changed for pair in place.regions))
    return words if place.probability is None else f"{words}, {probable(place.probability)}"


def license_names(licenses: Sequence[str]) -> str:
    """The licenses in one line, or words for none."""
    return hit_fields.license_names(licenses) if licenses else "no license that is known"


def named_by(place: MatchedLocation) -> Iterator[tuple[str, Evidence]]:
    """The lines of the project that name a place, the best first, each after `named` or `hint only`."""
    yield from (("named", evidence) for evidence in place.evidence)
    if not place.evidence:
        yield from (("hint only", hint) for hint in place.hints)


def not_judged(report: CheckReport) -> list[str]:
    """One line for each reason why license conflicts could not be judged."""
    return [
        f"license conflicts not judged for {count(number, 'finding')}: {_NOT_JUDGED[judgment]}"
        for judgment, number in report.not_judged.items()
    ]


def place_lines(place: MatchedLocation, finding: Finding) -> Lines:
    """The first and the last line of a place that match a finding. If only a part of the match was added to the
    project, only lines that match this part count.
    """
    here = finding.region
    facing = [
        their_line
        for pair in place.regions
        if pair.query.start_line < here.start_line or here.end_line < pair.query.end_line
        for our_line, their_line in pair.facing
        if here.start_line <= our_line <= here.end_line
    ]
    if facing and finding.copy is None:
        return Lines(min(facing), max(facing))
    return line_range(place.matched_regions) or Lines(1, 1)


def tallies(report: CheckReport) -> tuple[int, int, int]:
    """The numbers of failing, accepted and other pieces; a piece with several rules is in the first of them that fits.
    Those in a copied folder count once for a rule.
    """
    folders = folders_of(report)
    numbers: list[set[object]] = [set(), set(), set()]
    for finding in report.findings:
        is_file = finding.copy is not None and finding.path in folders
        kind = 0 if report.is_failing(finding) else 2 if finding.accepted is None else 1
        piece = finding.path, finding.region.start_byte, finding.region.end_byte
        numbers[kind].add((folders[finding.path].path, rule_name(finding)) if is_file else piece)
    failing, accepted, others = numbers
    return len(failing), len(accepted - failing), len(others - failing - accepted)


def forked(report: CheckReport) -> str | None:
    """The repository that has at least half of the checked files: one may be a fork of the other."""
    copies = (finding.copy for finding in report.findings if finding.copy is not None)
    files = Counter(name for copy in copies for name in {at.repository for at in copy.occurrences})
    name, number = max(files.items(), key=lambda item: item[1], default=("", 0))
    return name if number > 1 and 2 * number >= report.files else None


def summary(report: CheckReport) -> str:
    """The result of a check in one line."""
    failing, accepted, notes = tallies(report)
    parts = [f"{count(failing, 'finding') if failing else 'nothing'} to look at"]
    parts += [f"{accepted:,} accepted"] if accepted else []
    parts += [count(notes, "note")] if notes else []
    looked = f"{count(report.files, 'file')} ({count(report.units, 'piece')} of code looked up)"
    return f"{', '.join(parts)} in {looked}"


HEADER = ("folders", "files", "pieces", "tokens")  # the columns of every table after the name


@dataclass(slots=True)
class Tally:
    """The numbers in one row of a table: copied folders, other copied files, pieces, and the tokens of all of them."""

    folders: set[str] = field(default_factory=set)
    files: int = 0
    pieces: int = 0
    tokens: int = 0

    def cells(self) -> tuple[str, ...]:
        """The numbers as cells of a table, in the order of `HEADER`."""
        return tuple(f"{number:,}" for number in (len(self.folders), self.files, self.pieces, self.tokens))

    def add(self, finding: Finding, folder: FolderCopy | None) -> None:
        """Counts a finding. `folder` is the copied folder that has its file, if any."""
        self.files += finding.copy is not None and folder is None
        self.pieces += finding.copy is None
        self.tokens += finding.tokens
        if folder is not None:
            self.folders.add(folder.path)


def counted(report: CheckReport) -> dict[str, dict[str, Tally]]:
    """The tables of a report, by the title of their first column. Each table maps names to rows, the most tokens first.
    Accepted findings do not count.
    """
    folders = folders_of(report)
    tables: dict[str, defaultdict[str, Tally]] = {
        title: defaultdict(Tally) for title in ("rule", "repository", "license there")
    }
    for finding in report.findings:
        if finding.accepted is not None:
            continue
        folder = folders.get(finding.path) if finding.copy is not None else None
        tables["rule"][rule_name(finding)].add(finding, folder)
        if finding.rule is not Rule.LICENSE_CONFLICT:  # the same piece has another finding, which counts its place
            place = finding.places[0]
            tables["repository"][folder.repository if folder else place.occurrence.repository].add(finding, folder)
            tables["license there"][license_names(place.licenses)].add(finding, folder)
    return {
        title: dict(sorted(rows.items(), key=lambda row: (-row[1].tokens, row[0]))) for title, rows in tables.items()
    }
