"""The model of code in general: how many bits of evidence the tokens of a query are."""

from __future__ import annotations

import dataclasses
import math
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import letters, part_of, stream, words
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.hashing import packed
from wherefrom.analyzers.tokens import Symbols, TokenClass, TokenStream, is_literal
from wherefrom.fitted import CONTEXTS, LETTER, MOST_OF_WORD, RECENT
from wherefrom.languages import LANGUAGES
from wherefrom.queries.preparation.background import (
    FAMILIES,
    HASH_BITS,
    MIXED,
    ORDERS,
    RANKS,
    STEP,
    STRUCTURE,
    UNIT,
    WORDS,
    Bits,
    Model,
    Ways,
    background,
    bits_of_letters,
    expected,
    gram_hashes,
    language_salts,
    last_used,
    load,
    salt_of,
)
from wherefrom.support import arrays

MODULE = """\
(function (root, factory) {
  if (typeof define === 'function' && define.amd) {
    define(['exports'], factory);
  } else if (typeof exports === 'object') {
    factory(exports);
  } else {
    factory((root.colors = {}));
  }
}(this, function (exports) {
"""

TABLE_TEST = """\
for _, tc := range testCases {
	t.Run(tc.name, func(t *testing.T) {
		got, err := parse(tc.input)
		if err != nil {
			t.Fatalf("unexpected error: %v", err)
		}
		if got != tc.want {
			t.Errorf("got %v, want %v", got, tc.want)
		}
	})
}
"""

MEDIAN = """\
def running_median(samples, width, *, centre=True):
    window = SortedRing(capacity=width)
    for offset, sample in enumerate(samples):
        window.push(sample if sample == sample else window.middle())
        if offset + 1 >= width or not centre:
            yield offset - (width // 2 if centre else 0), window.middle() * 0.5 + window.spread(0.25, 0.75)
    while centre and window.shrink() > width // 2:
        yield offset, window.middle(bias="left") ** 2 % samples.period
"""

SWITCH = """\
static unsigned crossfade(struct deck *left, struct deck *right, unsigned beat, const float curve[16])
{
    left->gain = curve[beat & 15] * left->trim - right->bleed / (1.0f + left->trim);
    right->gain ^= left->phase << 3 | (beat * 2654435761u) >> 27;
    return (left->queue[beat % 7].cue < right->pitch ? right->tempo - left->tempo : beat + 44100u / left->tempo);
}
"""


def tokens(code: str, language: str) -> TokenStream:
    return analyze_snippet(code.encode(), language=language).tokens


def bits_of(stream: TokenStream, quiet: list[int] | None = None, model: Model | None = None) -> Bits:
    return (model or background()).bits(stream, np.isin(np.arange(len(stream)), quiet or []))


def mean(code: str, language: str) -> float:
    """The bits of a token."""
    found = tokens(code, language)
    return bits_of(found).total(0, len(found)) / len(found)


def test_what_everyone_writes_says_less_than_code_of_its_own() -> None:
    common = [mean(MODULE, "javascript"), mean(TABLE_TEST, "go")]
    own = [mean(MEDIAN, "python"), mean(SWITCH, "c")]
    assert max(common) < 0.6 * min(own)


def test_a_word_that_everyone_writes_has_fewer_bits_than_an_unusual_one() -> None:
    for common, unusual, language in (
        ("self.name = name", "self.vartex = vartex", "python"),
        ("for (int i = 0; i < n; i++) {", "for (int qz = 0; qz < wub; qz++) {", "c"),
        ('if (typeof a === "undefined") {', 'if (typeof a === "ghaznavid") {', "javascript"),
    ):
        one, other = (tokens(code, language) for code in (common, unusual))
        assert len(one) == len(other)
        assert bits_of(one).total(0, len(one)) < bits_of(other).total(0, len(other))


def test_a_name_that_was_used_just_before_has_fewer_bits_than_a_new_one() -> None:
    found = bits_of(stream(words("vartex = gloob ( 7431 ) ; vartex = gloob ( 7431 ) ;")))
    half = 7
    for at in (0, 2, 4):
        assert found.words[half + at] < found.words[at]
    assert found.renamed[:half].tolist() == [0] * half
    assert found.renamed[half] > 0
    assert found.renamed[half + 4] == 0, "a literal is not replaced by another one throughout"


