"""The pieces that a history stores: the terms of new lines, sampled as in the whole file; only new ones are kept."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.documents import document
from wherefrom.analyzers.fingerprints import DATING, document_terms, sample, sampled_kgrams
from wherefrom.analyzers.hashing import terms
from wherefrom.analyzers.pieces import ChangedFile, Piece, piece, piece_terms
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import TokenStream, decode
from wherefrom.model import Hashes, Representation, SkipReason
from wherefrom.options import Limits

SAMPLES = Path(__file__).parent / "samples"

MARKDOWN = b"""# How to count

This page explains how the lines of a file are counted, which is harder than it looks at first, and what comes of it.

```python
def count(lines, wanted):
    total = 0
    for line in lines:
        if line.startswith(wanted) and not line.endswith("x"):
            total += len(line) * 2
    return total + len(wanted)
```

Then the same in another language, for those who would rather read that one than the one above, whatever they say.

```javascript
function count(lines, wanted) {
  let total = 0;
  for (const line of lines) {
    if (line.startsWith(wanted) && !line.endsWith("x")) { total += line.length * 2; }
  }
  return total + wanted.length;
}
```
"""

HTML = b"""<html><head><style>
.card { margin: 0 auto; padding: 1px; } #main > .row { color: red; width: 10px; } .big { font-size: 2em; }
</style></head><body><h1>Counting</h1><p>The lines of a file are counted here, one after the other.</p>
<script>
function total(list, factor) {
  let sum = 0;
  for (const one of list) { sum += one * factor + 3; }
  return sum - list.length;
}
</script></body></html>
"""

FILES = {
    "a.py": (SAMPLES / "python.sample").read_bytes(),
    "a.java": (SAMPLES / "java.sample").read_bytes(),
    "a.md": MARKDOWN,
    "a.html": HTML,
    "a.txt": b"".join(b"Word%d of a text that has %d words and more of the kind\n" % (at, at * 3) for at in range(60)),
}


@cache
def whole(name: str) -> TokenStream:
    found = document(name, FILES[name], Limits())
    assert not isinstance(found, SkipReason)
    return decode(found.tokens)


def made(name: str, lines: list[tuple[int, int]] | None) -> Piece | None:
    found = piece(ChangedFile(0, name, FILES[name], lines, Limits()))
    assert not isinstance(found, SkipReason)
    return found


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    """A file, and some of its lines."""
    name = draw(st.sampled_from(sorted(FILES)))
    rows = FILES[name].count(b"\n")
    begins = draw(st.lists(st.integers(1, rows), min_size=1, max_size=3, unique=True))
    return name, [(begin, min(begin + draw(st.integers(-1, 6)), rows)) for begin in sorted(begins)]


def sampled_on(tokens: TokenStream, kind: Representation, lines: list[tuple[int, int]]) -> set[int]:
    """The terms of a whole file whose k-grams have a token on one of the lines."""
    grams = sampled_kgrams(tokens, SCHEMES[kind])
    sampled = sample(grams, SCHEMES[kind])
    positions = grams.positions[sampled].tolist()
    found = set()
    for term, position in zip(grams.hashes[sampled], positions, strict=True):
        first_line, last_line = tokens.start_lines[position], tokens.end_lines[position + SCHEMES[kind].k - 1]
        if any(first_line <= end and last_line >= begin for begin, end in lines if begin <= end):
            found |= set(terms(np.array([term])).tolist())
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "least"), [("a.py", 0.98), ("a.java", 1.0), ("a.html", 1.0), ("a.txt", 1.0), ("a.md", 1.0)]
)
def test_the_terms_of_new_lines_are_those_of_the_whole_file(name: str, least: float) -> None:
    """A block that is cut may be read in another way: which names are kept depends on the rest of the file."""
    tokens, rows = whole(name), FILES[name].count(b"\n")
    wanted = kept = 0
    for first, length in itertools.product(range(1, rows + 1), (1, 3, 7)):
        lines = [(first, min(first + length - 1, rows))]
        found = made(name, lines)
        own = {} if found is None else plain(found.terms)
        for kind in DATING:
            terms_there = sampled_on(tokens, kind, lines)
            wanted += len(terms_there)
            kept += len(terms_there & {*own.get(kind, [])})
    assert wanted > 60
    assert kept >= least * wanted


@given(change=changed(), seed=st.integers(0, 9))
def test_the_terms_of_a_stored_piece_are_those_that_were_written(
    change: tuple[str, list[tuple[int, int]]], seed: int
) -> None:
    name, lines = change
    found = made(name, lines)
    if found is None:
        return
    dice = np.random.default_rng(seed)
    is_new = {kind: dice.random(len(own)) < seed / 9 for kind, own in found.terms.items()}
    written = found.stored(is_new)
    assert plain(piece_terms(written.stored)) == plain(written.terms)
    for kind, flags in is_new.items():
        assert written.terms[kind].tolist() == found.terms[kind][flags].tolist()


def plain(terms: Mapping[Representation, Hashes]) -> dict[Representation, list[int]]:
    return {kind: hashes.tolist() for kind, hashes in terms.items()}


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_piece_of_a_whole_file_has_its_tokens_and_terms(name: str) -> None:
    found = made(name, None)
    assert found is not None
    expected = document(name, FILES[name], Limits())
    assert not isinstance(expected, SkipReason)
    assert found.blob.tokens == expected.tokens
    assert plain(found.terms) == plain({kind: expected.terms[kind] for kind in DATING if kind in expected.terms})
    assert plain(found.terms) == plain(document_terms(whole(name), {kind: SCHEMES[kind] for kind in found.terms}))
    everything = [(1, FILES[name].count(b"\n") + 1)]
    of_all_lines = made(name, everything)
    assert of_all_lines is not None
    assert plain(of_all_lines.terms) == plain(found.terms)


def test_a_file_without_a_piece() -> None:
    assert piece(ChangedFile(0, "a.py", b"\0\1", None, Limits())) is SkipReason.BINARY
    assert piece(ChangedFile(0, "a.py", b"a = 1\n", [(1, 1)], Limits())) is None
