"""Comments that accept a piece."""

from __future__ import annotations

import pytest

from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.projects.check.lookup import Marks, marks


def of(path: str, content: bytes) -> Marks:
    analysis = analyze_file(path, content)
    assert isinstance(analysis, Analysis)
    return marks(content, analysis)


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("a.py", "# wherefrom: ok ours\n", "ours"),
        ("a.py", "#wherefrom:ok: ours as well, see below.\n", "ours as well, see below."),
        ("a.c", "/* wherefrom: ok - ours */\n", "ours"),
        ("a.html", "<!-- Wherefrom: OK ours --><p>\n", "ours"),
        ("a.ml", "(* wherefrom: ok ours *)\n", "ours"),
        ("a.pl", "# wherefrom: ok ours\n", "ours"),
        ("a.py", "# wherefrom: ok\n", ""),
        ("a.c", "/* wherefrom: ok */\n", ""),
        ("a.py", "# wherefrom: ok ...\n", ""),
    ],
)
def test_a_mark_and_its_reason(path: str, text: str, reason: str) -> None:
    code = "\nx = 1\n"
    for content in ((text + code).encode(), (text + code).replace("\n", "\r\n").encode("utf-16")):
        assert of(path, content).reasons == {1: reason}


def test_what_is_no_mark() -> None:
    for text in ("x = 'wherefrom: ok ours'\n", "# wherefrom: okay ours\n", "# wherefrom says ok\n"):
        assert not of("a.py", text.encode()).reasons


def test_the_lines_that_a_mark_accepts() -> None:
    code = b"a = 1\n\n# wherefrom: ok ours\n# and theirs\ndef f():\n    return 2\n\n\n"
    code += b"def g():\n    return 3  # wherefrom: ok so\n"
    found = of("a.py", code)
    assert found.reason(5, last=6) == found.reason(6, 5, last=6) == "ours"
    assert found.reason(6, last=6) is None
    assert found.reason(9, last=10) == "so"
    assert found.reason(1, last=1) is None
    assert found.reason(9, last=9) is None
