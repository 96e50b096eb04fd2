"""The stored token stream loses nothing, its bytes do not change, and damage is reported."""

from __future__ import annotations

import struct
import tracemalloc

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import CLASS_NAMES, letters, stream, words
from wherefrom.analyzers.kernel import stored_stream
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.tokens import PLAIN, TokenStream, decode, encode, reading, symbol_codes
from wherefrom.errors import IndexDamaged
from wherefrom.model import OF_TOKENS

HEADER = struct.Struct("<BIIIIIII")

SNIPPET = stream(words('total = total + price ( item , "x" )'), letters("Prose 1"))
STORED = bytes.fromhex(
    "03100000000f00000003000000020000000d0000000000000000000000033a48f96e2879d47f02a99ba74217a30664ca228726e0"
    "4b2be4469e9b2b25a51db132dba044663b63f68b45496cebf91464abe8cee8764de7e0758eaec180f09b94298eabcc0f"
    "da53dffb0104020104040004000004010400000501030501010101010101040101010000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100010000"
    "000000000000000000010000000000000000000006000903080b0e020d0c050401070a01000000000000000000000000"
    "000200000a000000000000707974686f6e00707974686f6e"
)
"""`SNIPPET` in format 3; existing indexes contain bytes like these."""

LONG = stream(words(" ".join(f"name{number} = name{number // 2} + {number % 7} ;" for number in range(1000))))
"""A stream whose planes are compressed."""


def build(rows: list[tuple[int, int, int, int, int, int]], segments: list[tuple[int, str]]) -> TokenStream:
    """A stream from rows of (code, class, length, line breaks inside, gap before, line breaks in the gap)."""
    codes, classes, lengths, breaks, gaps, gap_breaks = np.array(rows, np.int64).reshape(-1, 6).T
    ends = np.cumsum(gaps + lengths)
    end_lines = 1 + np.cumsum(gap_breaks + breaks)
    return TokenStream(
        codes=codes.astype(np.uint64),
        classes=classes.astype(np.uint8),
        starts=ends - lengths,
        ends=ends,
        start_lines=end_lines - breaks,
        end_lines=end_lines,
        segments=np.array([begin for begin, _ in segments], np.int64),
        languages=tuple(language for _, language in segments),
    )


@st.composite
def token_streams(draw: st.DrawFn) -> TokenStream:
    code = st.one_of(st.integers(0, 5), st.integers(0, (1 << 40) - 1))
    length = st.one_of(st.integers(1, 9), st.integers(0, 1 << 20))
    gap = st.one_of(st.integers(0, 3), st.integers(0, 1 << 26))  # a content has less than 4 GB
    kind = st.integers(0, len(CLASS_NAMES) - 1)
    row = st.tuples(code, kind, length, st.integers(0, 4), gap, st.integers(0, 1 << 20))
    rows = draw(st.lists(row, max_size=40))
    begins = draw(st.lists(st.integers(0, len(rows)), max_size=3)) if rows else []
    names = st.sampled_from(["python", "c", "text", ""])
    return build(rows, [(begin, draw(names)) for begin in (0, *sorted(begins))])


