"""Boilerplate does not count at any stage of a search, and the other code is still found."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import Wherefrom, places
from tests.end_to_end.edits import script
from tests.repositories import Repository
from wherefrom import Index, dump_proposals, load_proposals
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.indexer.indexing import IndexingRun
from wherefrom.model import Representation
from wherefrom.options import IndexOptions
from wherefrom.queries.plugin import plugin_terms
from wherefrom.sources.discover import discover

LICENSE = """\
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

OTHER = """\
class Kettle extends Vessel {
  static async *pour(cups) {
    for await (const cup of cups) {
      switch (cup.kind) {
        case "mug":
          yield* this.#fill?.(cup, 0.3);
          break;
        default:
          throw new RangeError(`no ${cup.kind}`);
      }
    }
  }

  get warmth() {
    let degrees = this.#degrees ?? 20;
    do degrees **= 2;
    while (degrees < 4000 && !this.isEmpty);
    try {
      return delete this.lid, degrees % 360;
    } finally {
      this.#log`warm`;
    }
  }
}
"""
"""A script that shares nothing with those of `world`."""

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
def world(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """20 scripts that begin with one template and three texts that begin with one license; both are named as sets."""
    folder = tmp_path_factory.mktemp("boilerplate")
    scripts = {f"src/{number:02}.js": (TEMPLATE + script(number)).encode() for number in range(20)}
    texts = {f"doc/{number}.txt": f"{LICENSE}\n{story}\n".encode() for number, story in enumerate(STORIES)}
    Repository.make(folder / "clone", scripts | texts)
    (folder / "license.txt").write_text(LICENSE)
    (folder / "template.js").write_text(TEMPLATE)
    made = Wherefrom(folder)
    assert made.indexes("clone").parsed == 23
    assert "license: from 1 source\n" in made("boilerplate", "add", "license", "license.txt")
    made("boilerplate", "add", "template", "template.js")
    return made


@pytest.fixture
def index(world: Wherefrom) -> Iterator[Index]:
    """Its index."""
    with world.open() as opened:
        yield opened


@pytest.mark.parametrize(("text", "name", "found"), [(LICENSE, "license", 3), (TEMPLATE, "template", 20)])
def test_nothing_is_left_of_boilerplate_alone(world: Wherefrom, text: str, name: str, found: int) -> None:
    plain = world.search(text.encode(), "--limit", "50")
    assert (plain["total"], plain["query"]["excluded"]) == (found, {"boilerplate": 0, "max_df": 0})
    with world.open() as index:
        left_out = index.search(text, limit=50, without=[name])
    assert (left_out.hits, left_out.query.fingerprints) == ((), 0)
    assert left_out.query.excluded["boilerplate"] > 100
    printed = world("search", "-", "--without", name, code=1, stdin=text.encode())
    assert "as boilerplate; nothing was left to look up" in printed
    file = {"license": "license.txt", "template": "template.js"}[name]
    assert world.search(text.encode(), "--without-file", file)["hits"] == []


def test_a_set_is_exported_as_the_terms_that_documents_have(world: Wherefrom) -> None:
    written = world("boilerplate", "export", "template").split()
    with world.open() as index:
        found = index.export_boilerplate("template")
    assert tuple(written) == found.terms
    own = document_terms(analyze_snippet(TEMPLATE.encode(), name="template.js").tokens)
    assert set(plugin_terms(own[Representation.EXACT])) <= set(written)
    assert all(len(term) == 7 for term in written)
    assert json.loads(world("boilerplate", "export", "template", "--format", "filter")) == {
        "type": "stop",
        "stopwords": written,
    }
    assert world.json("boilerplate", "export", "template", "--representation", "renamed")["representation"] == "renamed"
    prose = world("boilerplate", "export", "license", "--representation", "text").split()
    own = document_terms(analyze_snippet(LICENSE.encode(), name="license.txt").tokens)
    assert set(plugin_terms(own[Representation.TEXT])) <= set(prose)


def test_what_cannot_be_exported_is_one_line(world: Wherefrom) -> None:
    assert "has no k-grams of exact; name a representation that it has: text" in world(
        "boilerplate", "export", "license", code=2
    )
    assert "no boilerplate set 'gone'" in world("boilerplate", "export", "gone", code=2)
    printed = world("boilerplate", "export", "template", "--representation", "folded", code=2)
    assert "--representation must be one of exact, renamed, p_match, text, not 'folded'" in printed


@pytest.mark.parametrize("number", range(3))
def test_a_text_under_a_license_is_found_by_its_own_words(index: Index, number: int) -> None:
    query = f"{LICENSE}\n{STORIES[number]}\n"
    assert index.search(query).total == 3
    result = index.search(query, without=["license"])
    assert places(result) == [f"clone/doc/{number}.txt"]
    assert all(region.query.start_byte >= len(LICENSE) for region in result.hits[0].regions)
    assert all(region.document.start_byte >= len(LICENSE) for region in result.hits[0].regions)


@pytest.mark.parametrize(
    "options", [{"without": ["template"]}, {"without_texts": [("template.js", TEMPLATE.encode())]}]
)
def test_code_under_a_template_is_found_by_itself(index: Index, options: dict[str, Any]) -> None:
    # More than half of it is the template.
    query = TEMPLATE + "".join(script(7).splitlines(keepends=True)[:6])
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
    # More than half of it is the template.
    query = TEMPLATE + "".join(script(99).splitlines(keepends=True)[:6])
    assert index.search(query, limit=50).total > 1
    assert index.search(query, limit=50, without=["template"]).total == 0


def test_a_text_holds_itself_whatever_is_left_out(index: Index) -> None:
    for number in range(0, 20, 6):
        text = TEMPLATE + script(number)
        for sets, max_df in (([], None), (["template"], None), ([], 0.2), (["template", "license"], 0.5)):
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


def without_end(text: str, tokens: int) -> bytes:
    """The text without its last tokens."""
    stream = analyze_snippet(text.encode(), language="javascript").tokens
    return text.encode()[: int(stream.ends[-1 - tokens])]


@pytest.mark.parametrize("left", [2, 3, 8, 14, 15, 16, 40])
def test_a_hit_matches_at_least_as_many_remaining_tokens_as_are_sure_to_be_seen(index: Index, left: int) -> None:
    texts = [("template.js", without_end(TEMPLATE, left))]
    alone = index.search(TEMPLATE, language="javascript", limit=50, without_texts=texts)
    assert (alone.query.remaining_tokens, alone.query.needed) == (left, 15 if left < 15 else None)
    # The rest of this query appears nowhere: what the files share with it is the end of the template.
    longer = index.search(TEMPLATE + OTHER, language="javascript", limit=50, without_texts=texts)
    assert (len(alone.hits), left < 15 and longer.total) == (0 if left < 15 else 20, 0)
    for hit in (*alone.hits, *longer.hits):
        assert sum(pair.tokens for pair in hit.regions) >= 15


def test_what_is_left_of_a_short_query_is_too_short(world: Wherefrom) -> None:
    (world.folder / "head.js").write_bytes(without_end(TEMPLATE, 3))
    printed = world("search", "-", "--without-file", "head.js", code=1, stdin=TEMPLATE.encode())
    assert "too short to be looked up: 3 of 147 tokens remain, at least 15 are needed\n" in printed
    assert "left out of the query: 144 tokens as boilerplate\n" in printed


def test_a_short_query_of_which_nothing_is_left_out_is_found_whole(index: Index) -> None:
    [hit] = index.search("'x' < rows.length * total7 < rows[3]", language="javascript", limit=50).hits
    assert (hit.occurrences[0].path, hit.match, hit.matched_tokens) == ("src/07.js", 100, 12)


def test_figures_are_those_of_what_remains(world: Wherefrom) -> None:
    query = (TEMPLATE + script(7)).replace("return", "return 1 +").encode()
    with world.open() as index:
        result = index.search(query, without=["template"])
    [hit] = result.hits
    assert result.query.tokens == result.query.remaining_tokens + result.query.excluded_tokens
    assert hit.matched_tokens == sum(pair.tokens for pair in hit.regions) < result.query.remaining_tokens
    # Semicolons count for less than other tokens.
    assert hit.match == pytest.approx(100 * hit.matched_tokens / result.query.remaining_tokens, abs=1)
    printed = world("search", "-", "--without", "template", stdin=query)
    assert f"of {result.query.remaining_tokens} tokens in the same order" in printed
    assert f"; {result.query.excluded_tokens} left out" in printed


def test_sets_are_left_out_by_a_pattern_or_by_a_setting(world: Wherefrom) -> None:
    query = LICENSE.encode()

    def hits(*flags: str, says: str = "", **variables: str) -> int:
        done, output, errors = world.run("search", "-", *flags, "--count", stdin=query, **variables)
        assert (done in {0, 1}, says in errors, bool(errors)) == (True, True, bool(says)), (done, output, errors)
        return int(output)

    assert (hits(), hits("--without", "lic*")) == (3, 0)
    assert hits(WHEREFROM_WITHOUT="template") == 3
    assert hits(WHEREFROM_WITHOUT="template,li*") == 0
    assert hits("--without", "template", WHEREFROM_WITHOUT="license") == 3, "a flag takes the place of the setting"
    assert hits("--without", "none", WHEREFROM_WITHOUT="license") == 3
    (world.folder / "config.toml").write_text('without = ["li*", "licence-*"]\n')
    assert hits(WHEREFROM_CONFIG="config.toml") == 0, "not every index has every set"
    assert hits(WHEREFROM_WITHOUT="gone,license", says="the setting `without` names 'gone'") == 0
    printed = world("search", "-", "--without", "licence-*", code=2, stdin=query)
    assert "no boilerplate set 'licence-*' in this index; there are: " in printed
    assert "there are: license\n" in world("search", "-", "--without", "licence", code=2, stdin=query)


def test_a_text_that_is_too_short_to_be_boilerplate_is_refused(world: Wherefrom) -> None:
    Path(world.folder / "short.js").write_text("a = 1\n")
    assert "give longer files" in world("boilerplate", "add", "short", "short.js", code=2)
    assert "short" not in world("boilerplate", "list")


def test_a_corpus_is_left_out_as_its_files_are(wherefrom: Wherefrom) -> None:
    """A folder, an archive, a clone, an indexed repository without its clone: one set; code beside it is found."""
    folder = wherefrom.folder
    template, own = {"lib/template.js": TEMPLATE.encode(), "logo.png": b"\0\1"}, (TEMPLATE + script(1)).encode()
    Repository.make(folder / "corpus", template)
    Repository.make(folder / "work", {"own.js": own, "other.js": (TEMPLATE + script(2)).encode()})
    (folder / "plain").mkdir()
    (folder / "plain/template.js").write_text(TEMPLATE)
    with zipfile.ZipFile(folder / "corpus.zip", "w") as archive:
        archive.writestr("lib/template.js", TEMPLATE)
    wherefrom.indexes("work", "corpus")
    wherefrom("boilerplate", "add", "file", "plain/template.js")
    for name, corpus in {"folder": "plain", "archive": "corpus.zip", "clone": "corpus"}.items():
        assert "(1 file)" in wherefrom("boilerplate", "add", name, corpus)
        found = wherefrom.search(own, "--without-file", corpus)
        assert [hit["occurrences"][0]["path"] for hit in found["hits"]] == ["own.js"]
    shutil.rmtree(folder / "corpus")
    wherefrom("boilerplate", "add", "indexed", "--repository", str(folder / "corpus"))
    with wherefrom.open() as index:
        expected = {key: hashes.tolist() for key, hashes in index.boilerplate("file").hashes.items()}
        for name in ("folder", "archive", "clone", "indexed"):
            assert {key: hashes.tolist() for key, hashes in index.boilerplate(name).hashes.items()} == expected
            assert places(index.search(own, without=[name])) == ["work/own.js"]
    printed = wherefrom("boilerplate", "add", "both", "plain", "--repository", str(folder / "corpus"))
    assert printed.startswith("both: from 2 sources\n")


def test_a_corpus_that_cannot_be_had_is_an_error(wherefrom: Wherefrom) -> None:
    Repository.make(wherefrom.folder / "clone", {"a.js": TEMPLATE.encode()})
    wherefrom.indexes("clone")
    (wherefrom.folder / "empty").mkdir()
    (wherefrom.folder / "broken.zip").write_bytes(b"no zip")
    assert "no repository in the index matches 'gone'" in wherefrom(
        "boilerplate", "add", "x", "--repository", "gone", code=2
    )
    assert "give longer files" in wherefrom("boilerplate", "add", "x", "empty", code=2)
    assert "cannot read the archive" in wherefrom("boilerplate", "add", "x", "broken.zip", code=2)
    assert "cannot read the archive" in wherefrom("search", "--code", "x", "--without-file", "broken.zip", code=2)
    assert [found["name"] for found in wherefrom.json("boilerplate", "list")["sets"]] == ["frameworks"]


def framework_file(number: int) -> bytes:
    """A file as a framework makes it, filled in."""
    return f"""\
import os, sys

def main():
    os.environ.setdefault("SETTINGS_MODULE", "site{number}.settings")
    try:
        from framework.core.management import execute_from_command_line
    except ImportError as exc:
        raise ImportError("Is it installed? Did you activate a virtual environment?") from exc
    execute_from_command_line(sys.argv)

if __name__ == "__main__":
    main()
""".encode()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """Five repositories: a template and a framework's file in each, code of its own in each."""
    folder = tmp_path_factory.mktemp("learning")
    for number in range(5):
        code = (script(10 * number) + TEMPLATE + script(10 * number + 1)).encode()
        files = {"src/app.js": code, "manage.py": framework_file(number), "src/own.js": script(number).encode()}
        Repository.make(folder / f"clones/r{number}", files | {"\x1b]0;x\n.js": script(70 + number).encode()})
    made = Wherefrom(folder)
    made.indexes("clones")
    return made


def test_boilerplate_is_learned_looked_at_and_taken(many: Wherefrom) -> None:
    query = (script(21) + TEMPLATE).encode()
    assert many.search(query, "--limit", "50")["total"] == 5
    before = many.counts()
    assert "    |   const form = builder.group({ name: ['', Validators.required]" in many("boilerplate", "learn")
    printed = many("boilerplate", "learn", "--output", "sets.json")
    assert "    | " not in printed
    assert "5 repositories, 20 contents: 2 sets proposed\n" in printed
    assert "  shared: in 5 repositories, 5 contents, " in printed
    assert "framework-manage.py\n  framework: in 5 repositories" in printed
    assert (many.counts(), len(many.json("boilerplate", "list")["sets"])) == (before, 1)
    file = many.folder / "sets.json"
    learned = json.loads(file.read_bytes())
    assert [item["kind"] for item in learned["proposals"]] == ["shared", "framework"]
    learned["proposals"][0]["name"] = "angular form"
    file.write_text(json.dumps(learned))
    assert "angular form" in many("boilerplate", "accept", "sets.json", "angular form")
    assert "framework-manage.py" not in many("boilerplate", "list")
    assert many.search(TEMPLATE.encode(), "--without", "angular form")["hits"] == []
    [hit] = many.search(query, "--without", "angular form", "--limit", "50")["hits"]
    assert [(at["repository"][-2:], at["path"]) for at in hit["occurrences"]] == [("r2", "src/app.js")]
    many("boilerplate", "accept", "-", stdin=file.read_bytes())
    assert many.search(framework_file(9), "--without", "framework-manage.py")["hits"] == []
    assert "src/app.js:" in many("boilerplate", "show", "angular form")


def test_learning_is_the_same_in_memory(many: Wherefrom) -> None:
    engine = MemoryEngine(scheme_ids())
    IndexingRun(engine, discover([str(many.folder / "clones")], cache=many.folder), IndexOptions(jobs=1)).run()
    with many.open() as embedded, Index(engine) as memory:
        one, other = (dump_proposals(index.learn_boilerplate()) for index in (embedded, memory))
    assert one == other
    answer = many.json("boilerplate", "learn")
    assert [item["kgrams"] for item in answer["proposals"]] == [
        {key: len(hashes) for key, hashes in item.hashes.items()} for item in load_proposals(one).proposals
    ]


def test_what_cannot_be_learned_or_taken_is_one_line(many: Wherefrom) -> None:
    assert many("boilerplate", "learn", "--min-repositories", "6", code=1).endswith("in 6 repositories or more\n")
    printed = many("boilerplate", "learn", "--min-repositories", "1", code=2)
    assert "--min-repositories must be a whole number of at least 2, or a share between 0 and 1, not 1.0" in printed
    assert "shared, license, generated, framework" in many("boilerplate", "learn", "--kind", "taste", code=2)
    assert "no file can be made in" in many("boilerplate", "learn", "--output", "gone/file", code=2)
    assert "is a folder" in many("boilerplate", "learn", "--output", "clones", code=2)
    assert "gone is not there" in many("boilerplate", "accept", "gone", code=2)
    (many.folder / "other").write_text("{}")
    assert "not a file of proposals" in many("boilerplate", "accept", "other", code=2)
    many("boilerplate", "learn", "--output", "fine.json")
    assert "no proposal 'gone'" in many("boilerplate", "accept", "fine.json", "gone", code=2)
