"""Looks a changed function up, and judges which of its forms each content has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from wherefrom.analyzers.tokens import TokenStream
from wherefrom.model import RepositoryRecord
from wherefrom.projects.fixed.differences import Tokens
from wherefrom.projects.fixed.forms import Different, FoundForms, found_forms, judged, score_of
from wherefrom.projects.fixed.functions import ChangedFunction
from wherefrom.projects.fixed.sites import Site, SiteForm, sites
from wherefrom.queries.alignment.regions import region
from wherefrom.queries.history import Histories
from wherefrom.queries.searching import Holder
from wherefrom.results import Region
from wherefrom.results.fixed import FixedChange, FixedFunction, FixedLocation, FixedPlace, Form

Holders: TypeAlias = "Mapping[str, tuple[Holder | None, Holder | None]]"
"""By blob, the content as the searches for the old and the new form found it; None if a search did not find it."""


@dataclass(slots=True)
class _Content:
    """A content that has a function.

    Attributes:
        holder: the content, as a search found it.
        forms: how much of both forms it has, by the number of the change.
        match: the share of a site's tokens that it has, for the site with the highest share.
    """

    holder: Holder
    forms: dict[int, FoundForms] = field(default_factory=dict)
    match: float = 0.0


def looked_up(
    function: ChangedFunction,
    different: Different,
    search: Callable[[Site], tuple[Holders, bool]],
    repositories: Mapping[str, RepositoryRecord],
    histories: Histories,
) -> FixedFunction:
    """Finds the contents that have a changed function in its old or new form. Contents with the old form come first,
    and of those with the same form the surest ones.

    Args:
        function: the function.
        different: the k-grams that the change removed and added.
        search: finds the contents that have a site, and tells whether it stopped before the last one.
        repositories: the records of the index, by key.
        histories: knows which commit brought the new form to a location.
    """
    contents: dict[str, _Content] = {}
    changes: list[FixedChange] = []
    truncated = False
    for site in sites(function.old, function.new, function.differences):
        holders, is_cut = search(site)
        truncated |= is_cut
        for blob, (old, new) in holders.items():
            match = max(_match(site.old, old), _match(site.new, new))
            holder = old or new
            if holder is not None and 2 * match >= 1:
                content = contents.setdefault(blob, _Content(holder))
                content.match = max(content.match, match)
                content.forms.update(enumerate(found_forms(site, different, old, new), len(changes)))
        changes += [
            FixedChange(_region(site.old, change.old), _region(site.new, change.new)) for change in site.changes
        ]
    located = (_location(content, repositories, histories) for content in contents.values())
    side = function.span.side
    old_region, new_region = (
        None if span is None else region(span.side.stream, span.begin, span.end)
        for span in (function.old, function.new)
    )
    return FixedFunction(
        path=side.path,
        old_path=None if function.old is None else function.old.side.path,
        name=function.name,
        is_function=function.is_function,
        language=side.language,
        old=old_region,
        new=new_region,
        changes=tuple(changes),
        locations=tuple(sorted((location for location in located if location is not None), key=_order)),
        truncated=truncated,
    )


def _match(form: SiteForm | None, holder: Holder | None) -> float:
    return 0.0 if form is None or holder is None else holder.matched_tokens / len(form)


def _region(form: SiteForm | None, span: Tokens) -> Region | None:
    """The region of a change in one form. If the change has no tokens in this form, it is the region of the tokens
    before and after the change if they are on one line, else None.
    """
    if form is None:
        return None
    (begin, end), stream = span, form.side.stream
    if begin < end:
        return region(stream, begin, end)
    is_inside = 0 < begin < len(stream) and stream.end_lines[begin - 1] == stream.start_lines[begin]
    return region(stream, begin - 1, begin + 1) if is_inside else None


def _location(
    content: _Content, repositories: Mapping[str, RepositoryRecord], histories: Histories
) -> FixedLocation | None:
    """A content with the form that it has; None if it has none of the changed places."""
    holder = content.holder
    there = [(number, forms, forms.place) for number, forms in sorted(content.forms.items()) if forms.place is not None]
    if not there:
        return None
    places = (FixedPlace(number, region(holder.stream, *at), score_of([forms]).score) for number, forms, at in there)
    score = score_of(forms for _, forms, _ in there)
    form, certainty = judged(score)
    keys = {occurrence.repository for occurrence in holder.occurrences}
    location = FixedLocation(
        blob=holder.blob,
        language=holder.language,
        occurrences=holder.occurrences,
        form=form,
        certainty=certainty,
        score=score.score,
        held_old=score.held_old,
        held_new=score.held_new,
        match=int(content.match * 10_000) / 100,
        places=tuple(places),
        repositories={key: repositories[key] for key in keys if key in repositories},
    )
    lines = [span for _, _, at in there for span in _inner_lines(holder.stream, *at)] if form is Form.NEW else []
    if not lines:
        return location
    ages = histories.ages([(occurrence, lines) for occurrence in holder.occurrences])
    return replace(location, fixed_by=tuple(None if age is None else age.since for age in ages))


def _inner_lines(stream: TokenStream, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The first and the last line of the tokens between the equal ones at both ends of a span; none if there are no
    such tokens.
    """
    if end - begin > 2:
        yield int(stream.start_lines[begin + 1]), int(stream.end_lines[end - 2])


def _order(location: FixedLocation) -> tuple[int, float, Sequence[str]]:
    at = location.occurrences[0]
    return list(Form).index(location.form), -abs(location.score), (at.repository, at.path, location.blob)
