"""Which tokens of a query are significant, and how many patterns and literals a document shares."""

from __future__ import annotations

import numpy as np
import pytest

from tests.queries.indexes import index
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.fitted import CHARACTERS, PATTERN
from wherefrom.model import Representation
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.preparation.common_code import common_tokens
from wherefrom.queries.preparation.patterns import LITERAL, Patterns
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.preparation.quiet import declarations, sequences

LINES = ("carry = weigh(carry) ^ salt;", 'if (carry > 17) { fold(carry, "key"); }')
RENAMED = ("babafo = cebara(babafo) ^ dibace;", 'if (babafo > 400) { gubaza(babafo, "word"); }')


def tokens(code: str, language: str = "c") -> TokenStream:
    return analyze_snippet(code.encode(), language=language).tokens


def patterns(stream: TokenStream, quiet: str = "") -> Patterns:
    """The patterns of a stream, as a search computes them. Tokens that are in `quiet` count as boilerplate."""
    boilerplate = np.isin(stream.codes, tokens(quiet).codes) if quiet else np.zeros(len(stream), np.bool_)
    declared = declarations(stream)
    return Patterns(stream, boilerplate | sequences(stream) | declared)


def counts(code: str, language: str = "c", quiet: str = "") -> tuple[int, int]:
    """How many different patterns and literals a text has."""
    stream = tokens(code, language)
    return patterns(stream, quiet).among(0, np.ones(len(stream), np.bool_))


def in_place(ours: str, theirs: str, language: str = "c") -> int:
    """How many literals are the same if a document is aligned with a text from the first token on."""
    query, document = tokens(ours, language), tokens(theirs, language)
    run = MatchedRun(0, 0, min(len(query), len(document)), Representation.P_MATCH)
    return patterns(query).in_place(document, [run])


def test_all_kgrams_of_a_text_that_does_not_repeat_itself_are_patterns() -> None:
    stream = tokens(LINES[0])
    assert counts(LINES[0]) == (len(stream) - PATTERN + 1, 0)


def test_names_and_literals_are_left_open() -> None:
    (ours, _), (theirs, _) = (counts("\n".join(lines)) for lines in (LINES, RENAMED))
    assert ours == theirs
    both = counts("\n".join((*LINES, *RENAMED)))[0]
    # Only the patterns that cross the border of the two texts are added.
    assert ours < both <= ours + PATTERN - 1


def test_a_pattern_counts_once_however_often_it_occurs() -> None:
    once, twice, often = (counts(LINES[0] * number)[0] for number in (1, 2, 20))
    assert once < twice == often == once + PATTERN - 1


def test_a_literal_counts_once() -> None:
    assert counts('place(alpha, 17, "key", alpha, beta, 17);')[1] == 2


def test_names_are_not_literals() -> None:
    assert counts("place(alpha, beta);")[1] == 0
    assert in_place("place(alpha, beta);", "place(alpha, beta);") == 0


def test_a_literal_counts_where_it_is_the_same_in_the_same_place() -> None:
    assert in_place('f("alpha", "beta", 17);', 'g("alpha", "other", 17);') == 2
    assert in_place("alpha = f(17) + 3;", "alpha = f(3) + 17;") == 0
    assert in_place("alpha = f(17) + 17;", "alpha = f(17) + 17;") == 1


def test_what_is_among_some_tokens_of_a_window() -> None:
    stream = tokens("\n".join(LINES))
    some = np.zeros(len(stream) - 4, np.bool_)
    some[2:8] = True
    assert patterns(stream).among(4, some) == (6 - PATTERN + 1, 0)


def test_only_what_is_in_runs_is_shared() -> None:
    stream = tokens("\n".join(LINES))
    every = patterns(stream)
    whole = [MatchedRun(0, 0, len(stream), Representation.EXACT)]
    halves = [MatchedRun(0, 0, 10, Representation.EXACT), MatchedRun(3, 10, len(stream), Representation.EXACT)]
    assert every.shared(whole) == counts("\n".join(LINES))[0]
    # A pattern that crosses the border of two runs is in neither run.
    assert every.shared(halves) == every.shared(whole) - (PATTERN - 1)
    assert every.shared([MatchedRun(0, 0, 10, Representation.EXACT)]) == 10 - PATTERN + 1
    assert every.shared([MatchedRun(0, 0, PATTERN - 1, Representation.EXACT)]) == every.shared([]) == 0


