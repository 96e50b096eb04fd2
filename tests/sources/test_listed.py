"""Lists of sources with optional names and revisions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wherefrom.errors import UsageError
from wherefrom.sources.listed import ListedSource, read_list


def test_a_list_of_lines() -> None:
    lines = ["# comment\n", "\n", "  a b \r\n", "https://example.org/a#b\n", "\t\n", " # too", "c"]
    assert read_list(lines) == [ListedSource("a b"), ListedSource("https://example.org/a#b"), ListedSource("c")]
    assert read_list([]) == []
    assert read_list(["\ufeff# comment\n", "a\n"]) == [ListedSource("a")]
    assert read_list(["\ufeffa\n", "b\n"]) == [ListedSource("a"), ListedSource("b")]
    assert read_list(["\ufeffa\0b\0"]) == [ListedSource("a"), ListedSource("b")]


def test_a_list_separated_by_nul_has_no_columns() -> None:
    listed = read_list(["a\0 b \0new\n", "line\0#c\0d\te\0{}\0"])
    assert [source.text for source in listed] == ["a", " b ", "new\nline", "#c", "d\te", "{}"]
    assert {(source.name, source.rev) for source in listed} == {(None, None)}


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ("/srv/a\tone", ListedSource("/srv/a", "one")),
        ("/srv/a\tone\tv1.0\n", ListedSource("/srv/a", "one", "v1.0")),
        ("/srv/a\t\tv1.0", ListedSource("/srv/a", None, "v1.0")),
        (" /srv/a \t one \t v1.0 \t\t\n", ListedSource("/srv/a", "one", "v1.0")),
        ("/srv/a\t\t", ListedSource("/srv/a")),
        ('{"source": "/srv/a"}', ListedSource("/srv/a")),
        (' {"rev": "v1", "source": "/srv/\\ta", "name": "one"}\n', ListedSource("/srv/\ta", "one", "v1")),
        ('{"source": "/srv/a", "name": null, "rev": null}', ListedSource("/srv/a")),
        ("./{a}", ListedSource("./{a}")),
    ],
)
def test_a_line_may_have_a_name_and_a_revision(line: str, source: ListedSource) -> None:
    assert read_list([line]) == [source]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("a\tb\tc\td", "more columns"),
        ("\tname", "first column is empty"),
        ("a\tb\x1b[2J", "do not print"),
        ("{a}", "not a JSON object"),
        ("{" * 100_000, "not a JSON object"),
        ('{"source": "a", "revision": "b"}', "'revision' is not known"),
        ('{"name": "a"}', '"source" must be'),
        ('{"source": 1}', '"source" must be'),
        ('{"source": ""}', '"source" must be'),
        ('{"source": "a", "name": ""}', "the name of a source must be a text"),
        ('{"source": "a", "rev": 1}', "the revision of a source must be a text"),
        ('{"source": "\\ud800"}', "characters that no path has"),
    ],
)
def test_the_error_for_a_wrong_line_has_its_number(line: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=r"^line 3 of the list: ") as caught:
        read_list(["# all\n", "fine\n", line])
    assert wrong in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("source", [b"bytes", 3, None])
def test_a_source_is_a_text_or_a_path(source: Any) -> None:
    assert ListedSource(Path("a"), rev="b").text == "a"
    with pytest.raises(UsageError, match=r"is not a path or a URL; give a text or a Path"):
        ListedSource(source)
