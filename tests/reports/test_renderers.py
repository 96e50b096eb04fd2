"""The tables of formats: each renderer writes, and a format with a schema fits it."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import pytest

from tests.reports.compare.made import comparison
from tests.reports.rendered import rendered
from tests.results import answers
from tests.schemas import SCHEMAS
from wherefrom.lab.figures import CorpusSize, FrequencyResult, NoiseResult, SamplerResult
from wherefrom.languages import LANGUAGES
from wherefrom.model import BoilerplateSet, RepositoryRecord
from wherefrom.posts.store import SiteCounts
from wherefrom.queries.learning import Proposals
from wherefrom.reports import boilerplate, fixed, index, lab, origins, posts, search
from wherefrom.reports.check.text import RENDERERS as CHECK
from wherefrom.reports.compare.text import RENDERERS as COMPARE
from wherefrom.reports.renderer import Renderer
from wherefrom.results import CopyReport, IndexReport, IndexStats
from wherefrom.results.locations import Texts

TEXTS = Texts(answers.QUERY, lambda _: answers.DOCUMENT)
CORPUS = CorpusSize(1, 2, 3)

TABLES: tuple[tuple[Mapping[str, Renderer[Any]], object], ...] = (
    (search.RENDERERS, dataclasses.replace(answers.attributed(answers.aged(answers.search_result())), texts=TEXTS)),
    (origins.FIRST, answers.first_result()),
    (origins.RELEASES, answers.releases_result()),
    (origins.SOURCES, dataclasses.replace(answers.sources_result(), texts=Texts(answers.FILE))),
    (CHECK, dataclasses.replace(answers.check_report(), texts=TEXTS)),
    (fixed.RENDERERS, dataclasses.replace(answers.fixed_report(), texts=TEXTS)),
    (origins.TRACE, answers.trace_result()),
    (COMPARE, comparison(4, shared=1.0, pool=8)),
    (index.RENDERERS, IndexReport((), 0, 0, 0, 0.0)),
    (index.COPY, CopyReport(1, 3, 2, 0, 1, 0, 0, 0, "ab" * 20, 2.0)),
    (index.REPOSITORIES, [RepositoryRecord("a", "/a", "git", "r", "", 1, 1, {}, "")]),
    (index.STATS, IndexStats("memory", "m", 1, {}, 0, 0, 0, 0, 0, {}, {}, {}, None)),
    (index.LANGUAGES, list(LANGUAGES.values())),
    (boilerplate.SETS, [BoilerplateSet("a", (), {}, {})]),
    (boilerplate.SHOWN, [BoilerplateSet("a", (), {}, {})]),
    (boilerplate.PROPOSALS, Proposals(1, 2, 3, (), True, {})),
    (lab.SAMPLERS, SamplerResult(CORPUS, ())),
    (lab.FREQUENCIES, FrequencyResult(CORPUS, ())),
    (lab.NOISE, NoiseResult(CORPUS, ())),
    (posts.RENDERERS, answers.post_answer()),
    (posts.SITES, [SiteCounts("stackoverflow.com", 1, 2, "2010-01-01", "2011-01-01", 0)]),
)

FORMATS = [(output, renderers[output], answer) for renderers, answer in TABLES for output in renderers]


@pytest.mark.parametrize(("output", "renderer", "answer"), FORMATS)
def test_every_format_writes_whole_lines(output: str, renderer: Renderer[Any], answer: object) -> None:
    text = rendered(renderer, answer)
    assert text.endswith("\n")
    if output in {"json", "jsonl", "sarif"}:
        assert text.isascii()
        for part in text.splitlines() if output == "jsonl" else [text]:
            json.loads(part)
    if output == "csv":
        header, *rows = csv.reader(io.StringIO(renderer.header + text))
        assert rows
        assert {len(row) for row in rows} == {len(header)}


ANSWERS: dict[str, Mapping[str, Renderer[Any]]] = {
    "check": CHECK,
    "compare": COMPARE,
    "fixed": fixed.RENDERERS,
    "search": search.RENDERERS,
    "first": origins.FIRST,
    "releases": origins.RELEASES,
    "sources": origins.SOURCES,
    "trace": origins.TRACE,
}


@pytest.mark.parametrize("name", [path.name for path in SCHEMAS.iterdir() if path.name.endswith(".schema.json")])
def test_json_fits_the_published_schema(name: str) -> None:
    renderers = ANSWERS[name.removesuffix("-result.schema.json")]
    [answer] = (answer for table, answer in TABLES if table is renderers)
    schema = jsonschema_rs.Draft202012Validator(json.loads(SCHEMAS.joinpath(name).read_text()))
    for output in {"json", "jsonl"} & renderers.keys():
        schema.validate(json.loads(rendered(renderers[output], answer)))


@pytest.mark.parametrize("renderers", [renderers for renderers, _ in TABLES])
def test_the_default_is_text(renderers: Mapping[str, Renderer[Any]]) -> None:
    assert next(iter(renderers)) == "text"


@pytest.mark.parametrize("number", [0, 1, 3])
@pytest.mark.parametrize(("renderers", "answer"), TABLES)
def test_several_answers_are_an_array_of_json(
    renderers: Mapping[str, Renderer[Any]], answer: object, number: int
) -> None:
    several = None if "json" not in renderers else renderers["json"].several
    if several is not None:
        texts = several.separator.join([rendered(several, answer)] * number)
        assert (
            json.loads(several.header + texts + several.footer)
            == [json.loads(rendered(renderers["json"], answer))] * number
        )
