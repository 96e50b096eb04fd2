"""Licenses that conflict."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.model import UNKNOWN_LICENSE, LicenseJudgment
from wherefrom.projects.check.license_conflicts import ACCEPTED_BY, binding_families, judge, licenses_conflict


@pytest.mark.parametrize(
    ("expression", "families"),
    [
        ("MIT", set()),
        ("GPL-2.0-only", {"GPL"}),
        ("gpl-3.0-or-later WITH GCC-exception-3.1", {"GPL"}),
        ("LGPL-2.1-or-later", {"LGPL"}),
        ("CC-BY-SA-4.0", {"CC-BY-SA"}),
        ("CC-BY-4.0", set()),
        ("CC-BY-NC-4.0", {"CC-BY-NC"}),
        ("CC-BY-NC-SA-4.0", {"CC-BY-NC"}),
        ("CC-BY-ND-3.0-DE", {"CC-BY-ND"}),
        ("BUSL-1.1", {"BUSL"}),
        ("BUSL-1.1 OR MPL-2.0", {"BUSL", "MPL"}),
        ("BUSL-1.1 OR Apache-2.0", set()),
        ("Elastic-2.0 OR SSPL-1.0 OR AGPL-3.0-only", {"Elastic", "SSPL", "AGPL"}),
        ("PolyForm-Noncommercial-1.0.0", {"PolyForm"}),
        ("Artistic-2.0", set()),
        ("CECILL-2.1", {"CECILL"}),
        ("CECILL-B", set()),
        ("MIT OR GPL-2.0-only", set()),
        ("MIT AND GPL-2.0-only", {"GPL"}),
        ("(MIT OR AGPL-3.0-only) AND MPL-2.0", {"AGPL", "MPL"}),
        ("GPL-2.0-only OR MPL-2.0", {"GPL", "MPL"}),
        ("((AGPL-3.0-only OR MPL-2.0) AND MIT) OR GPL-2.0-only WITH Classpath-exception-2.0", {"AGPL", "MPL", "GPL"}),
        ("(AGPL-3.0-only OR MIT) AND (MPL-2.0 OR 0BSD)", set()),
        ("GPLish", set()),
        ("GPL-2.0-only OR", set()),
        ("neither GPL nor MPL", set()),
        ("((", set()),
        ("", set()),
    ],
)
def test_the_families_that_leave_no_way_around(expression: str, families: set[str]) -> None:
    assert binding_families(expression) == families


@pytest.mark.parametrize(
    ("own", "theirs", "expected"),
    [
        (["MIT"], ["GPL-3.0-only"], True),
        (["LiLiQ-Rplus-1.1"], ["EUPL-1.2"], False),
        (["LiLiQ-P-1.1"], ["EUPL-1.2"], True),
        (["Apache-2.0"], ["CC-BY-SA-4.0"], True),
        (["GPL-3.0-only"], ["GPL-2.0-or-later"], False),
        (["GPL-3.0-only"], ["LGPL-3.0-only"], False),
        (["LGPL-3.0-only"], ["GPL-3.0-only"], True),
        (["MIT"], ["MIT", "GPL-3.0-only"], False),
        (["MIT"], ["MIT OR GPL-3.0-only"], False),
        (["MIT"], ["GPL-2.0-only OR MPL-2.0"], True),
        (["MIT", "GPL-2.0-only"], ["GPL-2.0-only"], False),
        (["the GPL version 2 or later"], ["GPL-2.0-only"], False),
        (["MIT WITH GPL-CC-1.0"], ["GPL-2.0-only"], True),
        (["MPL-2.0"], ["BUSL-1.1"], True),
        (["GPL-3.0-only"], ["BUSL-1.1"], True),
        (["BUSL-1.1"], ["BUSL-1.1"], False),
        (["BUSL-1.1"], ["MPL-2.0"], True),
        (["Apache-2.0"], ["Elastic-2.0"], True),
        (["Apache-2.0"], ["SSPL-1.0"], True),
        (["AGPL-3.0-only"], ["Elastic-2.0 OR SSPL-1.0 OR AGPL-3.0-only"], False),
        (["MIT"], ["CC-BY-NC-SA-4.0"], True),
        (["CC-BY-NC-SA-4.0"], ["CC-BY-NC-4.0"], False),
        (["MIT"], ["MIT", "CommonsClause"], True),
        (["MIT", "CommonsClause"], ["CommonsClause", "Apache-2.0"], False),
        ([], ["GPL-3.0-only"], False),
        (["MIT"], [], False),
    ],
)
def test_conflicts(own: list[str], theirs: list[str], expected: bool) -> None:
    assert licenses_conflict(own, theirs) == expected


def test_every_family_accepts_itself_and_no_other_that_is_unknown() -> None:
    assert all(family in accepted for family, accepted in ACCEPTED_BY.items())
    assert all(not licenses_conflict([f"{family}-1.0"], [f"{family}-1.0"]) for family in ACCEPTED_BY)


words = st.lists(st.sampled_from(["(", ")", "AND", "OR", "WITH", "MIT", "GPL-2.0-only", "MPL-2.0", "x"]), max_size=60)


def test_an_expression_with_very_many_choices_is_judged_by_all_of_them() -> None:
    pairs = [f"(GPL-2.0-only OR LicenseRef-{number})" for number in range(20)]
    assert binding_families(" AND ".join(pairs)) == set()
    assert binding_families(" AND ".join([*pairs, "MPL-2.0"])) == {"GPL", "MPL"}


@given(words)
def test_no_expression_is_too_odd(expression: list[str]) -> None:
    assert binding_families(" ".join(expression)) <= {"GPL", "MPL"}


@given(st.lists(st.sampled_from(["MIT", "GPL-2.0-only", "MPL-2.0"]), min_size=1, max_size=5))
def test_an_alternative_that_is_permissive_is_a_way_around(identifiers: list[str]) -> None:
    either = binding_families(" OR ".join(identifiers))
    both = binding_families(" AND ".join(identifiers))
    assert bool(either) == ("MIT" not in identifiers)
    assert both == {each.partition("-")[0] for each in identifiers} - {"MIT"}


@pytest.mark.parametrize(
    ("own", "places", "expected"),
    [
        (["MIT"], [["GPL-3.0-only"]], LicenseJudgment.CONFLICT),
        (["MIT"], [["GPL-3.0-only"], [], [UNKNOWN_LICENSE]], LicenseJudgment.CONFLICT),
        (["MIT"], [["GPL-3.0-only"], ["ISC"]], LicenseJudgment.NONE),
        ([], [["GPL-3.0-only"], ["ISC"]], LicenseJudgment.NONE),
        (["GPL-3.0-only"], [["GPL-3.0-only"]], LicenseJudgment.NONE),
        (["GPL-3.0-only"], [["GPL-3.0-only"], ["BUSL-1.1"]], LicenseJudgment.NONE),
        (["GPL-3.0-only"], [["BUSL-1.1"], ["LGPL-2.1-only"]], LicenseJudgment.NONE),
        (["GPL-3.0-only"], [["BUSL-1.1"], ["SSPL-1.0"]], LicenseJudgment.CONFLICT),
        ([], [["ISC"]], LicenseJudgment.NONE),
        ([], [["GPL-3.0-only"]], LicenseJudgment.OWN_NOT_STATED),
        ([UNKNOWN_LICENSE], [["GPL-3.0-only"]], LicenseJudgment.OWN_UNKNOWN),
        (["LicenseRef-Ours"], [["GPL-3.0-only"]], LicenseJudgment.OWN_UNKNOWN),
        (["MIT"], [[], []], LicenseJudgment.NOT_STATED_THERE),
        (["MIT"], [[], [UNKNOWN_LICENSE]], LicenseJudgment.UNKNOWN_THERE),
        (["MIT"], [["LicenseRef-Theirs"]], LicenseJudgment.UNKNOWN_THERE),
        (["MIT"], [["all rights, and wrongs"]], LicenseJudgment.UNKNOWN_THERE),
        (["MIT"], [["BUSL-1.1"]], LicenseJudgment.CONFLICT),
        (["MIT"], [["BUSL-1.1"], ["MIT"]], LicenseJudgment.NONE),
        ([], [["BUSL-1.1"]], LicenseJudgment.OWN_NOT_STATED),
        (["MIT"], [["MIT", "CommonsClause"]], LicenseJudgment.CONFLICT),
        (["MIT"], [["Artistic-2.0"]], LicenseJudgment.NOT_IN_TABLE),
        (["MIT"], [["Artistic-2.0"], ["GPL-2.0-only"]], LicenseJudgment.CONFLICT),
        (["MIT"], [["Artistic-2.0 OR GPL-1.0-or-later"]], LicenseJudgment.NOT_IN_TABLE),
        (["MIT"], [["Artistic-2.0 OR MIT"]], LicenseJudgment.NONE),
        (["MIT"], [["Artistic-2.0 AND MIT"]], LicenseJudgment.NOT_IN_TABLE),
        (["MIT"], [["Proprietary"], [UNKNOWN_LICENSE]], LicenseJudgment.NOT_IN_TABLE),
        (["MIT"], [["Apache-2.0 WITH LLVM-exception"]], LicenseJudgment.NONE),
        (["MIT"], [["CC0-1.0"], ["Artistic-2.0"]], LicenseJudgment.NONE),
        (["MIT"], [["GPL-3.0-only AND LicenseRef-Theirs"]], LicenseJudgment.CONFLICT),
    ],
)
def test_what_cannot_be_judged_is_told(own: list[str], places: list[list[str]], expected: LicenseJudgment) -> None:
    assert judge(own, places) is expected
    assert expected.is_judged == (expected in {LicenseJudgment.CONFLICT, LicenseJudgment.NONE})
