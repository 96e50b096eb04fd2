"""Literals: of documents of the same shape the one with the same literals is first. Tables must share some."""

from __future__ import annotations

import random

import pytest

from tests.queries.indexes import add_files
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.options import SearchOptions
from wherefrom.queries.searching import search
from wherefrom.results import CopyEvidence, Hit, SearchResult

RENAMED = b"""int %s(int %s, int %s) {
    if (%s < %d) return %s * %d + %s;
    while (%s > %d) { %s -= %d; %s += \"%s\"[%d]; }
    return %s %% %d;
}
"""


def function(names: str, literals: int) -> bytes:
    """A function that always has the same structure, with these three letters as names and literals from a number."""
    name, one, two = (letter.encode() for letter in names)
    numbers = [literals + at for at in range(6)]
    text = b"s%d" % literals
    places = (name, one, two, one, numbers[0], two, numbers[1], one, one, numbers[2], one, numbers[3], two, text)
    return RENAMED % (*places, numbers[4], two, numbers[5])


def table(begin: int, rows: int) -> bytes:
    """Numbers and ranges as they are in tables of characters, in an order that does not repeat itself."""
    shapes = (b"  { %d, %d },\n", b"  { -%d, %d },\n", b"  { %d, -%d },\n", b"  { { %d }, %d },\n")
    order = random.Random(1)
    return b"static const range ranges[] = {\n%s};\n" % b"".join(
        order.choice(shapes) % (begin + 2 * at, begin + 2 * at + 1) for at in range(rows)
    )


def found(query: bytes, *contents: bytes) -> SearchResult:
    """The answers in an index of some files and of unrelated files."""
    others = [b"int f%d(long a) { puts(a + %d); return a; }\n" % (at, at) for at in range(20)]
    return found_among(query, *contents, *others)


def found_among(query: bytes, *contents: bytes) -> SearchResult:
    """The answers in an index of these files only."""
    engine = MemoryEngine(scheme_ids())
    add_files(engine, contents)
    return search(engine, query, SearchOptions(name="a.c", language="c", limit=100, explain=True))


def evidence(hit: Hit) -> CopyEvidence:
    assert hit.explanation is not None
    assert hit.explanation.evidence is not None
    return hit.explanation.evidence


def same_literals(hit: Hit) -> float:
    """The share of the literals that are the same."""
    found = evidence(hit)
    return found.same_literals / (found.same_literals + found.other_literals)


@pytest.mark.thorough
def test_of_functions_of_the_same_shape_the_one_with_the_same_literals_is_first() -> None:
    documents = [function("fgh", number) for number in range(0, 1000, 50)]
    for wanted in (0, 7, 19):
        first, second, *_ = found(function("xyz", 50 * wanted), *documents).hits
        assert first.blob == f"b{wanted}"
        assert first.score > second.score
        assert same_literals(first) == 1
        assert same_literals(second) < 0.5


CASES = b"""switch (read(key)) {
case 1: show("key"); take(key); %s::add(key); break;
case 2: show("key"); take(key); %s::drop(key); break;
}
"""


def test_of_functions_of_the_same_shape_the_one_with_the_same_names_is_first() -> None:
    documents = [CASES.replace(b"%s", name) for name in (b"linear", b"cuckoo", b"chained", b"robin")]
    for wanted, document in enumerate(documents):
        hits = found(document.replace(b"key)", b"babafo)"), *documents).hits
        assert hits[0].blob == f"b{wanted}"
        assert hits[0].score > hits[1].score


SHIFTS = b"""void shift(state *one) {
  first = low(one); second = high(one);
  if (is_number(one, &third)) { put(one, &third); %s = turn(%s); }
}
"""


# The distance between the names is longer than a k-gram.
SHIFTED = [SHIFTS % names for names in ((b"second", b"second"), (b"first", b"second"), (b"second", b"first"))]


def renamed(code: bytes) -> bytes:
    """A copy of one of `SHIFTED` with other names."""
    for old, new in ((b"one", b"babafo"), (b"first", b"cebara"), (b"second", b"dibace"), (b"third", b"gubaza")):
        code = code.replace(old, new)
    return code


