"""What a place says of its source, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.model import UNKNOWN_LICENSE
from wherefrom.printable import one_line, visible
from wherefrom.reports.layout import count
from wherefrom.results import Verdict, Where

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wherefrom.results import Attribution, Evidence

_UNKNOWN = "unknown (its text is not recognized)"

_WHERE = {
    Where.MATCH: "beside the match",
    Where.FILE: "elsewhere in the file",
    Where.NOTICE: "in a notice for its folder",
    Where.ELSEWHERE: "elsewhere in the repository",
}

_HEADERS = frozenset({"author", "copyright"})


def sentences(attribution: Attribution) -> Iterator[str]:
    """Plain lines: the verdict with the line that decided it, then what else is known of the place."""
    first = attribution.evidence[0] if attribution.evidence else None
    match attribution.verdict:
        case Verdict.SOURCE:
            yield "this is the source itself"
        case Verdict.ATTRIBUTED if first is not None:
            yield f"attributed, {_where(first)}: {quoted(first)}"
        case Verdict.EARLIER:
            yield "earlier: the file is older than the source, and does not name it"
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
        facts.append(f"file first committed on {attribution.first_seen}{older}")
    if facts:
        yield "; ".join(facts)


def hint(hints: Sequence[Evidence]) -> Iterator[str]:
    """One line for the best hint, with the number of the others; nothing where there is none."""
    if hints:
        others = f" (and {count(len(hints) - 1, 'more hint')})" if len(hints) > 1 else ""
        yield f"hint, {_where(hints[0])}: {quoted(hints[0])}{others}"


def license_names(licenses: Sequence[str]) -> str:
    """Licenses in one line."""
    return one_line(", ".join(_UNKNOWN if each == UNKNOWN_LICENSE else each for each in licenses))


def _where(evidence: Evidence) -> str:
    by = " by its author or copyright holder" if evidence.kind in _HEADERS else ""
    return f"{_WHERE[evidence.where]}{by}"


def quoted(evidence: Evidence) -> str:
    """Path and line number of an evidence, and its text."""
    return f"{visible(evidence.path)}:{evidence.line}: {one_line(evidence.text)}"
