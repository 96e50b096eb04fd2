from __future__ import annotations

import dataclasses

import pytest

from tests.documentation import ROOT
from tests.results import answers
from wherefrom.reports.hit_fields import FIELDS, MEANINGS, HitField, figures, found_places
from wherefrom.support.contract import json_value

PLACES = [
    place
    for result in (answers.attributed(answers.aged(answers.search_result())), answers.search_result())
    for place in found_places(result)
]


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_a_field_has_a_value_in_some_place(field: HitField) -> None:
    values = [field.value(place) for place in PLACES]
    assert any(value is not None for value in values) or field.name in {"purl", "index", "translated_from"}


def test_json_and_the_fields_have_the_same_values_of_a_place() -> None:
    for found in PLACES:
        written = found.place.to_dict()
        both = [field for field in FIELDS if field.name in written]
        assert {"repository", "swhid", "score", "matched_tokens"} <= {field.name for field in both}
        values = {field.name: json_value(field.value(found)) for field in both}
        assert values == {field.name: written[field.name] for field in both}


def test_a_hit_has_the_figures_of_its_best_content_in_words() -> None:
    hit = answers.search_result().hits[0]
    best = ["match 91%", "strong: 0.97 probable", "score 41.30", "containment 0.93", "longest run 58 tokens"]
    assert figures(hit) == best
    other = dataclasses.replace(hit, contents=hit.contents[::-1])
    assert figures(other, "match score") == ["match 64%", "score 30.50"]
    whole_file = dataclasses.replace(hit.contents[0], strength=None, probability=None)
    assert len(figures(dataclasses.replace(hit, contents=(whole_file,)))) == 4


def test_the_documentation_has_the_meanings_of_the_page() -> None:
    text = " ".join((ROOT / "docs" / "answers" / "match.md").read_text().split()).lower()
    for name, meaning in MEANINGS:
        assert f"{name}" in text
        assert meaning.lower() in text
