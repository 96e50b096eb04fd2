"""Writes attributions in words: whether a location names the source of its code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wherefrom.model import UNKNOWN_LICENSE
from wherefrom.reports.layout import count
from wherefrom.results import Attribution, Evidence, Verdict, Where
from wherefrom.support.printable import one_line, visible

_WHERE = {
    Where.MATCH: "beside the match",
    Where.FILE: "elsewhere in the file",
    Where.NOTICE: "in a notice for its folder",
    Where.ELSEWHERE: "elsewhere in the repository",
}

PEOPLE = frozenset({"author", "copyright"})
"""The kinds of statements and evidence that name people."""


def sentences(attribution: Attribution, *, posted: str = "") -> Iterator[str]:
    """Plain lines: the verdict with the line that decided it, the best hint, then the license and the first day, beside
    the day on which the source was posted.
    """
    first = attribution.best_evidence
    match attribution.verdict:
        case Verdict.SOURCE:
            yield "this is the source itself"
        case Verdict.ATTRIBUTED if first is not None:
            yield f"attributed, {_where(first)}: {quoted(first)}"
        case Verdict.EARLIER:
            yield "earlier: these lines are older than the source, and the file does not name it"
        case Verdict.UNKNOWN if first is not None:
            yield f"unknown whether attributed; this may be the same post: {quoted(first)}"
        case Verdict.UNKNOWN:
            yield "unknown whether attributed: not all that the file says is in the index"
        case _:
            yield "unattributed: neither the file nor a notice for its folder names the source"
    if attribution.verdict not in {Verdict.SOURCE, Verdict.ATTRIBUTED}:
        yield from hint(attribution.hints)
    facts = [f"license {license_names(attribution.licenses)}"] if attribution.licenses else []
    if attribution.first_seen:
        older = ", before the source was written" if attribution.is_older else ""
        posts = f"posted {posted}, " if posted else ""
        facts.append(f"{posts}there since {attribution.first_seen}{older}")
    if facts:
        yield "; ".join(facts)


def decisive_line(attribution: Attribution) -> Iterator[str]:
    """The line that decided the verdict, and where it is. For an unattributed location, the best hint if it has any."""
    if attribution.verdict is not Verdict.SOURCE and attribution.evidence:
        yield f"{_where(attribution.evidence[0])}: {quoted(attribution.evidence[0])}"
    elif attribution.verdict is Verdict.UNATTRIBUTED:
        yield from hint(attribution.hints)


def hint(hints: Sequence[Evidence]) -> Iterator[str]:
    """One line with the best hint and the number of the others; nothing without a hint."""
    if hints:
        others = f" (and {count(len(hints) - 1, 'more hint')})" if len(hints) > 1 else ""
        yield f"hint, {_where(hints[0])}: {quoted(hints[0])}{others}"


def license_names(licenses: Sequence[str]) -> str:
    """The licenses in one line."""
    words = {UNKNOWN_LICENSE: "unknown (its text is not recognized)"}
    return one_line(", ".join(words.get(license, license) for license in licenses))


def _where(evidence: Evidence) -> str:
    by = " by its author or copyright holder" if evidence.kind in PEOPLE else ""
    return f"{_WHERE[evidence.where]}{by}"


def quoted(evidence: Evidence) -> str:
    """The path, line number and text of an evidence."""
    return f"{visible(evidence.path)}:{evidence.line}: {one_line(evidence.text)}"
