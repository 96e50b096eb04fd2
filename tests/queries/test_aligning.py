"""The best alignment of a query with a document: the kernel gives what the Python definition gives, and what it is."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, letters, marks, stream, words
from wherefrom.analyzers import kernel
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.tokens import TokenClass, TokenStream, encode, part
from wherefrom.fitted import GAP, OPEN
from wherefrom.queries.alignment import aligning
from wherefrom.queries.alignment.aligning import Aligned, Aligner, DocumentText, logarithm
from wherefrom.queries.preparation.background import UNIT, Bits, background
from wherefrom.support import extension

pytestmark = pytest.mark.usefixtures("both_ways")

SAMPLES = sorted((Path(__file__).parents[1] / "analyzers" / "samples").iterdir())
REPLACED = (TokenClass.NAME, TokenClass.STRING, TokenClass.NUMBER)

FUNCTION = words(
    'def total ( items , rate ) : sum = 0 for item in items : sum = sum + item . price * rate log ( "sum" , sum ) '
    "return sum / 100"
)
OTHER = words(
    "while queue : node = queue . pop ( ) if node in seen : continue seen . add ( node ) for child in node . next : "
    "queue . append ( child ) result [ node ] = 7"
)


def bits_of(text: TokenStream, quiet: np.ndarray[tuple[int], np.dtype[np.bool_]] | None = None) -> Bits:
    return background().bits(text, np.zeros(len(text), np.bool_) if quiet is None else quiet)


def aligned(query: TokenStream, document: TokenStream, begin: int = 0, end: int | None = None) -> Aligned:
    return Aligner(query, bits_of(query), begin, len(query) if end is None else end).align(
        DocumentText(encode(document))
    )


def of_words(query: list[Token], document: list[Token]) -> Aligned:
    return aligned(stream(query), stream(document))


def same_in_python(query: TokenStream, bits: Bits, begin: int, end: int, document: TokenStream) -> Aligned:
    """The alignment, which must be the same with the kernel and without it."""
    stored = encode(document)
    aligner = Aligner(query, bits, begin, end)
    found = aligner.align(DocumentText(stored))
    assert aligner.align(DocumentText(stored), found.bits + 1).runs == found.runs
    weighed = aligner.weigh(DocumentText(stored), found.runs)
    most = aligner.most(stored)
    assert found.bits <= most
    if kernel.active() is not None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(extension.VARIABLE, "0")
            assert kernel.active() is None
            plain = Aligner(query, bits, begin, end)
            again = plain.align(DocumentText(stored))
            assert plain.weigh(DocumentText(stored), found.runs) == weighed
            assert plain.most(stored) == most
        assert (again.bits, list(again.runs)) == (found.bits, list(found.runs))
    return found


def assert_sound(query: TokenStream, document: TokenStream, found: Aligned, begin: int, end: int) -> None:
    """Runs ascend inside of the stretch, overlap on neither side, and agree in structure and in replaced names."""
    here: list[int] = []
    there: list[int] = []
    for run in found.runs:
        assert begin <= run.begin < run.end <= end
        assert 0 <= run.there.start < run.there.stop <= len(document)
        here += range(run.begin, run.end)
        there += range(run.there.start, run.there.stop)
        ours, theirs = part(query, run.begin, run.end), part(document, run.there.start, run.there.stop)
        assert ours.classes.tolist() == theirs.classes.tolist()
        fixed = ~np.isin(ours.classes, REPLACED)
        assert ours.codes[fixed].tolist() == theirs.codes[fixed].tolist()
        names = ours.classes == TokenClass.NAME
        partners = set(zip(ours.codes[names].tolist(), theirs.codes[names].tolist(), strict=True))
        assert len(partners) == len({own for own, _ in partners}) == len({other for _, other in partners})
    assert here == sorted(set(here))
    assert len(there) == len(set(there))


STATEMENTS = st.sampled_from(
    [
        words("a = b . c ( d , 1 ) ;"),
        words('if ( a < b ) { log ( "low" , a ) ; }'),
        words("for ( i = 0 ; i < n ; i ++ ) { s += p [ i ] ; }"),
        words("return a ;"),
        words("} else {"),
        words('{ a , 1 , b , "s" } ,'),
    ]
)
CODE = st.lists(st.one_of(st.lists(st.sampled_from(words('a b c d = ; ( . 1 2 "s" "t"')), max_size=8), STATEMENTS))
TOKENS = CODE.map(lambda pieces: [token for piece in pieces for token in piece])
PROSE = st.text("ab cé1", max_size=60).map(letters)


@st.composite
def edited(draw: st.DrawFn, query: list[Token]) -> list[Token]:
    """A text with stretches of the query, in any order, with some tokens replaced, among other tokens."""
    pieces = []
    for _ in range(draw(st.integers(0, 4))):
        begin, end = sorted((draw(st.integers(0, len(query))), draw(st.integers(0, len(query)))))
        names = draw(st.dictionaries(st.sampled_from(words("a b c d")), st.sampled_from(words("a b x y")), max_size=3))
        pieces.append([names.get(token, token) for token in query[begin:end]])
        pieces.append(draw(st.one_of(st.just([]), st.lists(st.sampled_from(words("a z + 3")), max_size=6), TOKENS)))
    return [token for piece in pieces for token in piece]


@given(st.data())
def test_any_alignment_is_sound_and_the_same_with_the_kernel(data: st.DataObject) -> None:
    """Also with quiet tokens, in a stretch of the query, and beside a document that repeats itself."""
    query = data.draw(st.one_of(TOKENS, PROSE)) * data.draw(st.sampled_from((1, 1, 3)))
    document = data.draw(edited(query)) * data.draw(st.sampled_from((1, 1, 4)))
    ours, theirs = stream(query), stream(document)
    quiet = np.zeros(len(ours), np.bool_)
    if data.draw(st.booleans()):
        quiet[data.draw(st.integers(0, len(ours))) :: data.draw(st.integers(1, 9))] = True
    begin = data.draw(st.sampled_from((0, 0, 1, 5)))
    begin, end = min(begin, len(ours)), data.draw(st.integers(min(begin, len(ours)), len(ours)))
    with pytest.MonkeyPatch.context() as patch:
        if data.draw(st.booleans()):
            patch.setattr(aligning, "MOST_PAIRS", data.draw(st.integers(0, 20)))
            patch.setattr(aligning, "MOST_PLACES", data.draw(st.integers(0, 3)))
        found = same_in_python(ours, bits_of(ours, quiet), begin, end, theirs)
    assert_sound(ours, theirs, found, begin, end)
    assert found.runs or found.bits == 0


@given(st.data())
def test_any_bits_give_the_same_with_the_kernel(data: st.DataObject) -> None:
    """Bits that no model gives: of names that are seldom replaced, and none of structure."""
    query, document = (data.draw(TOKENS) for _ in range(2))
    document = document + query[: data.draw(st.integers(0, len(query)))]
    values = st.lists(st.integers(0, 900), min_size=len(query), max_size=len(query))
    bits = Bits(*(np.array(data.draw(values), np.int32) for _ in range(3)))
    found = same_in_python(stream(query), bits, 0, len(query), stream(document))
    assert_sound(stream(query), stream(document), found, 0, len(query))


@pytest.mark.parametrize("path", SAMPLES[::6], ids=lambda path: path.name)
def test_samples_give_the_same_with_the_kernel(path: Path) -> None:
    """A file beside itself with its blocks of 5 lines moved, and beside the next file."""
    lines = path.read_bytes().splitlines(keepends=True)[:60]
    moved = [line for at in range(0, len(lines), 10) for line in (*lines[at + 5 : at + 10], *lines[at : at + 5])]
    following = SAMPLES[(SAMPLES.index(path) + 1) % len(SAMPLES)].read_bytes()[:1_500]
    analyses = [analyze_file(path.name, b"".join(text)) for text in (lines, moved, [following])]
    query, *documents = (each.tokens for each in analyses if not isinstance(each, str))
    assert len(documents) == 2
    for document in (query, *documents):
        found = same_in_python(query, bits_of(query), 0, len(query), document)
        assert_sound(query, document, found, 0, len(query))


@pytest.mark.parametrize("name", ["x", "y"])
def test_a_line_of_a_long_table_is_found_at_its_place(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The first alignment with a document scans it, and the next ones look the seeds up."""
    monkeypatch.setattr(aligning, "MOST_PAIRS", 100)
    table = [f"else if ( x == {number} ) return {7 * number} ; " for number in range(200)]
    query, document = stream(words("".join(table[120:125]).replace("x", name))), stream(words("".join(table)))
    text = DocumentText(encode(document))
    for _ in range(3):
        found = Aligner(query, bits_of(query), 0, len(query)).align(text)
        assert [(run.begin, run.end, run.there.start) for run in found.runs] == [(0, len(query), 24 * len(query))]
    same_in_python(query, bits_of(query), 0, len(query), document)


