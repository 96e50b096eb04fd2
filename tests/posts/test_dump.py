"""Dumps are read forwards in constant memory, whatever they contain, and from where an earlier reading stopped."""

from __future__ import annotations

import bz2
import gzip
import io
import random
import tracemalloc
from collections.abc import Iterator
from datetime import date
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, cast

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.posts.conftest import SAMPLES, dump, row
from wherefrom.errors import NotFound, SourceError
from wherefrom.posts import dump as dump_module
from wherefrom.posts import dump as rows_module
from wherefrom.posts.dump import Dump, RowSkip, open_dump
from wherefrom.posts.post import Post, code_blocks

SITE = "stackoverflow.com"


def reading(content: bytes, start: int = 0) -> Dump:
    return Dump(io.BytesIO(content), name="Posts.xml", site=SITE, start=start)


def posts(content: bytes, start: int = 0) -> list[Post]:
    return list(reading(content, start))


def sample(name: str, site: str) -> tuple[Dump, list[Post]]:
    with open_dump(SAMPLES / name) as file:
        reader = Dump(file, name=name, site=site)
        return reader, list(reader)


def test_rows_of_an_early_dump() -> None:
    _, (question, answer, other, last) = sample("early.xml", SITE)
    assert [post.id for post in (question, answer, other, last)] == [3, 5, 8, 9]
    assert (question.question, question.created, question.license) == (3, date(2008, 8, 2), "CC-BY-SA-2.5")
    assert question.tags == ("c#", "floating-point", "type-conversion", "average")
    assert (answer.question, answer.tags) == (3, question.tags)
    assert [block.text for block in code_blocks(answer.body)] == [
        "double mean = values.Sum() / values.Length;\n",
        "double mean = values.Average();\nDebug.Assert(mean >= values.Min() && mean <= values.Max());\n",
    ]
    assert code_blocks(other.body) == ()
    [block] = code_blocks(last.body)
    assert block.labels == ("csharp",)
    assert "if (past.TotalSeconds < 60)\n\treturn" in block.text


def test_rows_of_a_late_dump_with_others_between_them() -> None:
    reader, found = sample("late.xml", "bioinformatics.stackexchange.com")
    assert [post.id for post in found] == [1, 2, 5, 6, 8]
    assert reader.skipped == {RowSkip.OTHER_TYPE: 3}
    assert {post.license for post in found} == {"CC-BY-SA-4.0"}
    assert [post.tags for post in found] == [
        *(("r", "rna-seq"), ("r", "rna-seq"), ("perl", "vcf", "table"), ("perl", "vcf", "table"), ("r", "rna-seq"))
    ]
    assert [block.labels for post in found for block in code_blocks(post.body)] == [
        *(("r",), ("bash",), ("py",), ("none",), (), ("perl",), ())
    ]
    table, script = code_blocks(found[2].body)
    assert len(table.text.splitlines()) == 600
    assert "/;\r\nprint" in found[2].body
    assert script.text.startswith("my @columns = split /\\t/;\nprint")
    assert "\u03b1 and \u03b2" in found[0].body


def test_rows_that_give_no_post_are_counted() -> None:
    reader = reading(
        dump(
            row(1),
            row(2, PostTypeId="5"),
            row(3, PostTypeId="2", ParentId="1"),
            row(4, PostTypeId="2"),
            row(5, CreationDate="yesterday"),
            row(6, Id="six"),
            row(6, Id="9223372036854775808"),
            row(6, PostTypeId="2", ParentId="-1"),
            "<row Id='7' PostTypeId='1' CreationDate='2012-01-01'/>",
            "<row/>",
        )
    )
    assert [post.id for post in reader] == [1, 3]
    assert reader.skipped == {RowSkip.OTHER_TYPE: 2, RowSkip.INCOMPLETE: 6}


def test_the_stated_license_and_new_tags() -> None:
    [post] = posts(dump(row(1, ContentLicense="CC BY-SA 4.0", Tags="|a|b|")))
    assert (post.license, post.tags) == ("CC-BY-SA-4.0", ("a", "b"))


