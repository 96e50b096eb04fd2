from __future__ import annotations

import dataclasses
import re
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest

from tests.reports.rendered import rendered
from tests.results import answers
from wherefrom.model import KeyKind, RepositoryRecord, Representation
from wherefrom.reports.hit_fields import DOUBTS, quoted
from wherefrom.reports.layout import columns
from wherefrom.reports.renderer import Look, WholeFile
from wherefrom.reports.search import RENDERERS
from wherefrom.reports.search.text import SIDE_BY_SIDE, regions_around
from wherefrom.results import Attribution, ChainExplanation, Doubt, Region, Verdict
from wherefrom.results.locations import Texts

if TYPE_CHECKING:
    from wherefrom.results import SearchResult

ESCAPE = re.compile(r"\x1b\[\d+m")


def shown(result: SearchResult, query: bytes | None, document: bytes | None, look: Look | None = None) -> str:
    texts = Texts(query, lambda _: document)
    return rendered(RENDERERS["text"], dataclasses.replace(result, texts=texts), look or Look())


def test_a_heading_shows_match_location_and_lines(result: SearchResult, query: bytes, document: bytes) -> None:
    text = shown(result, query, document)
    assert "1. 91%  github.com/x/y  src/best.py:3-25\n" in text
    why = "31 of 34 tokens in the same order, 2 of them with another name or literal; 46 left out"
    assert f"   strong: 0.97 probable · {why} · also in 1 other project · python\n" in shown(
        result, query, document, Look(width=200)
    )
    assert (
        "and 12 more locations:\n     64%  github.com/x/y  src/near.py:3-6\n     91%  github.com/x/z  lib/00.py:3-25\n"
    ) in text
    assert "... 7 more (--locations lists all)" in text
    assert "2. 20%  github.com/x/y  src/near.py:3-25\n" in text


def test_the_day_of_the_first_appearance_is_beside_each_place(result: SearchResult) -> None:
    text = shown(answers.aged(result), None, None, Look(width=200))
    age = "here since 2016-05-06, as it is now since 2019-03-02"
    assert f"   {age}; {DOUBTS[Doubt.IMPORT]}; {DOUBTS[Doubt.VENDORED]}\n" in text
    assert "     64%  github.com/x/y  src/near.py:3-6  since 2019-03-02\n" in text
    assert "     91%  github.com/x/z  lib/00.py:3-25\n" in text
    assert "   here since 2019-03-02 (v1.2)\n" in text
    assert "since" not in shown(result, None, None)


def test_the_guarantee_is_part_of_an_explanation(result: SearchResult) -> None:
    guarantee = "any shared run of 23 tokens or more is sure to be found (window 16)"
    assert guarantee not in shown(result, None, None)
    assert guarantee in shown(result, None, None, Look(explain=True))


def test_an_explanation_has_each_identifier_of_a_location_on_one_line(result: SearchResult) -> None:
    hit = result.hits[0]
    record = RepositoryRecord("github.com/x/y", "/y", "git", "c" * 40, "", 1, 1, {}, "", key_kind=KeyKind.REMOTE)
    occurrences = (dataclasses.replace(hit.occurrences[1], path="src/\x1b[2J\n" + "long/" * 30, revision="c" * 40),)
    hit = dataclasses.replace(hit, occurrences=occurrences, repositories={record.key: record})
    [location] = hit.locations
    text = shown(dataclasses.replace(result, hits=(hit,)), None, None, Look(explain=True, width=80))
    assert f"\n   {location.swhid}\n" in text
    assert "swh:1:" not in shown(dataclasses.replace(result, hits=(hit,)), None, None, Look())
    assert location.purl is None  # there is no package URL, because the path ends with a slash
    hit = dataclasses.replace(hit, occurrences=(dataclasses.replace(occurrences[0], path="src/\x1b[2J\n.py"),))
    text = shown(dataclasses.replace(result, hits=(hit,)), None, None, Look(explain=True, width=80))
    assert f"\n   pkg:github/x/y@{'c' * 40}#src/%1B%5B2J%0A.py\n" in text
    gone = dataclasses.replace(hit, occurrences=())
    assert f"\n   {hit.swhid}\n" in shown(dataclasses.replace(result, hits=(gone,)), None, None, Look(explain=True))


