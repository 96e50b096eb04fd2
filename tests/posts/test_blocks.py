"""Code is taken out of bodies as its author wrote it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.posts.post import CodeBlock, code_blocks


def found(body: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(block.text, block.labels) for block in code_blocks(body)]


def test_blocks_are_unescaped_once_more_and_inline_code_is_none() -> None:
    body = "<p>use <code>a</code></p>\n<pre><code>if (a &lt; b &amp;&amp; c) &amp;lt; &quot;é&quot;&#39;\n</code></pre>"
    assert found(body) == [('if (a < b && c) &lt; "é"\'\n', ())]


@pytest.mark.parametrize(
    ("body", "labels"),
    [
        ('<pre class="lang-py prettyprint-override"><code>x</code></pre>', ("py",)),
        ('<pre class="lang-c++ s-code-block"><code class="hljs language-cpp">x</code></pre>', ("c++", "cpp")),
        ('<pre class="default s-code-block"><code>x</code></pre>', ()),
        ("<!-- language: lang-js -->\n\n<pre><code>x</code></pre>", ("js",)),
        ("<!-- language: c# -->\n<pre><code>x</code></pre>", ("c#",)),
        ("<!--language-all:lang-sql--><p></p><pre><code>x</code></pre>", ("sql",)),
        ('<!-- language: js --><pre class="lang-ts"><code>x</code></pre>', ("ts", "js")),
        ("<!-- begin snippet: js hide: false -->\n<!-- language: lang-css -->\n<pre><code>x</code></pre>", ("css",)),
        ("<!-- anything else --><pre><code>x</code></pre>", ()),
    ],
)
def test_what_its_author_calls_the_language(body: str, labels: tuple[str, ...]) -> None:
    assert found(body) == [("x", labels)]


def test_a_comment_is_for_the_next_block_or_for_all() -> None:
    block = "<pre><code>x</code></pre>"
    assert [labels for _, labels in found(f"<!-- language: js -->{block}{block}")] == [("js",), ()]
    assert [labels for _, labels in found(f"<!-- language-all: js -->{block}{block}")] == [("js",), ("js",)]


def test_blocks_have_their_number_in_the_post() -> None:
    body = "<pre><code>a</code></pre><pre><code> \n</code></pre><blockquote><pre><code>c</code></pre></blockquote>"
    assert code_blocks(body) == (CodeBlock(1, "a", ()), CodeBlock(3, "c", ()))


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("<pre>no code element</pre>", []),
        ("<pre><code>cut", ["cut"]),
        ("<pre><code>a</pre><p>b</p>", ["a"]),
        ("<pre><code>a<pre><code>b</code></pre>", ["a", "b"]),
        ("<pre><code>a</code> b <code>c</code></pre>", ["a", "c"]),
        ("<pre><code>a <b>bold</b> <code>c</code></pre>", ["a bold c"]),
        ("<PRE><CODE>a</CODE></PRE>", ["a"]),
        ("", []),
        ("<pre><code>\x1b[31m</code></pre>", ["\x1b[31m"]),
    ],
)
def test_odd_markup(body: str, texts: list[str]) -> None:
    assert [text for text, _ in found(body)] == texts


@given(
    st.text("abc<>&;/=\"'-! \n")
    | st.lists(st.sampled_from(["<pre>", "<code>", "</code>", "</pre>", "<!--", "-->", "x"])).map("".join)
)
def test_no_body_makes_it_fail(body: str) -> None:
    numbers = [block.number for block in code_blocks(body)]
    assert numbers == sorted(set(numbers))


@given(st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_escaped_code_comes_back(code: str) -> None:
    escaped = code.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert found(f"<pre><code>{escaped}</code></pre>") == [(code, ())]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "piece", ["<pre><code>", "<b><i>", "<!--", "<a ", "&lt", "<!", "<![CDATA[", "<script>", "<title>", "<a b='", "&#x"]
)
def test_hostile_markup_takes_time_in_proportion_to_its_length(piece: str) -> None:
    # A quadratic parser takes a minute, ours a tenth of a second.
    start = time.process_time()
    code_blocks(piece * (1_000_000 // len(piece)))
    assert time.process_time() - start < 10