@pytest.mark.parametrize("count", range(9))
def test_a_tiny_or_empty_text_is_no_error(count: int) -> None:
    tiny, prose = words("a = b ( c ) . d")[:count], letters("abcdefgh")[:count]
    for one, other in itertools.product((tiny, prose, FUNCTION), repeat=2):
        found = same_in_python(stream(one), bits_of(stream(one)), 0, len(one), stream(other))
        assert_sound(stream(one), stream(other), found, 0, len(one))
    assert aligned(stream(FUNCTION), stream(FUNCTION), 7, 7) == Aligned(0, [], 7)


def test_a_stretch_is_aligned_as_if_it_were_alone_and_its_places_are_those_in_the_query() -> None:
    query = stream(OTHER + FUNCTION + OTHER)
    begin, end = len(OTHER), len(OTHER + FUNCTION)
    [run] = aligned(query, stream(FUNCTION), begin, end).runs
    assert run == (-len(OTHER), begin, end)


IDENTICAL = [
    FUNCTION,
    FUNCTION + OTHER,
    letters("the quick brown fox jumps over the lazy dog"),
    marks(0, 60),
    OTHER * 3,
]


@pytest.mark.parametrize("tokens", IDENTICAL, ids=["code", "more code", "prose", "marks", "a repetition"])
def test_the_same_text_is_one_run_with_all_bits(tokens: list[Token]) -> None:
    found = of_words(tokens, tokens)
    assert found.runs == [(0, 0, len(tokens))]
    assert found.bits == bits_of(stream(tokens)).total(0, len(tokens))


