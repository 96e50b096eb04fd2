"""The parts of a change that are looked up: differences near each other, with the code around them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise, takewhile
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import kgram_hashes
from wherefrom.analyzers.representations import kept_names
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import TokenClass, TokenStream, part
from wherefrom.fitted import FEW_LINES, SHORT_RUN
from wherefrom.model import Hashes, Representation
from wherefrom.queries.alignment.chains import heaviest_chain
from wherefrom.queries.preparation.preparing import declarations
from wherefrom.support.positions import encoding
from wherefrom.support.values import dataclass

MOST_PAIRS = 100_000
"""If there are more pairs of equal tokens between two anchors than this, as in long tables, all tokens between the
anchors count as changed."""


Tokens: TypeAlias = tuple[int, int]
"""A half-open span of the tokens of one text."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The tokens `old` of one text are replaced by the tokens `new` in the other. Either span may be empty."""

    old: Tokens
    new: Tokens

    def moved(self, old: int, new: int) -> Difference:
        """The same difference, shifted by `old` tokens in the old text and by `new` tokens in the new one."""
        return Difference((self.old[0] + old, self.old[1] + old), (self.new[0] + new, self.new[1] + new))

    def joined(self, later: Difference) -> Difference:
        """The difference from the begin of this one to the end of a later one."""
        return Difference((self.old[0], later.old[1]), (self.new[0], later.new[1]))


def differences(old: Hashes, new: Hashes) -> list[Difference]:
    """The differences between two texts, given as codes of tokens, in order."""
    found: list[Difference] = []
    anchors = [(-SHORT_RUN, -SHORT_RUN), *_anchors(old, new), (len(old), len(new))]
    for (ours, theirs), (next_ours, next_theirs) in pairwise(anchors):
        # Anchors may overlap. If the overlap is equally long in both texts, there is no difference between them.
        shift = min(SHORT_RUN, next_ours - ours, next_theirs - theirs)
        begin, other = ours + shift, theirs + shift
        for inner in _compared(old[begin:next_ours].tolist(), new[other:next_theirs].tolist()):
            difference = inner.moved(begin, other)
            if found and difference.old[0] - found[-1].old[1] < SHORT_RUN:
                difference = found.pop().joined(difference)
            found.append(difference)
    return found


def _anchors(old: Hashes, new: Hashes) -> list[tuple[int, int]]:
    """The positions (old, new) of runs of `SHORT_RUN` tokens that each text has exactly once, ascending in both."""

    def once(hashes: Hashes) -> tuple[Hashes, NDArray[np.int64]]:
        values, where, counts = np.unique(hashes, return_index=True, return_counts=True)
        return values[counts == 1], where[counts == 1]

    ours, theirs = (once(kgram_hashes(text, SHORT_RUN)) for text in (old, new))
    _, at_ours, at_theirs = np.intersect1d(ours[0], theirs[0], assume_unique=True, return_indices=True)
    here, there = ours[1][at_ours], theirs[1][at_theirs]
    order = np.argsort(here)
    _, rising = heaviest_chain(there[order], np.ones(len(order)))
    return list(zip(here[order[rising]].tolist(), there[order[rising]].tolist(), strict=True))


