"""What a document shares with a window of a query: the kernel finds what Python finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, letters, stream, words
from tests.queries.indexes import document, index
from wherefrom.analyzers import extension, kernel
from wherefrom.analyzers.analysis import Analysis, analyze_file
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.options import Limits
from wherefrom.queries.alignment import Document
from wherefrom.queries.prepare import Lookup, prepare

SAMPLES = sorted((Path(__file__).parents[1] / "analyzers" / "samples").glob("*.sample"))


@pytest.fixture(autouse=True)
def with_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    if extension.wanted() is None:
        pytest.skip("no kernel")


def shared(found: Document, lookup: Lookup) -> dict[str, tuple[list[int], list[int]]]:
    return {
        str(representation): (positions.tolist(), numbers.tolist())
        for representation, (positions, numbers) in found.shared(lookup).items()
    }


def assert_same(query: TokenStream, *others: TokenStream) -> int:
    """How many k-grams they share."""
    count = 0
    for part in prepare(query, index(query, *others)).parts:
        lookup = part.lookup()
        for other in (query, *others):
            found = shared(document(other), lookup)
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv(extension.VARIABLE, "0")
                assert kernel.active() is None
                expected = shared(document(other), lookup)
            assert found == expected
            count += sum(len(positions) for positions, _ in found.values())
    return count


CODE = st.lists(st.sampled_from(words('a b c = ; ( . 1 "s"')), max_size=40)
PROSE = st.text("ab é1", max_size=40).map(letters)


@given(CODE, st.lists(CODE | PROSE, max_size=3))
def test_code_in_segments(tokens: list[Token], segments: list[list[Token]]) -> None:
    filled = [segment for segment in (tokens, *segments) if segment]
    if filled and tokens:
        assert_same(stream(tokens), stream(*filled), stream(*reversed(filled)))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_samples(sample: Path) -> None:
    """In full, and with a part of them left out, beside one of another language."""
    content = sample.read_bytes()
    lines = content.splitlines(keepends=True)
    cut = b"".join(lines[: len(lines) // 3] + lines[len(lines) // 2 :])
    other = SAMPLES[SAMPLES.index(sample) - 1]
    streams = []
    for name, text in ((sample, content), (sample, cut), (other, other.read_bytes())):
        found = analyze_file(f"a.{name.stem}", text, Limits(include_generated=True, include_data=True))
        assert isinstance(found, Analysis)
        streams.append(found.tokens)
    assert assert_same(*streams) > 0


def test_names_beyond_one_byte_of_numbers() -> None:
    tokens = words(" ".join(f"name{at} = call{at % 300} ( name{at - 1 if at else 0} ) ;" for at in range(400)))
    assert assert_same(stream(tokens), stream(tokens[200:] + tokens[:200])) > 1000
