"""Writes a check for a person: a summary if there are many findings, the findings, then the files left out; and for a
coding agent: what fails, and what to do about it, in at most `AGENT_LINES` lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import accumulate, islice

from wherefrom.errors import ExtraMissing
from wherefrom.model import Rule
from wherefrom.public import CheckProgress, CheckReport, Finding, FolderCopy, MatchedLocation
from wherefrom.reports import layout
from wherefrom.reports.check import words
from wherefrom.reports.hit_fields import TRANSLATED
from wherefrom.reports.layout import as_lines, clip, count, duration, listed, table, time_left
from wherefrom.reports.renderer import Look, Renderer, formats, made_at, on_use
from wherefrom.reports.skipped import skipped_rows
from wherefrom.support.printable import one_line, visible
from wherefrom.support.version import remedy

PLACES = 3  # a finding shows at most this many places; the other formats have up to ten
FILES = 5  # without `--all`, a copied folder shows at most this many files
SUMMARIZED = 12  # a report with at least this many entries begins with a summary
ROWS, NAME = 4, 40  # a table of a summary shows at most `ROWS` rows. Longer names are cut to `NAME` columns
HEADING = 2  # the lines that a file takes before its first entry: a blank one and its path

MOST_LINES, SHORTENED = 60, 24
"""If all entries take more than `MOST_LINES` lines, only the most important are shown, in at most `SHORTENED` lines."""

LISTED = 20  # each list at the end shows at most this many items: stale entries, marks without a reason, and names


def write(report: CheckReport, look: Look) -> Iterator[str]:
    """The check, block by block. Each block ends with a newline."""
    yield f"{look.bold(visible(report.project))}: {one_line(report.state)}\n"
    found = words.entries(report, accepted=look.accepted)
    if look.only_summary or len(found) >= SUMMARIZED:
        yield as_lines(_summary(report, look))
    if not look.only_summary:
        yield from _listed(found, report, look)
    yield as_lines(_end(report, look))


def _summary(report: CheckReport, look: Look) -> Iterator[str]:
    for title, rows in words.counted(report).items():
        if rows:
            yield ""
            shown = [(clip(one_line(name), NAME), *row.cells()) for name, row in [*rows.items()][:ROWS]]
            yield from table((title, *words.HEADER), shown, (1, 2, 3, 4))
            if len(rows) > ROWS:
                yield look.dim(f"... and {len(rows) - ROWS:,} more (--format html)")


def _listed(found: list[words.ReportEntry], report: CheckReport, look: Look) -> Iterator[str]:
    """All entries if they are few or `--all` is given, else as many of the most important ones as fit a screen."""
    blocks = [
        (entry, [*(_folder(entry, entry.folder, look) if entry.folder else _finding(entry, report, look))])
        for entry in found
    ]
    shown = blocks
    if not look.all_findings and sum(HEADING + len(block) for _, block in blocks) > MOST_LINES:
        ordered = sorted(blocks, key=lambda pair: words.importance(pair[0], report))
        used = accumulate(HEADING + len(block) for _, block in ordered)
        shown = [pair for pair, lines in zip(ordered, used, strict=True) if lines <= SHORTENED]
    before = None
    for entry, block in shown:
        path = None if entry.folder is not None else entry.first.path
        heading = [] if path is None or path == before else ["", look.bold(visible(path))]
        yield as_lines([*heading, *block])
        before = path
    if len(shown) < len(blocks):
        rest = count(len(blocks) - len(shown), "more entry", "more entries")
        yield f"\n... and {rest}: --all lists them, and --format html makes a page of them\n"


def _folder(entry: words.ReportEntry, folder: FolderCopy, look: Look) -> Iterator[str]:
    yield ""
    yield f"{look.bold(visible(words.folder_name(folder)))}  {visible(words.folder_words(entry, folder))}"
    yield f"  {words.rule_counts(entry)}"
    files = entry.files
    most = len(files) if look.all_findings else FILES
    for finding in files[:most]:
        if finding.copy is not None:
            yield f"  {visible(finding.path)}: {words.likeness(finding.copy)}"
    if len(files) > most:
        yield look.dim(f"  ... and {count(len(files) - most, 'more file')}")


def _finding(entry: words.ReportEntry, report: CheckReport, look: Look) -> Iterator[str]:
    finding = entry.first
    copy, tokens = finding.copy, count(finding.tokens, "token")
    what = f"{tokens}, also elsewhere" if copy is None else f"the whole file, {words.likeness(copy)}, {tokens}"
    for ruled in entry.findings:
        head = f"  {finding.region.lines}: {ruled.rule}: {what}, {words.credit(ruled)}"
        if ruled.accepted is not None:
            yield look.dim(f"{head} ({words.acceptance(ruled.accepted)})")
        else:
            yield head if report.is_failing(ruled) else look.dim(f"{head} (a note)")
    if all(ruled.accepted is not None for ruled in entry.findings):
        return
    for place in finding.places[:PLACES]:
        yield from _place(place, finding, look)
    hidden = len(finding.places) - PLACES
    rest = [f"{count(hidden, 'other place')} (--format json)"] if hidden > 0 else []
    rest += [f"{finding.more:,} more"] if finding.more else []
    if rest:
        yield look.dim(f"      ... {', and '.join(rest)}")


def _place(place: MatchedLocation, finding: Finding, look: Look) -> Iterator[str]:
    at = place.occurrence
    others = f" and {count(place.count - 1, 'more location')}" if place.count > 1 else ""
    licenses = f"  [{one_line(words.license_names(place.licenses))}]" if place.licenses else ""
    where = f"{visible(at.repository)}  {visible(at.path)}:{words.place_lines(place, finding)}"
    translated = "" if place.translated_from is None else f"  {TRANSLATED.format(place.translated_from)}"
    yield f"      {where}{others}{licenses}{translated}"
    if days := words.ages(place, finding):
        yield look.dim(f"        {days}")
    for how, evidence in islice(words.named_by(place), 1):
        quoted = clip(one_line(evidence.text), max(look.width - 20, 20))
        yield look.dim(f"        {how} in {visible(evidence.path)}:{evidence.line}: {quoted}")


def _end(report: CheckReport, look: Look) -> Iterator[str]:
    stale = f"{count(len(report.stale), 'entry', 'entries')} of the baseline fit nothing any longer"
    lists = {
        f"{stale} (--prune-baseline removes them):": [f"{visible(it.path)}: {it.rule}" for it in report.stale],
        "`wherefrom: ok` without a reason accepts nothing; say why behind it:": [
            f"{visible(path)}:{line}" for path, line in report.unexplained
        ],
    }
    for title, items in lists.items():
        if items:
            yield from ("", title, *(f"  {item}" for item in items[:LISTED]))
        if len(items) > LISTED:
            yield f"  ... and {len(items) - LISTED:,} more"
    yield ""
    if report.skipped:
        reasons = ", ".join(f"{reason} {number}" for reason, number in skipped_rows(report.skipped))
        yield look.dim(f"not looked at: {reasons}")
    if report.own:
        yield look.dim(f"left out as your own: {_some(report.own)}")
    if other := words.forked(report):
        yield f"Most of it is in {visible(other)} too; if one is a fork of the other, use --own {visible(other)}"
    if report.boilerplate:
        yield look.dim(f"left out as boilerplate, mostly: {_some(report.boilerplate)}")
    yield from words.not_judged(report)
    if report.resumed:
        files = count(report.resumed, "file was", "files were")
        yield look.dim(f"{files} looked up by an earlier run that was stopped")
    yield f"{words.summary(report)}, {duration(report.seconds)}"
    if report.findings:
        yield look.dim(words.EVIDENCE)


def _some(names: Sequence[str]) -> str:
    return listed([*map(visible, names)], LISTED, " ...")


def live_line(progress: CheckProgress, width: int = 100) -> str:
    """The progress of a check on one line of at most `width` columns, without a newline."""
    facts = [f"{progress.files:,}/{count(progress.files_total, 'file')}", count(progress.findings, "finding")]
    facts += time_left(progress.files - progress.resumed, progress.files_total - progress.resumed, progress.seconds)
    others = [f"{count(progress.units, 'piece')} looked up"]
    return layout.live_line(facts, others, visible(progress.path), width)


AGENT_LINES = 40

AGENT_ENTRIES = AGENT_LINES - 8  # each entry takes a line; the others are for the head, the rest and what to do
AGENT_WIDTH = 400  # a longer line is cut

_ACTIONS = {
    Rule.COPIED_UNATTRIBUTED: [
        "copied-unattributed: write your own code, or use the project as a dependency.",
        "If the code stays, put a comment above it with the URL and the license of the place.",
        "If a person decided to keep it as it is, a comment `wherefrom: ok REASON` on its first line accepts it.",
    ],
    Rule.COPIED_ATTRIBUTED: ["copied-attributed: the place is credited, but this project wants no copies."],
    Rule.LICENSE_CONFLICT: ["license-conflict: remove the code, since its license does not fit this project's."],
}
"""What to do about the findings of each rule."""


def _write_agent(report: CheckReport, _look: Look) -> Iterator[str]:
    """The findings that fail, the most important ones first."""
    yield as_lines(clip(line, AGENT_WIDTH) for line in _agent_lines(report))


def _agent_lines(report: CheckReport) -> Iterator[str]:
    yield f"{words.summary(report)}."
    failing = [entry for entry in words.entries(report, accepted=False) if any(map(report.is_failing, entry.findings))]
    failing.sort(key=lambda entry: words.importance(entry, report))
    for entry in failing[:AGENT_ENTRIES]:
        if entry.folder is not None:
            yield f"{visible(words.folder_name(entry.folder))} {visible(words.folder_words(entry, entry.folder))}"
        else:
            yield _agent_piece(entry, report)
    if len(failing) > AGENT_ENTRIES:
        yield f"... and {len(failing) - AGENT_ENTRIES:,} more; run `wherefrom check --all`"
    for rule, actions in _ACTIONS.items():
        if any(finding.rule is rule for finding in report.failing):
            yield from actions


def _agent_piece(entry: words.ReportEntry, report: CheckReport) -> str:
    finding = entry.first
    rules = ", ".join(dict.fromkeys(str(each.rule) for each in entry.findings if report.is_failing(each)))
    place = finding.places[0]
    at = place.occurrence
    others = place.count + len(finding.places) + finding.more - 2
    more = f", and {count(others, 'more place')}" if others else ""
    url = f" {visible(place.url)}" if place.url else ""
    there = f"{visible(at.repository)} {visible(at.path)}:{words.place_lines(place, finding)}"
    licenses = words.license_names(place.licenses)
    if place.translated_from is not None:
        licenses += f", {TRANSLATED.format(place.translated_from)}"
    return f"{visible(finding.path)}:{finding.region.lines}: {rules}: {there}, {licenses}{more}{url}"


def _cyclonedx_ready() -> None:
    if find_spec("cyclonedx") is None:
        raise ExtraMissing(f"CycloneDX needs cyclonedx-python-lib, which is not installed; {remedy('sbom')}")
    made_at()


RENDERERS: Mapping[str, Renderer[CheckReport]] = {
    **formats(write),
    "agent": Renderer(_write_agent),
    "html": Renderer(on_use("wherefrom.reports.check.html"), ready=made_at),
    "sarif": Renderer(on_use("wherefrom.reports.sarif", "write_check")),
    "gitlab": Renderer(on_use("wherefrom.reports.sarif", "write_gitlab")),
    "cyclonedx": Renderer(on_use("wherefrom.reports.check.cyclonedx"), ready=_cyclonedx_ready),
    "spdx": Renderer(on_use("wherefrom.reports.check.spdx"), ready=made_at),
}