def test_the_marks_are_explained_once(result: SearchResult, query: bytes, document: bytes) -> None:
    legend = "   > the line matches   ~ less than half of it does\n"
    assert shown(result, query, document).count(legend) == 1
    assert legend not in shown(result, query, document, Look(legend=False))
    assert legend not in shown(result, query, None)


def test_verdicts_of_further_locations_are_counted(result: SearchResult) -> None:
    text = shown(answers.attributed(result), None, None)
    assert "and 12 more locations (5 attributed, 7 unattributed):\n" in text
    hint, evidence = (quoted(line) for line in (answers.HINT, answers.EVIDENCE))
    wide = shown(answers.attributed(result), None, None, Look(width=200))
    assert (
        "     91%  github.com/x/z  lib/00.py:3-25  unattributed  [MIT]\n"
        f"       hint, elsewhere in the repository: {hint}\n"
        "     91%  github.com/x/z  lib/01.py:3-25  attributed  [MIT]\n"
        f"       beside the match: {evidence}\n"
    ) in wide
    alike = answers.attributed(result).hits[0]
    alike = dataclasses.replace(alike, attributions=alike.attributions[1:2] * len(alike.occurrences))
    text = shown(dataclasses.replace(result, hits=(alike,)), None, None)
    near = "     64%  github.com/x/y  src/near.py:3-6"
    assert f"and 12 more locations (all attributed):\n{near}  attributed  [MIT]\n       beside" in text
    silent = dataclasses.replace(alike, attributions=(Attribution(Verdict.UNATTRIBUTED),) * len(alike.occurrences))
    text = shown(dataclasses.replace(result, hits=(silent,)), None, None)
    assert f"{near}  unattributed\n     91%  github.com/x/z  lib/00.py:3-25  unattributed\n" in text


def test_left_out_tokens_and_a_search_that_stopped_are_reported(result: SearchResult) -> None:
    text = shown(result, None, None)
    assert "3 hits, the best 2 shown" in text
    assert "46 tokens as boilerplate" in text
    assert "max-df" not in text
    query = dataclasses.replace(result.query, excluded={"boilerplate": 0, "max_df": 12}, excluded_tokens=0)
    text = shown(dataclasses.replace(result, query=query), None, None)
    assert "left out of the query: 12 k-grams as too frequent (--max-df)\n" in text
    assert "excluded" not in text
    assert "The search stopped here" in text
    assert "The search stopped" not in shown(dataclasses.replace(result, truncated=False), None, None)


def test_both_sides_below_each_other_with_a_mark(result: SearchResult, query: bytes, document: bytes) -> None:
    lines = shown(result, query, document, Look(width=80)).splitlines()
    assert lines.index("   snippet snip.py") < lines.index("   file src/best.py")
    assert "    2 >     parts = line.split(',')" in lines
    assert "    3 >     fields = line.split(',')" in lines
    assert "    6       return out" in lines
    assert any("unmatched lines ..." in line for line in lines)


def test_left_out_lines_come_with_a_way_to_see_them(result: SearchResult, query: bytes, document: bytes) -> None:
    text = shown(result, query, document, Look(width=80, max_lines=5))
    assert re.search(r"\.\.\. \d+ more lines \(--max-lines 0 shows all\) \.\.\.", text)
    assert "--max-lines" not in shown(result, query, document, Look(width=80, max_lines=None))
    assert "def main" not in shown(result, query, document, Look(context=0))
    assert "def main" in shown(result, query, document, Look(context=9))


@pytest.mark.parametrize(("matched", "mark"), [(8, ">"), (3, "~")])
def test_a_line_that_matches_by_less_than_half_has_another_mark(
    result: SearchResult, query: bytes, matched: int, mark: str
) -> None:
    end = query.index(b"\n")
    pair = dataclasses.replace(result.hits[0].regions[0], query=Region(end - matched, end, 1, 1))
    hit = answers.with_regions(result.hits[0], (pair,))
    assert f" 1 {mark} def parse(line):" in shown(dataclasses.replace(result, hits=(hit,)), query, query)


