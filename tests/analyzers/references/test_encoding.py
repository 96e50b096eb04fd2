"""References are the same after they were encoded and decoded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.references import Reference, ReferenceKind, References, dump_references, load_references
from wherefrom.errors import IndexDamaged

references = st.builds(
    Reference,
    st.sampled_from(ReferenceKind),
    st.text(min_size=1),
    st.integers(1, 2**31),
    st.text(),
)


@given(st.lists(references, min_size=1), st.integers(0, 2**40))
def test_what_is_stored_comes_back(found: list[Reference], omitted: int) -> None:
    stored = References(tuple(found), omitted)
    record = dump_references(stored)
    assert load_references(record) == stored
    assert record.isascii()
    assert all(32 <= byte < 127 for byte in record)


def test_most_files_say_nothing_and_take_no_room() -> None:
    assert dump_references(References(())) == b""
    assert load_references(b"") == References(())


def test_the_stored_form_stays() -> None:
    stored = References(
        (
            Reference(ReferenceKind.SPDX, "MIT", 1, "// SPDX-License-Identifier: MIT"),
            Reference(ReferenceKind.POST, "https://stackoverflow.com/a/12", 3, "https://stackoverflow.com/a/12"),
        ),
        5,
    )
    assert dump_references(stored) == (
        b'[5,[["spdx",1,"MIT","// SPDX-License-Identifier: MIT"],["post",3,"https://stackoverflow.com/a/12"]]]'
    )


@pytest.mark.parametrize("record", [b"{", b"[]", b"[0]", b'[0,[[1,1,"x"]]]', b"[0,[[]]]", b"[0,3]", b"\xff"])
def test_what_cannot_be_decoded_is_damage(record: bytes) -> None:
    with pytest.raises(IndexDamaged, match=r"cannot be decoded \(.*\); index again into a new folder$"):
        load_references(record)


def test_a_kind_that_only_a_newer_version_knows_is_kept() -> None:
    newer = References(
        (Reference("doi", "10.1000/182", 3, "see 10.1000/182"), Reference(ReferenceKind.SPDX, "MIT", 4, "MIT"))
    )
    loaded = load_references(dump_references(newer))
    assert loaded == newer
    assert isinstance(loaded.found[1].kind, ReferenceKind)