@pytest.mark.parametrize("reference", ["&#x0E;", "&#x1b;", "&#xE;", "&#14;", "&#1;", "&#xD800;", "&#xFFFE;", "&#x00;"])
def test_references_that_no_parser_takes_are_blanks_wherever_a_chunk_ends(reference: str) -> None:
    before = len(dump(row(1, Body="@")).partition(b"@")[0])
    for cut in range(len(reference) + 1):
        content = dump(row(1, Body="x" * (65_536 - before - cut) + "@b\n")).replace(b"@", reference.encode())
        [post] = posts(content)
        assert post.body.lstrip("x") in {" b\n", "\tb\n"}


def test_good_references_stay() -> None:
    content = dump(row(1, Body="@")).replace(b"@", b"&#x9;&#10;&#xD;&#x20;&#x1F600;&#xE9;&#x10;"[:-6])
    assert posts(content)[0].body == "\t\n\r \U0001f600é"


def positions(content: bytes) -> Iterator[tuple[Post, int]]:
    reader = reading(content)
    for post in reader:
        yield post, reader.position


questions_and_answers = st.lists(st.tuples(st.booleans(), st.integers(1, 12), st.integers(0, 300)), max_size=12)


@given(questions_and_answers, st.integers(0, 900), st.integers(1, 5), st.integers(1, 300))
def test_reading_on_gives_what_reading_in_one_go_gives(
    made: list[tuple[bool, int, int]], window: int, questions: int, chunk: int
) -> None:
    content = dump(
        *(
            row(at, Tags=f"<t{at}>", Body="x" * length)
            if is_question
            else row(at, PostTypeId="2", ParentId=str(parent), Body="x" * length)
            for at, (is_question, parent, length) in enumerate(made, 1)
        )
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dump_module, "WINDOW", window)
        patch.setattr(dump_module, "QUESTIONS", questions)
        patch.setattr(rows_module, "CHUNK", chunk)
        whole = list(positions(content))
        for at, (_, position) in enumerate(whole):
            assert posts(content, position) == [post for post, _ in whole[at + 1 :]]


def test_tags_are_remembered_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    content = dump(
        row(1, Tags="<one>"),
        row(2, Tags="<two>"),
        row(3, PostTypeId="2", ParentId="1"),
        row(4, Tags="<four>"),
        row(5, PostTypeId="2", ParentId="1"),
        row(6, PostTypeId="2", ParentId="4"),
    )
    assert [post.tags for post in posts(content)] == [("one",), ("two",), ("one",), ("four",), ("one",), ("four",)]
    monkeypatch.setattr(dump_module, "QUESTIONS", 2)
    assert [post.tags for post in posts(content)] == [("one",), ("two",), ("one",), ("four",), (), ("four",)]
    monkeypatch.setattr(dump_module, "WINDOW", 1)
    assert [post.tags for post in posts(content)] == [("one",), ("two",), (), ("four",), (), ()]


def test_a_position_behind_the_last_post_is_the_end() -> None:
    content = dump(row(1), row(2))
    [*_, (_, position)] = positions(content)
    assert posts(content, position) == []


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, zstandard.compress])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_packed_dumps(pack: type[bytes], bom: bytes, tmp_path: Path) -> None:
    path = tmp_path / "Posts.xml"
    path.write_bytes(pack(bom + dump(*(row(at) for at in range(1, 9)))))
    with open_dump(path) as file:
        reader = Dump(file, name="Posts.xml", site=SITE)
        assert [post.id for post in islice(reader, 3)] == [1, 2, 3]
    with open_dump(path) as file:
        rest = Dump(file, name="Posts.xml", site=SITE, start=reader.position)
        assert [post.id for post in rest] == [4, 5, 6, 7, 8]


def cut_dumps() -> Iterator[tuple[str, bytes, int]]:
    """A dump of 1,999 rows, cut in some way, and the least number of rows that can still be read."""
    content = dump(*(row(at, Body=random.Random(at).randbytes(300).hex()) for at in range(1, 2000)))
    yield "plain", content[:-100], 1997
    yield "without its end", content.removesuffix(b"</posts>"), 1998
    yield "gzip", gzip.compress(content)[:-100], 1500
    yield "bzip2", bz2.compress(content)[:-100], 500
    yield "zstd", zstandard.compress(content)[:-50], 1500


