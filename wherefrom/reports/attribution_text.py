"""What a place says of its source, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.printable import one_line, visible
from wherefrom.results import Verdict, Where

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wherefrom.results import Attribution, Evidence

_WHERE = {
    Where.MATCH: "beside the match",
    Where.FILE: "elsewhere in the file",
    Where.REPOSITORY: "elsewhere in the repository",
}


def sentences(attribution: Attribution) -> Iterator[str]:
    """Plain lines: the verdict with its best evidence, then what else is known of the place."""
    first = attribution.evidence[0] if attribution.evidence else None
    match attribution.verdict:
        case Verdict.SOURCE:
            yield "this is the source itself"
        case Verdict.ATTRIBUTED if first is not None:
            yield f"attributed, {_WHERE[first.where]}: {quoted(first)}"
        case Verdict.UNKNOWN if first is not None:
            yield f"unknown whether attributed; this may be the same post: {quoted(first)}"
        case Verdict.UNKNOWN:
            yield "unknown whether attributed: not all that the file says is in the index"
        case _:
            yield "unattributed: neither the file nor the repository's notices name the source"
    facts = [f"license {one_line(', '.join(attribution.licenses))}"] if attribution.licenses else []
    if attribution.first_seen:
        older = ", before the source was written" if attribution.is_older else ""
        facts.append(f"file first committed on {attribution.first_seen}{older}")
    if facts:
        yield "; ".join(facts)


def quoted(evidence: Evidence) -> str:
    """Path and line number of an evidence, and its text."""
    return f"{visible(evidence.path)}:{evidence.line}: {one_line(evidence.text)}"