def test_of_functions_of_the_same_shape_the_one_whose_names_stand_for_each_other_is_first() -> None:
    for wanted, document in enumerate(SHIFTED):
        hits = found(renamed(document), *SHIFTED).hits
        assert hits[0].blob == f"b{wanted}"
        assert hits[0].score > hits[1].score


@pytest.mark.parametrize(
    ("queries", "documents"),
    [
        ([function("xyz", 50 * at) for at in range(4)], [function("fgh", 50 * at) for at in range(4)]),
        ([renamed(document) for document in SHIFTED], SHIFTED),
    ],
    ids=["literals", "names"],
)
def test_a_search_for_one_hit_finds_the_one_whose_literals_and_names_agree(
    queries: list[bytes], documents: list[bytes]
) -> None:
    engine = MemoryEngine(scheme_ids())
    add_files(engine, documents)
    for wanted, query in enumerate(queries):
        [hit] = search(engine, query, SearchOptions(language="c", limit=1)).hits
        assert hit.blob == f"b{wanted}"


def test_a_member_and_a_variable_of_one_name_may_become_two_names() -> None:
    document = b"int size(struct box *box) { int width = box->width; return width * box->height + 17; }\n"
    query = document.replace(b"int width", b"int wide").replace(b"return width", b"return wide")
    (hit,) = found(query, document).hits
    shared = evidence(hit)
    # 26 tokens with 9 names and a literal. Only the new name differs, at two places.
    assert (shared.in_order, shared.same_names, shared.other_names) == (26, 7, 2)
    assert (shared.same_literals, shared.other_literals) == (1, 0)


def test_a_copy_agrees_with_all_of_a_query() -> None:
    (hit,) = found(function("xyz", 500), function("xyz", 500)).hits
    shared = evidence(hit)
    assert shared.in_order == shared.tokens == hit.matched_tokens
    assert shared.other_names == shared.other_literals == 0


def test_a_table_that_shares_only_a_shape_that_is_frequent_is_not_found() -> None:
    others = [table(1000 * at, 20) for at in range(1, 21)]
    assert found_among(table(0, 20), *others).hits == ()
    some = table(30_000, 14) + table(0, 20)[-100:]
    assert [hit.blob for hit in found_among(table(0, 20), *others, some).hits] == ["b20"]


def test_a_table_that_shares_some_rows_is_found() -> None:
    assert len(found(table(0, 20), table(1000, 14) + table(0, 20)[-100:]).hits) == 1


def test_a_table_of_words_that_shares_only_a_shape_that_is_frequent_is_not_found() -> None:
    words, *others = (
        b"static const entry entries[] = {\n%s};\n"
        % b"".join(b'  { "%s_%d", do_%s_%d },\n' % (word, at, word, at) for at in range(20))
        for word in (b"read", *(b"draw%d" % number for number in range(20)))
    )
    assert found_among(words, *others).hits == ()
    assert [hit.blob for hit in found_among(words, *others, words[:300] + others[0]).hits] == ["b20"]


def fields(word: str, rows: int) -> bytes:
    """Rows that have two to four of the same fields, with literals as values."""
    order = random.Random(2)
    shapes = (
        '  {{ .regex = "{word}{at}", .token = "{at}{word}" }},\n',
        '  {{ .regex = "{word}{at}", .token = "{at}{word}", .next = {size} + {at} }},\n',
        '  {{ .regex = "{word}{at}", .token = "{at}{word}", .push = "{word}/{at}", .pop = -{at} }},\n',
        '  {{ .sol = 1{at}, .token = "{at}{word}", .indent = "{word}:{at}" }},\n',
    )
    lines = (order.choice(shapes).format(word=word, at=at + 10 * len(word), size=len(word)) for at in range(rows))
    return f"static const rule rules[] = {{\n{''.join(lines)}}};\n".encode()


def test_a_table_of_fields_is_found_before_tables_that_share_only_their_names() -> None:
    for rows in (6, 8):
        words, *others = (fields(word, rows) for word in ("read", *(f"erase{at}" + at * "d" for at in range(20))))
        some_rows = words[: words.rindex(b"\n", 0, 300)] + b"\n};\n"
        first, second, *_ = found_among(words, *others, some_rows + others[0]).hits
        assert first.blob == "b20"
        assert first.score > 1.3 * second.score


