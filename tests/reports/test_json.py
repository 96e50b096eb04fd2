from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pytest

from tests.reports.rendered import rendered
from wherefrom.reports.search import RENDERERS

if TYPE_CHECKING:
    from wherefrom.results import Hit, SearchResult


def _named(result: SearchResult, name: str) -> SearchResult:
    hit: Hit = result.hits[0]
    occurrence = dataclasses.replace(hit.occurrences[0], path=name)
    return dataclasses.replace(
        result,
        query=dataclasses.replace(result.query, name=name),
        hits=(dataclasses.replace(hit, occurrences=(occurrence,)),),
    )


def test_json_is_plain_ascii_whatever_a_path_holds(result: SearchResult) -> None:
    name = "a\x1b[31m\u202e\x7f\x9b\n漢"
    for text in (rendered(RENDERERS[output], _named(result, name)) for output in ("json", "jsonl")):
        assert text.isascii()
        assert text.replace("\n", "").isprintable()
        assert json.loads(text)["hits"][0]["occurrences"][0]["path"] == name


def test_json_lines_are_lines(result: SearchResult) -> None:
    text = rendered(RENDERERS["jsonl"], _named(result, "two\nlines"))
    assert text.endswith("}\n")
    assert text.count("\n") == 1


def test_a_float_without_a_number_is_refused(result: SearchResult) -> None:
    with pytest.raises(ValueError, match="JSON"):
        rendered(RENDERERS["json"], dataclasses.replace(result, took_ms=float("nan")))
