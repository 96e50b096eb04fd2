"""The words for a finding of a check."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.rendered import rendered
from wherefrom.model import Occurrence, Representation, Rule
from wherefrom.projects.check.findings import CheckReport, Finding, MatchedLocation
from wherefrom.reports.check.text import RENDERERS
from wherefrom.reports.check.words import place_lines, sentence, tallies
from wherefrom.results import Lines, Region, RegionPair

REGION = Region(0, 10, 3, 4)


def place(name: str, *licenses: str) -> MatchedLocation:
    """A location where the piece also appears."""
    pair = RegionPair(REGION, REGION, 9, Representation.EXACT)
    return MatchedLocation(Occurrence(f"host/{name}", "a.py", "0" * 40, "1" * 40), 1, (pair,), 9, licenses)


FINDING = Finding(
    Rule.LICENSE_CONFLICT, "mine.py", REGION, 9, "f:1", (place("a"), place("b", "GPL-3.0-only")), licenses=("MIT",)
)


def test_the_sentence_names_the_license_that_may_conflict() -> None:
    assert sentence(FINDING) == (
        "2 lines (9 of 9 tokens in the same order) also appear elsewhere, under GPL-3.0-only; "
        "this project is under MIT."
    )
    one = replace(FINDING, rule=Rule.COPIED_UNATTRIBUTED, region=Region(0, 10, 3, 3))
    there = "also appears elsewhere; this project does not name that place."
    assert sentence(one) == f"1 line (9 of 9 tokens in the same order) {there}"
    # Of a match that is larger than the added code, only the sentence has only the number of added tokens.
    assert sentence(replace(one, region=Region(2, 10, 3, 3))) == f"1 line (9 tokens) {there}"


def test_a_piece_is_one_finding_with_its_rules() -> None:
    findings = FINDING, replace(FINDING, rule=Rule.COPIED_ATTRIBUTED), replace(FINDING, region=Region(20, 30, 5, 6))
    for rules, expected in (((FINDING.rule,), (2, 0, 0)), ((Rule.COPIED_ATTRIBUTED,), (1, 0, 1)), ((), (0, 0, 2))):
        assert tallies(CheckReport("p", "s", "e", 1, 1, {}, (), findings, rules, (), (), 0.1)) == expected


def test_further_places_are_counted() -> None:
    def shown(number: int, more: int) -> list[str]:
        finding = replace(FINDING, places=tuple(place(f"{at}") for at in range(number)), more=more)
        report = CheckReport("p", "s", "e", 1, 1, {}, (), (finding,), (finding.rule,), (), (), 0.1)
        text = rendered(RENDERERS["text"], report)
        return [line.strip() for line in text.splitlines() if "..." in line]

    assert shown(3, 0) == []
    assert shown(4, 0) == ["... 1 other place (--format json)"]
    assert shown(5, 7) == ["... 2 other places (--format json), and 7 more"]
    assert shown(1, 7) == ["... 7 more"]


def test_the_lines_of_a_place_face_the_finding() -> None:
    ours, theirs = Region(0, 90, 3, 12), Region(0, 90, 103, 112)
    facing = tuple((line, 100 + line) for line in range(3, 12))
    whole = replace(place("a"), regions=(RegionPair(ours, theirs, 40, Representation.EXACT, facing),))
    lines = {
        (first, last): place_lines(whole, replace(FINDING, region=Region(20, 50, first, last)))
        for first, last in ((3, 12), (5, 5), (7, 9), (2, 4))
    }
    assert lines == {
        (3, 12): Lines(103, 112),
        (5, 5): Lines(105, 105),
        (7, 9): Lines(107, 109),
        (2, 4): Lines(103, 104),
    }
    unknown = replace(whole, regions=(replace(whole.regions[0], facing=()),))
    assert place_lines(unknown, replace(FINDING, region=Region(20, 50, 5, 5))) == Lines(103, 112)
