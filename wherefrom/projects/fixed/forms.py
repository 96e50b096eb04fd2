"""Decides which form of changed code a document has, by the k-grams at the changed place that only one form has."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import are_among, kgram_hashes, token_code
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.fitted import FEW_LINES, LIKELY, RUN, SHORT_RUN, SURE
from wherefrom.model import Hashes, Occurrence, RepositoryRecord, Representation
from wherefrom.projects.fixed.functions import ChangedFunction
from wherefrom.projects.fixed.sites import MARGIN, Difference, FileSide, Sides, Site, SiteForm, Tokens, sites
from wherefrom.queries.alignment.regions import region
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.history import Histories
from wherefrom.queries.searching import Holder
from wherefrom.results import Region
from wherefrom.results.projects import Certainty, FixedChange, FixedFunction, FixedLocation, FixedPlace, Form
from wherefrom.support.values import dataclass, field, replace

K = (SHORT_RUN, SCHEMES[Representation.EXACT].k, RUN)
"""Lengths of the k-grams that distinguish the two forms. The first length is used for which each form has k-grams that
the other lacks. Code inserted between two similar statements, for example, may need a greater length."""

Different: TypeAlias = "Mapping[int, tuple[Hashes, Hashes]]"
"""For each k, the sorted k-grams that all changed files together have less often after the change, and those that they
have more often. Code that only moved adds to neither."""

_RENAMED = (TokenClass.NAME, TokenClass.STRING, TokenClass.NUMBER)  # classes of tokens that a fork may have changed

_OTHER = {kind: np.uint64(token_code(b"\0other %d" % kind)) for kind in _RENAMED}
"""By class, the code that replaces a name or literal that only one of two texts has. It is the code of no real token,
since no token begins with NUL."""


@dataclass(frozen=True, slots=True)
class FoundForms:
    """How many k-grams only the old and only the new form of one change has, and how many of them a document has in
    `place`, a half-open span of tokens; None if it lacks the code around the change.
    """

    old: int
    found_old: int
    new: int
    found_new: int
    place: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Score:
    """`score` is between -1 (only the old form was found) and 1 (only the new form). `held_old` and `held_new` are the
    shares of both forms that were found.
    """

    score: float
    held_old: float | None
    held_new: float | None


def score_of(found: Iterable[FoundForms]) -> Score:
    """The score of some changes together: the found share of what only the new form has, minus that of the old form."""
    changes = list(found)
    old, new = sum(change.old for change in changes), sum(change.new for change in changes)
    held_old = round(sum(change.found_old for change in changes) / old, 4) if old else None
    held_new = round(sum(change.found_new for change in changes) / new, 4) if new else None
    return Score(round((held_new or 0.0) - (held_old or 0.0), 4), held_old, held_new)


def judged(score: Score) -> tuple[Form, Certainty | None]:
    """The form that a score shows, and its certainty."""
    if abs(score.score) < LIKELY:
        return Form.UNCLEAR, None
    certainty = Certainty.SURE if abs(score.score) >= SURE else Certainty.LIKELY
    return (Form.NEW if score.score > 0 else Form.OLD), certainty


def different_hashes(pairs: Sequence[Sides]) -> Different:
    """The k-grams that differ between files before and after a change."""
    sides = [(side, sign) for pair in pairs for side, sign in zip(pair, (-1, 1), strict=True) if side]
    return {k: _different(sides, k) for k in K}


def _different(sides: Sequence[tuple[FileSide, int]], k: int) -> tuple[Hashes, Hashes]:
    signed = [(kgram_hashes(side.stream.codes, k), sign) for side, sign in sides]
    together = np.concatenate([np.empty(0, np.uint64), *(found for found, _ in signed)])
    values, numbers = np.unique(together, return_inverse=True)
    weights = np.repeat([sign for _, sign in signed], [len(found) for found, _ in signed])
    counts = np.bincount(numbers, weights, minlength=len(values))
    return values[counts < 0], values[counts > 0]


def found_forms(site: Site, different: Different, old: Holder | None, new: Holder | None) -> list[FoundForms]:
    """For each change of a site, how much of both forms a document has. `old` and `new` are the document as the
    searches for the old and the new form found it; None if a search did not find it.
    """
    found = old or new
    if found is None:
        return []
    document = found.stream
    both = ((site.old, old), (site.new, new))
    aligned = [_Aligned.of(part, holder.runs) for part, holder in both if part is not None and holder is not None]
    aligned = _at_one_place(aligned, document)
    writing = _Writing(site, aligned, document)
    return [_found(site, different, change, aligned, writing) for change in site.changes]


@dataclass(frozen=True, slots=True)
class _Aligned:
    """For each token of a form, the position of the token that matches it in the document; -1 if none does."""

    part: SiteForm
    facing: NDArray[np.int64]

    @staticmethod
    def of(part: SiteForm, runs: Iterable[MatchedRun]) -> _Aligned:
        facing = np.full(len(part), -1)
        for run in runs:
            facing[run.begin : run.end] = np.arange(run.begin + run.shift, run.end + run.shift)
        facing[part.differs] = -1
        return _Aligned(part, facing)

    @property
    def span(self) -> tuple[int, int]:
        """The half-open span of the document from its first facing token to the last."""
        facing = self.facing[self.facing >= 0]
        return (int(facing.min()), int(facing.max()) + 1) if len(facing) else (0, 0)

    def same_tokens(self, document: TokenStream) -> int:
        """The number of tokens of the form that face an identical one."""
        ours = np.flatnonzero(self.facing >= 0)
        return int(np.count_nonzero(self.part.codes[ours] == document.codes[self.facing[ours]]))

    def around(self, begin: int, end: int) -> tuple[int | None, int | None]:
        """The positions in the document of the tokens that face the nearest tokens before and after a span of the file.
        None for a side on which no token within `FEW_LINES` tokens faces one.
        """
        before = self.facing[max(begin - self.part.begin - FEW_LINES, 0) : max(begin - self.part.begin, 0)]
        after = self.facing[max(end - self.part.begin, 0) : max(end - self.part.begin, 0) + FEW_LINES]
        before, after = before[before >= 0], after[after >= 0]
        return (int(before[-1]) if len(before) else None), (int(after[0]) if len(after) else None)


def _at_one_place(aligned: list[_Aligned], document: TokenStream) -> list[_Aligned]:
    """Both forms if they face the same place, or else the one with more identical tokens: of two similar functions."""
    spans = [form.span for form in aligned]
    overlap = min(end for _, end in spans) - max(begin for begin, _ in spans)
    if 2 * overlap >= min(end - begin for begin, end in spans):
        return aligned
    return [max(aligned, key=lambda form: form.same_tokens(document))]


class _Writing:
    """Replaces the names and literals of a document by those of the changed file. The equal code around the changes
    shows how they were renamed.
    """

    def __init__(self, site: Site, aligned: Sequence[_Aligned], document: TokenStream) -> None:
        parts = [part for part in (site.old, site.new) if part is not None]
        self._document = document
        self._vocabulary = frozenset(code for part in parts for code in _words(part.side.stream, part.begin, part.end))
        self._names: dict[int, int] = {}
        votes: defaultdict[int, Counter[int]] = defaultdict(Counter)
        spans: list[int] = []
        for form in aligned:
            ours = np.flatnonzero(form.facing >= 0)
            theirs = form.facing[ours]
            spans += theirs.tolist()
            stream = form.part.side.stream
            codes = stream.codes[form.part.begin + ours]
            is_word = np.isin(stream.classes[form.part.begin + ours], _RENAMED)
            for code, other in zip(codes[is_word].tolist(), document.codes[theirs[is_word]].tolist(), strict=True):
                votes[other][code] += 1
        for other, counted in votes.items():
            code, number = counted.most_common(1)[0]
            if code != other and (other not in self._vocabulary or (number >= 2 and len(counted) == 1)):
                self._names[other] = code
        first, last = (max(min(spans) - FEW_LINES, 0), max(spans) + FEW_LINES) if spans else (0, 0)
        self._known = (frozenset(_words(document, first, last)) - self._names.keys()) | {*self._names.values()}

    def document(self, begin: int, end: int, k: int) -> Hashes:
        """The k-grams of a span of the document, with its names and literals replaced."""
        return kgram_hashes(_written(self._document, begin, end, self._names, self._vocabulary), k)

    def form(self, stream: TokenStream, begin: int, end: int, k: int) -> Hashes:
        """The k-grams of a span of the changed file, without distinguishing names that the document does not have."""
        return kgram_hashes(_written(stream, begin, end, {}, self._known), k)

    def __len__(self) -> int:
        return len(self._document)


def _written(stream: TokenStream, begin: int, end: int, names: Mapping[int, int], known: frozenset[int]) -> Hashes:
    """The codes of a span. Codes of names and literals are replaced by `names`. Those that are neither in `names` nor
    `known` are replaced by one code for each class.
    """
    codes = stream.codes[begin:end].tolist()
    for at, kind in enumerate(stream.classes[begin:end].tolist()):
        if kind in _RENAMED:
            code = codes[at]
            codes[at] = names.get(code, code if code in known else int(_OTHER[kind]))
    return np.array(codes, np.uint64)


def _words(stream: TokenStream, begin: int, end: int) -> list[int]:
    words: list[int] = stream.codes[begin:end][np.isin(stream.classes[begin:end], _RENAMED)].tolist()
    return words


def _found(
    site: Site, different: Different, change: Difference, aligned: Sequence[_Aligned], writing: _Writing
) -> FoundForms:
    for k in K:
        gone, come = different[k]
        old = np.setdiff1d(_telling(site.old, change.old, gone, writing, k), _near(site.new, change.new, writing, k))
        new = np.setdiff1d(_telling(site.new, change.new, come, writing, k), _near(site.old, change.old, writing, k))
        if len(old) and len(new):
            break
    place = _place(change, site, aligned, len(writing))
    if place is None:
        return FoundForms(len(old), 0, len(new), 0, None)
    there = writing.document(max(place[0] - MARGIN - k, 0), place[1] + MARGIN + k, k)
    return FoundForms(len(old), int(np.isin(old, there).sum()), len(new), int(np.isin(new, there).sum()), place)


def _telling(part: SiteForm | None, changed: Tokens, only: Hashes, writing: _Writing, k: int) -> Hashes:
    """The k-grams of a form that are in `only` and either contain a changed token or lie across the change."""
    if part is None or not len(only):
        return np.empty(0, np.uint64)
    begin, end = max(changed[0] - k + 1, part.begin), min(changed[1] + k - 1, part.end)
    stream = part.side.stream
    raw = kgram_hashes(stream.codes[begin:end], k)
    return np.unique(writing.form(stream, begin, end, k)[are_among(raw, only)])


def _near(part: SiteForm | None, changed: Tokens, writing: _Writing, k: int) -> Hashes:
    """The k-grams of a form at a change and around it, within the margins that are searched in a document."""
    if part is None:
        return np.empty(0, np.uint64)
    begin, end = max(changed[0] - MARGIN - k, part.begin), min(changed[1] + MARGIN + k, part.end)
    return writing.form(part.side.stream, begin, end, k)


def _place(change: Difference, site: Site, aligned: Sequence[_Aligned], tokens: int) -> Tokens | None:
    """The half-open span of the document that faces a change; None if the code around the change is not there."""
    spans = []
    for form in aligned:
        if site.old is None or site.new is None:
            spans.append(form.span)
            continue
        before, after = form.around(*(change.old if form.part is site.old else change.new))
        reach = max(change.old[1] - change.old[0], change.new[1] - change.new[0]) + 2
        if before is not None and after is not None and before < after <= before + 2 * (reach + FEW_LINES):
            spans.append((before, after + 1))
        elif before is not None:
            spans.append((before, before + reach))
        elif after is not None:
            spans.append((after - reach, after + 1))
    if not spans:
        return None
    return max(min(begin for begin, _ in spans), 0), min(max(end for _, end in spans), tokens)


Holders: TypeAlias = "Mapping[str, tuple[Holder | None, Holder | None]]"
"""By blob, the content as the searches for the old and the new form found it; None if a search did not find it."""


@dataclass(slots=True)
class _Content:
    """A content that has a function: how much of both forms, by the number of the change, and the share of a site's
    tokens that it has, for the site with the highest share.
    """

    holder: Holder
    forms: dict[int, FoundForms] = field(default_factory=dict)
    match: float = 0.0


def looked_up(
    function: ChangedFunction,
    different: Different,
    search: Callable[[Site], tuple[Holders, bool]],
    records: Callable[[Sequence[Occurrence]], dict[str, RepositoryRecord]],
    histories: Histories,
) -> FixedFunction:
    """Finds the contents that have a changed function in its old or new form. Contents with the old form come first,
    and of those with the same form the surest ones. `search` also tells whether it stopped before the last content.
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

    def order(location: FixedLocation) -> tuple[int, float, Sequence[str]]:
        at = location.occurrences[0]
        return list(Form).index(location.form), -abs(location.score), (at.repository, at.path, location.blob)

    located = (_location(content, records, histories) for content in contents.values())
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
        locations=tuple(sorted((location for location in located if location is not None), key=order)),
        truncated=truncated,
    )