def test_both_sides_beside_each_other(result: SearchResult, query: bytes, document: bytes) -> None:
    lines = shown(result, query, document, Look(width=SIDE_BY_SIDE)).splitlines()
    [line] = [line for line in lines if "parts = line" in line][:1]
    left, right = line.split(" │ ")
    assert left.strip() == "2 >     parts = line.split(',')"
    assert right.strip() == "3 >     fields = line.split(',')"
    assert len({line.index("│") for line in lines if "│" in line}) == 1


def test_wide_characters_keep_both_sides_in_their_columns(result: SearchResult, query: bytes, document: bytes) -> None:
    wide = query.replace(b"line", "\u6f22\u5b57".encode()), document.replace(b"line", "\u6f22".encode())
    lines = shown(result, *wide, Look(width=SIDE_BY_SIDE)).splitlines()
    starts = {columns(line[: line.index("│")]) for line in lines if "│" in line}
    assert len(starts) == 1
    assert any("\u6f22" in line for line in lines)


@pytest.mark.parametrize("width", [40, 80, 139, 140, 200])
def test_colors_do_not_change_the_text(result: SearchResult, query: bytes, document: bytes, width: int) -> None:
    plain = shown(result, query, document, Look(width=width, explain=True))
    colored = shown(result, query, document, Look(color=True, width=width, explain=True))
    assert "\x1b" not in plain
    assert [line.rstrip() for line in ESCAPE.sub("", colored).splitlines()] == plain.splitlines()
    assert "\x1b[32mprint(parse" in colored


@pytest.mark.parametrize("width", [40, 140])
def test_code_never_leaves_the_terminals_width(result: SearchResult, width: int) -> None:
    wide = "漢字 = '漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字'\n".encode() * 40
    text = shown(result, wide, wide, Look(width=width))
    code = [line for line in text.splitlines() if "漢" in line]
    assert code
    assert max(map(columns, code)) <= width


def test_hostile_code_and_names_are_made_visible(result: SearchResult) -> None:
    hostile = b"\x1b]0;pwned\x07 \x9b2J \xe2\x80\xae \xff\xfe\r x\x00\n" * 30
    hit = result.hits[0]
    evil = "p\x1b[2J\u202e\n\udcff"
    occurrences = (
        dataclasses.replace(hit.occurrences[1], path=evil, repository=evil),
        dataclasses.replace(hit.occurrences[0], path=evil, repository=evil),
    )
    answer = dataclasses.replace(
        result,
        query=dataclasses.replace(result.query, name=evil, language=evil),
        hits=(dataclasses.replace(hit, occurrences=occurrences, language=evil),),
    )
    for source in (hostile, None):
        for width in (80, 140):
            text = shown(answer, hostile, source, Look(width=width, explain=True))
            kinds = {unicodedata.category(character) for character in text.replace("\n", "")}
            assert not kinds & {"Cc", "Cf", "Cs", "Zl", "Zp"}
            assert "␛" in text


def test_without_the_source_the_regions_are_named_with_a_way_to_keep_it(result: SearchResult, query: bytes) -> None:
    text = shown(result, query, None)
    assert "lines 2-5 of the snippet: lines 3-6 of the file (20 tokens, exact)" in text
    assert "--keep-source" in text
    assert "parts = line" not in text


def test_a_hit_by_fingerprints_has_lines_and_no_code(result: SearchResult, query: bytes, document: bytes) -> None:
    text = shown(answers.by_terms(result), query, document)
    assert "0.97 probable · also in 1 other project · by fingerprints alone, so less sure · python\n" in text
    assert "lines 1-8 of the snippet: lines 3-25 of the file\n" in text
    assert "longest run" not in text
    assert "fields = line" not in text
    assert "--keep-source" not in text


def test_a_hit_of_several_indexes_names_its_index(result: SearchResult) -> None:
    hits = [dataclasses.replace(hit, indexes=("one",) * len(hit.occurrences)) for hit in result.hits]
    text = shown(dataclasses.replace(result, hits=tuple(hits)), None, None)
    assert "   in the index one\n" in text
    assert "lib/00.py:3-25  in one\n" in text


