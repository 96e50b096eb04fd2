"""The checksums of stored values."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.engines.embedded.faults import mapped
from wherefrom.engines.records import checksum, seal, unseal


@given(st.binary(max_size=300))
def test_what_was_sealed_is_given_back(payload: bytes) -> None:
    sealed = seal("tokens", payload)
    assert len(sealed) == len(payload) + 4
    assert unseal("tokens", sealed) == payload


@given(st.binary(max_size=60), st.integers(1, 255))
def test_every_changed_byte_shows(payload: bytes, change: int) -> None:
    sealed = seal("tokens", payload)
    for at in range(len(sealed)):
        damaged = bytearray(sealed)
        damaged[at] ^= change
        with pytest.raises(ValueError, match="tokens"):
            unseal("tokens", bytes(damaged))


@pytest.mark.parametrize("payload", [b"", b"\0\0\0\0", b"def a(): ...", bytes(range(256))])
def test_a_value_that_is_cut_short_or_in_another_field_shows(payload: bytes) -> None:
    sealed = seal("tokens", payload)
    for length in range(len(sealed)):
        with pytest.raises(ValueError, match="tokens"):
            unseal("tokens", sealed[:length])
    for field in ("source", "token", "record"):
        with pytest.raises(ValueError, match=f"the checksum of {field} does not match"):
            unseal(field, sealed)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), _VALUES, max_size=4))
def test_the_checksum_of_a_value_does_not_depend_on_the_order_of_its_keys(value: dict[str, object]) -> None:
    turned = dict(reversed(json.loads(json.dumps(value)).items()))
    assert checksum(turned) == checksum(value)
    assert checksum({**value, "more": 1}) != checksum({**value, "more": 2})


@pytest.mark.parametrize("script", ["BEGIN; BEGIN", "COMMIT"])
def test_a_wrong_call_of_sqlite_is_no_damage(script: str, tmp_path: Path) -> None:
    with (
        closing(sqlite3.connect(":memory:", isolation_level=None)) as connection,
        pytest.raises(sqlite3.OperationalError, match="transaction"),
        mapped(tmp_path),
    ):
        connection.executescript(script)