@pytest.mark.thorough
@given(TOKENS)
@example(FUNCTION * 3)
def test_no_document_has_more_bits_than_the_text_itself(tokens: list[Token]) -> None:
    most = bits_of(stream(tokens)).total(0, len(tokens))
    for document in (tokens, tokens + FUNCTION, FUNCTION, tokens * 2, tokens[3:] + tokens[:3]):
        assert of_words(tokens, document).bits <= most


def test_an_insertion_or_deletion_costs_bits_and_parts_two_runs() -> None:
    whole = of_words(FUNCTION + OTHER, FUNCTION + OTHER).bits
    between = of_words(FUNCTION + OTHER, FUNCTION + marks(0, 7) + OTHER)
    assert between.runs == [(0, 0, len(FUNCTION)), (7, len(FUNCTION), len(FUNCTION + OTHER))]
    assert between.bits == pytest.approx(whole - OPEN - GAP * logarithm(7) / UNIT, abs=0.05)
    further = of_words(FUNCTION + OTHER, FUNCTION + marks(0, 700) + OTHER)
    assert [run.tokens for run in further.runs] == [len(FUNCTION), len(OTHER)]
    assert further.bits < between.bits
    query = FUNCTION + marks(0, 7) + OTHER
    without = of_words(query, FUNCTION + OTHER)
    assert without.runs == [(0, 0, len(FUNCTION)), (-7, len(FUNCTION) + 7, len(query))]
    assert without.bits < bits_of(stream(query)).total(0, len(query))


def test_a_replaced_token_costs_bits_and_parts_two_runs() -> None:
    document = [*FUNCTION]
    at = FUNCTION.index(words("*")[0])
    document[at] = words("/")[0]
    found = of_words(FUNCTION, document)
    assert found.runs == [(0, 0, at), (0, at + 1, len(FUNCTION))]
    assert found.bits < of_words(FUNCTION, FUNCTION).bits


@pytest.mark.parametrize("order", [*itertools.permutations(range(3))])
def test_moved_blocks_are_found(order: tuple[int, ...]) -> None:
    blocks = [FUNCTION, OTHER, words('with open ( path , "rb" ) as file : yield * map ( parse , file . rows [ 2 : ] )')]
    query = [token for block in blocks for token in block]
    document = [token for at in order for token in [*blocks[at], *marks(100 * at, 100 * at + 9)]]
    found = of_words(query, document)
    assert sum(run.tokens for run in found.runs) == len(query)
    in_order = of_words(query, [token for block in blocks for token in [*block, *marks(0, 9)]])
    assert found.bits <= in_order.bits
    assert found.bits > 0.6 * in_order.bits


def test_what_stands_there_twice_is_matched_once() -> None:
    document = OTHER + FUNCTION + marks(0, 20) + FUNCTION
    found = of_words(FUNCTION, document)
    assert sum(run.tokens for run in found.runs) == len(FUNCTION)
    assert found.bits == of_words(FUNCTION, FUNCTION).bits
    once = of_words(FUNCTION + OTHER + FUNCTION, FUNCTION)
    assert sum(run.tokens for run in once.runs) == len(FUNCTION)