def test_without_the_snippet_the_file_is_shown_alone(result: SearchResult, document: bytes) -> None:
    text = shown(result, None, document, Look(width=150))
    assert "fields = line" in text
    assert "snippet snip.py" not in text
    assert "│" not in text


def test_a_source_that_changed_since_is_not_an_error(result: SearchResult) -> None:
    assert "1. 91%  github.com/x/y" in shown(result, b"", b"short")


def test_a_query_that_is_too_short_is_reported_with_the_least_length(result: SearchResult) -> None:
    query = dataclasses.replace(result.query, tokens=3, fingerprints=0, needed=8, excluded={}, excluded_tokens=0)
    text = shown(dataclasses.replace(result, query=query, hits=(), total=0, truncated=False), b"x", None)
    assert text == "snip.py (python, 3 tokens): too short to be looked up: at least 8 tokens are needed\n"
    query = dataclasses.replace(query, tokens=40, needed=15, excluded_tokens=32)
    text = shown(dataclasses.replace(result, query=query, hits=(), total=0, truncated=False), b"x", None)
    assert text.splitlines()[0] == (
        "snip.py (python, 40 tokens): too short to be looked up: 8 of 40 tokens remain, at least 15 are needed"
    )


def test_no_hits_are_reported(result: SearchResult) -> None:
    text = shown(dataclasses.replace(result, hits=(), total=0, truncated=False), b"x", None)
    assert text.startswith("snip.py (python, 80 tokens): nothing found\n")


def test_similar_files_are_called_files(result: SearchResult, query: bytes, document: bytes) -> None:
    look = Look(file=WholeFile(lambda _: 0.25, 50))
    text = shown(result, query, document, look) + shown(result, query, None, look)
    assert "file snip.py" in text
    assert "lines 2-5 of the file: lines 3-6 of the other file" in text
    assert "Only the 50 files that share most with it were compared." in text
    assert "snippet" not in text
    assert "stopped" not in text
    nothing = dataclasses.replace(result, hits=(), total=0)
    head = "snip.py (python, 80 tokens): no similar file (at least 0.25 is needed)"
    assert shown(nothing, query, None, look).startswith(f"{head} among the 50 that share most with it\n")
    assert shown(dataclasses.replace(nothing, truncated=False), query, None, look).startswith(f"{head}\n")


def test_the_last_line_is_the_share_that_all_hits_match(result: SearchResult) -> None:
    assert "\nThe 2 hits shown together match 91% of the snippet.\n" in shown(result, None, None)
    every = dataclasses.replace(result, total=2)
    assert "\nAll 2 hits together match 91% of the snippet.\n" in shown(every, None, None)
    assert "together match" not in shown(dataclasses.replace(result, hits=result.hits[:1]), None, None)


def test_an_empty_query_is_reported(result: SearchResult) -> None:
    query = dataclasses.replace(result.query, fingerprints=0)
    text = shown(dataclasses.replace(result, query=query, hits=(), total=0, truncated=False), b"x", None)
    assert "46 tokens as boilerplate; nothing was left to look up" in text


def test_an_explanation_shows_the_bits_what_they_come_from_and_the_terms(result: SearchResult) -> None:
    lines = [line.strip() for line in shown(result, None, None, Look(explain=True)).splitlines()]
    begin = lines.index("score 41.30, containment 0.93, longest run 58 tokens") + 1
    assert lines[begin : begin + 4] == [
        "58 of 68 tokens are there in the same order: 21 of 24 names the same, 2 of 3 literals the same",
        "that is 184 bits of evidence: each bit halves the probability of a coincidence",
        "an answer of this length and rarity needs 92 bits",
        "the shared pieces are as rare here as 4.8 pieces that no other content has",
    ]
    assert any(re.fullmatch(r"renamed +ffffffffffffffff +3 of 990 +5\.50", line) for line in lines)
    assert "bits" not in shown(result, None, None)


def explained(result: SearchResult, **values: Any) -> str:
    """The text with another explanation of the first hit."""
    hit = result.hits[0]
    assert hit.explanation is not None
    changed = dataclasses.replace(hit, explanation=dataclasses.replace(hit.explanation, **values))
    return shown(dataclasses.replace(result, hits=(changed,)), None, None, Look(explain=True))


