"""Every number that was chosen by looking at results, in one table: those of a search first, then those beside it.

What follows from a definition is beside its use (half of something is most of it, a representation's k), and so is what
limits work. Where two rules ask the same question they share a number. docs/defaults.md says how each was chosen.
"""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """What the signs add to the logarithm of the odds that a document is a copy.

    Attributes:
        same: for the share of the patterns that is the same, 0 to 1.
        stands_out: for each e-fold by which the terms weigh more than those that others share by chance.
        literals: for each e-fold of 1 + the different literals that are the same in the same place.
        length: for each e-fold of the tokens of the document: the longer it is, the more of it is like anything.
        bias: for every document.
    """

    same: float
    stands_out: float
    literals: float
    length: float
    bias: float


# A search.

WEIGHTS = Weights(same=8.2, stands_out=3.6, literals=3.1, length=-0.63, bias=-2.85)
"""By logistic regression (`benchmarks/effectiveness/rule.py`)."""

TINY = 8
"""Added to the patterns of a window, since all of ten say less than all of fifty, and to the tokens of a document."""

ENOUGH = 65
"""Patterns of a window that count at most: of a long one it is enough that so many are the same."""

CHANCE, CHANCE_POWER = 0.4, 0.35
"""What a document shares by chance of n terms is at least `CHANCE` n^`CHANCE_POWER`: what it is in a large index. In a
small one there may be nothing to compare a document with, and where all candidates are copies neither."""

OTHERS, LESS = 5, 0.8
"""What others share by chance is told by the candidate at this place among those that score less than this share."""

CHANCE_WEIGHT = 0.5
"""What a term that is shared by chance weighs in a large index, of what one weighs that nothing else has."""

PATTERN = 4
"""Tokens of a pattern. Less is no region of its own, and no sequence of literals."""

SHORT_RUN, RUN, LONG_RUN = 5, 12, 16
"""Tokens of k-grams of which one may be chance, and of those of `renamed` and of `p_match` that are not. The first are
chained for containment, and tell two forms of changed code apart before the second do. On OCD and SOCO-14 4 to 6 rank
alike by containment (0.004 less at most), 8 and 12 worse by 0.09 (`benchmarks/effectiveness/ranking.py`). Eight tokens
of `renamed` in a row are often common as syntax alone."""

CHARACTERS = 8
"""Letters of prose for each token of code, where a length in tokens is meant."""

SHORT_QUERY, LONG_QUERY = 60, 600
"""Tokens below which a query keeps the index's window, and from which on it is cut into windows of half of that, each
half over the next (`benchmarks/effectiveness/first_stage.py`)."""

WIDER = 2
"""A query's window is so many times that of the index; of prose it is so many times smaller, for where words are
replaced few runs are as long as a window and its k-gram (`benchmarks/effectiveness/prose_sweep.py`)."""

SLACK = 8
"""One token in so many of a query is added to a stretch of a document that has the length of the query."""

NEARLY_THE_SAME = 0.9
"""Share of two contents, or of a query, from which on what is left does not matter."""

WEIGHT = 10
"""What a token counts for the share that matches, where one counts 1 that a formatter may have added or moved."""

ROOM = 50
"""Tokens of a document in which a query of n is looked for beyond 1.5 n."""

# Beside it.

FEW_LINES = 40
"""Tokens of a few lines: those around a change in which it is placed (it is looked up with twice as many on either
side), and the shortest stretch and file that are learned as boilerplate."""

PART = 0.2
"""Share of a file from which on another file has to do with it. Of copies through obfuscators and decompilers 5 in 100
resemble the original less (`benchmarks/effectiveness/ranking.py`)."""

SLIGHT = 0.1
"""Share from which on two files are looked at together at all. On SOCO-14 the pairs with less change the average
precision of `compare` by less than 0.001 (`benchmarks/comparing.py`). And of marks of code in a line of prose, and of
such lines in prose."""

NEARLY_ALL = 0.8
"""Share from which on something is there as good as whole: a file with edits is its original still."""

RARELY = 0.02
"""Share that is an exception: of marks of code in prose, of control characters in a text, and of repositories with what
is no boilerplate yet."""

FEW = 3
"""Files, repositories or words from which on agreement is no coincidence."""

LONG = 400
"""Tokens from which on a file is compared by `exact` and `renamed` alone; a shorter one by `p_match` the more, the
shorter it is. On OCD and SOCO-14 300 to 500 do the same (`benchmarks/effectiveness/sweep.py`)."""

MANY = 16
"""Occurrences, or pairs of one k-gram, beyond which it says nothing by itself: it is a row of a table. And rare terms
from which on a pair counts in however long files, and words from which on they are prose."""

PROSE = 5
"""Letters of prose that count as much as a token of code."""

RARE_TERMS = 2
"""Terms that only two submissions have, as which what a pair shares weighs at least for it to count
(`benchmarks/comparing.py`)."""

COMMON = 10
"""Submissions that may have a term, however few there are, and files that may have one that counts as rare."""

SURE, LIKELY = 0.7, 0.4
"""How far the shares of two forms that a location has are apart for its form to be sure, and to be likely
(`benchmarks/fixed.py`, docs/fixed.md)."""

LEAD, LEAD_OF_CODE = 2, -1
"""How far, as a logarithm of odds, a language must lead: before prose for what looks like prose to be code, and before
another language for that not to be tried; and before prose for what does not look like prose
(`benchmarks/guessing.py`). Of 1,206 licenses, read-me files and parts of them none leads by more. Of 1,650 renamed
pieces of functions of 25 to 150 tokens 0.01 of those that lead by more are guessed wrongly, 0.08 of all."""

DENSE = 0.03
"""Marks of code by visible character that prose has at most."""

NEAR, NOTICE = 8, 30
"""Lines around a match whose comments are about it, and of the longest notice of a license."""
