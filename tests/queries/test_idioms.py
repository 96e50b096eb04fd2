"""Idioms: what everyone writes in nearly the same words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest

from tests.queries.indexes import add_files
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import BoilerplateSet
from wherefrom.options import SearchOptions
from wherefrom.queries.boilerplate import left_out
from wherefrom.queries.idioms import IDIOMS, idiom_set, idiomatic, symbols
from wherefrom.queries.search import search
from wherefrom.results import SearchResult

MODULE = """\
(function (root, factory) {
  if (typeof define === 'function' && define.amd) {
    define(['exports'], factory);
  } else if (typeof exports === 'object') {
    factory(exports);
  } else {
    factory((root.%s = {}));
  }
}(this, function (exports) {
%s
}));
"""
COLORS = "exports.hue = function (red, green) { return (red - green) / Math.max(red, green) % 6; };"
CLOCKS = "exports.ticks = function (hours) { var all = hours * 3600; while (all > 86400) all -= 86400; return all; };"


@pytest.mark.parametrize(("language", "text"), [(language, text) for language in IDIOMS for text in IDIOMS[language]])
def test_the_tokens_of_an_idiom_are_those_of_the_analyzer(language: str, text: str) -> None:
    analyzed, told = analyze_snippet(text.encode(), language=language).tokens, symbols(language, text)
    assert told.codes.tolist() == analyzed.codes.tolist()
    assert told.classes.tolist() == analyzed.classes.tolist()


def test_an_idiom_is_known_by_other_names() -> None:
    code = "for (const k in given) { if (given.hasOwnProperty(k)) { own[k] = given[k]; } }\nwater.flow(k, rain ^ 3);"
    tokens = analyze_snippet(code.encode(), language="javascript").tokens
    known = idiomatic(tokens)
    text = [code.encode()[begin:end] for begin, end in zip(tokens.starts, tokens.ends, strict=True)]
    assert all(known[text.index(b"hasOwnProperty") :][:8])
    assert not np.any(known[text.index(b"water") :])


def answer(indexed: str, query: str, *without: str) -> SearchResult:
    engine = MemoryEngine(scheme_ids())
    others = [f"double d{n} = {n}.5 * {n} - {n};\n".encode() for n in range(40)]
    add_files(engine, [indexed.encode(), *others])
    return search(engine, query.encode(), SearchOptions(language="c", without=without))


def test_modules_that_share_only_how_they_are_defined_are_no_match() -> None:
    assert not answer(MODULE % ("hues", COLORS), MODULE % ("clocks", CLOCKS * 3)).hits
    assert answer(MODULE % ("hues", COLORS), MODULE % ("tints", COLORS.replace("red", "r"))).hits


TIDES = """\
function tide(moon, day) {
  var phase = Math.sin(moon.age * 2 * Math.PI / 29.53), swell = day.wind > 8 ? day.wind - 8 : 0;
  return { height: 1.2 + phase * moon.pull, spray: swell / 3, rough: swell > 12 };
}

function sail(boat, tides) {
  while (boat.fuel > 0 && !boat.moored) {
    var next = tides.shift();
    if (next.rough) { boat.shelter(next.spray); continue; }
    boat.fuel -= next.height < boat.keel ? 5 : 1;
  }
  return boat.harbor || "lost at " + boat.miles;
}
"""
CLASSES = """\
function hasClass(element, name) {
  return (' ' + element.className + ' ').indexOf(' ' + name + ' ') > -1;
}

