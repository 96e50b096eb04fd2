"""Everything that `clean` undoes, and that positions stay exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.polygons import AREA
from wherefrom.analyzers import wrapping
from wherefrom.analyzers.wrapping import Block
from wherefrom.support.positions import Mapped, concatenate, decode, encoding, newlines

CODE = b"def f(a):\n    return a + 1\n"


def clean(content: bytes) -> Block:
    """The one block of a snippet."""
    [cleaned] = wrapping.clean(content)
    return cleaned


def check(cleaned: Block, content: bytes) -> None:
    """The positions rise, and all are inside the content."""
    mapped = cleaned.mapped
    assert len(mapped.offsets) == len(mapped.text) + 1
    assert len(mapped.stops) == len(mapped.text)
    assert (np.diff(mapped.offsets) >= 0).all()
    assert (np.diff(mapped.stops) >= 0).all()
    assert (mapped.offsets[:-1] < mapped.stops).all()
    assert not len(mapped.stops) or mapped.stops[-1] <= mapped.offsets[-1] <= len(content)


def original(cleaned: Block, content: bytes, part: bytes) -> bytes:
    """The bytes of the content that `part` of the cleaned text comes from."""
    start = cleaned.mapped.text.index(part)
    mapped = cleaned.mapped
    return content[mapped.offsets[start] : mapped.stops[start + len(part) - 1]]


@pytest.mark.parametrize(
    "content",
    [
        CODE,
        b"",
        b"\n\n",
        b'if (a < b && c > d) { x = "&lt;"; }\n',
        b"s.replace('&', '&amp;')\n",
        b"<p>a &amp; b</p>\n",
        b'"""Doc.\n\n>>> f(1)\n2\n"""\ndef f(a):\n    return a + 1\n',
        b'    >>> f(1)\n    2\n    """\n    return a + 1\n',
        b"def f():\n    # $ not a prompt\n    return 1\n",
        b"a = 1\nb = 2\n",
        b"1 + 2\n3 + 4\n5 + 6\n",
        b"10 apples\n20 pears\n35 plums\n",
        b"-a\n-b\n",
        b"  + b\n  + c\n",
        "x = \"a “quoted” word\"\ny = 'it’s'\n".encode(),
        b"Text with ```\n",
        b"x = 1\n```python\ny\n```\n",
        b"$x = 1;\n$y = 2;\n",
        b"\tindented\n\t\tcode\n",
    ],
)
def test_clean_code_is_left_alone(content: bytes) -> None:
    cleaned = clean(content)
    assert (cleaned.mapped.text, cleaned.language) == (content, None)
    assert cleaned.mapped.offsets.tolist() == list(range(len(content) + 1))


