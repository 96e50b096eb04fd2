"""The comments that accept a piece."""

from __future__ import annotations

import pytest

from whence.analyzers.analysis import Analysis, analyze_file
from whence.check.marks import Marks, marks


def of(path: str, content: bytes) -> Marks:
    analysis = analyze_file(path, content)
    assert isinstance(analysis, Analysis)
    return marks(content, analysis)


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("a.py", "# whence: ok ours\n", "ours"),
        ("a.py", "#whence:ok: ours as well, see below.\n", "ours as well, see below."),
        ("a.c", "/* whence: ok - ours */\n", "ours"),
        ("a.html", "<!-- Whence: OK ours --><p>\n", "ours"),
        ("a.ml", "(* whence: ok ours *)\n", "ours"),
        ("a.pl", "# whence: ok ours\n", "ours"),
        ("a.py", "# whence: ok\n", ""),
        ("a.c", "/* whence: ok */\n", ""),
        ("a.py", "# whence: ok ...\n", ""),
    ],
)
def test_a_mark_and_its_reason(path: str, text: str, reason: str) -> None:
    code = "\nx = 1\n"
    for content in ((text + code).encode(), (text + code).replace("\n", "\r\n").encode("utf-16")):
        assert of(path, content).reasons == {1: reason}


def test_what_is_no_mark() -> None:
    for text in ("x = 'whence: ok ours'\n", "# whence: okay ours\n", "# whence says ok\n"):
        assert not of("a.py", text.encode()).reasons


def test_the_lines_that_a_mark_accepts() -> None:
    code = b"a = 1\n\n# whence: ok ours\n# and theirs\ndef f():\n    return 2\n\n\n"
    code += b"def g():\n    return 3  # whence: ok so\n"
    found = of("a.py", code)
    assert found.reason(5, last=6) == found.reason(6, 5, last=6) == "ours"
    assert found.reason(6, last=6) is None
    assert found.reason(9, last=10) == "so"
    assert found.reason(1, last=1) is None
    assert found.reason(9, last=9) is None