def test_what_a_text_says_again_says_little() -> None:
    row = words('{ vartex , 7431 , "ghaznavid" , ~ gloob } ,')
    found = bits_of(stream(row * 3))
    once, again, further = (found.total(at, at + len(row)) for at in range(0, 3 * len(row), len(row)))
    assert again < once / 2
    assert further < again / 2


CODE = st.lists(st.sampled_from(words('a b vartex = ; ( . 1 7431 "s" { } if for')), max_size=60)


@given(CODE, st.lists(st.integers(0, 59), max_size=9))
def test_loud_tokens_have_a_unit_and_quiet_ones_nothing(text: list[tuple[bytes, int]], quiet: list[int]) -> None:
    given = stream(text)
    found = bits_of(given, quiet)
    is_quiet = np.isin(np.arange(len(given)), quiet)
    assert (found.structure[~is_quiet] >= 1).all()
    for column in found:
        assert column.dtype == np.int32
        assert len(column) == len(given)
        assert not column[is_quiet].any()
    is_word = (given.classes == TokenClass.NAME) | is_literal(given.classes)
    assert not found.words[~is_word].any()
    assert not found.renamed[given.classes != TokenClass.NAME].any()
    assert (found.words >= 0).all()
    assert max([*found.structure, *found.words, 0]) <= MOST_OF_WORD * UNIT
    assert found.total(0, len(given)) == (found.structure.sum() + found.words.sum()) / UNIT


@given(CODE, CODE)
def test_what_comes_later_changes_no_bit(text: list[tuple[bytes, int]], more: list[tuple[bytes, int]]) -> None:
    alone, both = bits_of(stream(text)), bits_of(stream(text + more))
    for one, other in zip(alone, both, strict=True):
        assert other[: len(one)].tolist() == one.tolist()


def test_each_letter_of_prose_has_the_same_bits() -> None:
    prose = stream(letters("some words of prose"))
    found = bits_of(prose, [3])
    assert found.structure.tolist() == [0 if at == 3 else round(LETTER * UNIT) for at in range(len(prose))]
    assert not found.words.any()
    assert not found.renamed.any()


def test_letters_of_code_have_the_bits_of_its_tokens_together_but_those_of_literals_and_comments_do_not() -> None:
    text = b'total = "some words of prose"  # and a comment'
    code, prose = (Analyzer().snippet(text, name="a.py", reading=reading).tokens for reading in ("code", "prose"))
    most = round(LETTER * UNIT)
    bits = Bits(*np.array([[50, 0, 900], [0, 0, 0], [0, 0, 0]], np.int32))
    found = bits_of_letters(prose, code, bits)
    assert found.tolist() == [10] * len("total") + [most] * len("somewordsofprose") + [most] * len("andacomment")
    assert bits_of_letters(prose, stream([]), bits_of(stream([]))).tolist() == [most] * len(prose)


def test_a_text_without_tokens_has_no_bits() -> None:
    found = bits_of(stream([]))
    assert [len(column) for column in found] == [0, 0, 0]
    assert found.total(0, 0) == 0


@given(st.lists(st.integers(0, 90), max_size=300))
def test_the_rank_of_a_name_is_its_place_among_the_last_ones(codes: list[int]) -> None:
    ranks = []
    for at, code in enumerate(codes):
        order = list(dict.fromkeys(reversed(codes[:at])))[:RANKS]
        ranks.append(order.index(code) + 1 if code in order else 0)
    assert last_used(np.array(codes, np.uint64)).tolist() == ranks


@given(st.lists(st.integers(0, 4), max_size=60))
def test_a_token_costs_what_it_costs_in_the_text_so_far(codes: list[int]) -> None:
    for at, bits in enumerate(expected(np.array(codes, np.uint64)).tolist()):
        costs = [math.inf]
        for length in CONTEXTS:
            before = codes[at - length : at] if at >= length else None
            followed = [codes[end] for end in range(length, at) if codes[end - length : end] == before]
            if codes[at] in followed:
                costs.append(-math.log2((followed.count(codes[at]) - 0.5) / len(followed)))
        assert bits == pytest.approx(min(costs))


