"""Hashes match slow independent definitions and golden vectors. A change of a hash makes all indexes useless."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.hashing import (
    BASE,
    CODE_BITS,
    SEED,
    CodeCache,
    ascending,
    distinct,
    kgram_hashes,
    mix,
    packed,
    powers,
    terms,
    token_code,
    unpacked,
)

MASK = (1 << 64) - 1
CODES = st.integers(0, (1 << CODE_BITS) - 1)
HASHES = st.integers(0, MASK)


def slow_mix(value: int) -> int:
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & MASK
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & MASK
    return value ^ value >> 33


def rotate(value: int, by: int) -> int:
    return (value << by | value >> (64 - by)) & MASK


def slow_murmur(data: bytes, seed: int) -> int:
    """The first half of MurmurHash3 x64 128, after Appleby's description."""
    first = second = seed
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
    body = len(data) // 16 * 16
    for at in range(0, body, 16):
        one, two = (int.from_bytes(data[at + part : at + part + 8], "little") for part in (0, 8))
        first ^= rotate(one * c1 & MASK, 31) * c2 & MASK
        first = ((rotate(first, 27) + second) * 5 + 0x52DCE729) & MASK
        second ^= rotate(two * c2 & MASK, 33) * c1 & MASK
        second = ((rotate(second, 31) + first) * 5 + 0x38495AB5) & MASK
    one, two = (int.from_bytes(data[body + part :][:8], "little") for part in (0, 8))
    second ^= rotate(two * c2 & MASK, 33) * c1 & MASK
    first ^= rotate(one * c1 & MASK, 31) * c2 & MASK
    first, second = first ^ len(data), second ^ len(data)
    first = (first + second) & MASK
    second = (second + first) & MASK
    return (slow_mix(first) + slow_mix(second)) & MASK


def slow_kgram_hash(codes: list[int]) -> int:
    k = len(codes)
    return sum(code * pow(int(BASE), k - place, 1 << 64) for place, code in enumerate(codes)) & MASK


@given(st.binary(max_size=80))
def test_a_token_code_is_the_leading_40_bits_of_murmurhash3(symbol: bytes) -> None:
    assert token_code(symbol) == slow_murmur(symbol, SEED) >> 24


@pytest.mark.parametrize(
    ("symbol", "code"),
    [
        (b"", 0x5B66FDA48D),
        (b"x", 0x404EF16327),
        (b"def", 0xE7FFD92004),
        (b"->", 0xBEFE34F14F),
        ("naïve".encode(), 0x5E2555E9DD),
        (b'"a string of more than sixteen bytes"', 0x5CCE01EAC8),
    ],
)
def test_token_codes_are_those_of_every_index_in_the_field(symbol: bytes, code: int) -> None:
    assert token_code(symbol) == code


def test_the_code_cache_gives_the_same_codes_and_stays_small() -> None:
    cache = CodeCache(limit=3)
    symbols = [b"%d" % (number % 5) for number in range(50)]
    sizes = set()
    for symbol in symbols:
        assert cache[symbol] == token_code(symbol)
        sizes.add(len(cache))
    assert max(sizes) == 3


@given(st.lists(CODES, max_size=30), st.integers(1, 12))
def test_a_kgram_hash_is_the_polynomial_of_its_codes(codes: list[int], k: int) -> None:
    hashes = kgram_hashes(np.array(codes, np.uint64), k)
    assert hashes.tolist() == [slow_kgram_hash(codes[at : at + k]) for at in range(len(codes) - k + 1)]
    assert hashes.dtype == np.uint64


def test_kgram_hashes_are_those_of_every_index_in_the_field() -> None:
    codes = np.array([1, 2, 3, (1 << 40) - 1], np.uint64)
    assert kgram_hashes(codes, 1).tolist() == [
        0x9E3779B97F4A7C15,
        0x3C6EF372FE94F82A,
        0xDAA66D2C7DDF743F,
        0xAC449B4680B583EB,
    ]
    assert kgram_hashes(codes, 3).tolist() == [0xF9792455C84F1FDE, 0x0AA5DC76474C8170]


def test_the_factors_cannot_be_changed_by_a_caller() -> None:
    with pytest.raises(ValueError, match="read-only"):
        powers(4)[0] = 1


@pytest.mark.parametrize("place", range(4))
def test_every_token_moves_every_bit(place: int) -> None:
    random = np.random.default_rng(place)
    codes = random.integers(0, 1 << CODE_BITS, (2000, 4), np.uint64)
    changed = codes.copy()
    changed[:, place] = random.integers(0, 1 << CODE_BITS, 2000, np.uint64)
    moved = kgram_hashes(codes.ravel(), 4)[::4] ^ kgram_hashes(changed.ravel(), 4)[::4]
    shares = [np.count_nonzero(moved >> np.uint64(bit) & np.uint64(1)) / len(moved) for bit in range(64)]
    assert min(shares) > 0.4
    assert max(shares) < 0.6


@given(st.lists(HASHES, max_size=20))
def test_mix_is_the_finaliser_of_murmurhash3(hashes: list[int]) -> None:
    given_hashes = np.array(hashes, np.uint64)
    assert mix(given_hashes).tolist() == [slow_mix(value) for value in hashes]
    assert given_hashes.tolist() == hashes


def test_mixed_hashes_are_those_of_every_index_in_the_field() -> None:
    hashes = np.array([0, 1, MASK], np.uint64)
    assert mix(hashes).tolist() == [0x0000000000000000, 0xB456BCFC34C2CB2C, 0x64B5720B4B825F21]


@given(st.lists(HASHES, max_size=20))
def test_terms_are_the_distinct_leading_bits_of_the_mixed_hashes_in_order(hashes: list[int]) -> None:
    expected = sorted({slow_mix(value) >> 16 for value in hashes})
    assert terms(np.array(hashes, np.uint64)).tolist() == expected


def test_terms_are_those_of_every_index_in_the_field() -> None:
    hashes = np.array([3, 1, 2, 1], np.uint64)
    assert terms(hashes).tolist() == [0x0B5181C509F8, 0x3ABF2A206506, 0xB456BCFC34C2]


@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 3), max_size=50))
def test_distinct_hashes_ascend(values: list[int]) -> None:
    hashes = np.array(values, np.uint64)
    assert distinct(hashes).tolist() == sorted(set(values))
    assert hashes.tolist() == values


@given(st.lists(st.sampled_from([0, 1, 2, 1 << 23, 1 << 24, (1 << 24) + 1, (1 << 64) - 1, 1 << 63]), max_size=40))
def test_hashes_are_ordered_as_by_a_stable_argsort(hashes: list[int]) -> None:
    array = np.array(hashes, np.uint64)
    assert ascending(array).tolist() == np.argsort(array, kind="stable").tolist()


@given(st.lists(HASHES, max_size=20), st.sampled_from([np.uint32, np.uint64]))
def test_packed_numbers_come_out_as_they_were(hashes: list[int], kind: type[np.unsignedinteger]) -> None:
    numbers = np.sort(np.array(hashes, np.uint64).astype(kind))
    assert unpacked(packed(numbers)).tolist() == numbers.tolist()


def test_the_rows_of_packed_numbers_are_the_bytes_of_differences() -> None:
    assert packed(np.array([1, 258, 258], np.uint32)).tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]]
