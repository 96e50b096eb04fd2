"""All numbers that were chosen by looking at results: first those of a search, then the others.

Other numbers are next to their use: those that follow from a definition (more than half of something is most of it, a
representation's k), and limits on work. Rules with the same question share a number. benchmarks/notes/defaults.md
explains each choice.
"""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """What each sign adds to the logarithm of the odds that a document is a copy.

    Attributes:
        same: times the share of the patterns that are the same, 0 to 1.
        stands_out: times ln(weight of the shared terms / weight that others share by chance).
        literals: times ln(1 + number of different literals that are the same in the same place).
        length: times ln(`TINY` + tokens of the document): the longer a document, the more of it is like anything.
        bias: added for every document.
    """

    same: float
    stands_out: float
    literals: float
    length: float
    bias: float


# A search.

WEIGHTS = Weights(same=8.2, stands_out=3.6, literals=3.1, length=-0.63, bias=-2.85)
"""Found by logistic regression (`benchmarks/effectiveness/rule.py`)."""

TINY = 8
"""Added to the number of patterns of a window, since ten of ten prove less than fifty of fifty, and to the number of
tokens of a document."""

ENOUGH = 65
"""At most this many patterns of a window count, since a copy of a long window need not have more of them."""

CHANCE, CHANCE_POWER = 0.4, 0.35
"""Of n terms, a document shares at least `CHANCE` n^`CHANCE_POWER` by chance, as measured in a large index. A small
index may have no other documents to compare with, and so may one that has only copies."""

OTHERS, LESS = 5, 0.8
"""What a document shares by chance is taken to be what another candidate shares: number `OTHERS` of the candidates that
score less than `LESS` times as much as the document."""

CHANCE_WEIGHT = 0.5
"""Weight of a term that is shared by chance in a large index, as a share of the weight of a unique term."""

PATTERN = 4
"""Tokens of a pattern, and the least tokens of a region and of a sequence of literals."""

SHORT_RUN, RUN, LONG_RUN = 5, 12, 16
"""Tokens of three k-grams: a short one that may match by chance, and one of `renamed` and one of `p_match` that do not.
Containment chains short ones, which also tell two forms of changed code apart first. On OCD and SOCO-14, 4 to 6 tokens
rank equally by containment (at most 0.004 worse), 8 and 12 worse by 0.09 (`benchmarks/effectiveness/ranking.py`). Eight
tokens of `renamed` in a row are often only common syntax."""

CHARACTERS = 8
"""Letters of prose that count as one token of code in limits on length."""

SHORT_QUERY, LONG_QUERY = 60, 600
"""A query with fewer tokens than the first number keeps the window of the index. One with at least the second number is
cut into windows of half of that, which overlap by half (`benchmarks/effectiveness/first_stage.py`)."""

WIDER = 2
"""The window of a query of code is this many times the index's window. For prose it is this many times smaller: if
words are replaced, few runs are as long as a window and its k-gram (`benchmarks/effectiveness/prose_sweep.py`)."""

SLACK = 8
"""The stretch of a document that faces a query is longer than the query by one token for each `SLACK` tokens of it."""

NEARLY_THE_SAME = 0.9
"""Share from which on the rest does not matter. Two contents with this much in common are grouped as nearly identical,
and a query that is matched this far is not read in another way."""

WEIGHT = 10
"""Weight of a token in the matching share. A token that a formatter may have added or moved weighs 1."""

ROOM = 50
"""A query of n tokens is aligned with 1.5 n tokens of a document, and this number more."""

# Everything else.

FEW_LINES = 40
"""Tokens of a few lines: the context of a change (its lookup takes twice as many on each side), and the shortest
stretch and the shortest file that can be learned as boilerplate."""

PART = 0.2
"""Share of a file from which on another file is related to it. Of 100 copies that went through obfuscators and
decompilers, 5 resemble the original less (`benchmarks/effectiveness/ranking.py`)."""

SLIGHT = 0.1
"""Share from which on two files are compared at all. On SOCO-14, pairs below it change the average precision of
`compare` by less than 0.001 (`benchmarks/comparing.py`). Also the share of marks of code that makes a line dense, and
the share of dense lines that makes a text code."""

NEARLY_ALL = 0.8
"""Share from which on something counts as complete: a file with this much of its original is still that file."""

RARELY = 0.02
"""A share that is still an exception. It is used for marks of code in prose, for control characters in a text, and for
repositories that have a piece of code (from this share on, it is boilerplate)."""

FEW = 3
"""Number of files, repositories or words from which on agreement is not a coincidence."""

LONG = 400
"""Tokens from which on only `exact` and `renamed` count when files are compared. The shorter a file is, the more
`p_match` counts. On OCD and SOCO-14, 300 to 500 give the same result (`benchmarks/effectiveness/sweep.py`)."""

MANY = 16
"""Occurrences or pairs beyond which a k-gram alone proves nothing, since it is part of a table. Also the number of rare
terms from which on a pair counts in files of any length, and the number of words from which on a text is prose."""

PROSE = 5
"""Letters of prose that count as much as a token of code."""

RARE_TERMS = 2
"""What a pair shares must weigh as much as this number of terms that only two submissions have
(`benchmarks/comparing.py`)."""

COMMON = 10
"""Number of submissions that may always have a term in common, and most files that may have a rare term."""

SURE, LIKELY = 0.7, 0.4
"""The form of a location is sure, or likely, if its shares of the two forms differ by at least these numbers
(`benchmarks/fixed.py`, benchmarks/notes/fixed.md)."""

LEAD, LEAD_OF_CODE = 2, -1
"""How far a language must lead, as a logarithm of odds (`benchmarks/guessing.py`). The first number is the lead over
prose for a text that looks like prose, and the lead over another language that makes trying that one needless. The
second is the lead over prose for any other text. Of 1,206 licenses, read-me files and parts of them, none has a greater
lead than the first. Of 1,650 renamed pieces of functions of 25 to 150 tokens, 1% of those with a greater lead are
guessed wrongly, and 8% of all."""

DENSE = 0.03
"""Prose has at most this many marks of code for each visible character."""

NEAR, NOTICE = 8, 30
"""A comment refers to a match at most `NEAR` lines away. The notice of a license has at most `NOTICE` lines."""