def symbols(codes: Sequence[int]) -> Symbols:
    """Tokens with some of each class."""
    classes = np.array([code % 3 for code in codes], np.uint8)
    return Symbols(np.array(codes, np.uint64), classes, np.zeros(1, np.int64))


@given(
    st.lists(st.integers(0, (1 << 64) - 1), min_size=1, max_size=30),
    st.sampled_from([(kind, order) for kind, orders in enumerate(ORDERS) for order in orders]),
)
def test_the_hash_of_an_ngram_is_that_of_its_tokens_alone(codes: list[int], which: tuple[int, int]) -> None:
    kind, order = which
    salts = np.full(len(codes), salt_of("c"), np.uint64)
    ways = Ways.of(symbols(codes))
    found = gram_hashes(ways, order, kind, salts)
    assert len(found) == max(len(codes) - order + 1, 0)
    assert found.dtype == np.uint32
    assert not (found >> HASH_BITS).any()
    for at, value in enumerate(found.tolist()):
        part = part_of(ways, at, at + order)
        assert gram_hashes(part, order, kind, salts[:order]).tolist() == [value]


def test_a_word_after_structure_is_the_same_after_other_words() -> None:
    def last(*codes: int, kind: int) -> int:
        return int(gram_hashes(Ways.of(symbols(codes)), len(codes), kind, np.zeros(len(codes), np.uint64))[-1])

    one, other, end = 1, 4, 7  # of one class
    assert last(one, end, kind=MIXED) == last(other, end, kind=MIXED)
    assert last(one, end, kind=MIXED) != last(one, other, kind=MIXED)
    assert last(one, end, kind=WORDS) != last(other, end, kind=WORDS)
    assert last(one, end, kind=STRUCTURE) == last(one, other, kind=STRUCTURE)


def test_ngrams_of_another_kind_or_length_or_language_have_other_hashes() -> None:
    hashes = {
        int(gram_hashes(Ways.of(symbols([0] * 6)), order, kind, np.full(6, salt_of(language), np.uint64))[0])
        for language in ("c", "python", "ruby")
        for kind, orders in enumerate(ORDERS)
        for order in orders
    }
    assert len(hashes) == 3 * sum(map(len, ORDERS))


def test_languages_of_one_family_are_counted_together_and_each_part_of_a_text_by_its_own() -> None:
    assert FAMILIES
    for language, family in FAMILIES.items():
        assert language in LANGUAGES
        assert salt_of(language) == salt_of(family)
    text = dataclasses.replace(stream(words("a = b"), words("c ( ) ;")), languages=("c", "python"))
    assert language_salts(text).tolist() == [salt_of("c")] * 3 + [salt_of("python")] * 4
    assert len(language_salts(stream([]))) == 0


def test_names_and_literals_are_left_open_in_a_skeleton() -> None:
    def skeleton(code: str) -> list[int]:
        return list(map(int, Ways.of(stream(words(code))).skeleton))

    assert skeleton('a = f ( 1 , "s" ) ;') == skeleton('b = g ( 2 , "t" ) ;')
    assert skeleton('a = f ( 1 , "s" ) ;') != skeleton('a = f ( 1 , "s" ] ;')
    assert skeleton('a = f ( 1 , "s" ) ;') != skeleton("a = f ( 1 , 2 ) ;")


def test_a_name_is_ranked_by_how_long_ago_it_was_used_with_other_names_alike() -> None:
    def ranked(code: str) -> list[int]:
        return list(map(int, Ways.of(stream(words(code))).ranked))

    assert ranked("this . x = x ;") == ranked("this . y = y ;")
    assert ranked("this . x = x ;") != ranked("this . x = y ;")
    assert ranked("a ( b , c , a ) ;") == ranked("d ( e , f , d ) ;")
    assert ranked("a ( b , c , a ) ;") != ranked("a ( b , c , b ) ;")
    names = " ".join(f"n{number}" for number in range(RECENT))
    assert ranked(f"x {names} x")[-1] == ranked(f"x {names} y")[-1]  # too long ago
    assert ranked(f"x {names} n0")[-1] != ranked(f"x {names} y")[-1]


