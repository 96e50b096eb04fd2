"""Code is taken out of its wrapping; programs and documents stay as they are."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.wrapping import MOST_BLOCKS, Around, _mapped, begins_in_fence, unwrap
from wherefrom.support.html_code import HtmlBlock
from wherefrom.support.positions import Mapped, decode

CODE = """\
def merge(left, right):
    found = []
    while left and right:
        if left[0] < right[0] and right != "&amp;":
            found.append(left.pop(0))
        else:
            found.append(right.pop(0))

    return found + left + right
"""
SHORT = "int twice(int a) {\n    return a + a;\n}\n"

BEFORE = "You can do it like this, which also works for the older releases:\n"
AFTER = "It returns the first one that fits.\n"


def escaped(code: str) -> str:
    return code.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def indented(code: str, by: str) -> str:
    return "".join(by + line if line.strip() else line for line in code.splitlines(keepends=True))


def fenced(code: str, opening: str = "```python", closing: str = "```") -> str:
    return f"{opening}\n{code}{closing}\n"


def blocks(text: str, around: Around = "prose") -> list[tuple[str, str | None]]:
    mapped = decode(text.encode()) or Mapped.identity(text.encode())
    return [(block.mapped.text.decode(), block.language) for block in unwrap(mapped, around)]


SPANS = "".join(
    f'<span class="hljs-keyword">{escaped(word)}</span>' if word.isalpha() else escaped(word)
    for word in re.split(r"(\b(?:def|while|if|else|return|and)\b)", CODE)
)
MAIL = "On Mon, 3 Mar 2025 at 10:11, Jane Doe <jane@example.org> wrote:\n"

POST = f"""\
<p>You can use <code>merge(a, b)</code> as in <a href="x">this one</a>:</p>

<!-- language: lang-py -->

<pre><code>{escaped(CODE)}</code></pre>