def assert_same(one: TokenStream, other: TokenStream) -> None:
    for name in ("codes", "classes", "starts", "ends", "start_lines", "end_lines", "segments"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert mine.dtype == theirs.dtype, name
        assert np.array_equal(mine, theirs), name
    assert one.languages == other.languages


def read(stored: bytes) -> TokenStream:
    """What `decode` reads, after a check that the kernel reads the same."""
    found = decode(stored)
    assert_same(stored_stream(stored), found)
    return found


@given(token_streams())
def test_decode_gives_back_what_encode_stored(tokens: TokenStream) -> None:
    assert_same(read(encode(tokens)), tokens)


def test_a_stream_without_tokens_or_segments_is_stored() -> None:
    assert_same(read(encode(build([], []))), build([], []))


@pytest.mark.parametrize("different", [256, 257, 65_536, 65_537, 70_000])
def test_any_number_of_different_symbols_and_gaps_is_stored(different: int) -> None:
    rows = [(number, number % 5, 1 + number % 7, 0, number, number % 3) for number in range(different)]
    tokens = build([*rows, *rows[:5]], [(0, "python")])
    assert_same(read(encode(tokens)), tokens)


def test_one_code_with_several_lengths_classes_and_line_breaks_is_stored() -> None:
    rows = [(9, 0, 1, 0, 1, 0), (9, 0, 2, 0, 1, 0), (9, 1, 1, 0, 1, 0), (9, 0, 1, 2, 1, 0)] * 3
    tokens = build(rows, [(0, "python")])
    assert_same(read(encode(tokens)), tokens)


def test_a_decoded_stream_has_the_kgrams_of_the_original() -> None:
    stored = decode(encode(SNIPPET))
    for representation in OF_TOKENS:
        assert np.array_equal(kgrams(stored, representation, 3).hashes, kgrams(SNIPPET, representation, 3).hashes)


def test_too_many_tokens_are_refused() -> None:
    zeros = np.broadcast_to(np.int64(0), 1 << 24)
    codes, classes = np.broadcast_to(np.uint64(0), 1 << 24), np.broadcast_to(np.uint8(0), 1 << 24)
    huge = TokenStream(codes, classes, zeros[:1], zeros, zeros, zeros, zeros, ("c",))
    with pytest.raises(ValueError, match="16777216"):
        encode(huge)


def test_bytes_of_format_3_still_decode() -> None:
    assert_same(read(STORED), SNIPPET)


def test_the_layout_of_format_3_stands() -> None:
    assert encode(SNIPPET) == STORED


def test_long_planes_are_compressed() -> None:
    """The compressed bytes may differ between versions of the compressor; header, codes and planes may not."""
    stored = encode(LONG)
    sizes = HEADER.unpack_from(stored)
    assert sizes[-1] == len(stored) - HEADER.size - 5 * sizes[2]
    planes = zstandard.decompress(stored[HEADER.size + 5 * sizes[2] :])
    assert len(planes) > PLAIN > len(STORED)
    assert_same(read(stored), LONG)
    assert_same(read(HEADER.pack(*sizes[:-1], 0) + stored[HEADER.size : HEADER.size + 5 * sizes[2]] + planes), LONG)


@given(st.integers(0, len(STORED) - 1))
def test_bytes_that_are_cut_off_are_damaged(length: int) -> None:
    for damaged in (decode, stored_stream):
        with pytest.raises(IndexDamaged, match="index its repository again"):
            damaged(STORED[:length])


@given(st.binary(min_size=1, max_size=20))
def test_bytes_with_something_behind_are_damaged(more: bytes) -> None:
    with pytest.raises(IndexDamaged):
        decode(STORED + more)


@given(token_streams(), st.data())
def test_changed_bytes_are_damaged_or_decode_to_something_that_can_be_read(
    tokens: TokenStream, data: st.DataObject
) -> None:
    stored = bytearray(encode(tokens))
    for _ in range(data.draw(st.integers(1, 3))):
        stored[data.draw(st.integers(0, len(stored) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        changed = decode(bytes(stored))
    except IndexDamaged:
        return
    assert len(changed.languages) == len(changed.segments)
    for representation in OF_TOKENS:
        kgrams(changed, representation, 2)


@pytest.mark.parametrize("field", range(1, 7))
@pytest.mark.parametrize("value", [0, 1, 1 << 20, (1 << 32) - 1])
def test_a_wrong_count_in_the_header_is_damaged(field: int, value: int) -> None:
    sizes = list(HEADER.unpack_from(STORED))
    if sizes[field] == value:
        return
    sizes[field] = value
    with pytest.raises(IndexDamaged):
        decode(HEADER.pack(*sizes) + STORED[HEADER.size :])


def test_symbols_that_a_stream_only_claims_to_have_take_no_memory() -> None:
    for number in (3, 4):
        tracemalloc.start()
        try:
            with pytest.raises(IndexDamaged), reading():
                symbol_codes(HEADER.pack(number, 1, (1 << 32) - 1, 0, 0, 0, 0, 0))
            assert tracemalloc.get_traced_memory()[1] < 1_000_000
        finally:
            tracemalloc.stop()


def frame_of(content: bytes, claimed: int | None) -> bytes:
    """A zstd frame whose header claims another size of its content, or no size for None."""
    raw = zstandard.ZstdCompressor(write_content_size=False).compress(content)
    body = raw[6:]  # magic, descriptor and window come before the blocks
    if claimed is None:
        return raw
    return raw[:4] + b"\xe0" + struct.pack("<Q", claimed) + body


@pytest.mark.parametrize("claimed", [None, 1 << 30, 1 << 50, (1 << 64) - 2])
def test_a_frame_that_claims_another_size_is_damaged_and_allocates_nothing(claimed: int | None) -> None:
    sizes = HEADER.unpack_from(STORED)
    at = HEADER.size + 5 * sizes[2]
    frame = frame_of(STORED[at:], claimed)
    with pytest.raises(IndexDamaged):
        decode(HEADER.pack(*sizes[:-1], len(frame)) + STORED[HEADER.size : at] + frame)


@pytest.mark.parametrize("segments", [(1, 9), (0, 17), (9, 0), (0, 1 << 31)])
def test_segments_that_cannot_be_are_damaged(segments: tuple[int, int]) -> None:
    begin = len(STORED) - HEADER.unpack_from(STORED)[5] - 8
    planes = np.array(segments, "<u4").view(np.uint8).reshape(2, 4).T.tobytes()
    with pytest.raises(IndexDamaged):
        decode(STORED[:begin] + planes + STORED[begin + 8 :])
