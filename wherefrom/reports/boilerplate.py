"""Writes boilerplate in words: the progress of gathering and learning, stored sets, and proposals."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from wherefrom.model import BoilerplateSet
from wherefrom.reports import layout
from wherefrom.reports.layout import as_lines, clip, count, duration, table
from wherefrom.reports.renderer import JSON, Look, Renderer, formats, list_formats
from wherefrom.results import BoilerplateTerms, Lines
from wherefrom.support.chunks import chunks
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from wherefrom.public import BoilerplateProgress, LearningProgress, Proposal, Proposals

CODE_WIDTH = 120  # longer lines of code are cut to this many columns

TERMS_AT_ONCE = 10_000
"""The number of terms that are written at once. A set may have millions, so its terms are written in parts."""


def live_line(progress: BoilerplateProgress, width: int = 100) -> str:
    """The progress of gathering on one line of at most `width` columns, without a newline."""
    facts = [count(progress.files, "file"), count(progress.kgrams, "k-gram")]
    return layout.live_line(facts, [], visible(progress.source), width)


def learning_line(progress: LearningProgress, width: int = 100) -> str:
    """The progress of learning on one line of at most `width` columns, without a newline."""
    done = f"{progress.stage} {progress.contents:,}/{count(progress.total, 'content')}"
    return clip(f"{done} · {duration(progress.seconds)}", width)


def _write_sets(sets: Sequence[BoilerplateSet], _look: Look) -> Iterator[str]:
    if not sets:
        yield "no boilerplate sets\n"
        return
    rows = [(visible(it.name), f"{len(it.files):,}", f"{sum(map(len, it.hashes.values())):,}") for it in sets]
    yield as_lines(table(("name", "sources", "k-grams"), rows, right=(1, 2)))


def _write_whole_sets(sets: Sequence[BoilerplateSet], _look: Look) -> Iterator[str]:
    for value in sets:
        rows = [
            (str(key), visible(value.schemes.get(key, "")), f"{len(hashes):,}") for key, hashes in value.hashes.items()
        ]
        yield as_lines(
            [
                f"{visible(value.name)}: from {count(len(value.files), 'source')}",
                *table(("representation", "scheme", "k-grams"), rows, right=(2,)),
                *(f"  {visible(name)}" for name in value.files),
            ]
        )


def _write_terms(found: BoilerplateTerms, _look: Look) -> Iterator[str]:
    for part in chunks(found.terms, TERMS_AT_ONCE):
        yield as_lines(part)


def _write_filter(found: BoilerplateTerms, _look: Look) -> Iterator[str]:
    """An Elasticsearch token filter that removes the terms, ready for the settings of an index."""
    yield '{"type": "stop", "stopwords": [\n'
    for number, part in enumerate(chunks(found.terms, TERMS_AT_ONCE)):
        yield ("" if number == 0 else ",\n") + ",\n".join(f'"{term}"' for term in part)
    yield "\n]}\n"


def _write_proposals(learned: Proposals, _look: Look) -> Iterator[str]:
    base = f"{count(learned.repositories, 'repository', 'repositories')}, {count(learned.contents, 'content')}"
    if not learned.proposals:
        yield f"{base}: nothing appears in {learned.min_repositories:,} repositories or more\n"
        return
    parts = [f"{base}: {count(len(learned.proposals), 'set')} proposed"]
    for proposal in learned.proposals:
        parts += ["", *_proposal(proposal)]
    parts.append("")
    if not learned.complete:
        parts.append("there is more: what covers most is shown; see --limit and --min-repositories")
    yield as_lines(parts)


def next_step(file: str | None) -> str:
    """Says what to do with proposals next. `file` is the file with the proposals; None if they were not written."""
    if file is None:
        return "nothing is stored: write the sets with --output FILE, then wherefrom boilerplate accept FILE\n"
    command = f"wherefrom boilerplate accept {shlex.quote(visible(file))}"
    return f"written to {visible(file)}; store the sets with: {command}\n"


def _proposal(proposal: Proposal) -> Iterator[str]:
    kgrams = ", ".join(f"{len(hashes):,} {key}" for key, hashes in proposal.hashes.items())
    yield visible(proposal.name)
    yield (
        f"  {proposal.kind}: in {count(proposal.repositories, 'repository', 'repositories')}, "
        f"{count(proposal.contents, 'content')}, {100 * proposal.share:.2g}% of the index; k-grams: {kgrams}"
    )
    for at in proposal.examples:
        yield f"  {visible(at.repository)}:{visible(at.path)}:{Lines(at.start_line, at.end_line)}"
    if proposal.code is not None:
        yield from (f"    | {clip(visible(line.expandtabs(4)), CODE_WIDTH)}" for line in proposal.code.split("\n"))


SETS = list_formats(_write_sets, "sets")

SHOWN = list_formats(_write_whole_sets, "sets")

TERMS: Mapping[str, Renderer[BoilerplateTerms]] = {
    "text": Renderer(_write_terms),
    "filter": Renderer(_write_filter),
    "json": JSON,
}

PROPOSALS = formats(_write_proposals)
