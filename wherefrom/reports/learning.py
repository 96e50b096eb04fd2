"""Boilerplate in words: while it is gathered and learned, and what is proposed."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from wherefrom.printable import visible
from wherefrom.reports.text import clip, count, duration, lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wherefrom.queries import BoilerplateProgress, LearningProgress, Proposal, Proposals

CODE_WIDTH = 120
"""Columns of code that are shown."""


def live_line(progress: BoilerplateProgress, width: int = 100) -> str:
    """Where the gathering stands, on one line of at most `width` columns, without a newline."""
    parts = [count(progress.files, "file"), count(progress.kgrams, "k-gram"), visible(progress.source)]
    return clip(" · ".join(parts), width)


def learning_line(progress: LearningProgress, width: int = 100) -> str:
    """Where the learning stands, on one line of at most `width` columns, without a newline."""
    done = f"{progress.stage} {progress.contents:,}/{count(progress.total, 'content')}"
    return clip(f"{done} · {duration(progress.seconds)}", width)


def proposals(learned: Proposals, file: str | None = None) -> str:
    """What is proposed, each with its places and its code; `file` is where the proposals were written."""
    base = f"{count(learned.repositories, 'repository', 'repositories')}, {count(learned.contents, 'content')}"
    if not learned.proposals:
        return f"{base}: nothing appears in {learned.min_repositories:,} repositories or more\n"
    parts = [f"{base}: {count(len(learned.proposals), 'set')} proposed"]
    for each in learned.proposals:
        parts += ["", *_proposal(each)]
    parts.append("")
    if not learned.complete:
        parts.append("there is more: what covers most is shown; see --limit and --min-repositories")
    if file is None:
        parts.append("nothing is stored: write the sets with --output FILE, then wherefrom boilerplate accept FILE")
    else:
        command = f"wherefrom boilerplate accept {shlex.quote(visible(file))}"
        parts.append(f"written to {visible(file)}; store the sets with: {command}")
    return "".join(f"{part}\n" for part in parts)


def _proposal(proposal: Proposal) -> Iterator[str]:
    kgrams = ", ".join(f"{len(hashes):,} {key}" for key, hashes in proposal.hashes.items())
    yield visible(proposal.name)
    yield (
        f"  {proposal.kind}: in {count(proposal.repositories, 'repository', 'repositories')}, "
        f"{count(proposal.contents, 'content')}, {100 * proposal.share:.2g}% of the index; k-grams: {kgrams}"
    )
    for at in proposal.examples:
        yield f"  {visible(at.repository)}:{visible(at.path)}:{lines(at.start_line, at.end_line)}"
    if proposal.code is not None:
        yield from (f"    | {clip(visible(line.expandtabs(4)), CODE_WIDTH)}" for line in proposal.code.split("\n"))
