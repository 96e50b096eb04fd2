"""All numbers that were chosen by measuring results: first the numbers of a search, then the others.

Rules that ask the same question share a number. benchmarks/notes/defaults.md explains each choice. Numbers that follow
from a definition (such as a representation's k) and limits on work are not here, but next to the code that uses them.
"""

from __future__ import annotations

from typing import NamedTuple


class Odds(NamedTuple):
    """The weights of the logarithm of the odds that a document is a copy (`queries.judging.odds`).

    Attributes:
        bits: multiplies the bits of evidence.
        length: multiplies ln(tokens of the query).
        rarity: multiplies ln(weight of the shared terms, in units of a rare one).
        bias: added for every document.
    """

    bits: float
    length: float
    rarity: float
    bias: float


class TranslationOdds(NamedTuple):
    """The weights of the logarithm of the odds of a translation (`queries.translation.alignment.WordEvidence`).

    Attributes:
        pairs: multiplies ln(1 + pairs of neighboring words).
        share: multiplies ln(share of the query that is in both).
        bias: added for every document.
    """

    pairs: float
    share: float
    bias: float


# A search.

PATTERN = 4
"""The least number of tokens of a sequence of literals."""

SHORT_RUN, RUN, LONG_RUN = 5, 12, 16
"""Lengths of k-grams in tokens. A `SHORT_RUN` may match by chance; `RUN` tokens of `renamed` or `LONG_RUN` tokens of
`p_match` rarely do, so `compare` looks for those. Containment chains k-grams of `SHORT_RUN` tokens: on OCD and SOCO-14,
k from 4 to 6 ranks equally well, k = 8 and k = 12 worse by 0.09 (`benchmarks/effectiveness/ranking.py`). `fixed` uses
them to tell the old form of code from the new one. `RUN` is more than 8, because 8 tokens of `renamed` are often only
common syntax."""

CHARACTERS = 8
"""In limits on length, this many letters of prose count as one token of code."""

SHORT_QUERY, LONG_QUERY = 60, 600
"""A query of code with fewer tokens than `SHORT_QUERY` keeps the window of the index. A query longer than `LONG_QUERY`
is cut into pieces of half that length, which overlap by half (`benchmarks/effectiveness/first_stage.py`)."""

WIDER = 2
"""The window of a query of code is this many times the index's window. For prose it is this many times smaller, because
prose with replaced words has few long matches (benchmarks/notes/defaults.md)."""

PATIENCE = 25
"""A search reads the candidates of a window until this many in a row add no copy. Of 244 edited snippets of 10 to 1,000
lines, 6 had a copy further behind in one of their windows (`benchmarks/results/search.md`)."""

NEARLY_THE_SAME = 0.9
"""From this share on, differences do not matter. Two contents that share this much are grouped as nearly identical. A
query is not analyzed again as another kind of text if this share of it matches."""

WEIGHT = 10
"""The weight of a token in `match` percentages. A token that a formatter may have added or moved has the weight 1."""

# Evidence of a copy, in bits (`queries.preparation.background`, `queries.alignment.aligning`).

RECENT = 15
"""In n-grams, a name that was used before more than this many others is like a new one."""

MOST_OF_WORD = 10.0
"""The most bits of a token's structure, and of a name or literal."""

LETTER = 1.7
"""The bits of a letter or digit of prose. The entropy of printed English is about 1.3 bits (Shannon, "Prediction and
Entropy of Printed English", 1951) for a reader who knows it well."""

CONTEXTS = (1, 2)
"""A token costs at most what it costs in the query so far, after one token, and after two."""

SEED, SEED_BITS = 4, 4.0
"""An alignment begins at `SEED` tokens of code with at least `SEED_BITS`."""

MISFIT, OTHER = 4.0, 0.5
"""What a token of another kind costs, and a name or literal that is another one."""

DROP, LEAST = 10.0, 6.0
"""An extension ends `DROP` bits below its best end. A block has at least `LEAST` bits."""

OPEN, GAP = 1.0, 3
"""A gap between two blocks costs `OPEN`, and `GAP` times the logarithms of its lengths in both texts."""

FILLED = 16
"""Equal tokens in a gap of at most this many tokens of the query are marked, too. They add no bits."""