def test_an_object_with_the_same_fields_and_other_values_is_found() -> None:
    names = ("future", "past", "second", "seconds", "minute", "minutes", "hour", "hours", "day", "days")
    one, other = (
        "static const texts made = {{\n{}}};\n".format(
            "".join(f'  .{name} = "{word} {at}",\n' for at, name in enumerate(names))
        ).encode()
        for word in ("in", "vor")
    )
    assert len(found(one, other).hits) == 1


def calls(name: bytes, other: bytes, first: int) -> bytes:
    """A function with calls in three forms, all with different literals."""
    forms = (b'  %s(%s("%s%d"), %d);\n', b'  %s(*%s, "%s%d", -%d);\n', b'  if (%s(%s)) { return "%s%d" + %d; }\n')
    chance = random.Random(1)
    lines = (chance.choice(forms) % (name, other, name, at, at + first) for at in range(12))
    return b"void %s() {\n%s}\n" % (name, b"".join(lines))


def test_calls_are_found_although_every_name_and_literal_is_another_one() -> None:
    assert len(found(calls(b"check", b"padded", 0), calls(b"babafo", b"cebara", 100)).hits) == 1


def test_a_table_between_code_is_found_by_the_code() -> None:
    code = function("xyz", 500)
    assert len(found(code + table(0, 20), table(1000, 20) + code).hits) == 1


def test_a_table_with_the_same_names_is_found() -> None:
    names, others = (
        b"enum kind { %s };\n" % b", ".join(b"kind_%d = %d" % (at, at + first) for at in range(20)) for first in (0, 50)
    )
    assert len(found(names, others).hits) == 1


def test_code_with_other_constants_is_found() -> None:
    assert len(found(function("xyz", 500), function("fgh", 0)).hits) == 1


def checks(name: bytes, call: bytes, numbers: range) -> bytes:
    """A function with calls of one form, which differ in their literals only."""
    return b"void %s() {\n%s}\n" % (
        name,
        b"".join(b'  %s(%d, of("%d"));\n' % (call, at % 3, at) for at in numbers),
    )


@pytest.mark.thorough
@pytest.mark.parametrize(("call", "text"), [(b"check", b"of"), (b"verify", b"of"), (b"check", b"text")])
def test_calls_of_one_form_are_found_by_their_literals_and_a_name(call: bytes, text: bytes) -> None:
    documents = [checks(b"first", b"check", range(begin, begin + 40)) for begin in range(0, 4000, 40)]
    wanted = checks(b"other", call, range(1203, 1223)).split(b"\n", 1)[1].rsplit(b"}", 1)[0]
    first, second, *_ = found(wanted.replace(b"of(", text + b"("), *documents).hits
    assert first.blob == "b30"
    assert first.score > 2 * second.score


ROWS = """BASE, 2000, 6, 5, 4, 3, 2, 1);
    assertDate(%s, %d, 6, 5, 4, 3, 2, 1);

    %s = add(BASE, %d);
    assertNotSame(BASE, %s);
    assertDate("""


def dates(years: tuple[int, ...]) -> bytes:
    """Rows of one form that differ in one literal only."""
    return b"void f() {\n    assertDate(%s0);\n}\n" % b"".join(
        (ROWS % ("result", year, "result", at, "result")).encode() for at, year in enumerate(years)
    )


def test_of_rows_of_one_form_those_with_the_literals_are_chosen() -> None:
    query = b"BASE, 2000, 6, 5, 4, 3, 2, 1);\n    assertDate(other, 2001, 6,"
    documents = [dates(years) for years in ((2000, 2000, 1999), (2000, 2000, 2001, 1999), (2000, 2000, 2002))]
    hits = found(query, *documents).hits
    assert hits[0].blob == "b1"
    assert hits[0].score > hits[1].score
    (region,) = hits[0].regions
    lines = documents[1].split(b"\n")
    assert b"2001" in lines[region.document.end_line - 1]
