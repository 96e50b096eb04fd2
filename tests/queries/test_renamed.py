"""A copy with every name replaced is found, however many exact copies the index has."""

from __future__ import annotations

import re

import pytest

from tests.queries.indexes import add_files
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.options import SearchOptions
from wherefrom.queries.candidates import BATCH
from wherefrom.queries.searching import search

FUNCTION = """
int drain(queue *source, sink *target, int most) {
  int moved = 0, failed = 0;
  while (moved < most && source->length > 0) {
    entry *next = take(source, moved + 1);
    if (next == 0) break;
    if (!offer(target, next->payload, next->size)) {
      failed += 1;
      give_back(source, next);
      continue;
    }
    moved += next->size;
  }
  return failed ? -failed : moved;
}
"""
KEYWORDS = {"int", "while", "if", "break", "continue", "return"}


def with_other_names(code: str) -> str:
    """The code with every name replaced, also the names of called functions."""
    names: dict[str, str] = {}

    def other(match: re.Match[str]) -> str:
        name = match[0]
        return name if name in KEYWORDS else names.setdefault(name, f"other{len(names)}")

    return re.sub(r"[a-z_]+", other, code)


@pytest.mark.thorough
@pytest.mark.parametrize("copies", [1, BATCH - 2, BATCH - 1])
@pytest.mark.parametrize("others", [2, 40])
def test_a_renamed_copy_is_found_beside_exact_ones(copies: int, others: int) -> None:
    engine = MemoryEngine(scheme_ids())
    own = [f"double rate{number} = {number}.5 * {number} - {number};\n" for number in range(BATCH + others)]
    files = [with_other_names(FUNCTION), *(own[number] + FUNCTION for number in range(copies)), *own[copies:][:others]]
    add_files(engine, [file.encode() for file in files])
    result = search(engine, FUNCTION.encode(), SearchOptions(language="c", limit=2 * BATCH))
    found = {place.path for hit in result.hits for place in hit.occurrences}
    assert found == {f"{number}.c" for number in range(1 + copies)}