ODDS = Odds(bits=0.152, length=-5.0, rarity=0.76, bias=9.0)
"""The weights of the rule, fitted by `benchmarks/effectiveness/odds.py` to two draws together. Each half of their
projects alone gives from 0.130 to 0.166 for the bits, and from -4.6 to -5.4 for the length."""

LONGEST, LEAST_RARITY = 300, 0.5
"""A longer query counts as one of `LONGEST` tokens, and a smaller rarity as `LEAST_RARITY`."""

SHARED_AT_MOST = 2.0
"""A content that shares some of the weight of a window's terms shares at most this many times as much of its bits."""

SKIPPED = 2
"""The bits that a skipped word costs in an alignment of words."""

TRANSLATION = TranslationOdds(pairs=2.6, share=2.0, bias=-2.4)
TRANSLATED_FILE = TranslationOdds(pairs=0.84, share=4.34, bias=6.1)
"""The weights of the rule for a part of a file and for a whole one, fitted to ports and to unrelated projects."""

WORDS_FOR_TERMS = 5
"""A translation has at most this many times the share of a query's words that it has of its terms: two in five are
stored."""

# Everything else.

FEW_LINES = 40
"""The tokens of a few lines of code. Code that is learned as boilerplate has at least this many. `fixed` compares this
many tokens on each side of a change, and looks up twice as many."""

PART = 0.2
"""Two files are related if they share at least this part of their code. Of 100 copies that went through obfuscators and
decompilers, 5 share less with the original (`benchmarks/effectiveness/ranking.py`)."""

SLIGHT = 0.1
"""Two files that share less than this part of their code are not compared token by token. On SOCO-14, such pairs change
the average precision of `compare` by less than 0.001 (`benchmarks/comparing.py`). Also, a text is not prose if more
than this share of its lines are dense: if more than this share of a line's characters are marks of code."""

NEARLY_ALL = 0.8
"""From this share on, something counts as complete: a file with this share of another file's code is a copy of it."""

RARELY = 0.02
"""Up to this share, something is an exception: marks of code in prose, or control characters in a text. Code that at
least this share of all repositories contain is boilerplate."""

FEW = 3
"""If at least this many files, repositories or words agree, the agreement is not a coincidence."""

LONG = 400
"""For files of at least this many tokens, only `exact` and `renamed` count in their resemblance. The shorter a file is,
the more `p_match` counts. On OCD and SOCO-14, 300 to 500 give the same result (benchmarks/notes/effectiveness.md)."""

MANY = 16
"""A k-gram that occurs more often than this proves nothing alone, because it is probably part of a table. Also, files
of any length are compared if they share at least this many rare terms, and prose has at least this many words."""

PROSE = 5
"""This many letters of prose are as long as a token of code in comparisons and in learning boilerplate."""

RARE_TERMS = 2
"""A pair of submissions must share terms that weigh at least as much as this number of terms that no other submission
has (`benchmarks/comparing.py`)."""

COMMON = 10
"""A term is never too common for a comparison if at most this many submissions have it. A rare term is in at most this
many files."""

SURE, LIKELY = 0.7, 0.4
"""A location has some share of the old form of changed code and some share of the new form. Its form is sure or likely
if the two shares differ by at least these numbers (`benchmarks/fixed.py`, benchmarks/notes/fixed.md)."""

LEAD, LEAD_OF_CODE = 2, -1
"""How far a language must lead in a guess, as a logarithm of odds (`benchmarks/guessing.py`). A text that looks like
prose is code if a language leads prose by more than `LEAD`, any other text if it leads by more than `LEAD_OF_CODE`. The
next-best languages are tried too if they are less than `LEAD` behind. In none of 1,206 licenses, READMEs and parts of
them does a language lead by more than `LEAD`. Of 1,650 renamed pieces of functions of 25 to 150 tokens, 8% are guessed
wrongly, but only 1% of the pieces whose language leads by more than `LEAD`."""

DENSE = 0.03
"""At most this share of the visible characters of prose are marks of code."""

NEAR, NOTICE = 8, 30
"""A comment refers to a match at most `NEAR` lines away. The notice of a license has at most `NOTICE` lines."""
