"""Listings: the occurrences at neighboring paths of a repository, as one row.

Neighbors share most of their paths, and their contents mostly have neighboring numbers, so together they compress to a
fraction of what rows of their own would take. The listings of a repository are disjoint stretches of its paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from wherefrom.support.chunks import chunks

LISTED = 128
"""Occurrences in a listing, at most: what is decompressed to read one of them."""


class Place(NamedTuple):
    """What is at a path: the number of the content and that of the revision's text."""

    content: int
    revision: int


Places = Mapping[bytes, Place]
"""What is at each path of a listing, in the order of the paths."""


def parts(places: Mapping[bytes, Place]) -> Iterator[dict[bytes, Place]]:
    """The listings of some places, given in any order: as few as can be, of equal length."""
    paths = sorted(places)
    number = max(1, -(-len(paths) // LISTED))
    for part in chunks(paths, max(1, -(-len(paths) // number))):
        yield {path: places[path] for path in part}


def dump(places: Places, compress: Callable[[bytes], bytes]) -> bytes:
    """What `load` gives back: contents, revisions and lengths of paths, then the paths, compressed.

    Contents are differences to the one before. Of all numbers the lowest bytes come first, then the next ones: most
    bytes of a plane are alike.
    """
    numbers = np.array([(place.content, place.revision, len(path)) for path, place in places.items()], "<u4").T.copy()
    numbers[0, 1:] -= numbers[0, :-1].copy()
    planes = np.ascontiguousarray(numbers.view(np.uint8).reshape(3, -1, 4).transpose(0, 2, 1))
    return compress(planes.tobytes() + b"".join(places))


def load(data: bytes, count: int, decompress: Callable[[bytes], bytes]) -> dict[bytes, Place]:
    """The places of a listing with so many.

    Raises:
        ValueError: it is not what `dump` made of so many.
    """
    plain = decompress(data)
    planes = np.frombuffer(plain, np.uint8, 12 * count).reshape(3, 4, count)
    numbers = np.ascontiguousarray(planes.transpose(0, 2, 1)).view("<u4").reshape(3, count)
    contents = np.cumsum(numbers[0], dtype=np.uint32).tolist()
    ends = 12 * count + np.cumsum(numbers[2], dtype=np.int64)
    bounds = [12 * count, *ends.tolist()]
    if bounds[-1] != len(plain):
        raise ValueError("a listing has another length")
    paths = [plain[begin:end] for begin, end in pairwise(bounds)]
    return dict(zip(paths, map(Place, contents, numbers[1].tolist()), strict=True))
