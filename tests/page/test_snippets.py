"""Pasted code is taken out of its wrapping, and code without a wrapping stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.dropping import ComparePage
from tests.page.handing_in import hand_ins, sample

CODE = "def add(a, b):\n    return a + b\n\n\nprint(add(1, 2))"

LINES = CODE.split("\n")


def unwrapped(page: ComparePage, text: str) -> tuple[str, str]:
    found = page.page.evaluate("async (text) => (await import('./snippet.js')).unwrapped(text)", text)
    return found["text"].strip("\n"), found["label"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (CODE, ""),
        (CODE.replace("\n", "\r\n"), ""),
        (f"```python\n{CODE}\n```\n", "python"),
        (f"Here is what I found in the old archive:\n\n~~~ py\n{CODE}\n~~~\nDoes anybody know it?\n", "py"),
        ("\n".join(f"> {line}" for line in LINES), ""),
        ("\n".join(f"> > {line}" for line in LINES), ""),
        ("\n".join(f"> {line}" for line in ("```python", *LINES, "```")), "python"),
        ("\n".join(f"{number:3}  {line}" if line else f"{number:3}" for number, line in enumerate(LINES, 9)), ""),
        (
            "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,1 +1,5 @@\n-old\n"
            + "\n".join(f"+{x}" for x in LINES),
            "",
        ),
    ],
)
def test_code_is_taken_out_of_its_wrapping(page: ComparePage, text: str, label: str) -> None:
    assert unwrapped(page, text) == (CODE, label)


def test_what_was_typed_at_a_prompt_is_taken(page: ComparePage) -> None:
    assert unwrapped(page, ">>> def one():\n...     return 1\n...\n>>> one()\n1\n") == (
        "def one():\n    return 1\n\none()",
        "",
    )
    assert unwrapped(page, "$ cd wherefrom\n$ ls\nLICENSE\n") == ("cd wherefrom\nls", "")


@pytest.mark.parametrize(
    "text",
    [
        'def f():\n    """\n    ```\n    f()\n    ```\n    """\n    x = 1\n    y = 2\n    return x + y',
        "1\n1\n2",
        "x > 1\ny > 2",
    ],
)
def test_code_that_only_looks_wrapped_stays(page: ComparePage, text: str) -> None:
    assert unwrapped(page, text) == (text, "")


@pytest.mark.parametrize(
    ("text", "language", "fate"),
    [
        (sample("python"), "", "was read as python. 2 submissions have code of it."),
        (sample("c"), "c", "was read as c. No submission has code of it."),
        ("x = y", "", "was read as python. It is too short: it has 3 tokens, and a match needs 12."),
        ("```\n```", "", "was not compared: empty."),
    ],
)
def test_what_became_of_a_snippet_is_said(
    page: ComparePage, tmp_path: Path, text: str, language: str, fate: str
) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    for name in ("cleo", "dan"):
        (folder / name / "main.py").unlink()
    page.choose(folder)
    page.paste(text, language)
    page.compare("folder")
    expect(page.page.locator("#snippet-fate")).to_contain_text(fate)
    expect(page.page.locator("#status")).to_contain_text(fate)