def renamed(tokens: list[Token], names: dict[bytes, list[bytes]]) -> list[Token]:
    """The tokens with each name replaced by the next of some names, in turn."""
    cycles = {name: itertools.cycle(others) for name, others in names.items()}
    return [(next(cycles[symbol]), kind) if symbol in cycles else (symbol, kind) for symbol, kind in tokens]


def test_of_renamings_the_consistent_one_has_more_bits_and_none_has_most() -> None:
    consistent = renamed(FUNCTION, {b"sum": [b"all"], b"item": [b"each"]})
    mixed = renamed(FUNCTION, {b"sum": [b"all", b"any"], b"item": [b"each", b"one"]})
    merged = renamed(FUNCTION, {b"sum": [b"rate"], b"item": [b"rate"]})
    same, good, bad, worse = (of_words(FUNCTION, each).bits for each in (FUNCTION, consistent, mixed, merged))
    assert same > good > max(bad, worse)
    assert of_words(FUNCTION, consistent).runs == [(0, 0, len(FUNCTION))]
    assert len(of_words(FUNCTION, mixed).runs) > 1


def test_other_literals_cost_bits_but_part_no_run() -> None:
    other = renamed(FUNCTION, {b"100": [b"7"], b'"sum"': [b'"all"']})
    found = of_words(FUNCTION, other)
    assert found.runs == [(0, 0, len(FUNCTION))]
    assert found.bits < of_words(FUNCTION, FUNCTION).bits


@given(st.integers(0, 300), st.integers(0, 300), st.booleans())
def test_what_is_around_a_copy_in_the_document_changes_no_bit(before: int, after: int, is_code: bool) -> None:
    around = (OTHER if is_code else marks(500, 540)) * 10
    document = stream(around[:before] + FUNCTION + around[:after])
    assert aligned(stream(FUNCTION), document).bits == pytest.approx(of_words(FUNCTION, FUNCTION).bits)


ROWS = " ".join(f"n{at} = - m{at} . f{at} ( k{at} , {at} ) ;" for at in range(40))
HOSTS = {
    "marks": marks(0, 300),
    "other code": OTHER * 4,
    "rows": words(ROWS),
    "code with the same names": words("sum = items . rate ( price , log ) ; item = total ; " * 6),
}


@pytest.mark.parametrize("host", HOSTS)
def test_what_is_around_a_copy_in_the_query_hardly_changes_its_bits(host: str) -> None:
    """Only the first tokens have other ones before them, and names of the copy may have been used before."""
    alone = of_words(FUNCTION, FUNCTION).bits
    for query in (HOSTS[host] + FUNCTION, FUNCTION + HOSTS[host], HOSTS[host] + FUNCTION + HOSTS[host]):
        found = of_words(query, FUNCTION)
        assert found.bits == pytest.approx(alone, rel=0.25 if "same names" in host else 0.1)


def test_like_statements_are_found_by_their_words_wherever_they_are() -> None:
    """The structure of a repeated statement says next to nothing, but its names do."""
    query, size = words(ROWS), len(words(ROWS)) // 40
    for first in (0, 5, 30):
        copy = query[first * size : (first + 10) * size]
        found = of_words(query, marks(0, 40) + copy)
        assert sum(run.tokens for run in found.runs) == len(copy)
        assert found.bits > 250


def test_quiet_tokens_neither_add_bits_nor_cost_any() -> None:
    header, query = marks(0, 9), FUNCTION + marks(0, 9) + OTHER
    quiet = np.zeros(len(query), np.bool_)
    quiet[len(FUNCTION) : len(FUNCTION) + len(header)] = True
    bits = bits_of(stream(query), quiet)
    same, other = (
        Aligner(stream(query), bits, 0, len(query)).align(DocumentText(encode(stream(FUNCTION + between + OTHER)))).bits
        for between in (header, marks(50, 59))
    )
    assert same == other == bits.total(0, len(query))


@given(st.integers(0, 100_000))
def test_the_logarithm_rises_and_is_nearly_one(gap: int) -> None:
    assert logarithm(gap) / UNIT == pytest.approx(np.log2(1 + gap), abs=0.11)
    assert logarithm(gap) <= logarithm(gap + 1)
    assert logarithm((1 << gap % 30) - 1) == (gap % 30) * UNIT


def test_given_runs_weigh_what_the_alignment_that_has_them_does() -> None:
    text = stream(FUNCTION)
    aligner, document = Aligner(text, bits_of(text), 0, len(text)), DocumentText(encode(stream(OTHER + FUNCTION)))
    found = aligner.align(document)
    assert aligner.weigh(document, found.runs) == pytest.approx(found.bits)
    assert aligner.weigh(document, [run._replace(end=run.begin + 9) for run in found.runs]) < found.bits
    assert aligner.weigh(document, []) == 0