def test_runs_that_have_the_same_pattern_count_it_once() -> None:
    stream = tokens(LINES[0] * 2)
    half = len(stream) // 2
    every = patterns(stream)
    first, second = MatchedRun(0, 0, half, Representation.EXACT), MatchedRun(0, half, 2 * half, Representation.EXACT)
    assert every.shared([first]) == every.shared([second]) == every.shared([first, second]) == half - PATTERN + 1


IMPORTS = "import org.amber.parts.AmberTool;\nimport org.birch.parts.BirchTool;\n"
BODY = "class Clock { int ticks; int next(int step) { ticks = (ticks + step) % 86400; return ticks / 3600; } }\n"


def test_declarations_of_imports_are_quiet() -> None:
    assert counts(IMPORTS + BODY, "java") == counts(BODY, "java")
    assert counts("package org.amber.parts;\n" + BODY, "java") == counts(BODY, "java")


def test_a_query_is_judged_by_its_imports_only_if_it_has_nothing_else() -> None:
    judged = []
    for code in (IMPORTS, BODY, IMPORTS + BODY):
        stream = tokens(code, "java")
        query = prepare(stream, index(stream))
        judged.append(query.patterns.among(0, np.ones(len(stream), np.bool_))[0])
    imports, body, both = judged
    assert imports > 0
    assert both == body


def test_imports_that_are_all_of_a_query_say_nothing() -> None:
    assert counts(IMPORTS, "java")[0] == 0


@pytest.mark.parametrize("table", ["'a', 'b', 'c', 'd', 'e', 'f'", "0, 1, 2, 3, 4, 5, 6, 7"])
def test_alphabets_and_counts_are_quiet(table: str) -> None:
    code = f"int made = {{ {table} }};"
    assert counts(code)[1] == 0
    assert counts(code)[0] < counts("int made = { 14, 4, 13, 1, 2, 15 };")[0]
    assert counts("int made = { 14, 4, 13, 1, 2, 15 };")[1] == 3  # only literals of more than one digit count


@pytest.mark.parametrize(("table", "is_quiet"), [("'a', 'b', 'c'", False), ("'a', 'b', 'c', 'd'", True)])
def test_three_letters_are_no_alphabet_and_four_are(table: str, is_quiet: bool) -> None:
    assert sequences(tokens(f"int made = {{ {table} }};")).any() == is_quiet


def test_boilerplate_is_quiet() -> None:
    found, literals = counts("\n".join(LINES), quiet='fold "key"')
    every, all_literals = counts("\n".join(LINES))
    assert 0 < found < every
    assert literals == all_literals - 1


def test_patterns_of_prose_are_letters() -> None:
    prose = tokens("A pool keeps connections open after they were used, and forgets those that failed.", "text")
    every = patterns(prose)
    assert (every.unit, patterns(tokens(LINES[0])).unit) == (CHARACTERS, 1)
    found, literals = every.among(0, np.ones(len(prose), np.bool_))
    assert found == (len(prose) - SCHEMES[Representation.TEXT].k + 1) // every.unit > 0
    assert (
        literals == len(prose) // LITERAL == every.in_place(prose, [MatchedRun(0, 0, len(prose), Representation.TEXT)])
    )
    assert (
        every.shared([MatchedRun(0, 0, 40, Representation.TEXT)])
        == (40 - SCHEMES[Representation.TEXT].k + 1) // every.unit
    )


def test_a_text_without_tokens_has_nothing() -> None:
    empty = tokens("", "c")
    assert patterns(empty).among(0, np.zeros(0, np.bool_)) == (0, 0)
    assert patterns(empty).shared([]) == 0


GO = """\
func TestParse(t *testing.T) {
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, err := parse(tc.input)
			if err != nil {
				t.Fatal(err)
			}
"""
RARE = """\
			mix := (seed<<7 ^ salt[round%5]) + carry*29
			fold[mix&63] = append(fold[mix&63], carry^mix)
"""


def test_what_everyone_writes_has_hardly_a_pattern() -> None:
    assert len(tokens(GO, "go")) > 50
    assert counts(GO, "go")[0] < 5
    assert counts(GO + RARE, "go")[0] <= counts(RARE, "go")[0] + 5


def test_what_everyone_writes_is_looked_up_where_nothing_else_is_said() -> None:
    loop = "for _, tc := range tests {\n\tt.Run(tc.name, func(t *testing.T) {"
    assert common_tokens(tokens(loop, "go")).all()
    assert counts(loop, "go")[0] > 10