@pytest.mark.parametrize(("content", "least"), [pytest.param(cut, least, id=name) for name, cut, least in cut_dumps()])
def test_a_dump_that_was_cut_gives_its_rows_and_says_where_it_ends(content: bytes, least: int, tmp_path: Path) -> None:
    path = tmp_path / "Posts.xml"
    path.write_bytes(content)
    found: list[int] = []
    with open_dump(path) as file:
        reader = (post.id for post in Dump(file, name="Posts.xml", site=SITE))
        with pytest.raises(
            SourceError, match=r"^Posts\.xml ends in the middle, behind .*; fetch or unpack it"
        ) as error:
            found.extend(reader)
    place = f"post {found[-1]} (byte " if found else "its beginning"
    assert f"behind {place}" in str(error.value)
    assert found == list(range(1, len(found) + 1))
    assert len(found) > least


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            b"",
            r"^Posts\.xml is not a Posts\.xml dump: no element found; give the site's Posts\.xml, plain or packed",
        ),
        (b"<posts>", "ends in the middle, behind its beginning"),
        (b"<users></users>", r"is not a Posts\.xml dump: its root is 'users', not 'posts'; give the site's"),
        (b"import sys\n\nprint(sys.path)\n", r"is not a Posts\.xml dump: syntax error; give the site's"),
        (b"x = 1\n" * 50_000, r"is not a Posts\.xml dump: syntax error; give the site's"),
        (
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            r"is not a Posts\.xml dump: not well-formed \(invalid token\); give the site's",
        ),
        (b"<posts><row><row/></row></posts>", "it holds 'row' where rows are expected"),
        (b"<posts><user/></posts>", "it holds 'user' where rows are expected"),
        (b"<posts>" + b"<a>" * 100_000, "it holds 'a' where rows are expected"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><posts/>', "it has a document type declaration"),
        (b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><posts/>', "it has a document type declaration"),
        (b"<posts>\n" + row(8).encode() + b"<row Id='9' & />", r"damaged behind post 8 \(byte \d+\): not well-formed"),
        (b"<posts><row Id='\xff'/></posts>", "not well-formed"),
        (b"\x1f\x8b nothing", r"is not a Posts\.xml dump: not well-formed"),
    ],
)
def test_what_is_no_dump_is_one_line(content: bytes, reason: str) -> None:
    with pytest.raises(SourceError, match=reason) as error:
        posts(content)
    assert str(error.value).isprintable()


def test_rows_before_the_damage_are_given() -> None:
    reader = reading(b"<posts>\n" + row(8).encode() + b"<row Id='9' & />")
    taken: list[Post] = []
    with pytest.raises(SourceError):
        taken.extend(reader)
    assert [post.id for post in taken] == [8]


def test_a_row_without_end_is_refused_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_module, "LONGEST_ROW", 200_000)
    with pytest.raises(SourceError, match=r"a row has more than 200,000 bytes"):
        posts(dump(row(1), row(2, Body="x" * 300_000)))
    assert len(posts(dump(*(row(at, Body="x" * 90_000) for at in range(5))))) == 5


def test_a_position_behind_the_end_is_another_dump() -> None:
    with pytest.raises(SourceError, match="ends in the middle"):
        posts(dump(row(1)), start=10**6 + dump_module.WINDOW)


def test_an_archive_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "dump.7z"
    path.write_bytes(b"7z\xbc\xaf\x27\x1c" + b"\0" * 40)
    with pytest.raises(SourceError, match=r"dump\.7z is a 7z archive, which is not read; unpack it first: 7z x "):
        open_dump(path)
    with pytest.raises(NotFound, match="no such file"):
        open_dump(tmp_path / "missing")
    with pytest.raises(SourceError, match=r"cannot read .*: Is a directory"):
        open_dump(tmp_path)


@pytest.mark.slow
def test_memory_is_flat() -> None:
    class Endless(io.RawIOBase):
        """A dump of any size, made while it is read."""

        def __init__(self, rows: int) -> None:
            self.pieces = chain([b"<posts>"], (row(at, Body="x" * 2000).encode() for at in range(rows)), [b"</posts>"])

        def read(self, size: int = -1, /) -> bytes:
            return next(self.pieces, b"")

    def peak(rows: int) -> int:
        tracemalloc.start()
        dump = Dump(cast(BinaryIO, Endless(rows)), name="Posts.xml", site=SITE)
        assert sum(1 for _ in dump) == rows
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dump_module, "QUESTIONS", 100)
        few = peak(500)
        assert peak(5000) < few + 200_000
