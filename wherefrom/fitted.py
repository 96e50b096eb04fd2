"""All numbers that were chosen by measuring results: first the numbers of a search, then the others.

A number answers one question, which its name says. benchmarks/notes/defaults.md explains each choice. Numbers that
follow from a definition (such as a representation's k) and limits on work are not here, but next to the code that uses
them.
"""

from __future__ import annotations

from typing import NamedTuple


class Odds(NamedTuple):
    """The weights of the logarithm of the odds that a document is a copy (`queries.judging.odds`)."""

    bits: float  # multiplies the bits of evidence
    length: float  # multiplies ln(tokens of the query)
    rarity: float  # multiplies ln(weight of the shared terms, in units of a rare one)
    bias: float  # added for every document


class TranslationOdds(NamedTuple):
    """The weights of the logarithm of the odds of a translation (`queries.translation.alignment.WordEvidence`)."""

    pairs: float  # multiplies ln(1 + pairs of neighboring words)
    share: float  # multiplies ln(share of the query that is in both)
    bias: float  # added for every document


# A search.

PATTERN = 4  # the least number of tokens of a sequence of literals

SHORT_RUN, RUN, LONG_RUN = 5, 12, 16
"""Lengths of k-grams in tokens. A `SHORT_RUN` may match by chance; `RUN` tokens of `renamed` or `LONG_RUN` tokens of
`p_match` rarely do, so `compare` looks for those. Containment chains k-grams of `SHORT_RUN` tokens: on OCD and SOCO-14,
k from 4 to 6 ranks equally well, k = 8 and k = 12 worse by 0.09 (`benchmarks/effectiveness/ranking.py`). `fixed` uses
them to tell the old form of code from the new one. `RUN` is more than 8, because 8 tokens of `renamed` are often only
common syntax."""

CHARACTERS = 8  # in limits on length, this many letters of prose count as one token of code

SHORT_QUERY, LONG_QUERY = 60, 600
"""A query of code with fewer tokens than `SHORT_QUERY` keeps the window of the index. A query longer than `LONG_QUERY`
is cut into pieces of half that length, which overlap by half (`benchmarks/effectiveness/first_stage.py`)."""

WIDER = 2
"""The window of a query of code is this many times the index's window. For prose it is this many times smaller, because
prose with replaced words has few long matches (benchmarks/notes/defaults.md)."""

PATIENCE = 25
"""A search reads the candidates of a window until this many in a row add no copy. Of 244 edited snippets of 10 to 1,000
lines, 6 had a copy further behind in one of their windows (`benchmarks/results/search.md`)."""

NEARLY_IDENTICAL = 0.9  # two contents with at least this share of their k-grams in common are grouped as one
WELL_READ = 0.9  # a query is not analyzed again as another kind of text if at least this share of it matches

WEIGHT = 10
"""The weight of a token in `match` percentages. A token that a formatter may have added or moved has the weight 1."""

# Evidence of a copy, in bits (`queries.preparation.background`, `queries.alignment.aligning`).

RECENT = 15  # in n-grams, a name that was used before more than this many others is like a new one
MOST_OF_WORD = 10.0  # the most bits of a token's structure, and of a name or literal

LETTER = 1.7
"""The bits of a letter or digit of prose. The entropy of printed English is about 1.3 bits (Shannon, "Prediction and
Entropy of Printed English", 1951) for a reader who knows it well."""

CONTEXTS = (1, 2)  # a token costs at most what it costs in the query so far, after one token, and after two
SEED, SEED_BITS = 4, 4.0  # an alignment begins at `SEED` tokens of code with at least `SEED_BITS`
MISFIT, OTHER = 4.0, 0.5  # what a token of another kind costs, and a name or literal that is another one
DROP, LEAST = 10.0, 6.0  # an extension ends `DROP` bits below its best end. A block has at least `LEAST` bits
OPEN, GAP = 1.0, 3  # a gap between two blocks costs `OPEN`, and `GAP` times the logarithms of its lengths in both texts
FILLED = 16  # equal tokens in a gap of at most this many tokens of the query are marked, too. They add no bits

