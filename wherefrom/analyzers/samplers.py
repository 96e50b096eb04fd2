"""Samplers: which k-gram hashes are kept as fingerprints.

All are pure functions from a hash array (shape (n,), uint64, compared unsigned) to the ascending positions kept
(shape (m,), int64).
Sections refer to Schleimer, Wilkerson, Aiken: Winnowing, SIGMOD 2003; `open_closed` is newer (`docs/samplers.md`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from operator import index
from typing import TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from wherefrom.model import Hashes

Positions: TypeAlias = NDArray[np.int64]
WinnowingSampler: TypeAlias = Callable[[Hashes, int], Positions]

_NONE = np.empty(0, np.int64)


def _check_window(w: int) -> None:
    if index(w) < 1:
        raise ValueError(f"a window holds at least one hash, not {w}")


def _shorter_than_a_window(hashes: Hashes) -> Positions:
    """The rightmost minimum of all: what is kept of fewer than w k-grams."""
    if not len(hashes):
        return _NONE
    return np.array([len(hashes) - 1 - int(np.argmin(hashes[::-1]))], np.int64)


def winnow(hashes: Hashes, w: int) -> Positions:
    """Plain winnowing (Definition 1): the rightmost minimum of every window of w hashes.

    Fewer than w hashes keep the minimum of all. The density on distinct hashes is 2 / (w + 1).

    Raises:
        ValueError: w is below 1.
    """
    _check_window(w)
    if len(hashes) < w:
        return _shorter_than_a_window(hashes)
    from_the_end = sliding_window_view(hashes, w)[:, ::-1].argmin(axis=1)
    return np.unique(np.arange(w - 1, len(hashes)) - from_the_end)


def robust_winnow(hashes: Hashes, w: int) -> Positions:
    """Robust winnowing (Definition 3): as `winnow`, but a window keeps the selection of the window to its left while
    that one is still a minimum of it. Repetitive text is sampled at 1 / w.

    Fewer than w hashes keep the minimum of all.

    Raises:
        ValueError: w is below 1.
    """
    _check_window(w)
    if len(hashes) < w:
        return _shorter_than_a_window(hashes)
    minima = _sliding(np.minimum, hashes, w)
    # A hash is the minimum of a window if and only if it equals the greatest minimum of the windows that hold it.
    around = np.zeros(len(hashes) + w - 1, np.uint64)
    around[w - 1 : len(hashes)] = minima
    kept: Positions = (_sliding(np.maximum, around, w) == hashes).nonzero()[0]
    values = hashes[kept]
    tied = (values[1:] == values[:-1]).nonzero()[0]
    if len(tied):
        tied = tied[kept[tied + 1] - kept[tied] < w]
    if not len(tied):
        return kept
    is_selected = np.ones(len(kept), np.bool_)
    is_selected[_passed_over(minima, kept, tied, w)] = False
    selected: Positions = kept[is_selected]
    return selected


def _sliding(extreme: np.ufunc, values: Hashes, w: int) -> Hashes:
    """The minimum or maximum of every window of w values: windows are doubled until they have w."""
    width = 1
    while width < w:
        step = min(width, w - width)
        values = extreme(values[:-step], values[step:])
        width += step
    return values


def _passed_over(minima: Hashes, kept: Positions, tied: NDArray[np.int64], w: int) -> list[int]:
    """Which minima of windows robust winnowing does not select: some of those with an equal one in reach.

    A selection holds until the window that begins behind it, so each run of equal minima is walked from selection to
    selection. Nothing smaller is within a run, and no other minimum of a window: a run's members are neighbours in
    `kept`.

    Args:
        minima: of every window.
        kept: the positions that are the minimum of some window.
        tied: ascending, indices in `kept`: the next position has the same hash and is less than w away.
        w: the window.

    Returns:
        Indices in `kept`.
    """
    breaks = np.flatnonzero(tied[1:] != tied[:-1] + 1)
    firsts, lasts = tied[np.append(0, breaks + 1)], tied[np.append(breaks, len(tied) - 1)] + 1
    lengths = lasts - firsts + 1
    # The windows that hold a run's first hash; it is the minimum of at least one, and the greatest of the minima.
    begins = kept[firsts][:, np.newaxis]
    around = np.minimum(np.maximum(begins - w + 1, 0) + np.arange(w), np.minimum(begins, len(minima) - 1))
    windows = around[np.arange(len(around)), minima[around].argmax(axis=1)]
    # All members of runs, one run after the other, and whether the window behind each has the run's minimum.
    members = np.repeat(firsts - (lengths.cumsum() - lengths), lengths) + np.arange(lengths.sum())
    behind = kept[members] + 1
    is_minimum = minima.take(behind, mode="clip") == np.repeat(minima[windows], lengths)
    goes_on = (is_minimum & (behind < len(minima))).tolist()
    positions, indices = kept[members].tolist(), members.tolist()
    passed: list[int] = []
    begin = 0
    for length, first_window in zip(lengths.tolist(), windows.tolist(), strict=True):
        end, window = begin + length, first_window
        while begin < end:
            selected = bisect_right(positions, window + w - 1, begin, end) - 1
            passed.extend(indices[begin:selected])
            begin, window = selected + 1, positions[selected] + 1
            if not goes_on[selected]:
                break
        passed.extend(indices[begin:end])
        begin = end
    return passed


def mod_p(hashes: Hashes, p: int | None = None, *, mask: int | None = None) -> Positions:
    """0 mod p (section 1.1): the hashes that p divides, or those whose bits under `mask` are all 0. Density 1 / p; gaps
    have no bound.

    Raises:
        ValueError: not exactly one of `p` and `mask`, or one that is not positive or has more than 64 bits.
    """
    given = [index(each) for each in (p, mask) if each is not None]
    if len(given) != 1 or not 0 < given[0] < 1 << 64:
        raise ValueError("mod_p takes a positive modulus or a positive bit mask, of at most 64 bits")
    number = np.uint64(given[0])
    return np.flatnonzero((hashes & number if p is None else hashes % number) == 0)


def safe_mod_p(hashes: Hashes, w: int, p: int) -> Positions:
    """0 mod p with winnowing's guarantee (section 3.1.2): the hashes that p divides, and each hash that ends a window
    of w without one.

    Fewer than w hashes count as one window. The density on random hashes is 1/p + (1 - 1/p)^w, least near p = w / ln w.

    Raises:
        ValueError: w or p is below 1.
    """
    _check_window(w)
    positions = np.arange(len(hashes))
    keep = np.zeros(len(hashes), np.bool_)
    keep[mod_p(hashes, p)] = True
    last = np.maximum.accumulate(np.where(keep, positions, -1))
    keep |= positions - last >= min(w, len(hashes))
    return np.flatnonzero(keep)


def bottom_n(hashes: Hashes, n: int) -> Positions:
    """The n smallest distinct hashes of the whole (Heintze 1996), each at its rightmost position.

    Raises:
        ValueError: n is below 1.
    """
    if index(n) < 1:
        raise ValueError(f"bottom_n keeps at least one hash, not {n}")
    first_from_the_end = np.unique(hashes[::-1], return_index=True)[1][:n]
    return np.sort(len(hashes) - 1 - first_from_the_end)


def open_closed(hashes: Hashes, inner: Hashes, w: int) -> Positions:
    """The open-closed minimizer (Groot Koerkamp, Liu, Pibiri: The open-closed mod-minimizer algorithm, Algorithms for
    Molecular Biology 20:4, 2025) as robust winnowing in another order: in each window an open k-gram comes before a
    closed one, that before any other, and within a kind the smaller hash first.

    A k-gram is *open* if the least of its s-grams is in its middle, at offset (k - s) // 2, *closed* if that one
    is its first or last; of equal s-grams the rightmost counts. The kind depends on the k-gram alone, so this is an
    order of k-grams: it has the guarantee of winnowing with this w, and a greater window keeps no other hashes. On
    random tokens at k = w = 8 the density is 0.184 for s = 2, against 0.222 = 2 / (w + 1).

    Args:
        hashes: of the k-grams, as for `winnow`; the highest 62 bits are compared.
        inner: of the s-grams of the same tokens, shape (n + k - s,), where n > 0 is the number of k-grams: entry i is
            the s-gram that begins where k-gram i does.
        w: the window.

    Raises:
        ValueError: w is below 1, or there are fewer s-grams than k-grams.
    """
    _check_window(w)
    if not len(hashes):
        return _NONE
    last = len(inner) - len(hashes)
    if last < 0:
        raise ValueError(f"there are at least as many s-grams as k-grams, not {len(inner)} for {len(hashes)}")
    least = _sliding(np.minimum, inner, last + 1)
    is_open, is_first = (_is_rightmost_least(inner, least, at, last) for at in (last // 2, 0))
    kind = np.uint8(2) - (is_first | (inner[last:] == least)).view(np.uint8)
    kind *= ~is_open
    return robust_winnow((kind.astype(np.uint64) << np.uint64(62)) | (hashes >> np.uint64(2)), w)


def _is_rightmost_least(inner: Hashes, least: Hashes, at: int, last: int) -> NDArray[np.bool_]:
    """Of which k-grams the least s-gram (`least`: its hash) is at offset `at` and at none up to `last`."""
    count = len(least)
    found: NDArray[np.bool_] = inner[at : at + count] == least
    if at < last:
        found &= _sliding(np.minimum, inner, last - at)[at + 1 : at + 1 + count] > least
    return found


WINNOWING: dict[str, WinnowingSampler] = {"robust_winnow": robust_winnow, "winnow": winnow}
"""The samplers that look at hashes alone, keep the guarantee and nest as the window grows."""

OF_INDEXES = ("open_closed", *WINNOWING)
"""The names of the samplers that an index may be made with: those that keep the guarantee and nest as w grows."""