def test_an_explanation_of_a_whole_file_shows_its_chains(result: SearchResult) -> None:
    chains = (
        ChainExplanation(Representation.EXACT, 0.2, 40, 0.83, 58),
        ChainExplanation(Representation.P_MATCH, 0.21, 30, 0.7, 58),
    )
    text = explained(result, evidence=None, threshold=0.25, chains=chains)
    assert "an answer, since the score reached 0.25\n" in text
    assert re.search(r"exact +0\.20 +40 +83% +58\n", text)
    assert "bits" not in text


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"projects": 29}, "the model knows 29 projects of this language, so the bits are less sure"),
        ({"projects": 0}, "the model knows 0 projects of this language, so the bits are less sure"),
        ({"same_literals": 0, "other_literals": 0}, "in the same order: 21 of 24 names the same\n"),
        (
            {"same_names": 0, "other_names": 0, "same_literals": 0, "other_literals": 0},
            "58 of 68 tokens are there in the same order: no names or literals\n",
        ),
        ({"bits": -3.5}, "that is 0 bits of evidence"),
        ({"bits": 12345.6, "in_order": 4321}, "4,321 of 68 tokens are there in the same order"),
    ],
)
def test_evidence_is_told_in_words(result: SearchResult, changes: dict[str, Any], expected: str) -> None:
    assert expected in explained(result, evidence=dataclasses.replace(answers.FOUND, **changes))
    assert "less sure" not in explained(result, evidence=dataclasses.replace(answers.FOUND, projects=30))


def test_without_hits_the_nearest_miss_is_named_with_what_it_lacks() -> None:
    result = answers.nothing_found()
    text = shown(result, answers.QUERY, answers.DOCUMENT, Look(width=300))
    place = "github.com/x/y  src/<b>near␛.py:3-6 and 1 more location"
    lacks = "0.31 probable, 31 of 68 tokens in the same order, 3 of them with another name or literal"
    assert text.splitlines()[0].endswith(": nothing found")
    assert f"the nearest is {place}: {lacks}" in text.splitlines()
    assert "as rare here" not in text
    assert "def parse" not in text
    explained = shown(result, answers.QUERY, answers.DOCUMENT, Look(width=300, explain=True))
    assert f"{lacks}\n31 of 68 tokens are there in the same order: 9 of 11 names the same" in explained
    assert "the shared pieces are as rare here as 4.8 pieces that no other content has\n" in explained
    assert "def parse" not in explained


def test_many_regions_are_shortened_with_their_count(result: SearchResult, query: bytes) -> None:
    long = b"".join(b"line %d\n" % at for at in range(1000))
    starts = [long.index(b"line %d\n" % (at * 20)) for at in range(40)]
    hit = result.hits[0]
    regions = tuple(
        dataclasses.replace(
            hit.regions[0],
            query=dataclasses.replace(
                hit.regions[0].query, start_byte=start, end_byte=start + 4, start_line=line, end_line=line
            ),
            document=dataclasses.replace(
                hit.regions[0].document, start_byte=start, end_byte=start + 4, start_line=line, end_line=line
            ),
        )
        for start, line in ((start, long.count(b"\n", 0, start) + 1) for start in starts)
    )
    answer = dataclasses.replace(result, hits=(answers.with_regions(hit, regions),))
    assert "... 28 more regions (--format json lists all)" in shown(answer, long, None)


def test_the_wording_is_evidence_and_not_a_verdict(result: SearchResult, query: bytes, document: bytes) -> None:
    text = shown(result, query, document, Look(explain=True)).lower()
    assert not re.search(r"copied|stolen|plagiar|guilty|theft|cheat", text)


def test_the_regions_of_a_line_are_those_around_it() -> None:
    spans = [(9, 12), (1, 3), (3, 3), (3, 7), (20, 20)]
    regions = [Region(0, 1, first, last) for first, last in spans]
    around = regions_around(regions)
    for line in range(1, 22):
        expected = sorted((first, last) for first, last in spans if first <= line <= last)
        assert [(region.start_line, region.end_line) for region in around(line)] == expected
