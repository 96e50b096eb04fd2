"""Which k-grams are common: projects of one family count once, and so do copies of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.common_code import common, families

if TYPE_CHECKING:
    from wherefrom.model import Hashes

SHARED = np.arange(1, 9, dtype=np.uint64) << np.uint64(60)
"""Eight k-grams; each project has some of them."""


def project(number: int, name: int, shared: int = 8, size: int = 4000) -> Hashes:
    """A project of its own k-grams and some shared ones, all in files of one name."""
    own = np.random.default_rng(number).integers(0, 1 << 63, size, np.uint64) >> np.uint64(24) << np.uint64(24)
    return np.unique(np.concatenate([own, SHARED[:shared]]) | np.uint64(name))


def test_what_enough_families_have_is_common() -> None:
    found = [project(number, name=number, shared=8 - number) for number in range(5)]
    assert common(found, 4).tolist() == SHARED[:5].tolist()


def test_forks_count_once() -> None:
    forks = [project(1, name=name) for name in range(5)]
    assert families(forks).tolist() == [0] * 5
    assert not len(common([*forks, project(2, name=9)], 3))
    assert families([project(1, name=0), project(2, name=1), project(1, name=2)]).tolist() == [0, 1, 0]


def test_copies_of_a_file_count_once() -> None:
    found = [project(number, name=7) for number in range(5)]
    assert len(set(families(found).tolist())) == 5
    assert not len(common(found, 3))