def _match(form: SiteForm | None, holder: Holder | None) -> float:
    return 0.0 if form is None or holder is None else holder.matched_tokens / len(form)


def _region(form: SiteForm | None, span: Tokens) -> Region | None:
    """The region of a change in one form; if it has no tokens there, of those beside it if they are on one line."""
    if form is None:
        return None
    (begin, end), stream = span, form.side.stream
    if begin < end:
        return region(stream, begin, end)
    is_inside = 0 < begin < len(stream) and stream.end_lines[begin - 1] == stream.start_lines[begin]
    return region(stream, begin - 1, begin + 1) if is_inside else None


def _location(
    content: _Content, records: Callable[[Sequence[Occurrence]], dict[str, RepositoryRecord]], histories: Histories
) -> FixedLocation | None:
    holder = content.holder
    there = [(number, forms, forms.place) for number, forms in sorted(content.forms.items()) if forms.place is not None]
    if not there:
        return None
    places = (FixedPlace(number, region(holder.stream, *at), score_of([forms]).score) for number, forms, at in there)
    score = score_of(forms for _, forms, _ in there)
    form, certainty = judged(score)
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
        repositories=records(holder.occurrences),
    )
    # Without the equal tokens at both ends of each place.
    inner = [(begin + 1, end - 2) for _, _, (begin, end) in there if end - begin > 2 and form is Form.NEW]
    stream = holder.stream
    lines = [(int(stream.start_lines[first]), int(stream.end_lines[last])) for first, last in inner]
    if not lines:
        return location
    ages = histories.ages([(occurrence, lines) for occurrence in holder.occurrences], of_owner=False)
    return replace(location, fixed_by=tuple(None if age is None else age.newest or age.since for age in ages))