<p>It fits.</p>
"""

WRAPPED = [
    ("pre and code", f"<pre><code>{escaped(CODE)}</code></pre>\n", None),
    ("every entity", f"<pre><code>{html.escape(CODE)}</code></pre>", None),
    ("code alone", f"<code>{escaped(CODE)}</code>\n", None),
    ("pre alone", f"\n<PRE>{escaped(CODE)}</PRE>\n", None),
    (
        "as Stack Overflow shows it",
        f'<pre class="lang-py s-code-block"><code class="hljs language-python">{SPANS}</code></pre>',
        "python",
    ),
    (
        "as GitHub shows it",
        f'<div class="highlight notranslate" dir="auto"><pre>{SPANS}</pre></div>',
        None,
    ),
    (
        "with a column of numbers",
        f"<table><tr><td><pre>1\n2\n3\n</pre></td><td><pre>{SPANS}</pre></td></tr></table>",
        None,
    ),
    ("a post", POST, "python"),
    ("a fence", fenced(CODE), "python"),
    ("a fence without a name", fenced(CODE, "```"), None),
    ("a fence of tildes", fenced(CODE, "~~~~ {.python}", "~~~~"), "python"),
    ("an open fence", fenced(CODE, closing=""), "python"),
    ("a fence between prose", f"{BEFORE}\n{fenced(CODE)}\n{AFTER}", "python"),
    (
        "a fence in a list",
        f"1. Open the file.\n2. Add this function:\n\n{indented(fenced(CODE), '   ')}\n3. Save it.\n",
        "python",
    ),
    ("indented between prose", f"{BEFORE}\n{indented(CODE, '    ')}\n{AFTER}", None),
    ("indented by tabs", f"{BEFORE}\n{indented(CODE, chr(9))}\n{AFTER}", None),
    ("the words of a button", f"python\nCopy code\n{CODE}", "python"),
    ("the words of two buttons", f"\nPython\nCopy\nEdit\n\n{CODE}", "python"),
    ("quoted", indented(CODE, "> ").replace("\n\n", "\n>\n"), None),
    ("quoted twice", indented(CODE, "> > ").replace("\n\n", "\n> >\n"), None),
    (
        "quoted in a mail",
        f"{MAIL}{indented(CODE, '> ').replace(chr(10) * 2, chr(10) + '>' + chr(10))}\nThanks.\n",
        None,
    ),
    ("a fence that is quoted", indented(fenced(CODE), "> ").replace("\n\n", "\n>\n"), "python"),
]


@pytest.mark.parametrize(("text", "language"), [case[1:] for case in WRAPPED], ids=[case[0] for case in WRAPPED])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_code_comes_out_as_it_was(text: str, language: str | None, newline: str) -> None:
    [(code, named)] = blocks(text.replace("\n", newline))
    assert (code.strip("\n"), named) == (CODE.strip("\n"), language)


@pytest.mark.parametrize("text", [case[1] for case in WRAPPED], ids=[case[0] for case in WRAPPED])
@pytest.mark.parametrize("name", ["answer.txt", "answer.py", "<stdin>", ""])
def test_it_has_the_tokens_of_the_bare_code_whatever_its_name(text: str, name: str) -> None:
    bare, wrapped = analyze_snippet(CODE.encode(), name="a.py"), analyze_snippet(text.encode(), name=name)
    assert wrapped.language == "python"
    assert wrapped.tokens.codes.tolist() == bare.tokens.codes.tolist()


@pytest.mark.parametrize("text", [case[1] for case in WRAPPED], ids=[case[0] for case in WRAPPED])
def test_positions_are_those_of_the_input(text: str) -> None:
    content = text.replace("merge", "merge_é").encode()
    [block] = unwrap(Mapped.identity(content))
    mapped = block.mapped
    for code, start, stop in zip(mapped.text, mapped.offsets.tolist(), mapped.stops.tolist(), strict=False):
        if code < 128 and chr(code).isalnum():
            assert content[start:stop] == bytes([code])
    at = mapped.text.index("é".encode())
    assert content[mapped.offsets[at] : mapped.stops[at + 1]] == "é".encode()
    at = mapped.text.index(b"<")
    assert html.unescape(content[mapped.offsets[at] : mapped.stops[at]].decode()) == "<"


def test_entities_are_undone_once() -> None:
    code = 'if a &amp; b: s = "&lt;"\n'
    [(found, _)] = blocks(f"<pre><code>{escaped(code)}</code></pre>")
    assert found == code


def test_entities_of_blanks_and_lines_of_elements() -> None:
    [(found, _)] = blocks("<pre><code><div>a&nbsp;=&#160;1</div><div>b = 2;<br>c = 3</div></code></pre>")
    assert found == "a\u00a0=\u00a01\nb = 2;\nc = 3\n"
    tokens = analyze_snippet(b"<pre>a&nbsp;=&nbsp;b + 1</pre>", language="python").tokens
    assert tokens.codes.tolist() == analyze_snippet(b"a = b + 1", language="python").tokens.codes.tolist()


def test_what_was_not_escaped_stays() -> None:
    assert blocks("<pre><code>vector<int> v; // <b>bold</b>\n</code></pre>") == [("vector<int> v; // bold\n", None)]


def test_several_blocks_each_in_its_language() -> None:
    text = f"{BEFORE}\n{fenced(CODE)}\nIn the other one it is:\n\n{fenced(SHORT, '```c')}\n{AFTER}"
    assert blocks(text) == [(CODE, "python"), (SHORT, "c")]
    found = analyze_snippet(text.encode(), name="answer.txt")
    assert found.language == "python"
    assert found.tokens.languages == ("python", "c")
    parts = [analyze_snippet(code.encode(), language=name) for code, name in ((CODE, "python"), (SHORT, "c"))]
    assert found.tokens.codes.tolist() == [code for part in parts for code in part.tokens.codes.tolist()]
    begin = len(found.tokens) - len(parts[1].tokens)
    assert text.splitlines()[found.tokens.start_lines[begin] - 1].startswith("int twice")


PROGRAMS = {
    "a comment of Java": """\
/**
 * Adds.
 *
 * <pre><code>
 * int a = add(1, 2);
 * </code></pre>
 */
int add(int a, int b) {
    return a + b;
}
""",
    "a docstring with a fence": '''\
def f(a):
    """Adds one.

```python
f(1)
```
"""
    return a + 1
''',
    "a long docstring of a module": f'''\
"""{AFTER * 9}
```python
f(1)
```
"""
import os

SIZE = os.sysconf(1)
''',
    "a literal": 'page = "<pre><code>" + escape(code) + "</code></pre>"\nprint(page)\n',
    "a literal over lines": '''\
TEMPLATE = """
<pre><code>
{code}
</code></pre>
"""

def show(code):
    return TEMPLATE.format(code=code)
''',
    "JSX": """\
<div className={styles.code}>
  <Copy text={text} />
  <pre><code>{text}</code></pre>
</div>
""",
    "a component": """\
return (
  <pre className={name}>
    <code>{children}</code>
  </pre>
);
""",
    "a template": """\
<div class="code">
  <p>{{ title }}</p>
  <pre><code>{{ code }}</code></pre>
</div>
""",
    "a page": f"<!DOCTYPE html>\n<html><body><p>Text.</p><pre><code>{escaped(CODE)}</code></pre></body></html>\n",
    "a script": "<pre><code>a</code></pre>\n<script>\nalert(document.body)\n</script>\n",
    "a read-me file with one command": f"{BEFORE * 20}\n```\nmake\n```\n\n{AFTER * 20}",
    "a read-me file with some indented commands": f"{BEFORE * 20}\n    $ ./configure\n    $ make\n\n{AFTER * 20}",
    "a license with indented paragraphs": f"{BEFORE * 3}\n    {BEFORE}    {AFTER}\n{AFTER * 3}",
    "shell that redirects": "cat <<EOF\n> one\n> two\nEOF\n",
    "classes with blank lines": """\
