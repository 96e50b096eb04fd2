"""What a document shares with a window of a query: the kernel finds what Python finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, letters, stream, words
from tests.queries.indexes import document, index
from wherefrom import extension
from wherefrom.analyzers import kernel
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.options import Limits
from wherefrom.queries.alignment import Shared
from wherefrom.queries.common import Common
from wherefrom.queries.prepare import prepare

SAMPLES = sorted((Path(__file__).parents[1] / "analyzers" / "samples").glob("*.sample"))


pytestmark = pytest.mark.usefixtures("with_kernel")


def listed(shared: Shared) -> dict[str, tuple[list[int], list[int]]]:
    return {
        str(representation): (positions.tolist(), numbers.tolist())
        for representation, (positions, numbers) in shared.items()
    }


def assert_same(query: TokenStream, *others: TokenStream) -> int:
    """How many k-grams they share, window by window. A window's part of what a document has in common with the whole
    query is what it shares with the window itself, and no chain exceeds what is known of it.
    """
    count = 0
    parts = prepare(query, index(query, *others)).parts
    for other in (query, *others) if parts else ():
        common = Common(document(other), parts[0].lookup())
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(extension.VARIABLE, "0")
            assert kernel.active() is None
            in_python = Common(document(other), parts[0].lookup())
        assert len(common) == len(in_python)
        for part in parts:
            lookup = part.lookup()
            found = listed(document(other).shared(lookup))
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv(extension.VARIABLE, "0")
                expected = document(other).shared(lookup)
            assert found == listed(expected)
            assert listed(common.within(lookup)) == listed(in_python.within(lookup)) == found
            most = {each: lookup.grams[each].at_most(numbers) for each, (_, numbers) in expected.items()}
            for each in (common, in_python):
                bounds = each.at_most(lookup)
                assert bounds.keys() == most.keys()
                assert all(bounds[key] == pytest.approx(most[key], rel=1e-12) for key in most)
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


def test_windows_of_a_long_query() -> None:
    """Each has a part of the k-grams of the whole query, and the same k-gram may be in several."""
    tokens = words(" ".join(f"name{at % 90} = call{at % 7} ( name{at // 2} , {at % 40} ) ;" for at in range(300)))
    query = stream(tokens)
    assert len(prepare(query, index(query)).parts) > 5
    assert assert_same(query, stream(tokens[900:1500] + tokens[:400])) > 1000


def test_names_beyond_one_byte_of_numbers() -> None:
    tokens = words(" ".join(f"name{at} = call{at % 300} ( name{at - 1 if at else 0} ) ;" for at in range(400)))
    assert assert_same(stream(tokens), stream(tokens[200:] + tokens[:200])) > 1000
