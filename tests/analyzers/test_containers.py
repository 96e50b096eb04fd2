"""Notebooks, Markdown and HTML are split, with positions in the file."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.containers import Segment, segments


def found(language: str, content: bytes) -> list[tuple[str, bytes]]:
    return [(segment.language, segment.text) for segment in segments(language, content) if segment.text.strip()]


def origin(segment: Segment, content: bytes, part: bytes) -> bytes:
    """The bytes of the file that `part` of the segment comes from."""
    assert segment.origin is not None
    start = segment.text.index(part)
    return content[segment.origin.offsets[start] : segment.origin.stops[start + len(part) - 1]]


def notebook(*cells: dict[str, Any], language: str = "python", **options: Any) -> bytes:
    metadata = {"kernelspec": {"name": "x", "language": language}}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}, **options).encode()


def code(*lines: str) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "outputs": [{"text": ["source"]}], "source": list(lines)}


def test_other_files_are_one_segment() -> None:
    assert segments("python", b"a = 1\n") == [Segment("python", b"a = 1\n")]


def test_markdown_fences_have_their_own_language() -> None:
    content = (
        b"# Title\n\n```python\na = 1\n```\n\nWords.\n\n  ~~~~ {.js}\n  var a;\n  ~~~\n  ~~~~\n```\nplain\n```\nEnd\n"
    )
    assert found("markdown", content) == [
        ("text", b"# Title\n\n"),
        ("python", b"a = 1\n"),
        ("text", b"\nWords.\n\n"),
        ("javascript", b"  var a;\n  ~~~\n"),
        ("text", b"plain\n"),
        ("text", b"End\n"),
    ]
    for segment in segments("markdown", content):
        if segment.text:
            assert origin(segment, content, segment.text) == segment.text


@pytest.mark.parametrize(
    ("info", "language"),
    [
        (b"python", "python"),
        (b"{r, echo=FALSE}", "text"),
        (b"{python}", "python"),
        (b"C++ title=x", "cpp"),
        (b"md", "text"),
        (b"", "text"),
    ],
)
def test_fence_labels(info: bytes, language: str) -> None:
    assert found("markdown", b"```" + info + b"\nx\n```\n") == [(language, b"x\n")]


def test_an_open_fence_reaches_to_the_end() -> None:
    assert found("markdown", b"a\n```c\nint a;\n") == [("text", b"a\n"), ("c", b"int a;\n")]


def test_a_piece_may_begin_inside_a_fence() -> None:
    content = b"  a = 1\n  ```\nWords.\n```js\nvar a;\n```\n"
    whole = segments("markdown", content, begins_in="python")
    assert [(segment.language, segment.text) for segment in whole if segment.text] == [
        ("python", b"  a = 1\n"),
        ("text", b"Words.\n"),
        ("javascript", b"var a;\n"),
    ]
    assert origin(whole[-2], content, b"var a;") == b"var a;"
    assert [(part.language, part.text) for part in segments("markdown", b"a = 1\n```", begins_in="python")][1] == (
        "python",
        b"a = 1\n",
    )


def test_code_in_backticks_is_no_fence() -> None:
    assert found("markdown", b"``` a ``` b\nc\n") == [("text", b"``` a ``` b\nc\n")]


def test_html_parts_have_their_own_language() -> None:
    content = (
        b"<style>a { b: c; }</style>\n<script>var a = '<b>';</script>\n"
        b"<SCRIPT type='text/typescript'>let t: T;</SCRIPT>\n<script type=\"application/json\">{}</script>\n"
        b"<!-- <script>no</script> -->\n<script lang=ts>let u: U;</script><p>x</p>"
    )
    whole, *parts = segments("html", content)
    assert [(part.language, part.text) for part in parts] == [
        ("css", b"a { b: c; }"),
        ("javascript", b"var a = '<b>';"),
        ("typescript", b"let t: T;"),
        ("typescript", b"let u: U;"),
    ]
    assert len(whole.text) == len(content)
    assert b"var a" not in whole.text
    assert b"{}</script>" in whole.text
    assert all(origin(part, content, part.text) == part.text for part in parts)


@pytest.mark.parametrize(
    ("content", "language", "code"),
    [
        (b"<% if (a) { %><p id=<%= b %>></p><% } %>", "javascript", b" if (a) { \n b \n } \n"),
        (b"<% { %><%-c -%><%_ } _%>x", "javascript", b" { \nc \n } \n"),
        (b"<%# x %><% for a in b do -%>\n<%== a.c %>\n<% end %><%% x %>", "ruby", b" for a in b do \n a.c \n end \n"),
        (b"<% a.each do |b| %><% if b %>c<%end%>", "ruby", b" a.each do |b| \n if b \nend\n"),
        (b"<%@ page %><%-- a --%><%! int b; %><%= c %>", "java", b" int b; \n c \n"),
        (b'<%@ Page Language="C#" %><% var a = b(); %>', "csharp", b" var a = b(); \n"),
        (b"<% List<String> a = b(); %><script>d</script><% e(); %>", "java", b" List<String> a = b(); \n e(); \n"),
        (b"@code\n{\n  int a;\n}\n<p>@a</p>\n@{\n  b();\n}\n", "csharp", b"\n  int a;\n\n\n  b();\n\n"),
        (b"---\n\nimport a from 'b';\n---\n<p>{a}</p>", "typescript", b"\n\nimport a from 'b';\n\n"),
        (b"<p><% a(", "javascript", b" a("),
    ],
)
def test_the_code_of_templates_has_its_own_language(content: bytes, language: str, code: bytes) -> None:
    whole, *scripts, part = segments("html", content)
    assert (part.language, part.text) == (language, code)
    assert len(whole.text) == len(content)
    assert not any(word in whole.text.split() for word in code.split())
    assert [script.text for script in scripts] == [b"d"] * (b"<script>" in content)
    assert origin(part, content, code.split()[0]) == code.split()[0]


@pytest.mark.parametrize(
    "content",
    [
        b"---\nlayout: a\n---\n<p>import b</p>",
        b"a\n---\nimport b\n---\n",
        b"<!-- <% a %> --><%# b %><%-- c --%><%@ d %>",
        b"<style>\n@media print {\n}\n</style>@{ a }\nb @code {\n}",
        b"<script type='text/template'><% a %></script>",
    ],
)
def test_what_only_looks_like_code_of_a_template(content: bytes) -> None:
    assert {part.language for part in segments("html", content)} <= {"html", "css"}


def test_html_that_does_not_end() -> None:
    assert [segment.language for segment in segments("html", b"<p><script>var a;")] == ["html", "javascript"]
    assert [segment.language for segment in segments("html", b"<p><!-- <script>")] == ["html"]
    assert [segment.language for segment in segments("html", b"<script " * 5000)] == ["html"]


def test_notebook_cells() -> None:
    content = notebook(
        code("import os\n", 'x = "é\\t"\n'),
        {"cell_type": "markdown", "source": "# Words\nand more"},
        {"cell_type": "raw", "source": ["as it is"]},
        code(),
        indent=1,
    )
    cells = segments("jupyter", content)
    assert [(cell.language, cell.text) for cell in cells] == [
        ("python", 'import os\nx = "é\\t"\n'.encode()),
        ("text", b"# Words\nand more"),
        ("text", b"as it is"),
    ]
    assert origin(cells[0], content, b"import os") == b"import os"
    assert origin(cells[0], content, 'x = "é'.encode()) == b'x = \\"\\u00e9'
    assert origin(cells[0], content, b"\\t") == b"\\\\t"
    assert origin(cells[0], content, b"os\nx") == b'os\\n",\n    "x'
    assert origin(cells[1], content, b"and") == b"and"


def test_notebook_escapes() -> None:
    text = "'😀' + '\\ud83d' + '\"/\\\\'"
    cells = segments("jupyter", notebook(code(text)))
    assert cells[0].text.decode() == text
    raw = b'{"cells": [{"cell_type": "code", "source": "a\\/b \\ud83d\\ude00 \\ud83d \\u0041"}]}'
    assert segments("jupyter", raw)[0].text.decode() == "a/b 😀 ? A"


def test_magics_are_blanked_and_may_tell_the_language() -> None:
    content = notebook(
        code("%matplotlib inline\n", "!ls\n", "a = 1 % 2\n"), code("%%bash\n", "ls -l\n"), code("%%time\n", "f()\n")
    )
    cells = segments("jupyter", content)
    assert [(cell.language, cell.text.split()) for cell in cells] == [
        ("python", [b"a", b"=", b"1", b"%", b"2"]),
        ("bash", [b"ls", b"-l"]),
        ("python", [b"f()"]),
    ]
    assert origin(cells[0], content, b"a = 1") == b"a = 1"


@pytest.mark.parametrize(("kernel", "language"), [("julia", "julia"), ("R", "text"), ("Scala", "scala")])
def test_the_kernel_tells_the_language(kernel: str, language: str) -> None:
    assert found("jupyter", notebook(code("a %% b\n"), language=kernel)) == [(language, b"a %% b\n")]


def test_notebooks_of_format_3() -> None:
    document = {
        "worksheets": [
            {"cells": [{"cell_type": "code", "input": ["a = 1\n"]}, {"cell_type": "heading", "source": "H"}]}
        ]
    }
    assert found("jupyter", json.dumps(document).encode()) == [("python", b"a = 1\n"), ("text", b"H")]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[1, 2]",
        b'{"a": 1}',
        b'{"cells": [',
        b"\xff",
        b'{"cells": ' + b"[" * 100_000,
        b"[" * 5000 + b"]" * 5000,
        b"1" * 5000,
    ],
)
def test_malformed_notebooks_are_text(content: bytes) -> None:
    assert segments("jupyter", content) == [Segment("text", content)]


@pytest.mark.parametrize(
    "cells", [b"[]", b"{}", b"3", b'"x"', b"[[]]", b'[{"source": 3}]', b'[{"source": {"a": "b"}}]', b'["a"]']
)
def test_strange_notebooks_have_no_cells(cells: bytes) -> None:
    assert segments("jupyter", b'{"cells": ' + cells + b"}") == []


@given(st.lists(st.lists(st.text(max_size=20), max_size=4), max_size=4), st.booleans(), st.sampled_from([None, 0, 2]))
def test_any_notebook_gives_its_cells_back(sources: list[list[str]], ascii_only: bool, indent: int | None) -> None:
    cells = [{"cell_type": "raw", "source": lines} for lines in sources]
    content = json.dumps({"cells": cells}, ensure_ascii=ascii_only, indent=indent).encode(errors="replace")
    found_cells = segments("jupyter", content)
    wanted = ["".join(lines).encode(errors="replace") for lines in sources if lines]
    assert [cell.text for cell in found_cells] == wanted
    for cell in found_cells:
        assert cell.origin is not None
        assert (np.diff(cell.origin.offsets) >= 0).all()
        assert (cell.origin.offsets[:-1] < cell.origin.stops).all()


@given(st.text('ab`~ \n\t{<!->/script style="', max_size=100), st.sampled_from(["markdown", "html"]))
def test_parts_are_where_they_say(text: str, language: str) -> None:
    content = text.encode()
    for segment in segments(language, content):
        if segment.origin is not None and segment.text:
            assert origin(segment, content, segment.text) == segment.text
