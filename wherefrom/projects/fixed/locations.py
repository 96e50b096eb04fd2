"""From what the contents of an index hold of a changed function to the locations of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wherefrom.model import RepositoryRecord
from wherefrom.projects.fixed.differences import Tokens
from wherefrom.projects.fixed.forms import Different, Held, held, judged, score_of
from wherefrom.projects.fixed.sites import Site, SiteForm
from wherefrom.queries import Holder
from wherefrom.queries.alignment.regions import region
from wherefrom.results import Region
from wherefrom.results.fixed import FixedChange, FixedLocation, FixedPlace, Form


@dataclass(slots=True)
class _Found:
    """A content that has a function: what it holds of each change, and the best share of a site that is there."""

    holder: Holder
    held: dict[int, Held] = field(default_factory=dict)
    match: float = 0.0


class Locations:
    """The contents that hold one changed function.

    Attributes:
        changes: the changes that were added so far.
    """

    def __init__(self) -> None:
        self.changes: list[FixedChange] = []
        self._found: dict[str, _Found] = {}

    def add(self, site: Site, different: Different, holders: Mapping[str, tuple[Holder | None, Holder | None]]) -> None:
        """Adds the changes of a site, and what each content holds of them."""
        for blob, (old, new) in holders.items():
            match = max(_match(site.old, old), _match(site.new, new))
            holder = old or new
            if holder is not None and 2 * match >= 1:
                known = self._found.setdefault(blob, _Found(holder))
                known.match = max(known.match, match)
                known.held.update(enumerate(held(site, different, old, new), len(self.changes)))
        self.changes += [
            FixedChange(_region(site.old, change.old), _region(site.new, change.new)) for change in site.changes
        ]

    def judged(self, repositories: Mapping[str, RepositoryRecord]) -> tuple[FixedLocation, ...]:
        """The contents that have a changed place, each with the form that it has: old forms first, the surest first."""
        located = (_location(found, repositories) for found in self._found.values())
        return tuple(sorted((location for location in located if location is not None), key=_order))


def _match(form: SiteForm | None, holder: Holder | None) -> float:
    """The share of a form that a content has."""
    return 0.0 if form is None or holder is None else holder.matched_tokens / len(form)


def _region(form: SiteForm | None, span: Tokens) -> Region | None:
    """A changed place of a file; where it has no tokens, those around it if they are on one line."""
    if form is None:
        return None
    (begin, end), stream = span, form.side.stream
    if begin < end:
        return region(stream, begin, end)
    is_inside = 0 < begin < len(stream) and stream.end_lines[begin - 1] == stream.start_lines[begin]
    return region(stream, begin - 1, begin + 1) if is_inside else None


def _location(found: _Found, repositories: Mapping[str, RepositoryRecord]) -> FixedLocation | None:
    """What a content holds of a function; None where it has none of the changed places."""
    holder = found.holder
    there = [(number, held, held.place) for number, held in sorted(found.held.items()) if held.place is not None]
    if not there:
        return None
    places = (FixedPlace(number, region(holder.stream, *at), score_of([held]).score) for number, held, at in there)
    score = score_of(held for _, held, _ in there)
    form, certainty = judged(score)
    keys = {occurrence.repository for occurrence in holder.occurrences}
    return FixedLocation(
        blob=holder.blob,
        language=holder.language,
        occurrences=holder.occurrences,
        form=form,
        certainty=certainty,
        score=score.score,
        held_old=score.held_old,
        held_new=score.held_new,
        match=int(found.match * 10_000) / 100,
        places=tuple(places),
        repositories={key: repositories[key] for key in keys if key in repositories},
    )


def _order(location: FixedLocation) -> tuple[int, float, Sequence[str]]:
    """Old forms first, the surest first; then by place."""
    at = location.occurrences[0]
    return list(Form).index(location.form), -abs(location.score), (at.repository, at.path, location.blob)
