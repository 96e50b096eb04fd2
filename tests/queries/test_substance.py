"""What unrelated programs share, and what copies do."""

from __future__ import annotations

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
from wherefrom.queries.substance import Substance

LOOP = "while (i < n) { j = m; while (j > 0) { grid[i][j] = 0; j -= 1; } i += 1; }\n"
OTHER_LOOP = "while (k < a) { l = b; while (l > 0) { cells[k][l] = 1; l -= 2; } k += 2; }\n"
STEPS = "carry = weigh(carry) ^ salt; if (carry > limit) { carry -= fold(limit); } store(carry, salt);\n"
MORE = "".join(f"step{n} = call{n}(a, b[{n}]) {mark} c;" for n, mark in enumerate("+-*/%^&|"))
NAMES = "drift_window, skew_budget, lease_holder, quorum_size"


def tokens(code: str, language: str = "c") -> TokenStream:
    return analyze_snippet(code.encode(), language=language).tokens


def is_shared(query: str, document: str, *, much: bool = False, score: float = 0.0) -> bool:
    """Whether enough is shared where the texts match from the first token on, as many as the shorter has."""
    ours, theirs = tokens(query), tokens(document)
    runs = [Run(0, 0, min(len(ours), len(theirs)), Representation.P_MATCH)]
    substance = Substance(ours, np.zeros(len(ours), np.bool_), import_declarations(ours))
    return substance.is_shared(theirs, runs, (0, len(ours)), score, much=much)


def test_a_whole_function_is_enough_whatever_its_names() -> None:
    assert is_shared(LOOP, OTHER_LOOP)
    assert is_shared("return 1;", "return 2;")


def test_a_second_loop_says_nothing_that_the_first_did_not() -> None:
    assert is_shared(LOOP + STEPS, OTHER_LOOP + STEPS)
    assert not is_shared("while (i < n) { t += w[i]; i += 1; }" * 6 + STEPS, "while (k < m) { u += v[k]; k += 2; }" * 6)


def test_names_in_the_same_place_count_unless_every_program_has_them() -> None:
    rest = "".join(f"{name} = {name} {mark} 3;\n" for name, mark in zip("abcdef", "+-*/%&", strict=True))
    assert is_shared(f"place({NAMES});\n{rest}", f"place({NAMES});\n")
    assert not is_shared(f"place({NAMES});\n{rest}", "place(first_thing, second_thing, third_thing, fourth_thing);\n")
    assert not is_shared(f"place(name, value, size, type);\n{rest}", "place(name, value, size, type);\n")


def test_what_scores_less_has_more_in_common() -> None:
    assert is_shared(LOOP + STEPS, OTHER_LOOP + "a = b(a) ^ c;")
    assert not is_shared(LOOP + STEPS, OTHER_LOOP + "a = b(a) ^ c;", much=True)
    assert is_shared(LOOP + STEPS, LOOP + STEPS, much=True)


def test_one_function_of_a_long_text_is_enough_if_it_scores_high() -> None:
    long = (
        LOOP
        + MORE
        + "".join(f"if (v{n} {mark} {n}) w{n}[{n}] = v{n};\n" for n in range(20) for mark in ("<", ">", "=="))
    )
    assert not is_shared(long, OTHER_LOOP, score=1.3)
    assert is_shared(long, OTHER_LOOP, score=1.4)
    assert not is_shared(long, OTHER_LOOP, score=0.9, much=True)


def test_boilerplate_and_declarations_of_imports_are_no_k_grams() -> None:
    code = "import a.b.C;\nimport a.b.D;\n"
    stream = tokens(code, "java")
    run = [Run(0, 0, len(stream), Representation.EXACT)]
    window = (0, len(stream))
    nothing = np.zeros(len(stream), np.bool_)
    for masked, declared in ((nothing, import_declarations(stream)), (~nothing, nothing)):
        # Nothing is left that could tell, either way.
        assert Substance(stream, masked, declared).is_shared(stream, run, window, 0.0, much=False)
        assert not Substance(stream, masked, declared).is_shared(stream, run, window, 0.0, much=True)


@pytest.mark.parametrize("much", [False, True])
def test_prose_tells_nothing(much: bool) -> None:
    prose = tokens("A sentence that is long enough to be prose and nothing else.", "text")
    substance = Substance(prose, np.zeros(len(prose), np.bool_), np.zeros(len(prose), np.bool_))
    assert substance.is_shared(prose, [], (0, len(prose)), 1.0, much=much) is not much


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
