from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from tests.reports.rendered import rendered
from tests.results import answers
from wherefrom.model import Occurrence
from wherefrom.reports.search import SHORT_FORMS, text
from wherefrom.reports.search.text import missing_places

if TYPE_CHECKING:
    from wherefrom.reports.renderer import Renderer
    from wherefrom.results import SearchResult


def several(renderer: Renderer[SearchResult]) -> Renderer[SearchResult]:
    return renderer.several or renderer


def test_brief_is_one_line_for_each_hit(result: SearchResult) -> None:
    assert rendered(text.brief_lines(), result) == (
        " 91%  strong  0.97 probable  github.com/x/y  src/best.py:3-25  and 12 more locations\n"
        " 20%  weak    0.59 probable  github.com/x/y  src/near.py:3-25\n"
    )


def test_brief_says_that_a_hit_is_by_fingerprints(result: SearchResult) -> None:
    for line in rendered(text.brief_lines(), answers.by_terms(result)).splitlines():
        assert "  by fingerprints alone, so less sure" in line


def test_brief_shows_the_verdict_and_the_name_of_one_of_several_snippets(result: SearchResult) -> None:
    assert rendered(several(text.brief_lines()), answers.attributed(result)) == (
        "snip.py:  91%  strong  0.97 probable  github.com/x/y  src/best.py:3-25  attributed  [MIT]  "
        "and 12 more locations (5 attributed, 7 unattributed)\n"
        "snip.py:  20%  weak    0.59 probable  github.com/x/y  src/near.py:3-25  unattributed  [MIT]\n"
    )


def test_brief_shows_since_when_code_is_there(result: SearchResult) -> None:
    assert rendered(text.brief_lines(), answers.aged(result)) == (
        " 91%  strong  0.97 probable  github.com/x/y  src/best.py:3-25  since 2016-05-06 (in doubt)  "
        "and 12 more locations\n"
        " 20%  weak    0.59 probable  github.com/x/y  src/near.py:3-25  since 2019-03-02\n"
    )


def test_a_location_of_several_snippets_is_written_once(result: SearchResult) -> None:
    renderer = text.location_lines()
    lines = rendered(renderer, result).splitlines()
    assert lines[:3] == ["github.com/x/y:src/near.py:3", "github.com/x/y:src/best.py:3", "github.com/x/z:lib/00.py:3"]
    assert len(lines) == len(set(lines)) == 13
    assert rendered(renderer, result) == ""
    assert rendered(text.location_lines(), result).splitlines() == lines


def test_count_counts_locations(result: SearchResult) -> None:
    assert rendered(text.location_count(), result) == "13\n"
    assert rendered(several(text.location_count()), result) == "snip.py:13\n"
    nothing = dataclasses.replace(result, hits=(), total=0)
    assert rendered(several(text.location_count()), nothing) == "snip.py:0\n"


def test_hostile_names_are_made_visible_in_every_form(result: SearchResult) -> None:
    evil = "p\x1b[2J\u202e\n\udcff"
    hit = dataclasses.replace(result.hits[0], occurrences=(Occurrence(evil, evil, answers.BLOB, "r"),))
    query = dataclasses.replace(result.query, name=evil)
    gone = dataclasses.replace(hit, occurrences=(Occurrence("a", "b", answers.OTHER, "r"),))
    for hits in ((hit,), (gone,)):
        hostile = dataclasses.replace(result, query=query, hits=hits)
        for form in SHORT_FORMS.values():
            for renderer in (form(), several(form())):
                text = rendered(renderer, hostile)
                assert text.count("\n") == 1
                assert text.rstrip("\n").isprintable()


def test_a_short_form_reports_that_its_answer_is_incomplete(result: SearchResult) -> None:
    assert missing_places(result) == "there may be more locations of snip.py (--limit)"
    assert missing_places(dataclasses.replace(result, truncated=False, total=2)) is None
    query = dataclasses.replace(result.query, needed=8, tokens=3, excluded_tokens=0)
    too_short = dataclasses.replace(result, query=query, hits=(), total=0)
    assert missing_places(too_short) == "snip.py (3 tokens) is too short to be looked up: at least 8 tokens are needed"
    of_boilerplate = dataclasses.replace(result.query, needed=15, tokens=40, excluded_tokens=32)
    assert missing_places(dataclasses.replace(too_short, query=of_boilerplate)) == (
        "snip.py (40 tokens) is too short to be looked up: 8 of 40 tokens remain, at least 15 are needed"
    )
