"""The id of a scheme never changes, and other settings have another id."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from wherefrom.analyzers.samplers import WINNOWING
from wherefrom.analyzers.schemes import SCHEMES, WORDS, Scheme, scheme_ids, token_scheme_ids
from wherefrom.model import INDEXED, OF_TOKENS, Representation

PINNED = Scheme(
    representation=Representation.EXACT,
    k=8,
    w=8,
    sampler="open_closed",
    hash="mmh3-x64/40+karp-rabin/1",
    seed=0x77686E63,
    normaliser=1,
)


def test_the_id_of_a_scheme_is_that_of_every_index_in_the_field() -> None:
    assert PINNED.id == "exact-8-8-05b7b4ee2a"
    assert Scheme(Representation.TEXT, 32, 64).id == "text-32-64-10312b7a9a"


def test_equal_settings_have_the_same_id() -> None:
    assert replace(PINNED).id == PINNED.id


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("representation", Representation.RENAMED),
        ("k", 9),
        ("w", 9),
        ("sampler", "winnow"),
        ("hash", "mmh3-x64/40+karp-rabin/2"),
        ("seed", 1),
        ("normaliser", 2),
    ],
)
def test_any_other_setting_has_another_id(field: str, value: Any) -> None:
    assert replace(PINNED, **{field: value}).id != PINNED.id


def test_the_schemes_are_those_of_the_design() -> None:
    assert {r: (s.k, s.w, s.guarantee) for r, s in SCHEMES.items()} == {
        Representation.EXACT: (8, 8, 15),
        Representation.RENAMED: (8, 8, 15),
        Representation.P_MATCH: (12, 13, 24),
        Representation.TEXT: (16, 48, 63),
    }
    assert tuple(SCHEMES) == OF_TOKENS
    assert (WORDS.representation, WORDS.k, WORDS.w) == (Representation.WORDS, 2, 4)


def test_schemes_are_made_with_samplers_that_keep_the_guarantee() -> None:
    assert all(scheme.sampler in {"open_closed", *WINNOWING} for scheme in SCHEMES.values())


def test_every_representation_has_its_own_id() -> None:
    assert scheme_ids() == {**token_scheme_ids(), Representation.WORDS: WORDS.id}
    assert token_scheme_ids() == {representation: SCHEMES[representation].id for representation in OF_TOKENS}
    assert tuple(scheme_ids()) == INDEXED
    assert len(set(scheme_ids().values())) == len(INDEXED)
