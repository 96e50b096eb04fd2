"""Samplers: rules that choose which k-gram hashes are kept as fingerprints.

All are pure functions from an array of hashes (shape (n,), uint64) to the positions that are kept (shape (m,), int64,
ascending). Sections and definitions refer to Schleimer, Wilkerson, Aiken: Winnowing, SIGMOD 2003; `open_closed` is
newer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from operator import index
from typing import TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import distinct
from wherefrom.model import Hashes

Positions: TypeAlias = NDArray[np.int64]
WinnowingSampler: TypeAlias = Callable[[Hashes, int], Positions]

_NONE = np.empty(0, np.int64)


def _window(w: int, hashes: Hashes) -> int:
    """The size of a window: w, or the number of hashes if that is smaller."""
    if index(w) < 1:
        raise ValueError(f"a window holds at least one hash, not {w}")
    return min(w, len(hashes))


def winnow(hashes: Hashes, w: int) -> Positions:
    """Plain winnowing (Definition 1): the rightmost minimum of every window of w hashes.

    If there are fewer than w hashes, the minimum of all is kept. The density on distinct hashes is 2 / (w + 1). Raises
    ValueError if w is below 1.
    """
    w = _window(w, hashes)
    if not w:
        return _NONE
    from_the_end = sliding_window_view(hashes, w)[:, ::-1].argmin(axis=1)
    return distinct(np.arange(w - 1, len(hashes)) - from_the_end)


def robust_winnow(hashes: Hashes, w: int) -> Positions:
    """Robust winnowing (Definition 3): as `winnow`, but if several hashes are the minimum of a window, and the window
    to its left selected one of them, the window selects that one. The density on repetitive text is 1 / w.

    If there are fewer than w hashes, the minimum of all is kept. Raises ValueError if w is below 1.
    """
    w = _window(w, hashes)
    if not w:
        return _NONE
    minima = _sliding(np.minimum, hashes, w)
    # A hash is the minimum of a window if and only if it equals the greatest minimum of the windows that contain it.
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
    """The minimum or maximum of every window of w values. The width of the windows doubles until it is w."""
    width = 1
    while width < w:
        step = min(width, w - width)
        values = extreme(values[:-step], values[step:])
        width += step
    return values


def _passed_over(minima: Hashes, kept: Positions, tied: NDArray[np.int64], w: int) -> list[int]:
    """The minima of windows that robust winnowing does not select, since an equal minimum is less than w away.

    A hash stays selected until a window begins after it. So each run of equal minima is walked from selection to
    selection. A run contains no smaller hash and no other minimum of a window: its members are neighbors in `kept`.

    Takes the minimum of each window, the positions that are the minimum of some window (`kept`), and the indices in
    `kept` of positions whose next one has the same hash and is less than w away (`tied`). Returns indices in `kept`.
    """
    breaks = np.flatnonzero(tied[1:] != tied[:-1] + 1)
    begins, ends = tied[np.append(0, breaks + 1)].tolist(), (tied[np.append(breaks, len(tied) - 1)] + 2).tolist()
    positions = kept.tolist()
    passed: list[int] = []
    for first, end in zip(begins, ends, strict=True):
        # The windows with the first hash of the run. This hash is the minimum of the window with the greatest minimum.
        earliest = max(positions[first] - w + 1, 0)
        window = earliest + int(minima[earliest : positions[first] + 1].argmax())
        begin, least = first, minima[window]
        while begin < end and window < len(minima) and minima[window] == least:
            selected = bisect_right(positions, window + w - 1, begin, end) - 1
            passed.extend(range(begin, selected))
            begin, window = selected + 1, positions[selected] + 1
        passed.extend(range(begin, end))
    return passed


def mod_p(hashes: Hashes, p: int) -> Positions:
    """0 mod p (section 1.1): keeps the hashes that p divides. The density is 1 / p; gaps have no bound. Raises
    ValueError if p is not positive or has more than 64 bits.
    """
    if not 0 < index(p) < 1 << 64:
        raise ValueError("mod_p takes a positive modulus of at most 64 bits")
    return np.flatnonzero(hashes % np.uint64(p) == 0)


def safe_mod_p(hashes: Hashes, w: int, p: int) -> Positions:
    """0 mod p with the guarantee of winnowing (section 3.1.2): keeps the hashes that p divides, and the last hash of
    each window of w hashes that has no such hash.

    Fewer than w hashes are one window. The density on random hashes is 1/p + (1 - 1/p)^w, least near p = w / ln w.
    Raises ValueError if w or p is below 1.
    """
    w = _window(w, hashes)
    positions = np.arange(len(hashes))
    keep = np.zeros(len(hashes), np.bool_)
    keep[mod_p(hashes, p)] = True
    last = np.maximum.accumulate(np.where(keep, positions, -1))
    keep |= positions - last >= w
    return np.flatnonzero(keep)


def bottom_n(hashes: Hashes, n: int) -> Positions:
    """Keeps the n smallest distinct hashes of the whole text (Heintze 1996), each at its rightmost position. Raises
    ValueError if n is below 1.
    """
    if index(n) < 1:
        raise ValueError(f"bottom_n keeps at least one hash, not {n}")
    first_from_the_end = np.unique(hashes[::-1], return_index=True)[1][:n]
    return np.sort(len(hashes) - 1 - first_from_the_end)


def open_closed(hashes: Hashes, inner: Hashes, w: int) -> Positions:
    """The open-closed minimizer (Groot Koerkamp, Liu, Pibiri: The open-closed mod-minimizer algorithm, Algorithms for
    Molecular Biology 20:4, 2025): robust winnowing that prefers open k-grams, then closed k-grams, then all others.
    Within a kind, smaller hashes are preferred.

    A k-gram is *open* if its least s-gram is in its middle, at offset (k - s) // 2, and *closed* if its least s-gram is
    the first or last one; of equal s-grams the rightmost counts. The kind depends on the k-gram alone. So the sampler
    has the guarantee of winnowing with this w, and with a greater window it keeps a subset. On random tokens at
    k = w = 8 the density is 0.184 for s = 2, against 0.222 = 2 / (w + 1) of winnowing.

    The highest 62 bits of `hashes`, those of the k-grams, are compared. `inner` has the hashes of the s-grams of the
    same tokens, shape (n + k - s,) if n > 0: entry i is the s-gram that begins at the same token as k-gram i. Raises
    ValueError if w is below 1, or there are fewer s-grams than k-grams.
    """
    if not _window(w, hashes):
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
    """Which k-grams have their least s-gram (its hash is in `least`) at offset `at` and at no later offset."""
    count = len(least)
    found: NDArray[np.bool_] = inner[at : at + count] == least
    if at < last:
        found &= _sliding(np.minimum, inner, last - at)[at + 1 : at + 1 + count] > least
    return found


WINNOWING: dict[str, WinnowingSampler] = {"robust_winnow": robust_winnow, "winnow": winnow}
"""The samplers that need only hashes, have the guarantee of winnowing, and keep a subset if the window grows."""
