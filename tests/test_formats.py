"""The two version numbers that stored data has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.support.formats import Format


def test_what_is_written_can_be_read() -> None:
    form = Format(version=5, reader=4, oldest=3)
    assert form.stamp() == {"format": 5, "reader": 4}
    assert form.refusal(5, 4, "index again") is None


@pytest.mark.parametrize(
    ("version", "reader", "message"),
    [
        (3, 3, None),
        (6, 5, None),  # newer, but readers of format 5 understand it
        (9, 1, None),
        (6, 6, "newer version of wherefrom (format 6; this version reads up to 5); upgrade wherefrom, or index again"),
        (2, 1, "older version of wherefrom (format 2; this version reads from 3 on); index again"),
    ],
)
def test_newer_and_older_formats(version: int, reader: int, message: str | None) -> None:
    refusal = Format(version=5, reader=4, oldest=3).refusal(version, reader, "index again")
    assert refusal is None if message is None else message in str(refusal)


@given(
    st.one_of(st.integers(max_value=0), st.floats(), st.none(), st.text(), st.booleans()),
    st.one_of(st.integers(1, 9), st.booleans()),
)
def test_what_is_not_a_stamp(version: object, reader: object) -> None:
    form = Format(version=1, reader=1, oldest=1)
    for pair in ((version, reader), (reader, version)):
        with pytest.raises(ValueError, match="is not a stamp"):
            form.refusal(*pair, "index again")
