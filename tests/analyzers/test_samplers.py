"""Samplers match the paper: its example, its definitions, its guarantee and its densities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.hashing import kgram_hashes, mix
from wherefrom.analyzers.samplers import (
    WINNOWING,
    bottom_n,
    mod_p,
    open_closed,
    robust_winnow,
    safe_mod_p,
    winnow,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from wherefrom.analyzers.samplers import WinnowingSampler
    from wherefrom.engines.embedded.packing import Positions
    from wherefrom.model import Hashes

FIGURE_2 = [77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98]

# Few values make ties, which is where the variants differ; the great ones are negative to whoever compares signed.
FEW = st.lists(st.sampled_from([0, 1, 2, 3, 1 << 63, (1 << 63) + 1, (1 << 64) - 1]), max_size=60)
ANY = st.lists(st.integers(0, (1 << 64) - 1), max_size=60)
HASHES = st.one_of(FEW, ANY).map(lambda values: np.array(values, np.uint64))
WINDOWS = st.integers(1, 12)

both = pytest.mark.parametrize("sampler", WINNOWING.values(), ids=WINNOWING.keys())


def random_hashes(count: int, seed: int) -> Hashes:
    return np.random.default_rng(seed).integers(0, 1 << 64, count, np.uint64, endpoint=False)


def windows(hashes: Hashes, w: int) -> list[range]:
    """Every window of w positions; one window with all of them if they are fewer."""
    if not len(hashes):
        return []
    return [range(begin, begin + w) for begin in range(len(hashes) - w + 1)] or [range(len(hashes))]


def definition_1(hashes: Hashes, w: int) -> list[int]:
    values = hashes.tolist()
    return sorted({min(window, key=lambda at: (values[at], -at)) for window in windows(hashes, w)})


def definition_3(hashes: Hashes, w: int) -> list[int]:
    """In each window select the minimum; if possible the hash that the window one position to the left selected; if
    not, the rightmost minimal one.
    """
    values = hashes.tolist()
    selected: list[int] = []
    for window in windows(hashes, w):
        least = min(values[at] for at in window)
        if not (selected and selected[-1] in window and values[selected[-1]] == least):
            selected.append(max(at for at in window if values[at] == least))
    return selected


def recorded(hashes: list[int], positions: Positions) -> list[tuple[int, int]]:
    return [(hashes[at], at) for at in positions.tolist()]


@both
def test_the_papers_example_gives_the_papers_fingerprints(sampler: WinnowingSampler) -> None:
    kept = sampler(np.array(FIGURE_2, np.uint64), 4)
    assert recorded(FIGURE_2, kept) == [(17, 3), (17, 6), (8, 8), (39, 11), (17, 15)]


@given(HASHES, WINDOWS)
def test_winnow_is_definition_1(hashes: Hashes, w: int) -> None:
    assert winnow(hashes, w).tolist() == definition_1(hashes, w)


@given(HASHES, WINDOWS)
def test_robust_winnow_is_definition_3(hashes: Hashes, w: int) -> None:
    assert robust_winnow(hashes, w).tolist() == definition_3(hashes, w)


@pytest.mark.parametrize("w", [2, 3, 7, 64])
def test_robust_winnow_is_definition_3_on_long_repetitive_input(w: int) -> None:
    hashes = np.random.default_rng(w).integers(0, 3, 3000).astype(np.uint64)
    hashes[1000:1500] = 1
    assert robust_winnow(hashes, w).tolist() == definition_3(hashes, w)


@both
@given(hashes=HASHES, w=WINDOWS)
def test_every_window_keeps_one_of_its_minima(sampler: WinnowingSampler, hashes: Hashes, w: int) -> None:
    kept = set(sampler(hashes, w).tolist())
    for window in windows(hashes, w):
        least = hashes[window.start : window.stop].min()
        assert any(hashes[at] == least for at in kept.intersection(window))


@both
@given(hashes=HASHES, w=WINDOWS, more=st.integers(0, 12))
def test_a_greater_window_keeps_no_other_hashes(sampler: WinnowingSampler, hashes: Hashes, w: int, more: int) -> None:
    assert set(hashes[sampler(hashes, w + more)].tolist()) <= set(hashes[sampler(hashes, w)].tolist())


@both
@given(shared=FEW.filter(bool), ends=st.tuples(FEW, FEW, FEW, FEW), spare=st.integers(0, 5))
def test_a_shared_run_of_w_hashes_shares_a_kept_one(
    sampler: WinnowingSampler, shared: list[int], ends: tuple[list[int], ...], spare: int
) -> None:
    w = max(len(shared) - spare, 1)
    one, other = (np.array([*ends[at], *shared, *ends[at + 1]], np.uint64) for at in (0, 2))
    kept_in_run = [
        {int(hashes[at]) for at in sampler(hashes, w).tolist() if begin <= at < begin + len(shared)}
        for hashes, begin in ((one, len(ends[0])), (other, len(ends[2])))
    ]
    assert kept_in_run[0] & kept_in_run[1]


@given(before=st.tuples(FEW, FEW), shared=FEW, after=st.tuples(FEW, FEW), w=WINDOWS)
def test_windows_in_an_unchanged_part_keep_their_fingerprints_in_winnow(
    before: tuple[list[int], list[int]], shared: list[int], after: tuple[list[int], list[int]], w: int
) -> None:
    """The choice of each window depends on the window alone, whatever is around it."""
    chosen = []
    for head, tail in zip(before, after, strict=True):
        kept = set(winnow(np.array([*head, *shared, *tail], np.uint64), w).tolist())
        # Positions that no window reaching out of the part can have kept are those that windows inside it keep.
        inside = winnow(np.array(shared, np.uint64), w) if len(shared) >= w else np.empty(0, np.int64)
        assert {len(head) + at for at in inside.tolist()} <= kept
        core = range(len(head) + w - 1, len(head) + len(shared) - w + 1)
        chosen.append({at - len(head) for at in kept.intersection(core)})
    assert chosen[0] == chosen[1]


@pytest.mark.thorough
@both
@pytest.mark.parametrize("w", [4, 8, 64])
def test_the_density_on_random_hashes_is_2_in_w_plus_1(sampler: WinnowingSampler, w: int) -> None:
    kept = sampler(random_hashes(1_000_000, w), w)
    assert len(kept) / 1_000_000 == pytest.approx(2 / (w + 1), rel=0.01)


@pytest.mark.parametrize("w", [1, 4, 8, 64])
def test_robust_winnow_keeps_one_in_w_of_a_constant_and_winnow_nearly_all(w: int) -> None:
    constant = np.full(6400, 7, np.uint64)
    assert len(robust_winnow(constant, w)) == 6400 // w
    assert len(winnow(constant, w)) == 6400 - w + 1


@both
def test_fewer_hashes_than_a_window_keep_the_rightmost_minimum(sampler: WinnowingSampler) -> None:
    assert sampler(np.array([5, 2, 9, 2, 7], np.uint64), 8).tolist() == [3]
    assert sampler(np.empty(0, np.uint64), 8).tolist() == []


@both
def test_hashes_are_compared_unsigned(sampler: WinnowingSampler) -> None:
    assert sampler(np.array([(1 << 64) - 1, 1, 1 << 63], np.uint64), 3).tolist() == [1]
    assert sampler(np.array([(1 << 64) - 1, 1 << 63], np.uint64), 3).tolist() == [1]


@both
@given(hashes=HASHES, w=WINDOWS)
def test_a_sampler_leaves_its_input_alone(sampler: WinnowingSampler, hashes: Hashes, w: int) -> None:
    before = hashes.copy()
    hashes.flags.writeable = False
    assert sampler(hashes, w).dtype == np.int64
    assert np.array_equal(hashes, before)


@given(HASHES, st.integers(1, (1 << 64) - 1))
def test_mod_p_keeps_what_the_modulus_divides(hashes: Hashes, p: int) -> None:
    assert mod_p(hashes, p).tolist() == [at for at, value in enumerate(hashes.tolist()) if value % p == 0]


@given(FEW, WINDOWS, st.integers(1, 6))
def test_safe_mod_p_adds_to_mod_p_the_end_of_each_window_without_one(values: list[int], w: int, p: int) -> None:
    hashes = np.array(values, np.uint64)
    expected = set(mod_p(hashes, p).tolist())
    for window in windows(hashes, w):
        if not any(values[at] % p == 0 for at in window):
            expected.add(window[-1])
    assert safe_mod_p(hashes, w, p).tolist() == sorted(expected)


@given(HASHES, WINDOWS, st.integers(1, 1 << 63))
def test_safe_mod_p_leaves_no_window_without_a_kept_hash(hashes: Hashes, w: int, p: int) -> None:
    kept = set(safe_mod_p(hashes, w, p).tolist())
    assert all(kept.intersection(window) for window in windows(hashes, w))


@pytest.mark.parametrize(("w", "p"), [(8, 4), (20, 10), (100, 50), (10, 100)])
def test_mod_p_has_its_density_and_its_share_of_empty_windows(w: int, p: int) -> None:
    count = 1_000_000
    kept = mod_p(random_hashes(count, p), p)
    gaps = np.diff(kept, prepend=-1, append=count) - 1
    empty = np.maximum(gaps - w + 1, 0).sum() / (count - w + 1)
    assert len(kept) / count == pytest.approx(1 / p, rel=0.05)
    assert empty == pytest.approx((1 - 1 / p) ** w, rel=0.05)


@pytest.mark.parametrize(("w", "p"), [(8, 4), (20, 10), (100, 50), (100, 22), (10, 100)])
def test_safe_mod_p_has_the_density_of_the_paper(w: int, p: int) -> None:
    kept = safe_mod_p(random_hashes(1_000_000, p), w, p)
    assert len(kept) / 1_000_000 == pytest.approx(1 / p + (1 - 1 / p) ** w, rel=0.02)


@given(FEW, st.integers(1, 8))
def test_bottom_n_keeps_the_least_distinct_hashes_at_their_rightmost_positions(values: list[int], n: int) -> None:
    rightmost = {value: at for at, value in enumerate(values)}
    expected = sorted(rightmost[value] for value in sorted(rightmost)[:n])
    assert bottom_n(np.array(values, np.uint64), n).tolist() == expected


TOKENS = st.one_of(st.lists(st.integers(0, 2), max_size=60), st.lists(st.integers(0, 1 << 40), max_size=60))
GRAMS = st.tuples(st.integers(1, 6), st.integers(0, 6)).map(lambda it: (it[0], it[0] + it[1]))
"""(s, k) with s <= k."""


def grams(tokens: list[int], k: int) -> Hashes:
    return mix(kgram_hashes(np.array(tokens, np.uint64), k))


def kept_open_closed(tokens: list[int], lengths: tuple[int, int], w: int) -> Positions:
    s, k = lengths
    return open_closed(grams(tokens, k), grams(tokens, s), w)


@given(tokens=TOKENS, lengths=GRAMS, w=WINDOWS)
def test_open_closed_keeps_of_each_window_a_gram_of_the_best_kind(
    tokens: list[int], lengths: tuple[int, int], w: int
) -> None:
    s, k = lengths
    hashes, inner = grams(tokens, k), grams(tokens, s).tolist()

    def rank(at: int) -> tuple[int, int]:
        within = inner[at : at + k - s + 1]
        least = max(offset for offset, value in enumerate(within) if value == min(within))
        kind = 0 if least == (k - s) // 2 else 1 if least in {0, k - s} else 2
        return kind, int(hashes[at]) >> 2

    kept = set(open_closed(hashes, np.array(inner, np.uint64), w).tolist())
    for window in windows(hashes, w):
        assert min(map(rank, window)) in {rank(at) for at in kept.intersection(window)}
    assert len(kept) <= len(hashes)


@given(shared=TOKENS, ends=st.tuples(TOKENS, TOKENS, TOKENS, TOKENS), lengths=GRAMS, w=WINDOWS)
def test_a_run_of_t_tokens_shares_a_gram_that_open_closed_keeps(
    shared: list[int], ends: tuple[list[int], ...], lengths: tuple[int, int], w: int
) -> None:
    k = lengths[1]
    shared = ((shared or [1]) * (w + k))[: w + k - 1]
    kept = []
    for before, after in (ends[:2], ends[2:]):
        tokens = [*before, *shared, *after]
        inside = range(len(before), len(before) + len(shared) - k + 1)
        kept.append(
            {tuple(tokens[at : at + k]) for at in kept_open_closed(tokens, lengths, w).tolist() if at in inside}
        )
    assert kept[0] & kept[1]


@given(tokens=TOKENS, lengths=GRAMS, w=WINDOWS, more=st.integers(0, 12))
def test_a_greater_window_keeps_no_other_hashes_in_open_closed(
    tokens: list[int], lengths: tuple[int, int], w: int, more: int
) -> None:
    hashes = grams(tokens, lengths[1])
    wide, narrow = (set(hashes[kept_open_closed(tokens, lengths, size)].tolist()) for size in (w + more, w))
    assert wide <= narrow


@pytest.mark.parametrize(
    ("s", "k", "w", "density"),
    [(1, 8, 8, 0.1863), (2, 8, 8, 0.1837), (3, 8, 8, 0.1872), (8, 8, 8, 2 / 9), (2, 7, 9, 0.1695), (4, 32, 64, 0.0262)],
)
def test_the_density_of_open_closed_on_random_tokens(s: int, k: int, w: int, density: float) -> None:
    """The figures of benchmarks/notes/samplers.md; with s = k every k-gram is open, and it is winnowing again."""
    codes = random_hashes(1_000_000, 3)
    kept = open_closed(mix(kgram_hashes(codes, k)), mix(kgram_hashes(codes, s)), w)
    assert len(kept) / 1_000_000 == pytest.approx(density, rel=0.02)


def test_open_closed_keeps_one_in_w_of_a_constant() -> None:
    assert len(kept_open_closed([7] * 6407, (2, 8), 8)) == 6400 // 8


@pytest.mark.parametrize(
    "call",
    [
        lambda hashes: open_closed(hashes, hashes, 0),
        lambda hashes: open_closed(hashes, hashes[1:], 4),
        lambda hashes: safe_mod_p(hashes, 0, 4),
        lambda hashes: safe_mod_p(hashes, 4, 0),
        lambda hashes: mod_p(hashes, 0),
        lambda hashes: mod_p(hashes, -3),
        lambda hashes: mod_p(hashes, 1 << 64),
        lambda hashes: bottom_n(hashes, 0),
    ],
)
def test_an_argument_that_cannot_be_right_is_a_value_error(call: Callable[[Hashes], Positions]) -> None:
    with pytest.raises(ValueError, match=r"not -?\d+|positive|at least"):
        call(np.arange(10, dtype=np.uint64))


@both
@pytest.mark.parametrize("w", [0, -1])
def test_a_window_without_a_hash_is_a_value_error(sampler: WinnowingSampler, w: int) -> None:
    with pytest.raises(ValueError, match="at least one hash"):
        sampler(np.arange(10, dtype=np.uint64), w)


@pytest.mark.parametrize("wrong", [2.5, float("nan")])
@pytest.mark.parametrize(
    "call",
    [
        *WINNOWING.values(),
        mod_p,
        bottom_n,
    ],
)
def test_a_count_that_is_no_whole_number_is_a_type_error(
    call: Callable[[Hashes, float], Positions], wrong: float
) -> None:
    with pytest.raises(TypeError):
        call(np.arange(10, dtype=np.uint64), wrong)
