from __future__ import annotations

import dataclasses

import pytest

from tests.documentation import ROOT
from tests.results import answers
from wherefrom.reports.hit_fields import FIELDS, FILE_FIGURES, MEANINGS, MODEL_FIGURES, HitField, figures, found_places
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
    result = answers.search_result()
    hit, query = result.hits[0], result.query
    why = "31 of 34 tokens in the same order, 2 of them with another name or literal; 46 left out"
    assert figures(hit, query) == ["match 91%", "strong: 0.97 probable", why, "also in 1 other project", "python"]
    assert figures(hit, query, MODEL_FIGURES) == ["score 41.30", "containment 0.93", "longest run 58 tokens"]
    other = dataclasses.replace(hit, contents=hit.contents[::-1])
    assert figures(other, query, "match score") == ["match 64%", "score 30.50"]
    assert figures(hit, query, FILE_FIGURES) == [*figures(hit, query), "score 41.30"]


def test_versions_of_a_package_are_one_project() -> None:
    result = answers.search_result()
    hit = result.hits[0]
    for keys, words in (
        (["pkg:npm/a@1", "pkg:npm/a@2"], []),
        (["pkg:npm/a@1", "pkg:npm/b@1", "github.com/a/b"], ["also in 2 other projects"]),
    ):
        occurrences = tuple(dataclasses.replace(hit.occurrences[0], repository=key) for key in keys)
        found = dataclasses.replace(hit, occurrences=occurrences)
        assert figures(found, result.query, "repository") == words


def test_the_documentation_has_the_meanings_of_the_page() -> None:
    text = " ".join((ROOT / "docs" / "answers" / "match.md").read_text().split()).lower()
    for name, meaning in MEANINGS:
        assert f"{name}" in text
        assert meaning.lower() in text