DIFF = b"""\
diff --git a/f.py b/f.py
index 1..2 100644
--- a/f.py
+++ b/f.py
@@ -1,2 +1,2 @@ def g():
 def f(a):
-    return a
+    return a + 1
\\ No newline at end of file
"""
DIRTY = [
    ("bom", b"\xef\xbb\xbf" + CODE, CODE, None),
    ("utf-16", CODE.decode().encode("utf-16"), CODE, None),
    ("utf-16 big", b"\xfe\xff" + CODE.decode().encode("utf-16-be"), CODE, None),
    ("latin-1", b"x = '\xe9t\xe9'\n", "x = 'été'\n".encode(), None),
    ("crlf", CODE.replace(b"\n", b"\r\n"), CODE, None),
    ("cr", CODE.replace(b"\n", b"\r"), CODE, None),
    ("no-break", CODE.replace(b"    ", b"\xc2\xa0" * 4), CODE, None),
    ("zero-width", CODE.replace(b"a", b"a\xe2\x80\x8b"), CODE, None),
    ("quotes", "print(“a”, ‘b’)\n".encode(), b"print(\"a\", 'b')\n", None),
    (
        "entities",
        b"if (a &lt; b &amp;&amp; c &gt; &quot;d&quot;) x&#39;y&#x27;\n",
        b"if (a < b && c > \"d\") x'y'\n",
        None,
    ),
    ("fence", b"\n```python\n" + CODE + b"```\nAnd so on.\n", CODE, "python"),
    ("open fence", b"~~~~ js\nvar a;\n", b"var a;\n", "javascript"),
    ("nameless fence", b"```\n" + CODE + b"```\n", CODE, None),
    ("strange fence", b"```klingon\n" + CODE + b"```\n", CODE, None),
    ("prompt", b">>> def f(a):\n...     return a + 1\n...\n>>> f(1)\n2\n", CODE + b"\nf(1)\n", "python"),
    ("ipython", b"In [1]: a = 1\n   ...: b = 2\nOut[1]: 1\nIn [2]: c\n", b"a = 1\nb = 2\nc\n", "python"),
    ("shell", b"$ ls -l\ntotal 0\n$ cd /tmp\n", b"ls -l\ncd /tmp\n", "bash"),
    ("julia", b"julia> f(1)\n2\n", b"f(1)\n", "julia"),
    (
        "numbers",
        b" 9  def f(a):\n10      return a + 1\n11  \n",
        b" def f(a):\n     return a + 1\n \n",
        None,
    ),
    ("numbers with colons", b"1: a = 1\n2: b = 2\n3: c = 3\n", b"a = 1\nb = 2\nc = 3\n", None),
    ("numbers with bars", b"1| a = 1\n2|\n3| c = 3\n", b"a = 1\n\nc = 3\n", None),
    (
        "diff",
        DIFF,
        CODE,
        None,
    ),
    (
        "combined diff",
        b"""\
diff --cc f.py
index 1,2..3
--- a/f.py
+++ b/f.py
@@@ -1,2 -1,3 +1,2 @@@ def g():
  def f(a):
--    return a
 -    return a - 1
++    return a + 1
""",
        CODE,
        None,
    ),
    (
        "combined diff of three parents",
        b"@@@@ -1 -1 -1 +1,2 @@@@\n   def f(a):\n+++    return a + 1\n",
        CODE,
        None,
    ),
    (
        "diff of a renamed file",
        DIFF.replace(b"index", b"similarity index 90%\nrename from g.py\nrename to f.py\nindex"),
        CODE,
        None,
    ),
    (
        "bare diff",
        b" def f(a):\n-    return a\n+    b = a + 1\n+    return b\n",
        b"def f(a):\n    b = a + 1\n    return b\n",
        None,
    ),
]


@pytest.mark.parametrize(("content", "text", "language"), [case[1:] for case in DIRTY], ids=[case[0] for case in DIRTY])
def test_dirt_is_undone(content: bytes, text: bytes, language: str | None) -> None:
    cleaned = clean(content)
    assert (cleaned.mapped.text, cleaned.language) == (text, language)
    check(cleaned, content)


@pytest.mark.parametrize(("content", "text"), [case[1:3] for case in DIRTY], ids=[case[0] for case in DIRTY])
def test_positions_lead_back(content: bytes, text: bytes) -> None:
    """Each ASCII letter or digit of the result is in the content at its position."""
    mapped = clean(content).mapped
    encoding = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(content[:2], "latin-1")
    for code, start, stop in zip(mapped.text, mapped.offsets.tolist(), mapped.stops.tolist(), strict=False):
        if chr(code).isalnum() and code < 128:
            assert content[start:stop].decode(encoding) == chr(code)


def test_an_escape_is_one_stretch_of_the_original() -> None:
    content = b"a &lt;&lt; b &amp;&amp; c\n"
    cleaned = clean(content)
    assert original(cleaned, content, b"<<") == b"&lt;&lt;"
    assert original(cleaned, content, b"b &") == b"b &amp;"


def test_a_character_is_one_stretch_of_the_original() -> None:
    content = "x = 'é😀'\n".encode("utf-16")
    cleaned = clean(content)
    assert original(cleaned, content, "é".encode()) == "é".encode("utf-16-le")
    assert original(cleaned, content, "😀".encode()) == "😀".encode("utf-16-le")