ODDS = Odds(bits=0.152, length=-5.0, rarity=0.76, bias=9.0)
"""The weights of the rule, fitted by `benchmarks/effectiveness/odds.py` to two draws together. Each half of their
projects alone gives from 0.130 to 0.166 for the bits, and from -4.6 to -5.4 for the length."""

LONGEST, LEAST_RARITY = 300, 0.5
"""A longer query counts as one of `LONGEST` tokens, and a smaller rarity as `LEAST_RARITY`."""

SHARED_AT_MOST = 2.0
"""A content that shares some of the weight of a window's terms shares at most this many times as much of its bits."""

SKIPPED = 2  # the bits that a skipped word costs in an alignment of words

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

RELATED = 0.2
"""Two files, or two functions, are related if they share at least this part of their code. Of 100 copies that went
through obfuscators and decompilers, 5 share less with the original (`benchmarks/effectiveness/ranking.py`)."""

COPIED = 0.8
"""A file, function or submission is a copy of another if at least this share of it is there in the same order."""

LEAST_CONTAINED = 0.1  # a file is similar to another if the other contains at least this part of it

LEAST_SHARED = 0.1
"""Two files that share less than this part of their code are not compared token by token. On SOCO-14, such pairs change
the average precision of `compare` by less than 0.001 (`benchmarks/comparing.py`)."""

MANY_RARE_TERMS = 16
"""Two files that share rare terms of this many times the weight of one are compared, whatever part of them that is."""

AS_WELL = 0.8
"""A document explains a part of a file as well as the chosen one if it has at least this share of that part."""

UNCHANGED = 0.2
"""Of two folders or repositories with files at the same paths, one is from the other if at least this part of these
files is unchanged."""

AGREEING = 3  # if two folders or repositories agree in at least this many files, that is not a coincidence

DISTINCTIVE = 16
"""A content says where a folder is from if the repositories that have it are of at most this many names."""

OF_PACKAGE = 0.8
"""A package may be from a repository whose metadata does not name it if at least this share of its files is there."""

LEAST_REPOSITORIES, LEAST_SHARE = 3, 0.02
"""By default, boilerplate is in at least this number and this share of the repositories."""

KNOWN_CODE = 0.8  # code is not proposed again if at least this share of it is in a set of boilerplate
VARIED = 0.2  # code is a table, and no boilerplate, if less than this part of its k-grams of `renamed` differ

LONG_FILE = 400
"""For files of at least this many tokens, only `exact` and `renamed` count in their resemblance. The shorter a file is,
the more `p_match` counts. On OCD and SOCO-14, 300 to 500 give the same result (benchmarks/notes/effectiveness.md)."""

TABLE = 16  # a k-gram that occurs more often than this proves nothing alone, because it is probably part of a table
PROSE = 5  # this many letters of prose are as long as a token of code in comparisons and in learning boilerplate

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

# What a text is.

CONTROL_SHARE, MOST_ZEROS = 0.02, 3
"""A content with a greater share of control characters is binary. Text has almost none; a tenth of random bytes are
control characters. A content with more NUL bytes is binary too, unless it is UTF-16 or UTF-32."""

SENTENCE, PROSE_WORDS = 3, 16
"""The least number of words of a sentence, and of a text that is taken for prose whatever its words are."""

MARKS_IN_PROSE = 0.02  # text is prose whatever its words are if a smaller share of its characters are marks of code

DENSE, DENSE_LINE, DENSE_LINES = 0.03, 0.1, 0.1
"""A text is not prose if more than `DENSE` of its visible characters are marks of code, or if more than `DENSE_LINES`
of its lines have more than `DENSE_LINE` of them."""

LEAST_CODE, INDENTED_CODE = 0.2, 0.4
"""Code is taken out of prose only if at least this share of the visible characters is code. The second share is for
code that is marked by indentation only: a document that quotes a few commands is looked up as a document."""

NUMBERED, NUMBERED_LINES = 0.8, 3
"""Numbers before lines are cut if at least this share of the lines has them, rising by one, and if there are at least
`NUMBERED_LINES` lines."""

OUTPUT = 0.8
"""Code is not taken out of a session at a prompt if more than this share of it is other code, without a prompt."""

# Credits.

BESIDE, NOTICE = 8, 30
"""A comment refers to a match at most `BESIDE` lines away. The notice of a license has at most `NOTICE` lines."""
