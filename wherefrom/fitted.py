"""The numbers outside of the search that were chosen by looking at results; those of the search are in `queries`.

What follows from a definition is beside its use (half of something is most of it, a representation's k), and so is what
limits work. Where two rules ask the same question they share a number here.
"""

from __future__ import annotations

PART = 0.2
"""Share of a file from which on another file has to do with it. Of copies through obfuscators and decompilers 5 in 100
resemble the original less (`benchmarks/effectiveness/ranking.py`)."""

SLIGHT = 0.1
"""Share from which on two files are looked at together at all. On SOCO-14 the pairs with less change the average
precision of `compare` by less than 0.001 (`benchmarks/comparing.py`). And of marks of code in a line of prose, and of
such lines in prose."""

NEARLY_ALL = 0.8
"""Share from which on something is there as good as whole: a file with edits is its original still."""

FEW = 3
"""Files, repositories or words from which on agreement is no coincidence."""

LONG = 400
"""Tokens from which on a file is compared by `exact` and `renamed` alone; a shorter one by `p_match` the more, the
shorter it is. On OCD and SOCO-14 300 to 500 do the same (`benchmarks/effectiveness/sweep.py`)."""

REPEATED = 16
"""Occurrences, or pairs of one k-gram, beyond which it says nothing by itself: it is a row of a table."""

PROSE = 5
"""Letters of prose that count as much as a token of code."""

RARE_TERMS, MANY_RARE_TERMS = 2, 16
"""Terms that only two submissions have, as which what a pair shares weighs at least for it to count; and from which on
it counts in however long files (`benchmarks/comparing.py`)."""

COMMON = 10
"""Submissions that may have a term, however few there are, and files that may have one that counts as rare."""

SHORT_RUN, RUN = 5, 12
"""Tokens of k-grams of which one may be chance, and of those that are no chance. The first are chained for containment,
and tell two forms of changed code apart before the second do. On OCD and SOCO-14 4 to 6 rank alike by containment
(0.004 less at most), 8 and 12 worse by 0.09 (`benchmarks/effectiveness/ranking.py`)."""

REACH = 40
"""Tokens around a change in which it is placed; a change is looked up with twice as many on either side."""

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