def test_what_was_cut_belongs_to_no_byte() -> None:
    content = b"a\r\nb\r\n"
    cleaned = clean(content)
    assert original(cleaned, content, b"a") == b"a"
    assert original(cleaned, content, b"b") == b"b"
    assert cleaned.mapped.offsets.tolist() == [0, 2, 3, 5, 6]


def test_one_stray_byte_leaves_the_others_as_they_are() -> None:
    decoded = decode("é".encode() + b"\xe9" + "é".encode())
    assert decoded is not None
    assert decoded.text.decode() == "ééé"
    assert decoded.offsets.tolist() == [0, 0, 2, 2, 3, 3, 5]
    assert decoded.stops.tolist() == [2, 2, 3, 3, 5, 5]


def test_plain_text_is_not_decoded() -> None:
    assert decode("é\n".encode()) is None
    assert decode(b"") is None


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_line_feeds_of_utf16(encoding: str) -> None:
    content = "\ufeffa\nĊ\n".encode(encoding)  # U+010A has the byte of a line feed in it
    assert newlines(content).tolist() == [4, 8]


def test_broken_utf16() -> None:
    decoded = decode(b"\xff\xfea\x00\x00\xd8b\x00c")
    assert decoded is not None
    assert decoded.text.decode() == "a\ufffdb"


def test_several_kinds_of_dirt_at_once() -> None:
    content = "```py\r\n>>> x\u00a0= 1\r\n>>> if x &lt; 2: print(“x”)\r\n```\r\n".encode("utf-16")
    cleaned = clean(content)
    assert cleaned.mapped.text == b'x = 1\nif x < 2: print("x")\n'.replace(b"<", b"&lt;")
    assert cleaned.language == "python"
    check(cleaned, content)


@given(st.binary(max_size=200) | st.text("ab \n\r\t`~>+-@$&;lt“’é\u00a01234:.|", max_size=80).map(str.encode))
def test_anything_can_be_cleaned(content: bytes) -> None:
    for cleaned in wrapping.clean(content):
        check(cleaned, content)
        cleaned.mapped.text.decode()


@given(st.text(max_size=50), st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]))
@example("a\0b", "utf-8")
@example("a\0b", "utf-16")
def test_decoding_keeps_the_text_but_for_returns_and_nuls(text: str, name: str) -> None:
    content = text.encode(name)
    # A text with many NULs is read as one of wider characters.
    assume("\0" not in text or encoding(content) == {"utf-16": "utf-16-le"}.get(name, "utf-8"))
    decoded = decode(content)
    found = content if decoded is None else decoded.text
    wanted = text.removeprefix("\ufeff").replace("\0", " ")
    wanted = wanted.replace("\r\n", "\n") if "\n" in wanted else wanted.replace("\r", "\n")
    assert found.decode() == wanted


def test_mapped_parts_come_together() -> None:
    whole = Mapped.identity(b"abcdef")
    joined = concatenate([whole.cut(0, 2), whole.cut(4, 6)])
    assert joined.text == b"abef"
    assert joined.offsets.tolist() == [0, 1, 4, 5, 6]
    inner = Mapped.identity(joined.text).cut(1, 3).after(joined)
    assert (inner.text, inner.offsets.tolist(), inner.stops.tolist()) == (b"be", [1, 4, 5], [2, 5])


@pytest.mark.parametrize("line", ["@@ -1,3 +1,4 @@", ">>> area(1)", "In [1]: area(1)", "$ python area.py"])
@pytest.mark.parametrize("before", [0, 4])
def test_a_line_of_a_diff_or_a_session_does_not_make_one_of_code(line: str, before: int) -> None:
    code = AREA.splitlines(keepends=True)
    text = "".join([*code[:before], f"{line}\n", *code[before:]])
    block = clean(text.encode())
    assert block.mapped.text == text.encode()
