"""The k-grams that a document shares with a window of a query: the kernel finds the same ones as Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, letters, stream, words
from tests.queries.indexes import document, index
from wherefrom.analyzers import kernel
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.tokens import TokenStream, encode
from wherefrom.errors import IndexDamaged
from wherefrom.model import StoredBlob
from wherefrom.options import Limits
from wherefrom.queries.alignment.aligning import Common, DocumentTokens, Shared
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.support import extension

SAMPLES = sorted((Path(__file__).parents[1] / "analyzers" / "samples").glob("*.sample"))


pytestmark = pytest.mark.usefixtures("with_kernel")


def listed(shared: Shared) -> dict[str, tuple[list[int], list[int]]]:
    return {
        str(representation): (positions.tolist(), numbers.tolist())
        for representation, (positions, numbers) in shared.items()
    }


def assert_same(query: TokenStream, *others: TokenStream) -> int:
    """Checks that kernel and Python agree, and that the part for a window in the result for the whole query equals the
    result for the window itself. Returns how many k-grams all windows share.
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
    """A whole sample, the sample with a part left out, and a sample in another language."""
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
    """Each window has a part of the query's k-grams, and a k-gram may be in several windows."""
    tokens = words(" ".join(f"name{at % 90} = call{at % 7} ( name{at // 2} , {at % 40} ) ;" for at in range(300)))
    query = stream(tokens)
    assert len(prepare(query, index(query)).parts) > 5
    assert assert_same(query, stream(tokens[900:1500] + tokens[:400])) > 1000


def test_names_beyond_one_byte_of_numbers() -> None:
    tokens = words(" ".join(f"name{at} = call{at % 300} ( name{at - 1 if at else 0} ) ;" for at in range(400)))
    assert assert_same(stream(tokens), stream(tokens[200:] + tokens[:200])) > 1000


QUERY = stream(words(" ".join(f"name{at % 9} = call{at % 5} ( {at} ) ;" for at in range(60))))
LARGE = stream(words(" ".join(f"name{at % 2000} = call{at % 5} ( {at} ) ;" for at in range(2000))))


@pytest.mark.parametrize("tokens", [encode(QUERY), encode(LARGE)], ids=["plain", "compressed"])
@given(st.data())
def test_damaged_streams_are_told_as_python_tells_them(tokens: bytes, data: st.DataObject) -> None:
    """In the second stream, the numbers of symbols take two bytes."""
    changed = bytearray(tokens)
    for at in data.draw(st.lists(st.integers(0, 40) | st.integers(0, len(tokens) - 1), max_size=3)):
        changed[at] = data.draw(st.integers(0, 255))
    stored = bytes(changed[: data.draw(st.sampled_from([len(tokens), len(tokens) - 1, 30, 0]))])
    [part] = prepare(QUERY, index(QUERY)).parts
    text = DocumentTokens(StoredBlob("b", "python", 1, 1, stored))

    def answer() -> object:
        try:
            return listed(Common(text, part.lookup()).within(part.lookup()))
        except IndexDamaged as error:
            return str(error)

    native = answer()
    text.forget()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(extension.VARIABLE, "0")
        assert answer() == native