TEXT = stream(words("alpha = beta ( 7 ) ; gamma = beta ( 7 ) ;"))


def small(folder: Path) -> Model:
    """A model that knows `alpha`, and the structure of `name = name (`."""
    salts = language_salts(TEXT)
    known = {
        int(gram_hashes(Ways.of(TEXT), 4, STRUCTURE, salts)[0]): 3,
        int(gram_hashes(Ways.of(TEXT), 1, WORDS, salts)[0]): 5,
    }
    grams = np.array(sorted(known), np.uint32)
    ranks = np.full((2, RANKS + 1), 4.0)
    ranks[:, 0] = 1.0
    path = folder / "small.zst"
    arrays.write(
        path,
        grams=packed(grams),
        costs=np.array([known[gram] for gram in grams.tolist()], np.uint8),
        ranks=ranks,
        languages=["c", "go"],
        projects=[30, 7],
    )
    return load(path)


def test_a_saved_model_is_read_and_decides_the_bits(tmp_path: Path) -> None:
    model = small(tmp_path)
    assert model.projects == {"c": 30, "go": 7}
    assert len(model.grams) == len(model.costs) == 2
    found = bits_of(TEXT, model=model)
    # Of the structure, only the bracket behind `name = name` is known. The second statement is that of the first: half
    # of what followed the same token then, or, where two tokens have followed a name, a quarter.
    most = MOST_OF_WORD * UNIT
    assert found.structure[:7].tolist() == [most, most, most, 3 * STEP * UNIT, most, most, most]
    assert found.structure[8:].tolist() == [2 * UNIT] + [UNIT] * 5
    assert found.words[0] == (5 * STEP + 1) * UNIT
    assert found.words[2] == MOST_OF_WORD * UNIT
    assert found.words[9] == found.renamed[9] == 0, "`beta` follows `=` again"


def path_of_the_model() -> Path:
    return Path(str(files("wherefrom.queries").joinpath("data", "background.zst")))


def test_the_file_is_small_and_has_no_text() -> None:
    assert path_of_the_model().stat().st_size <= 1_500_000
    stored = arrays.read(path_of_the_model())
    assert {name for name, array in stored.items() if array.dtype.kind not in "uif"} == {"languages"}
    assert all(re.fullmatch(r"[a-z_0-9+#-]+", name) for name in stored["languages"].tolist())


def test_the_model_is_sound() -> None:
    model = background()
    assert (np.diff(model.grams.astype(np.int64)) > 0).all()
    assert len(model.costs) == len(model.grams) > 10_000
    assert model.costs.max() * STEP <= 2 * MOST_OF_WORD
    assert model.ranks.shape == (2, RANKS + 1)
    assert (model.ranks > 0).all()
    assert len(model.projects) >= 10
    assert min(model.projects.values()) > 0


@pytest.mark.thorough
@pytest.mark.parametrize("program", ["", "import wherefrom", "import wherefrom.queries.searching"])
def test_it_is_read_only_when_a_query_is_prepared(program: str) -> None:
    program += "\nimport wherefrom.queries.preparation.background as b; print(b.background.cache_info().currsize)"
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout == "0\n"


SAMPLES = sorted((Path(__file__).parents[1] / "analyzers" / "samples").iterdir())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("quiet", [0, 3])
def test_the_kernel_gives_the_same_bits(sample: Path, quiet: int) -> None:
    text = analyze_snippet(sample.read_bytes(), language=sample.stem).tokens
    is_quiet = np.arange(len(text)) % 7 < quiet
    by_kernel, plain = background().bits(text, is_quiet), background().plain_bits(text, is_quiet)
    assert [column.tolist() for column in by_kernel] == [column.tolist() for column in plain]


def test_setting_a_name_to_a_parameter_of_the_same_name_proves_nothing() -> None:
    method = "public void setWidth(int width) { this.width = width; }"
    text = analyze_snippet(method.encode(), language="java").tokens
    bits = background().bits(text, np.zeros(len(text), np.bool_))
    assert bits.total(len(text) - 5, len(text) - 2) < 1  # width = width