function addClass(element, name) {
  if (!hasClass(element, name)) {
    element.className += (element.className ? ' ' : '') + name;
  }
}
"""
REQUEST = """\
var xhr = new XMLHttpRequest();
xhr.open('GET', url, true);
xhr.onreadystatechange = function () {
  if (xhr.readyState === 4) {
    callback(xhr.responseText);
  }
};
xhr.send(null);
"""


@pytest.mark.parametrize("helper", [CLASSES, REQUEST])
def test_scripts_that_share_only_a_helper_are_no_match(helper: str) -> None:
    assert best(helper + COLORS, helper + COLORS, "javascript") == ["b0"]
    assert not best(helper + COLORS, TIDES + helper, "javascript")


OTHERS = [f"int f{n}(int a) {{ step{n * n}(a + {n}, b[{n % 7}]); return n{n} - {n + 5}; }}" for n in range(600)]


def best(indexed: str, query: str, language: str, others: Sequence[str] = OTHERS, *, name: str = "a.c") -> list[str]:
    """The blobs that are found, of a file and 600 others, which are read as files of that name."""
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [code.encode() for code in (indexed, *others)], name=name)
    return [hit.blob for hit in search(engine, query.encode(), SearchOptions(language=language)).hits]


LITERAL = re.compile(r"'\w+'|\"\w+\"|\b\d+")
CHECKS = "".join(f'  assertTrue(output.contains("{word} 17"));\n' for word in ("queued", "started", "stopped", "gone"))


@pytest.mark.parametrize("name", ["output", "text"])
def test_rows_of_an_idiom_with_the_same_literals_are_found(name: str) -> None:
    indexed = f'void test() {{\n  String output = run("17");\n{CHECKS}}}\n'
    assert best(indexed, CHECKS.replace("output", name), "java") == ["b0"]


def test_rows_of_an_idiom_with_other_literals_are_not_found() -> None:
    indexed = f'void test() {{\n  String output = run("17");\n{CHECKS}}}\n'
    assert not best(indexed, CHECKS.replace("output", "text").replace("17", "18"), "java")


@pytest.mark.parametrize(
    ("language", "file", "own", "other"),
    [("javascript", "a.js", "factory", "make"), ("python", "a.py", "parser", "p"), ("java", "A.java", "result", "sum")],
)
def test_a_definition_of_an_idiom_with_other_names_is_not_found(language: str, file: str, own: str, other: str) -> None:
    """Its literals, such as `'function'` and `'object'`, are in all of its copies."""
    text = max((text for text in IDIOMS[language] if own in text), key=lambda text: len(set(LITERAL.findall(text))))
    assert best(text, text, language, name=file) == ["b0"]
    assert not best(text, text.replace(own, other), language, name=file)


def test_a_loop_is_found_as_it_is() -> None:
    """Its head is an idiom."""
    loop = """err, ...args) {
        numRunning -= 1;
        for (var i = 0, l = tasks.length; i < l; i++) {
            var task = tasks[i];
            var"""
    indexed = f"function make(tasks) {{ return function ({loop} index = held.indexOf(task); drop(index); }} }}; }}\n"
    others = [
        f"function f{n}(v) {{ for (var i = 0, l = v.length; i < l; i++) {{ var one = v[i]; g{n}(one, {n}); }} }}"
        for n in range(60)
    ]
    assert best(indexed, loop, "javascript", (*OTHERS, *others))[0] == "b0"


def test_an_idiom_alone_is_found() -> None:
    assert answer(MODULE % ("hues", COLORS), MODULE % ("hues", "")).hits


def test_idioms_are_a_boilerplate_set_of_every_index() -> None:
    whole, rest = (answer(MODULE % ("hues", COLORS), MODULE % ("hues", COLORS), *names) for names in ((), ("idioms",)))
    assert rest.query.excluded_tokens > 40 > whole.query.excluded_tokens == 0
    assert rest.hits[0].match == 100


def test_a_stored_set_of_that_name_takes_its_place() -> None:
    engine = MemoryEngine(scheme_ids())
    assert left_out(engine, SearchOptions(without=["idioms"])) == [idiom_set()]
    own = BoilerplateSet("idioms", ("own",), scheme_ids(), {})
    with engine.writer() as writer:
        writer.put_boilerplate(own)
    assert left_out(engine, SearchOptions(without=["idioms"]))[0].files == ("own",)
