"""What is named as boilerplate weighs nothing, at any stage, and what is left is still found."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import Whence, places
from tests.end_to_end.edits import script
from tests.repositories import Repository
from whence import Index, make_boilerplate
from whence.analyzers.schemes import scheme_ids
from whence.engines import open_engine
from whence.errors import BoilerplateError
from whence.model import Representation
from whence.queries import boilerplate

LICENCE = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions: the above copyright notice
and this permission notice shall be included in all copies or substantial portions of the Software.
"""

TEMPLATE = """\
import { Component, OnInit, Input, Output, EventEmitter } from '@angular/core';
import { FormBuilder, FormGroup, Validators } from '@angular/forms';
import { Router, ActivatedRoute } from '@angular/router';

export function setUp(builder, router, route) {
  const form = builder.group({ name: ['', Validators.required], mail: ['', Validators.email] });
  route.params.subscribe((params) => {
    if (params.id !== undefined && params.id !== null) {
      form.patchValue({ name: params.name, mail: params.mail });
    } else {
      form.reset();
    }
  });
  return { form, router, saved: new EventEmitter() };
}
"""

STORIES = (
    """\
The keeper of the northern lighthouse counted seventeen ships before the fog rolled in from the western bay, and not one
of them answered the lamp that she turned towards the reef.""",
    """\
Bread dough that has rested overnight in a cold pantry rises more slowly, tastes faintly of apples and keeps its crust
for the better part of a week, as every miller's daughter will gladly tell.""",
    """\
Between the two tram stops an old man sells maps of cities that were never built; the cheapest shows a harbour without a
sea, and the dearest a staircase that only ever goes down.""",
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Whence:
    """20 scripts that begin with one template and three texts that begin with one licence; both are named as sets."""
    folder = tmp_path_factory.mktemp("boilerplate")
    scripts = {f"src/{number:02}.js": (TEMPLATE + script(number)).encode() for number in range(20)}
    texts = {f"doc/{number}.txt": f"{LICENCE}\n{story}\n".encode() for number, story in enumerate(STORIES)}
    Repository.make(folder / "clone", scripts | texts)
    (folder / "licence.txt").write_text(LICENCE)
    (folder / "template.js").write_text(TEMPLATE)
    made = Whence(folder)
    assert made.indexes("clone").parsed == 23
    assert "licence: 1 file\n" in made("boilerplate", "add", "licence", "licence.txt")
    made("boilerplate", "add", "template", "template.js")
    return made


@pytest.fixture
def index(world: Whence) -> Iterator[Index]:
    """Its index."""
    with world.open() as opened:
        yield opened


@pytest.mark.parametrize(("text", "name", "found"), [(LICENCE, "licence", 3), (TEMPLATE, "template", 20)])
def test_nothing_is_left_of_boilerplate_alone(world: Whence, text: str, name: str, found: int) -> None:
    plain = world.search(text.encode(), "--limit", "50")
    assert (plain["total"], plain["query"]["excluded"]) == (found, {"boilerplate": 0, "max_df": 0})
    with world.open() as index:
        left_out = index.search(text, limit=50, without=[name])
    assert (left_out.hits, left_out.query.fingerprints) == ((), 0)
    assert left_out.query.excluded["boilerplate"] > 100
    said = world("search", "-", "--without", name, code=1, stdin=text.encode())
    assert "as boilerplate; nothing was left to look up" in said
    file = {"licence": "licence.txt", "template": "template.js"}[name]
    assert world.search(text.encode(), "--without-file", file)["hits"] == []


@pytest.mark.parametrize("number", range(3))
def test_a_text_under_a_licence_is_found_by_its_own_words(index: Index, number: int) -> None:
    query = f"{LICENCE}\n{STORIES[number]}\n"
    assert index.search(query).total == 3
    result = index.search(query, without=["licence"])
    assert places(result) == [f"clone/doc/{number}.txt"]
    assert all(region.query.start_byte >= len(LICENCE) for region in result.hits[0].regions)
    assert all(region.document.start_byte >= len(LICENCE) for region in result.hits[0].regions)


@pytest.mark.parametrize(
    "options", [{"without": ["template"]}, {"without_texts": [("template.js", TEMPLATE.encode())]}]
)
def test_code_under_a_template_is_found_by_itself(index: Index, options: dict[str, Any]) -> None:
    query = TEMPLATE + script(7)
    everything = index.search(query, limit=50)
    assert everything.total > 1
    assert places(everything)[0] == "clone/src/07.js"
    result = index.search(query, limit=50, **options)
    assert places(result) == ["clone/src/07.js"]
    [hit] = result.hits
    assert hit.regions
    assert all(region.query.start_byte >= len(TEMPLATE) - 2 for region in hit.regions)
    assert hit.containment == 1.0
    assert result.query.excluded["boilerplate"] > 0
    assert result.query.excluded["max_df"] == 0


def test_a_template_before_code_that_stands_nowhere_brings_nothing(index: Index) -> None:
    query = TEMPLATE + script(99)
    assert index.search(query, limit=50).total > 1
    assert index.search(query, limit=50, without=["template"]).total == 0


def test_a_text_holds_itself_whatever_is_left_out(index: Index) -> None:
    for number in range(0, 20, 6):
        text = TEMPLATE + script(number)
        for sets, max_df in (([], None), (["template"], None), ([], 0.2), (["template", "licence"], 0.5)):
            [hit, *_] = index.search(text, without=sets, max_df=max_df).hits
            assert (hit.occurrences[0].path, hit.containment) == (f"src/{number:02}.js", 1.0)


def test_what_was_left_out_is_counted_by_its_cause(index: Index) -> None:
    query = TEMPLATE + script(3)
    both = index.search(query, without=["template"], max_df=0.2).query.excluded
    frequent = index.search(query, max_df=0.2).query.excluded
    named = index.search(query, without=["template"]).query.excluded
    assert frequent["boilerplate"] == named["max_df"] == 0
    assert both["boilerplate"] == named["boilerplate"] > 0
    assert 0 <= both["max_df"] < frequent["max_df"]


def test_a_set_that_is_not_there_is_an_error(world: Whence, index: Index) -> None:
    assert "there are: licence, template" in world("search", "-", "--without", "nothing", code=2, stdin=b"a = b")
    with pytest.raises(BoilerplateError, match="no boilerplate set 'nothing'"):
        index.search("a = b", without=["licence", "nothing"])


def test_a_set_of_another_scheme_is_refused(whence: Whence) -> None:
    Repository.make(whence.folder / "clone", {"a.js": TEMPLATE.encode()})
    (whence.folder / "template.js").write_text(TEMPLATE)
    whence.indexes("clone")
    whence("boilerplate", "add", "old", "template.js")
    engine = open_engine(whence.index, schemes=scheme_ids())
    made = engine.boilerplate("old")
    assert made is not None
    with engine.writer() as writer:
        writer.put_boilerplate(replace(made, schemes={**made.schemes, Representation.EXACT: "exact-9-9-0000000000"}))
    engine.close()
    assert "another scheme" in whence("search", "-", "--without", "old", code=2, stdin=TEMPLATE.encode())
    whence("boilerplate", "add", "old", "template.js")
    assert whence.search(TEMPLATE.encode(), "--without", "old")["hits"] == []


def test_a_text_that_is_too_short_to_be_boilerplate_is_refused(world: Whence) -> None:
    Path(world.folder / "short.js").write_text("a = 1\n")
    assert "give longer files" in world("boilerplate", "add", "short", "short.js", code=2)
    assert "short" not in world("boilerplate", "list")


def test_a_corpus_is_left_out_as_its_files_are(whence: Whence) -> None:
    """A folder, an archive, a clone, an indexed repository without its clone: one set; code beside it is found."""
    folder = whence.folder
    template, own = {"lib/template.js": TEMPLATE.encode(), "logo.png": b"\0\1"}, (TEMPLATE + script(1)).encode()
    Repository.make(folder / "corpus", template)
    Repository.make(folder / "work", {"own.js": own, "other.js": (TEMPLATE + script(2)).encode()})
    (folder / "plain").mkdir()
    (folder / "plain/template.js").write_text(TEMPLATE)
    with zipfile.ZipFile(folder / "corpus.zip", "w") as archive:
        archive.writestr("lib/template.js", TEMPLATE)
    whence.indexes("work", "corpus")
    whence("boilerplate", "add", "file", "plain/template.js")
    for name, corpus in {"folder": "plain", "archive": "corpus.zip", "clone": "corpus"}.items():
        assert "(1 file)" in whence("boilerplate", "add", name, corpus)
        found = whence.search(own, "--without-file", corpus)
        assert [hit["occurrences"][0]["path"] for hit in found["hits"]] == ["own.js"]
    shutil.rmtree(folder / "corpus")
    whence("boilerplate", "add", "indexed", "--repository", str(folder / "corpus"))
    with whence.open() as index:
        expected = {key: hashes.tolist() for key, hashes in index.boilerplate("file").hashes.items()}
        for name in ("folder", "archive", "clone", "indexed"):
            assert {key: hashes.tolist() for key, hashes in index.boilerplate(name).hashes.items()} == expected
            assert places(index.search(own, without=[name])) == ["work/own.js"]
    said = whence("boilerplate", "add", "both", "plain", "--repository", str(folder / "corpus"))
    assert said.startswith("both: 2 files\n")


def test_a_corpus_that_cannot_be_had_is_an_error(whence: Whence) -> None:
    Repository.make(whence.folder / "clone", {"a.js": TEMPLATE.encode()})
    whence.indexes("clone")
    (whence.folder / "empty").mkdir()
    (whence.folder / "broken.zip").write_bytes(b"no zip")
    assert "no repository 'gone'" in whence("boilerplate", "add", "x", "--repository", "gone", code=2)
    assert "give longer files" in whence("boilerplate", "add", "x", "empty", code=2)
    assert "cannot read the archive" in whence("boilerplate", "add", "x", "broken.zip", code=2)
    assert "cannot read the archive" in whence("search", "--code", "x", "--without-file", "broken.zip", code=2)
    assert whence("boilerplate", "list") == "no boilerplate sets\n"


def test_a_set_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boilerplate, "MOST_KGRAMS", 100)
    with pytest.raises(BoilerplateError, match="more than 100 k-grams"):
        make_boilerplate([("template.js", TEMPLATE.encode())])
