"""SPDX expressions are parsed, compared and normalized; other texts are not expressions."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wherefrom.analyzers.references.expressions import _USUAL, LONGEST, is_permissive, normalised_license, parse

PARTS = ["MIT", "GPL-2.0+", "AND", "OR", "WITH", "with", "(", ")", "Foo", "+", "/", ",", "Classpath-exception-2.0", "é"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mit or apache-2.0", "MIT OR Apache-2.0"),
        ("GPL-2.0+", "GPL-2.0-or-later"),
        ("gpl-3.0-or-later with gcc-exception-3.1", "GPL-3.0-or-later WITH GCC-exception-3.1"),
        ("LicenseRef-Ours and mit", "LicenseRef-Ours AND MIT"),
        ("MIT. And more prose", "MIT. And more prose"),
        ("( mit", "( mit"),
        ("", ""),
    ],
)
def test_the_spelling_of_spdx(text: str, expected: str) -> None:
    assert normalised_license(text) == expected


def test_usual_identifiers_are_in_the_form_of_spdx() -> None:
    assert {str(parse(identifier)) for identifier in _USUAL} == _USUAL


@given(st.text("abMIT-.()+ ORANDWITH", max_size=200) | st.lists(st.sampled_from(PARTS)).map(" ".join))
@example("()")
@example("( OR MIT")
@example("( )")
@example("\0")
def test_no_text_makes_it_fail(text: str) -> None:
    parsed = parse(text)
    assert normalised_license(text) == (text if parsed is None else str(parsed))
    if parsed is not None:
        assert parse(str(parsed)) is not None
        assert parsed.is_met(lambda identifier: True)
        assert not parsed.is_met(lambda identifier: False)
        assert parsed.identifiers


@pytest.mark.parametrize(
    ("text", "met_by", "expected"),
    [
        ("A", "A", True),
        ("A", "B", False),
        ("A AND B", "A", False),
        ("A AND B", "AB", True),
        ("A OR B", "B", True),
        ("(A OR B) AND C", "AB", False),
        ("(A OR B) AND C", "BC", True),
        ("A AND B OR C", "C", True),
        ("GPL-2.0-only WITH Classpath-exception-2.0", ["GPL-2.0-only"], True),
    ],
)
def test_what_meets_an_expression(text: str, met_by: str, expected: bool) -> None:
    parsed = parse(text)
    assert parsed is not None
    assert parsed.is_met(lambda identifier: identifier in met_by) == expected


def test_each_license_is_looked_at_once_however_many_choices_there_are() -> None:
    pairs = 40
    parsed = parse(" AND ".join(f"(a{number} OR b{number})" for number in range(pairs)))
    assert parsed is not None
    seen: list[str] = []

    def ask(identifier: str) -> bool:
        seen.append(identifier)
        return identifier.startswith("b")

    assert parsed.is_met(ask)
    assert sorted(seen) == sorted(parsed.identifiers)
    assert len(seen) == 2 * pairs


def test_deep_and_long_expressions_are_bounded() -> None:
    depth = LONGEST // 10
    deep = "(a AND (b OR " * (depth // 2) + "c" + "))" * (depth // 2)
    parsed = parse(deep)
    assert len(deep) <= LONGEST
    assert parsed is not None
    assert not parsed.is_met(lambda identifier: identifier != "a")
    assert parse("MIT" + " OR MIT" * LONGEST) is None
    assert parse("(" * LONGEST) is None


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("MIT", True),
        ("mit", True),
        ("CC0-1.0", True),
        ("BSD-2-Clause-FreeBSD", True),
        ("GPL-2.0-only", False),
        ("BUSL-1.1", False),
        ("Artistic-2.0", False),
        ("LicenseRef-unknown", False),
        ("no such license", False),
    ],
)
def test_permissive_licenses(identifier: str, expected: bool) -> None:
    assert is_permissive(identifier) == expected
