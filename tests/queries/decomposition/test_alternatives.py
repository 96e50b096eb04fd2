"""Other documents that explain nearly as much of a file as the chosen one."""

from __future__ import annotations

import random

from tests.queries.indexes import add_files
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.options import SourcesOptions
from wherefrom.queries.decomposition.decompose import sources


def functions(first: int, last: int) -> str:
    """C functions of equal length, one for each number from `first` up to `last`, all different."""
    made = []
    for number in range(first, last):
        dice = random.Random(number)
        terms = [
            f"{dice.choice('+-*/%^|&<>')} {dice.choice(['value', 'read()', '7', '~mask', 'at[0]'])}" for _ in range(30)
        ]
        made.append(f"int work_{number}(void) {{\n    return first {' '.join(terms)};\n}}\n\n")
    return "".join(made)


def test_a_document_that_explains_four_fifths_of_what_the_chosen_one_does_is_an_alternative() -> None:
    chosen, nearly_all, most = (
        functions(0, 10),
        functions(0, 9) + functions(20, 30),
        functions(0, 7) + functions(30, 40),
    )
    # Other files, so that a function in one file weighs little more than a function in three files.
    others = [functions(number, number + 2) for number in range(40, 80, 2)]
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [text.encode() for text in (chosen, nearly_all, most, *others)])
    [document] = sources(engine, chosen.encode(), SourcesOptions(name="a.c", language="c")).documents
    assert [at.path for at in document.occurrences] == ["0.c"]
    assert [at.path for at in document.alternatives] == ["1.c"]
