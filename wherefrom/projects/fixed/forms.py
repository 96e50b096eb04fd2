"""Which form of changed code a document holds: the k-grams that only one of the two forms has, at the changed place."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import are_among, token_code
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.fitted import FEW_LINES, RUN, SHORT_RUN
from wherefrom.model import Representation
from wherefrom.projects.fixed.sides import hashes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.model import Hashes
    from wherefrom.projects.fixed.differences import Difference
    from wherefrom.projects.fixed.sides import Side
    from wherefrom.projects.fixed.sites import Part, Site
    from wherefrom.queries import Holder
    from wherefrom.queries.alignment.runs import Run

K = (SHORT_RUN, SCHEMES[Representation.EXACT].k, RUN)
"""Tokens of the k-grams by which the two forms are told apart: the first that either form has of its own at a change,
since what is put between two statements that are much alike is told by longer ones alone."""

MARGIN = SCHEMES[Representation.EXACT].k
"""Tokens of a document around a changed place in which its k-grams are looked for: what is equal on both sides of a
difference may be counted to either."""

NEAR = 2 * MARGIN
"""Equal tokens between two differences up to which they are shown, and judged, as one: their margins touch."""

_RENAMED = (TokenClass.NAME, TokenClass.STRING, TokenClass.NUMBER)
"""What a fork may write otherwise."""

_OTHER = {kind: np.uint64(token_code(b"\0other %d" % kind)) for kind in _RENAMED}
"""Written in place of a name or literal that only one of two texts has. No symbol of a token begins with NUL."""


@dataclass(frozen=True, slots=True)
class Change:
    """Differences that are judged as one, as half-open token spans of both files.

    Attributes:
        old, new: the tokens that differ.
    """

    old: tuple[int, int]
    new: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Held:
    """What a document holds of one change.

    Attributes:
        old: k-grams that only the old form has; `held_old` of them are there.
        new: those that only the new form has; `held_new` of them are there.
        place: the half-open token span of the document in which they were looked for; None where it does not have the
            place.
    """

    old: int
    held_old: int
    new: int
    held_new: int
    place: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Forms:
    """What both forms of a site are made of.

    Attributes:
        site: the site.
        changes: of it.
        different: by k, what `different_hashes` gives: code that only moved has none of them.
    """

    site: Site
    changes: tuple[Change, ...]
    different: Mapping[int, tuple[Hashes, Hashes]]

    @staticmethod
    def of(site: Site, different: Mapping[int, tuple[Hashes, Hashes]]) -> Forms:
        """The forms of a site."""
        return Forms(site, tuple(changes(site.differences)), different)


def changes(found: Sequence[Difference]) -> Iterator[Change]:
    """Differences as they are judged: those that are near each other as one."""
    current: Change | None = None
    for difference in found:
        is_near = current is not None and (
            difference.old_begin - current.old[1] <= NEAR and difference.new_begin - current.new[1] <= NEAR
        )
        if current is not None and is_near:
            current = Change((current.old[0], difference.old_end), (current.new[0], difference.new_end))
            continue
        if current is not None:
            yield current
        current = Change((difference.old_begin, difference.old_end), (difference.new_begin, difference.new_end))
    if current is not None:
        yield current


def different_hashes(pairs: Sequence[tuple[Side | None, Side | None]], k: int) -> tuple[Hashes, Hashes]:
    """The k-grams of which all changed files together have fewer after the change, and those of which they have more,
    both sorted.

    Args:
        pairs: each file before and after; None where it is not there.
        k: tokens of a k-gram.
    """
    signed = [(side.hashes(k), sign) for pair in pairs for side, sign in zip(pair, (-1, 1), strict=True) if side]
    together = np.concatenate([np.empty(0, np.uint64), *(found for found, _ in signed)])
    values, numbers = np.unique(together, return_inverse=True)
    weights = np.repeat([sign for _, sign in signed], [len(found) for found, _ in signed])
    counts = np.bincount(numbers, weights, minlength=len(values))
    return values[counts < 0], values[counts > 0]


def held(forms: Forms, old: Holder | None, new: Holder | None) -> list[Held]:
    """What a document holds of each change of a site.

    Args:
        forms: of the site.
        old: the document as it was found by the old form, None where it was not.
        new: as it was found by the new form.
    """
    found = old or new
    if found is None:
        return []
    document = found.stream
    aligned = [
        _Aligned.of(part, holder.runs)
        for part, holder in ((forms.site.old, old), (forms.site.new, new))
        if part is not None and holder is not None
    ]
    aligned = _at_one_place(aligned, document)
    writing = _Writing.of(forms.site, aligned, document)
    return [_held(forms, change, aligned, writing, document) for change in forms.changes]


@dataclass(frozen=True, slots=True)
class _Aligned:
    """For each token of a part the token of the document that faces it, -1 for none; tokens that differ face none."""

    part: Part
    facing: NDArray[np.int64]

    @staticmethod
    def of(part: Part, runs: Iterable[Run]) -> _Aligned:
        facing = np.full(len(part), -1)
        for run in runs:
            facing[run.begin : run.end] = np.arange(run.begin + run.shift, run.end + run.shift)
        facing[part.differs] = -1
        return _Aligned(part, facing)

    @property
    def span(self) -> tuple[int, int]:
        """The tokens of the document from the first that faces one of the part to the last, half-open."""
        facing = self.facing[self.facing >= 0]
        return (int(facing.min()), int(facing.max()) + 1) if len(facing) else (0, 0)

    def same_tokens(self, document: TokenStream) -> int:
        """How many tokens of the part face one that is written as they are."""
        ours = np.flatnonzero(self.facing >= 0)
        return int(np.count_nonzero(self.part.codes[ours] == document.codes[self.facing[ours]]))

    def around(self, begin: int, end: int) -> tuple[int | None, int | None]:
        """The tokens of the document that face the nearest ones before and after a span of the file."""
        before = self.facing[max(begin - self.part.begin - FEW_LINES, 0) : max(begin - self.part.begin, 0)]
        after = self.facing[max(end - self.part.begin, 0) : max(end - self.part.begin, 0) + FEW_LINES]
        before, after = before[before >= 0], after[after >= 0]
        return (int(before[-1]) if len(before) else None), (int(after[0]) if len(after) else None)


def _at_one_place(aligned: list[_Aligned], document: TokenStream) -> list[_Aligned]:
    """The forms that face the same place. Where they face different ones, as where a function that is much like the
    changed one is in the document too, the one of which more tokens are there as they are.
    """
    spans = [form.span for form in aligned]
    overlap = min(end for _, end in spans) - max(begin for begin, _ in spans)
    if 2 * overlap >= min(end - begin for begin, end in spans):
        return aligned
    return [max(aligned, key=lambda form: form.same_tokens(document))]


class _Writing:
    """Writes the names and literals of a document as those of the changed file, as what is equal around the changes
    says that they were renamed.
    """

    def __init__(self, names: dict[int, int], vocabulary: frozenset[int], present: frozenset[int]) -> None:
        self._names = names
        self._vocabulary = vocabulary
        self._known = present | frozenset(names.values())

    @staticmethod
    def of(site: Site, aligned: Sequence[_Aligned], document: TokenStream) -> _Writing:
        parts = [part for part in (site.old, site.new) if part is not None]
        vocabulary = frozenset(code for part in parts for code in _words(part.side.stream, part.begin, part.end))
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
        names = {}
        for other, counted in votes.items():
            code, number = counted.most_common(1)[0]
            if code != other and (other not in vocabulary or (number >= 2 and len(counted) == 1)):
                names[other] = code
        first, last = (max(min(spans) - FEW_LINES, 0), max(spans) + FEW_LINES) if spans else (0, 0)
        present = frozenset(_words(document, first, last)) - names.keys()
        return _Writing(names, vocabulary, present)

    def document(self, stream: TokenStream, begin: int, end: int, k: int) -> Hashes:
        """The k-grams of a span of the document."""
        return hashes(_written(stream, begin, end, self._names, self._vocabulary), k)

    def form(self, stream: TokenStream, begin: int, end: int, k: int) -> Hashes:
        """The k-grams of a span of the changed file."""
        return hashes(_written(stream, begin, end, {}, self._known), k)


def _written(stream: TokenStream, begin: int, end: int, names: Mapping[int, int], known: frozenset[int]) -> Hashes:
    """The codes of a span with these names in place of others; a name or literal that is not known is any other."""
    codes = []
    for code, kind in zip(stream.codes[begin:end].tolist(), stream.classes[begin:end].tolist(), strict=True):
        if kind not in _RENAMED:
            codes.append(code)
        else:
            codes.append(names.get(code, code if code in known else int(_OTHER[TokenClass(kind)])))
    return np.array(codes, np.uint64)


def _words(stream: TokenStream, begin: int, end: int) -> list[int]:
    """The codes of names and literals in a span."""
    words: list[int] = stream.codes[begin:end][np.isin(stream.classes[begin:end], _RENAMED)].tolist()
    return words


def _held(forms: Forms, change: Change, aligned: Sequence[_Aligned], writing: _Writing, document: TokenStream) -> Held:
    for k in K:
        old, new = _own(forms, change, writing, k)
        if len(old) and len(new):
            break
    place = _place(change, forms.site, aligned, len(document))
    if place is None:
        return Held(len(old), 0, len(new), 0, None)
    there = writing.document(document, max(place[0] - MARGIN - k, 0), place[1] + MARGIN + k, k)
    return Held(len(old), int(np.isin(old, there).sum()), len(new), int(np.isin(new, there).sum()), place)


def _own(forms: Forms, change: Change, writing: _Writing, k: int) -> tuple[Hashes, Hashes]:
    """The k-grams that only the old form has of a change, and those that only the new form has."""
    site, (gone, come) = forms.site, forms.different[k]
    old = np.setdiff1d(_telling(site.old, change.old, gone, writing, k), _near(site.new, change.new, writing, k))
    new = np.setdiff1d(_telling(site.new, change.new, come, writing, k), _near(site.old, change.old, writing, k))
    return old, new


def _telling(part: Part | None, changed: tuple[int, int], only: Hashes, writing: _Writing, k: int) -> Hashes:
    """The k-grams of a form that hold a token of the change, or lie across it, of those that `only` it has."""
    if part is None or not len(only):
        return np.empty(0, np.uint64)
    begin, end = max(changed[0] - k + 1, part.begin), min(changed[1] + k - 1, part.end)
    stream = part.side.stream
    raw = hashes(stream.codes[begin:end], k)
    return np.unique(writing.form(stream, begin, end, k)[are_among(raw, only)])


def _near(part: Part | None, changed: tuple[int, int], writing: _Writing, k: int) -> Hashes:
    """The k-grams of a form at the change and around it, as far as those of a document are looked for."""
    if part is None:
        return np.empty(0, np.uint64)
    begin, end = max(changed[0] - MARGIN - k, part.begin), min(changed[1] + MARGIN + k, part.end)
    return writing.form(part.side.stream, begin, end, k)


def _place(change: Change, site: Site, aligned: Sequence[_Aligned], tokens: int) -> tuple[int, int] | None:
    """The span of the document, half-open, that faces a change; None where what is around it is not there."""
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