def _equal(one: list[int], other: list[int]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _compared(old: list[int], new: list[int]) -> Iterator[Difference]:
    first = _equal(old, new)
    last = _equal(old[first:][::-1], new[first:][::-1])
    ours, theirs = old[first : len(old) - last], new[first : len(new) - last]
    counts = Counter(theirs)
    if not ours or not theirs or sum(counts[token] for token in ours) > MOST_PAIRS:
        if ours or theirs:
            yield Difference((first, first + len(ours)), (first, first + len(theirs)))
        return
    for kind, *spans in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            begin, end, other, other_end = (first + at for at in spans)
            yield Difference((begin, end), (other, other_end))


_HEADING = re.compile(r"[A-Za-z_$](?!\w*:$)(?:.*[^;])?$")
"""A line that names the code below it. As in git, it begins at the margin. It is neither a label nor a whole statement,
such as a parameter of a function in C before 1989."""

_INCLUDED = re.compile(r"\s*#\s*(?:include|import|pragma)\b")
"""A line of the C preprocessor that imports something."""


_OTHER = re.compile(rb"[={]|@\Z")
"""What is before a name that is not the one of the function: it is of its body, or of an annotation."""


@dataclass(frozen=True)
class FileSide:
    """A file before or after a change. The half-open token spans of its functions are each before those inside it."""

    path: str
    content: bytes
    stream: TokenStream
    language: str
    functions: Sequence[tuple[int, int]]

    def name_of_function(self, begin: int, end: int) -> str:
        """The name of the function of these tokens: the first one before a parenthesis, if it is not in the body. A
        function without such a name is named by a line.
        """
        stream = self.stream
        names = (stream.classes[begin:end] == TokenClass.NAME) & kept_names(stream)[begin:end]
        at = begin + int(np.argmax(names))
        head, line = (self._line(int(stream.start_lines[token])) for token in (begin, at))
        if len(line) - len(line.lstrip()) > len(head) - len(head.lstrip()):
            return head.strip()
        first, last = int(stream.starts[at]), int(stream.ends[at])
        if np.any(names) and not _OTHER.search(self.content, int(stream.starts[begin]), first):
            return self.content[first:last].decode(encoding(self.content), "replace")
        return line.strip()

    def heading_of(self, at: int) -> str:
        """The last line at or above a token that names the code below it; empty if there is none."""
        if not len(self.stream):
            return ""
        last = int(self.stream.start_lines[min(at, len(self.stream) - 1)])
        above = (self._line(number).rstrip() for number in range(last, 0, -1))
        return next((line for line in above if _HEADING.match(line)), "")

    def is_import(self, begin: int, end: int) -> bool:
        """Whether all of these tokens are part of imports."""
        others = np.flatnonzero(~self._imports[begin:end]) + begin
        return all(_INCLUDED.match(self._line(number)) for number in set(self.stream.start_lines[others].tolist()))

    @cached_property
    def _imports(self) -> NDArray[np.bool_]:
        return declarations(self.stream)

    def _line(self, number: int) -> str:
        """A line by its number (1-based); empty after the last line."""
        return self._lines[number - 1] if number <= len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return self.content.decode(encoding(self.content), "replace").split("\n")


Sides: TypeAlias = "tuple[FileSide | None, FileSide | None]"
"""A file before and after a change; None if it does not exist then."""


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """A half-open span of the tokens of a file."""

    side: FileSide
    begin: int
    end: int

    def __len__(self) -> int:
        return self.end - self.begin

    @property
    def codes(self) -> Hashes:
        """The codes of its tokens."""
        return self.side.stream.codes[self.begin : self.end]

    @property
    def tokens(self) -> TokenStream:
        """Its tokens, at their positions in the file. The span must not be empty."""
        return part(self.side.stream, self.begin, self.end)


CONTEXT = 2 * FEW_LINES  # a difference is looked up together with this many tokens before it and after it
LONGEST_SITE = 560  # the highest number of tokens of one search, less than `LONG_QUERY`

MARGIN = SCHEMES[Representation.EXACT].k
"""The k-grams of a change are also searched in this many tokens of a document before and after the changed place: if
equal tokens are beside a difference, its exact position is arbitrary."""

NEAR = 2 * MARGIN
"""Two differences with at most this many equal tokens between them are judged as one, since their margins touch."""


@dataclass(frozen=True, slots=True)
class SiteForm(TokenSpan):
    """One form of a site. `differs` marks the tokens that the other form lacks, or none if there is no other form."""

    differs: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Site:
    """Some differences with the code around them, looked up by one search for each form (None if the function did not
    exist then). The `changes` are shown and judged: differences near each other are joined into one.
    """

    old: SiteForm | None
    new: SiteForm | None
    changes: tuple[Difference, ...]


def sites(old: TokenSpan | None, new: TokenSpan | None, differences: Sequence[Difference]) -> Iterator[Site]:
    """The sites of a changed function."""
    has_both = old is not None and new is not None
    for group in grouped(differences):
        olds, news = [difference.old for difference in group], [difference.new for difference in group]
        yield Site(
            None if old is None else _part(old, olds, olds if has_both else ()),
            None if new is None else _part(new, news, news if has_both else ()),
            tuple(changes(group)),
        )


def grouped(differences: Sequence[Difference]) -> list[list[Difference]]:
    """Groups differences near each other. Each group is short enough for one search with the code around it."""

    def is_near(group: list[Difference], difference: Difference) -> bool:
        whole = group[0].joined(difference)
        longer = max(end - begin for begin, end in (whole.old, whole.new))
        return difference.old[0] - group[-1].old[1] <= 2 * CONTEXT and longer <= LONGEST_SITE - 2 * CONTEXT

    return _groups(differences, is_near)


def changes(differences: Sequence[Difference]) -> list[Difference]:
    """Joins differences near each other into one, since they are judged together."""

    def is_near(group: list[Difference], difference: Difference) -> bool:
        last = group[-1]
        return difference.old[0] - last.old[1] <= NEAR and difference.new[0] - last.new[1] <= NEAR

    return [group[0].joined(group[-1]) for group in _groups(differences, is_near)]


def _groups(
    differences: Sequence[Difference], is_near: Callable[[list[Difference], Difference], bool]
) -> list[list[Difference]]:
    groups: list[list[Difference]] = []
    for difference in differences:
        if groups and is_near(groups[-1], difference):
            groups[-1].append(difference)
        else:
            groups.append([difference])
    return groups


def around(begin: int, end: int, first: int, last: int) -> Tokens:
    """The span `begin` to `end` with its context, within `first` to `last` and at most `LONGEST_SITE` tokens long."""
    begin = max(begin - CONTEXT, first)
    return begin, min(end + CONTEXT, last, begin + LONGEST_SITE)


def _part(whole: TokenSpan, changed: Sequence[Tokens], marked: Sequence[Tokens]) -> SiteForm:
    begin, end = around(changed[0][0], changed[-1][1], whole.begin, whole.end)
    differs = np.zeros(end - begin, np.bool_)
    for first, last in marked:
        differs[max(first - begin, 0) : max(last - begin, 0)] = True
    return SiteForm(whole.side, begin, end, differs)
