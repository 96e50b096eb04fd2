"""Makes hostile sources: real samples in every language, cut, spliced, repeated, encoded and put into containers."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from random import Random

from wherefrom.languages import LANGUAGES

SAMPLES = Path(__file__).parents[1] / "tests" / "analyzers" / "samples"

SHORT, LONG = 200, 20_000
"""An input has at most `SHORT` bytes, one in `RARE` has `LONG`. The last edits can make an input longer."""

RARE = 200

NAMES = (
    *("a", "src/a b", "-rf", "=cmd|x!A1", "@a", "+1", "\x1b[31mred", "line\nfeed", "\u202egpj", "<script>alert(1)"),
    *("a\udcff\udcfe", "%00", "..", "'\"&;", "x" * 200, "package-lock", "min", "vendor/x", "node_modules/y", "LICENSE"),
)
"""Hostile names and names with a special meaning, without an ending."""

PIECES = (
    *(b"<", b"a<", b"a => ", b"(", b"[", b"{", b"}", b")", b"]", b"'", b'"', b'"""', b"'''", b"`", b"${", b"#{", b"/*"),
    *(b"*/", b"//", b"#", b"--", b"<!--", b"-->", b"<script>", b"</script>", b"<?php ", b"?>", b"<![CDATA[", b"```\n"),
    *(b"```python\n", b">>> ", b"... ", b"$ ", b"@@ -1 +1 @@\n", b"+", b"-", b"\\", b"\\\n", b"\r", b"\r\n", b"\n\n\n"),
    *(b"\t", b"\0", b"\x1b[2J", b"\xff", b"\xc3", b"\xf0\x9f\x92", b"\xef\xbb\xbf", b"\xff\xfe", b"\xe2\x80\xae"),
    *(b"#!/usr/bin/env python\n", b"0x", b"1e", b"=HYPERLINK(1)", b"SPDX-License-Identifier: MIT\n", b"@generated\n"),
    *(b"https://stackoverflow.com/a/12345\n", b"// from https://gist.github.com/a/0123456789abcdef\n", b"@author x\n"),
    *(b"<<EOF\n", b"EOF\n", b"R\"x(", b"if x:\n", b"end\n", b"def f(", b"class A", b"return "),
)  # fmt: skip
"""Texts that open without closing, close without opening, or have a special meaning in some language."""

_TOKENS = re.compile(rb"\w+|\s+|[^\w\s]+")


@cache
def samples() -> dict[str, bytes]:
    """A text in each language, by the ending of its files."""
    found = {}
    for name, language in LANGUAGES.items():
        path = SAMPLES / f"{name}.sample"
        if path.exists():
            found.update(dict.fromkeys(language.extensions, path.read_bytes()))
    return found


def fuzzed(dice: Random) -> tuple[str, bytes]:
    """A path and a content."""
    endings = sorted(samples())
    ending = dice.choice(endings)
    limit = LONG if dice.randrange(RARE) == 0 else SHORT
    content = _base(dice, samples()[ending], limit)
    for _ in range(dice.choice((0, 1, 1, 2, 3, 8))):
        content = _edited(dice, content)
    if dice.randrange(6) == 0:
        content = _encoded(dice, content)
    if dice.randrange(8) == 0:
        ending, content = _contained(dice, ending, content)
    if dice.randrange(10) == 0:
        ending = dice.choice((*endings, ".txt", ".md", ".ipynb", ".html", ".json", ".csv", ".unknown", ""))
    return dice.choice(NAMES) + ending, content


def _base(dice: Random, sample: bytes, limit: int) -> bytes:
    """The first form of the input."""
    size = dice.randrange(1, limit)
    match dice.randrange(8):
        case 0:
            return dice.randbytes(size)
        case 1:
            letters = (chr(dice.choice((dice.randrange(128), dice.randrange(0xD800)))) for _ in range(size))
            return "".join(letters).encode()
        case 2:
            piece = dice.choice((*PIECES, sample[: dice.randrange(1, 12)]))
            return piece * (size // len(piece) + 1)
        case 3:
            words = [*_TOKENS.findall(sample[:2000]), *PIECES]
            return b"".join(dice.choice(words) for _ in range(size // 4))
        case _:
            start = dice.randrange(max(1, len(sample) - size))
            return sample[start : start + size]


def _edited(dice: Random, content: bytes) -> bytes:
    """The input after another edit."""
    start = dice.randrange(len(content) + 1)
    end = min(len(content), start + dice.randrange(1, 40))
    match dice.randrange(7):
        case 0:
            return content[:start] + dice.randbytes(1) + content[start + 1 :]
        case 1:
            return content[:start] + content[end:]
        case 2:
            return content[:end] + content[start:]
        case 3:
            return content[:start] + content[start:end] * dice.randrange(2, 60) + content[end:]
        case 4:
            other = samples()[dice.choice(sorted(samples()))]
            begin = dice.randrange(len(other))
            return content[:start] + other[begin : begin + dice.randrange(200)] + content[end:]
        case 5:
            return content[:start] + dice.choice(PIECES) * dice.choice((1, 1, 2, 50)) + content[start:]
        case _:
            lines = content.splitlines(keepends=True)
            dice.shuffle(lines)
            return b"".join(lines)


def _encoded(dice: Random, content: bytes) -> bytes:
    """The input in another encoding, or with other line ends."""
    text = content.decode("latin-1")
    match dice.randrange(5):
        case 0:
            return text.encode("utf-16")
        case 1:
            return b"\xfe\xff" + text.encode("utf-16-be") + dice.choice((b"", b"\0"))
        case 2:
            return text.encode("utf-8-sig")
        case 3:
            return content.replace(b"\n", dice.choice((b"\r", b"\r\n")))
        case _:
            return text.encode()


def _contained(dice: Random, ending: str, content: bytes) -> tuple[str, bytes]:
    """The input inside a container, which may be cut."""
    text = content.decode("utf-8", "replace")
    match dice.randrange(5):
        case 0:
            cells = [{"cell_type": dice.choice(("code", "markdown", "raw")), "source": text.splitlines(keepends=True)}]
            made = ".ipynb", json.dumps({"cells": cells * dice.randrange(3), "metadata": {}}).encode()
        case 1:
            made = ".md", b"# A\n\n```%s\n%s\n```\n" % (ending.lstrip(".").encode(), content)
        case 2:
            made = ".html", b"<html><script>%s</script><style>%s</style>" % (content, content[:50])
        case 3:
            made = ending, b"".join(b"+" + line for line in content.splitlines(keepends=True))
        case _:
            made = ending, b"".join(b">>> " + line for line in content.splitlines(keepends=True))
    if dice.randrange(4) == 0:
        made = made[0], made[1][: dice.randrange(len(made[1]) + 1)]
    return made
