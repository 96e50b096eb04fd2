from __future__ import annotations

import random
from dataclasses import replace

import pytest

from benchmarks.effectiveness.syntax import SHAPES, root
from benchmarks.effectiveness.variants import (
    VARIANTS,
    Function,
    embedded,
    functions,
    is_editable,
    lines_of_code,
    numbered,
    slots,
    text,
)
from wherefrom.analyzers.analysis import analyze_file, analyze_snippet
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.languages import LANGUAGES

BRACES = """\
{head} {{
    // the first
    {declare}total = first.count + 1{end}
    /* twice */
    report(first, "once", 17){end}
    log.write(total){end}

    if (total > 3) {{
        total = total - first.size(){end}
        return total{end}
    }}
    return first.size(){end}
}}
"""
HEADS = {
    "c": ("int work(struct part *first, int second)", "int ", ";"),
    "cpp": ("int work(Part first, int second)", "int ", ";"),
    "javascript": ("function work(first, second)", "let ", ";"),
    "typescript": ("function work(first: Part, second: number): number", "let ", ";"),
    "rust": ("fn work(first: Part, second: usize) -> usize", "let mut ", ";"),
    "go": ("func work(first Part, second int) int", "var ", ""),
}
SOURCES = {language: BRACES.format(head=h, declare=d, end=e) for language, (h, d, e) in HEADS.items()}
METHOD = BRACES.format(head="int work(Part first, int second)", declare="int ", end=";").replace("\n", "\n    ")
SOURCES["java"] = f"class Work {{\n    {METHOD}\n}}\n"
PHP = "<?php\n"
SOURCES["php"] = PHP + (
    BRACES.format(head="function work($first, $second)", declare="$", end=";")
    .replace("first.count", "$first->count")
    .replace("log.write(total)", "$log->write($total)")
    .replace("first.size()", "$first->size()")
    .replace("report(first", "report($first")
    .replace("(total", "($total")
    .replace(" total", " $total")
)
SOURCES["python"] = """\
class Work:
    def work(self, first, second):
        # the first
        total = first.count + 1
        report(first, "once", 17)  # twice
        log.write(total)

        if total > 3:
            total = total - first.size()
            return total
        return first.size()
"""
SOURCES["ruby"] = """\
def work(first, second)
  # the first
  total = first.count + 1
  report(first, "once", 17)
  log.write(total)

  if total > 3
    total = total - first.size()
    return total
  end
  return first.size()
end
"""
KEEP_TOKENS = ("exact", "comments and white space", "reformatted")
LANGUAGES_UNDER_TEST = sorted(SHAPES)


def parsed(language: str, source: str) -> Analysis:
    analysis = analyze_file("work" + LANGUAGES[language].extensions[0], source.encode())
    assert isinstance(analysis, Analysis)
    return analysis


def the_function(language: str) -> Function:
    source = SOURCES[language]
    (function,) = functions(language, source.encode(), parsed(language, source), (6, 40))
    return function


def words(language: str, source: str) -> list[bytes]:
    """The tokens of a function as a snippet."""
    content = (PHP if language == "php" else "").encode() + source.encode()
    tokens = analyze_snippet(content, language=language).tokens
    return [content[a:b] for a, b in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)]


@pytest.mark.parametrize("language", LANGUAGES_UNDER_TEST)
def test_a_function_is_found_whole(language: str) -> None:
    function = the_function(language)
    assert function.name == "work"
    assert function.source in SOURCES[language].replace("\n    ", "\n") + SOURCES[language]
    assert lines_of_code(function.tokens) == (8 if language == "python" else 10)
    assert is_editable(function)
    outside = functions(language, SOURCES[language].encode(), parsed(language, SOURCES[language]), (12, 40))
    assert outside == []


@pytest.mark.matrix("language", "variant")
@pytest.mark.parametrize("language", LANGUAGES_UNDER_TEST)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_but_a_half_is_sound_code(language: str, seed: int, variant: str) -> None:
    function = the_function(language)
    made = text(VARIANTS[variant](function, random.Random(seed)))
    assert (made == function.source) == (variant == "exact")
    if variant in KEEP_TOKENS:
        assert words(language, made) == words(language, function.source)
    else:
        assert words(language, made) != words(language, function.source)
    if variant == "half":
        assert made.strip("\n") in function.source
        return
    host = SOURCES[language].encode()
    whole = embedded(made, host, slots(language, host), random.Random(seed))
    assert not root(language, whole.encode()).has_error, whole


NOISE = """\
def work(first, second):
    total = (
        first.count + second
    )
    report(first, "once", f"has {first} twice", [
        17,
        (second
         + 3),
    ])
    if (total > 3 and
            total < 9):
        return total
    return second
"""


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("variant", ["reformatted", "comments and white space", "renamed throughout, other literals"])
def test_what_formatters_add_and_take_away_stays_in_other_layouts(variant: str, seed: int) -> None:
    (function,) = functions("python", NOISE.encode(), parsed("python", NOISE), (6, 40))
    made = text(VARIANTS[variant](function, random.Random(seed)))
    assert not root("python", made.encode()).has_error, made
    assert [made.count(symbol) for symbol in "(,)"] == [NOISE.count(symbol) for symbol in "(,)"]


@pytest.mark.parametrize("language", LANGUAGES_UNDER_TEST)
def test_locals_are_renamed_consistently_and_members_and_calls_kept(language: str) -> None:
    function = the_function(language)
    renamed = VARIANTS["renamed"](function, random.Random(1))
    pairs = {(old.text, new.text) for old, new in zip(function.tokens, renamed, strict=True) if old != new}
    changed = dict(pairs)
    assert len(pairs) == len(changed) == len(set(changed.values()))
    assert {old.lstrip("$") for old in changed} >= {"first", "total"}
    assert not {"report", "write", "size", "count", "work"} & set(changed)


@pytest.mark.parametrize("language", LANGUAGES_UNDER_TEST)
def test_throughout_no_name_and_no_literal_is_left(language: str) -> None:
    function = the_function(language)
    changed = VARIANTS["renamed throughout, other literals"](function, random.Random(1))
    left = {old.text for old, new in zip(function.tokens, changed, strict=True) if old.text == new.text}
    assert not {"work", "first", "$first", "total", "$total", "report", "write", '"once"', "17"} & left


@pytest.mark.parametrize("language", LANGUAGES_UNDER_TEST)
def test_numbered_lines_are_cleaned_away_by_the_product(language: str) -> None:
    function = the_function(language)
    dirty = numbered(language, function.source, random.Random(1))
    assert dirty != function.source
    assert words(language, dirty) == words(language, function.source)


def test_statements_are_inserted_deleted_and_swapped() -> None:
    function = the_function("python")
    count = {name: text(VARIANTS[name](function, random.Random(2))).count("\n") for name in VARIANTS}
    assert count["inserted"] == count["exact"] + 2  # of six statements one in four, at least
    assert count["deleted"] < count["exact"]
    assert sorted(text(VARIANTS["reordered"](function, random.Random(2))).split()) == sorted(function.source.split())


def test_a_function_without_statements_to_move_is_not_editable() -> None:
    function = the_function("python")
    assert not is_editable(replace(function, statements=function.statements[:1]))
