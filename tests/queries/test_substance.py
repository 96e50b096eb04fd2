"""What unrelated programs share, and what copies do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.queries.indexes import add_files
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import Representation
from wherefrom.options import SearchOptions
from wherefrom.queries.imports import import_declarations
from wherefrom.queries.regions import Run
from wherefrom.queries.search import search
from wherefrom.queries.substance import Match, Substance, chance_score

LOOP = "while (i < n) { j = m; while (j > 0) { grid[i][j] = 0; j -= 1; } i += 1; }\n"
OTHER_LOOP = "while (k < a) { l = b; while (l > 0) { cells[k][l] = 1; l -= 2; } k += 2; }\n"
STEPS = "carry = weigh(carry) ^ salt; if (carry > limit) { carry -= fold(limit); } store(carry, salt);\n"
MORE = "".join(f"step{n} = call{n}(a, b[{n}]) {mark} c;" for n, mark in enumerate("+-*/%^&|"))
NAMES = "drift_window, skew_budget, lease_holder, quorum_size"


def tokens(code: str, language: str = "c") -> TokenStream:
    return analyze_snippet(code.encode(), language=language).tokens


def match(run: Run, **known: Any) -> Match:
    """A run from the first token on, of a document in a small index that scores half of T(N)."""
    half = {"score": 0.5, "first_stage": 0.5, "others": None, "much": False}
    return Match(runs=[run], **{"window": (0, run.end), **half, **known})


def is_shared(query: str, document: str, **known: Any) -> bool:
    """Whether enough is shared where the texts match from the first token on, as many as the shorter has."""
    ours, theirs = tokens(query), tokens(document)
    run = Run(0, 0, min(len(ours), len(theirs)), Representation.P_MATCH)
    substance = Substance(ours, np.zeros(len(ours), np.bool_), import_declarations(ours))
    return substance.is_shared(theirs, match(run, window=(0, len(ours)), **known))


def test_a_whole_function_is_enough_whatever_its_names() -> None:
    assert is_shared(LOOP, OTHER_LOOP)
    assert is_shared("return 1;", "return 2;")


def test_a_second_loop_says_nothing_that_the_first_did_not() -> None:
    assert is_shared(LOOP + STEPS, OTHER_LOOP + STEPS)
    assert not is_shared("while (i < n) { t += w[i]; i += 1; }" * 6 + STEPS, "while (k < m) { u += v[k]; k += 2; }" * 6)


def test_rows_of_an_idiom_that_are_the_same_are_an_answer_although_a_run_is_some_rows_off() -> None:
    rows = [
        f'assertTrue(output.contains("{word}"));' for word in ("yes", "Yes", "YES", "on", "On", "ON", "true", "True")
    ]
    query, document = tokens("".join(rows[3:]), "java"), tokens("".join(rows), "java")
    substance = Substance(query, np.zeros(len(query), np.bool_), import_declarations(query))
    off = match(Run(0, 0, len(query), Representation.P_MATCH), others=0.1)
    assert substance.is_shared(document, off)
    assert not substance.is_shared(tokens("".join(rows[:3] * 3), "java"), off)


def test_names_in_the_same_place_count_unless_every_program_has_them() -> None:
    rest = "".join(f"{name} = {name} {mark} 3;\n" for name, mark in zip("abcdef", "+-*/%&", strict=True))
    assert is_shared(f"place({NAMES});\n{rest}", f"place({NAMES});\n")
    assert not is_shared(f"place({NAMES});\n{rest}", "place(first_thing, second_thing, third_thing, fourth_thing);\n")
    assert not is_shared(f"place(name, value, size, type);\n{rest}", "place(name, value, size, type);\n")


def test_what_scores_less_has_more_in_common() -> None:
    query = LOOP + "carry = weigh(carry) ^ salt; store(carry, salt);"
    assert is_shared(query, OTHER_LOOP)
    assert not is_shared(query, OTHER_LOOP, much=True)
    assert is_shared(query, query, much=True)
    named = f"place({NAMES});\na = a + 3;\nb = b - 3;\n"
    assert is_shared(named, f"place({NAMES});\n", much=True)
    assert not is_shared(named, f"place({NAMES});\n", much=True, score=0.4)


def test_what_stands_out_among_the_candidates_is_enough_where_the_same_is_not_if_many_have_it() -> None:
    long, known = LOOP + MORE + STEPS, {"score": 1.2, "first_stage": 1.2}
    assert not is_shared(long, OTHER_LOOP, others=1.1, **known)
    assert is_shared(long, OTHER_LOOP, others=0.2, **known)


def evidence(document: str, **known: Any) -> bool:
    """Whether a loop that this document begins with too is enough of a longer query in a large index."""
    ours, theirs = tokens(LOOP + MORE + STEPS), tokens(document)
    run = Run(0, 0, len(tokens(OTHER_LOOP)), Representation.P_MATCH)
    substance = Substance(ours, np.zeros(len(ours), np.bool_), import_declarations(ours))
    found = {"score": 1.2, "first_stage": 1.2, "others": 0.4}
    return substance.is_shared(theirs, match(run, window=(0, len(ours)), **{**found, **known}))


def test_a_long_document_has_more_by_chance() -> None:
    assert evidence(OTHER_LOOP)
    assert not evidence(OTHER_LOOP + "x = y;" * 2500)


def test_all_of_a_few_k_grams_say_less_than_all_of_many() -> None:
    faint = {"score": 0.4, "first_stage": 0.5, "others": 0.4}
    assert not is_shared("call(a, b);" * 12, "call(c, d);" * 12, **faint)
    assert is_shared(LOOP + MORE + STEPS, LOOP + MORE + STEPS, **faint)


def test_copies_of_a_copy_do_not_keep_it_from_standing_out() -> None:
    chance = [3.0, 2.9, 2.8, 2.7, 2.6, 2.5]
    assert chance_score([9.0, *chance], 9.0, 50) == 2.6
    assert chance_score([*[9.0] * 12, 8.9, *chance], 9.0, 50) == 2.6
    assert chance_score([9.0, 3.0], 9.0, 50) == 0.0
    # Whatever comes after these is not known.
    assert chance_score([9.0] * 50, 9.0, 50) == 9.0


def test_names_that_are_imported_are_those_of_any_program_that_uses_them() -> None:
    imports = "import a.quorum_size;\nimport a.lease_holder;\nimport a.skew_budget;\nimport a.drift_window;\n"
    rest = "".join(f"{name} = {name} {mark} 3;\n" for name, mark in zip("abcdef", "+-*/%&", strict=True))
    ours, theirs = tokens(f"place({NAMES});\n{rest}", "java"), tokens(f"place({NAMES});\n", "java")
    with_imports = tokens(f"{imports}place({NAMES});\n{rest}", "java")
    for stream, expected in ((ours, True), (with_imports, False)):
        substance = Substance(stream, np.zeros(len(stream), np.bool_), import_declarations(stream))
        begin = len(stream) - len(ours)
        run = Run(-begin, begin, begin + len(theirs), Representation.EXACT)
        assert substance.is_shared(theirs, match(run, window=(begin, len(stream)))) is expected


def test_boilerplate_and_declarations_of_imports_are_no_k_grams() -> None:
    code = "import a.b.C;\nimport a.b.D;\n"
    stream = tokens(code, "java")
    run = Run(0, 0, len(stream), Representation.EXACT)
    nothing = np.zeros(len(stream), np.bool_)
    for masked, declared in ((nothing, import_declarations(stream)), (~nothing, nothing)):
        # Nothing is left that could tell, either way.
        assert Substance(stream, masked, declared).is_shared(stream, match(run))
        assert not Substance(stream, masked, declared).is_shared(stream, match(run, much=True))


@pytest.mark.parametrize("much", [False, True])
def test_prose_tells_nothing(much: bool) -> None:
    prose = tokens("A sentence that is long enough to be prose and nothing else.", "text")
    substance = Substance(prose, np.zeros(len(prose), np.bool_), np.zeros(len(prose), np.bool_))
    assert substance.is_shared(prose, match(Run(0, 0, len(prose), Representation.TEXT), much=much)) is not much


CHECK = """\
int is_lower_word(char *word, int length) {
    if (isupper(word[0]) && isupper(word[1])) { word += 1; }
    for (int i = 0; i < length; i++) { if (islower(word[i])) return 0; }
    return 1;
}
"""
REGEX = """\
static int is_fixed(const char *s, size_t len)
{
    for (i = 0; i < len; i++) { if (is_regex_special(s[i])) return 0; }
    return 1;
}
"""


def found(indexed: str, query: str) -> list[str]:
    """The paths of the indexed files that are found: the given one, and 40 that share nothing with it."""
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [indexed.encode(), *(f"double d{n} = {n}.5 * {n} - {n};\n".encode() for n in range(40))])
    hits = search(engine, query.encode(), SearchOptions(language="c")).hits
    return [occurrence.path for hit in hits for occurrence in hit.occurrences]


def test_a_loop_that_two_functions_share_is_no_answer_and_a_changed_copy_is() -> None:
    assert found(REGEX, CHECK) == []
    assert found(CHECK, CHECK.replace("word", "text").replace("length", "size").replace("word += 1;", "")) == ["0.c"]
