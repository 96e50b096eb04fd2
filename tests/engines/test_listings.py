"""Listings: the places of a repository, many neighbors in a row."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.engines.conftest import SCHEMES, document, occurrence
from wherefrom.engines import open_engine
from wherefrom.engines.embedded.folder import RECORDS
from wherefrom.engines.embedded.listings import LISTED, ListedPlace, dump, load, parts

NUMBERS = st.integers(0, 2**32 - 1)
PLACES = st.dictionaries(
    st.binary(max_size=12), st.builds(ListedPlace, NUMBERS, NUMBERS), min_size=1, max_size=3 * LISTED
)


@given(places=PLACES)
def test_listings_are_given_back_in_order_and_none_is_too_long(places: dict[bytes, ListedPlace]) -> None:
    found: list[tuple[bytes, ListedPlace]] = []
    for part in parts(places):
        assert 1 <= len(part) <= LISTED
        data = dump(part, zstandard.ZstdCompressor().compress)
        found += load(data, len(part), zstandard.ZstdDecompressor().decompress).items()
    assert found == sorted(places.items())


def test_another_number_of_places_is_an_error() -> None:
    data = dump({b"a": ListedPlace(1, 2), b"b": ListedPlace(3, 4)}, zstandard.ZstdCompressor().compress)
    for count in (0, 1, 3):
        with pytest.raises(ValueError, match=r"length|size|buffer"):
            load(data, count, zstandard.ZstdDecompressor().decompress)


@pytest.mark.thorough
@pytest.mark.parametrize("order", ["ascending", "descending", "random"])
def test_rows_are_few_for_any_order_of_paths(tmp_path: Path, order: str) -> None:
    numbers = list(range(20 * LISTED))
    if order != "ascending":
        random.Random(1).shuffle(numbers) if order == "random" else numbers.reverse()
    folder = tmp_path / "index"
    with closing(open_engine(folder, schemes=SCHEMES, create=True)) as engine:
        with engine.writer() as writer:
            writer.add_blobs([document("a", [1])])
            for begin in range(0, len(numbers), 50):
                writer.put_occurrences([occurrence("r", f"{at:05}", "a") for at in numbers[begin : begin + 50]])
        found = [place.path for place in engine.occurrences(repository="r")]
        assert found == [f"{at:05}" for at in sorted(numbers)]
        engine.verify()
        with closing(sqlite3.connect(folder / RECORDS)) as connection:
            ((rows,),) = connection.execute("SELECT count(*) FROM listing").fetchall()
        assert rows <= 2 * 20 + 1
        with engine.writer() as writer:
            writer.delete_occurrences("r", [f"{at:05}" for at in numbers[1:]])
        assert [place.path for place in engine.occurrences()] == [f"{numbers[0]:05}"]
        engine.verify()
