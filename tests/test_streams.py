"""Joined token streams come back unchanged."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.conftest import both_ways  # noqa: F401 -- a fixture
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.tokens import encode
from wherefrom.support import extension
from wherefrom.support.streams import Joined, join

pytestmark = pytest.mark.usefixtures("both_ways")

COMPRESS = zstandard.ZstdCompressor().compress
DECOMPRESS = zstandard.ZstdDecompressor().decompress

LINES = ("value = other + 1\n", "def name(first):\n    return first\n", "\n\n\n", "name('text', 7)\n", "é = 'ü'\n")
TEXTS = st.lists(st.sampled_from(LINES), max_size=12).map("".join)


def stream(text: str, language: str = "python") -> bytes:
    return encode(analyze_snippet(text.encode(), language=language).tokens)


def unjoined(joined: bytes, count: int, decompress: Callable[[bytes], bytes] = DECOMPRESS) -> list[bytes]:
    found = Joined(joined, count, decompress)
    return [found[place] for place in range(count)]


@given(texts=st.lists(TEXTS, min_size=1, max_size=9))
def test_streams_come_back(texts: list[str]) -> None:
    streams = [stream(text) for text in texts]
    joined = join(streams, COMPRESS)
    assert joined is not None
    assert unjoined(joined, len(streams)) == streams


@given(texts=st.lists(TEXTS, min_size=1, max_size=9), at=st.integers(0, 60), byte=st.integers(0, 255))
def test_the_kernel_joins_streams_as_python_does(texts: list[str], at: int, byte: int) -> None:
    """Both refuse a damaged stream, or both take it as it is."""
    streams = [stream(text) for text in texts]
    damaged = bytearray(streams[-1])
    damaged[at % len(damaged)] = byte
    for these in (streams, [*streams[:-1], bytes(damaged)]):
        found = []
        for wish in ("1", "0"):
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv(extension.VARIABLE, wish)
                found.append(join(these, COMPRESS))
        assert found[0] == found[1]


def test_streams_of_many_symbols_and_several_segments() -> None:
    """The numbers of more than 256 different symbols take two bytes each; a document has a segment for each fence."""
    wide = "".join(f"n{number}\n" for number in range(270))
    fenced = "# Title\n\n```python\na = 1\n```\n\nwords\n\n```c\nint a;\n```\n"
    streams = [stream(wide), stream("a = 1\n"), stream(fenced, "markdown"), stream(""), stream(wide)]
    joined = join(streams, COMPRESS)
    assert joined is not None
    assert unjoined(joined, 5) == streams


def test_like_streams_take_a_fraction_of_their_bytes() -> None:
    chance = random.Random(1)
    names = [f"name_{number}" for number in range(100)]
    lines = "    {} = {}({}, self.{})\n    if {} is None:\n        return {}\n"
    texts = [f"def {chance.choice(names)}(self):\n" + lines.format(*chance.choices(names, k=6)) for _ in range(50)]
    streams = [stream(text) for text in texts]
    joined = join(streams, COMPRESS)
    assert joined is not None
    assert len(joined) < 0.8 * len(COMPRESS(b"".join(streams)))


@pytest.mark.parametrize("other", [b"", b"tokens", bytes(25), stream("a = 1\n")[:-1], stream("a = 1\n") + b"\0"])
def test_other_values_are_not_joined(other: bytes) -> None:
    assert join([stream("b = 2\n"), other], COMPRESS) is None


def test_a_stream_that_is_compressed_by_itself_is_not_joined() -> None:
    long = stream("".join(f"name_{number} = other_{number} + {number}\n" for number in range(1000)))
    assert join([long, long], COMPRESS) is None


@given(cut=st.integers(0, 400), count=st.integers(0, 5))
def test_another_number_of_streams_or_a_shorter_value_is_an_error(cut: int, count: int) -> None:
    streams = [stream(f"name = {number}\n") for number in range(3)]
    joined = join(streams, COMPRESS)
    assert joined is not None
    if count == 3 and cut >= len(joined):
        return
    with pytest.raises((ValueError, zstandard.ZstdError)):
        unjoined(joined[:cut] if count == 3 else joined, count)


@given(texts=st.lists(TEXTS, min_size=1, max_size=4), data=st.data())
def test_damaged_columns_give_the_same_streams_or_an_error_with_and_without_the_kernel(
    texts: list[str], data: st.DataObject
) -> None:
    streams = [stream(text) for text in texts]
    joined = join(streams, COMPRESS)
    assert joined is not None
    damaged, at, byte = data.draw(st.tuples(st.integers(0, 3), st.integers(0, 400), st.integers(0, 255)))

    def read(wish: str) -> list[bytes] | None:
        columns = iter(range(4))

        def decompress(column: bytes) -> bytes:
            plain = bytearray(DECOMPRESS(column))
            if next(columns) == damaged and at < len(plain):
                plain[at] = byte
            return bytes(plain)

        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(extension.VARIABLE, wish)
            try:
                return unjoined(joined, len(streams), decompress)
            except ValueError:
                return None

    assert read("1") == read("0")


def test_the_number_of_a_symbol_that_does_not_exist_is_an_error() -> None:
    streams = [stream("a = 1\n"), stream("b = 2\n")]
    joined = join(streams, COMPRESS)
    assert joined is not None
    columns = iter(range(4))

    def decompress(column: bytes) -> bytes:
        plain = DECOMPRESS(column)
        return b"\xff" * len(plain) if next(columns) == 1 else plain

    with pytest.raises(ValueError, match="joined streams"):
        unjoined(joined, len(streams), decompress)
