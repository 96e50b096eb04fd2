"""Writes the releases that a folder, a file or a piece of code may be from for a person, the nearest first."""

from __future__ import annotations

from collections.abc import Iterator

from wherefrom.reports.layout import SEPARATOR, as_lines, count, listed, percent, wrapped
from wherefrom.reports.look import Look
from wherefrom.reports.renderer import formats
from wherefrom.results import FittingRelease, ReleasesResult
from wherefrom.results.regions import line_range
from wherefrom.support.printable import one_line, visible

PATHS = 10
"""At most this many paths are listed for each kind of change; the JSON format has all."""


def write(result: ReleasesResult, look: Look) -> Iterator[str]:
    """The answer as text."""
    files = f" ({count(result.files, 'file')})" if result.files > 1 else ""
    head = f"{look.bold(one_line(result.name))}{files}: "
    shown = f", the nearest {len(result.releases):,} shown" if result.total > len(result.releases) else ""
    parts = [f"{head}{count(result.total, 'release')}{shown}" if result.total else f"{head}no release fits"]
    for rank, release in enumerate(result.releases, 1):
        parts += ["", *_release(rank, release, result.files, look)]
    yield as_lines(parts)


def _release(rank: int, release: FittingRelease, files: int, look: Look) -> Iterator[str]:
    at = release.occurrence
    tag = f"@{visible(release.version)}" if release.version and not at.repository.endswith(release.version) else ""
    lines = line_range(release.matched_regions)
    path = f"  {visible(at.path)}" if at.path else ""
    yield look.bold(f"{rank}. {visible(at.repository)}{tag}{path}{f':{lines}' if lines else ''}")
    same = "identical" if files == release.identical else f"{percent(release.likeness)} alike"
    facts = [same, *([visible(release.released)] if release.released else [])]
    kinds = {"changed": release.changed, "only here": release.added, "missing": release.missing}
    if files > release.identical and files > 1:
        facts.insert(1, f"{release.identical:,} of {count(files, 'file')} identical")
    yield look.dim(f"   {SEPARATOR.join(facts)}")
    for kind, paths in kinds.items():
        if paths:
            yield from wrapped(f"{kind}: {listed([*map(visible, paths)], PATHS)}", look.width, "   ")


RENDERERS = formats(write)