class A:

    def f(self):
        return self.a[0]

    b = {1: 2}

class B:

    c = 1
""",
    "a diff": "@@ -1,2 +1,2 @@\n def f(a):\n-    return a\n+    return a + 1\n",
    "a session": ">>> a = 1\n>>> b = 2\n>>> a + b\n3\n",
    "a call of a function named copy": "copy(a, b)\nedit(b)\nreturn b\n",
    "too many blocks": "<pre>a</pre>\n" * (MOST_BLOCKS + 1),
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_programs_and_documents_stay_as_they_are(text: str) -> None:
    assert blocks(text) == [(text, None)]


@pytest.mark.parametrize("name", ["answer.md", "answer.rst"])
def test_a_name_of_a_document_keeps_the_prose(name: str) -> None:
    bare = analyze_snippet(CODE.encode(), name="a.py").tokens.codes.tolist()
    assert analyze_snippet(fenced(CODE).encode(), name=name).tokens.codes.tolist() == bare
    with_prose = analyze_snippet(f"{BEFORE}\n{fenced(CODE)}\n{AFTER}".encode(), name=name)
    assert len(with_prose.tokens) > len(bare) + 10


@pytest.mark.parametrize("name", ["answer.html", "answer.txt", ""])
@pytest.mark.parametrize("wrapping", ["<p>{}</p>", "<!DOCTYPE html><html><body>{}</body></html>"])
def test_code_in_a_page_is_code_whatever_the_file_is_called(name: str, wrapping: str) -> None:
    if "body" in wrapping and name != "answer.html":
        pytest.skip("only the name tells a page from a program that writes one")
    bare = analyze_snippet(CODE.encode(), name="a.py").tokens.codes.tolist()
    page = wrapping.format(f"{BEFORE}<pre><code>{escaped(CODE)}</code></pre>{AFTER}").encode()
    assert analyze_snippet(page, name=name).tokens.codes.tolist() == bare
    assert analyze_snippet(page, name=name, language="html").language == "html"


def test_a_language_that_is_given_holds_for_all() -> None:
    text = f"<pre><code>{escaped(CODE)}</code></pre>"
    assert analyze_snippet(text.encode(), language="html").language == "html"
    assert set(
        analyze_snippet(f"{fenced(CODE)}\n{fenced(SHORT, '```c')}".encode(), language="java").tokens.languages
    ) == {"java"}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "piece", ["<pre><code>", "<pre>&lt;", "```\n", "    x = 1\n\ny\n\n", "> ", ">", "copy\n", "<code>", "<b>", "&#x"]
)
def test_hostile_wrapping_takes_time_in_proportion_to_its_length(piece: str) -> None:
    # What is quadratic takes minutes here.
    line = piece * (100_000 // len(piece))
    assert unwrap(Mapped.identity(f"{line}\n{line}\n".encode()))


@pytest.mark.parametrize("empty", ["<code></code>", "<code> \n</code>"])
def test_code_elements_without_text_are_passed_over(empty: str) -> None:
    found = unwrap(Mapped.identity(f"{empty}<code>foo(bar)</code>{empty}".encode()))
    assert [block.mapped.text for block in found] == [b"foo(bar)"]
    assert found[0].is_unwrapped
    alone = unwrap(Mapped.identity(empty.encode()))
    assert [block.mapped.text for block in alone] == [empty.encode()]


def test_a_block_without_pieces_has_no_positions() -> None:
    mapped = _mapped(HtmlBlock(is_code=True, is_inline=True), np.array([0, 1, 2]))
    assert (mapped.text, len(mapped.stops)) == (b"", 0)
    assert mapped.stops.dtype == np.int64


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{CODE}```\n\nIt returns both of them in their order.\n\n```python\n{SHORT}```\n", True),
        (f"{CODE}```\n\nIt returns both of them in their order.\n", True),
        (f"{BEFORE}```\n{CODE}```\n", False),
        (f"{BEFORE}```python\n{CODE}```\n", False),
        (f"```\n{CODE}```\n{AFTER}", False),
        ("Words alone.\n```\n", False),
        (CODE, False),
    ],
)
def test_a_piece_may_begin_inside_a_fence(text: str, expected: bool) -> None:
    assert begins_in_fence(text.encode()) is expected
    if expected:
        assert [block.mapped.text for block in unwrap(Mapped.identity(text.encode()))] == [text.encode()]
