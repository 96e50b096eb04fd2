"""Licenses: SPDX tags, and the notices and texts of licenses themselves.

Texts are told by `licenseclassifier`, a port of Go's licensecheck: word automata of the SPDX texts and the usual
notices, linear in the text whatever it holds. It reports what agrees with a whole notice word for word; a mere mention
("released under the MIT license") is none.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from wherefrom.analyzers.references.expressions import normalised

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_TEXT = 250_000
"""Characters at the beginning of a text in which licenses are told; the longest of SPDX has a sixth of that."""

_AROUND = 2000
"""Characters on both sides of a word of licenses that are looked at; in no license are two of them farther apart."""

TAG_WORDS = ("spdx-license-identifier",)
LICENSE_WORDS = ("licen", "permission", "redistribut", "warrant", "public domain")
"""Every text that has a tag or a license contains one of these, in lower case."""

_TAG = re.compile(r"SPDX-License-Identifier:[ \t]{0,20}([A-Za-z0-9.+\-() \t]{1,200})")
_HINT = re.compile(r"licen[cs]e|permission (?:is|to|notice)|redistribut|warrant(?:y|ies)|public domain", re.IGNORECASE)


def tags(text: str) -> Iterator[tuple[int, str]]:
    """The SPDX tags of a text: where each begins, and its expression (see `normalised`)."""
    for match in _TAG.finditer(text):
        expression = " ".join(match[1].split()).rstrip("-.( ")
        if expression:
            yield match.start(), normalised(expression)


def may_state_license(content: bytes) -> bool:
    """Whether a content has a word without which it holds neither the text nor the notice of a license."""
    lowered = content.replace(b"\0", b"").lower()
    return any(word.encode() in lowered for word in LICENSE_WORDS)


def license_texts(text: str) -> Iterator[tuple[int, str]]:
    """The licenses whose text or notice is in a text, also behind comment signs: where each has its first word of
    `LICENSE_WORDS`, and its SPDX identifier.
    """
    for start, end in _windows(text[:_LONGEST_TEXT]):
        for at, license in _told(text[start:end]):
            yield start + at, license


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """The parts of a text that may hold a license: long documents mention one here and there."""
    start = end = 0
    for hint in _HINT.finditer(text):
        if end and hint.start() - _AROUND > end:
            yield start, end
            end = 0
        if not end:
            start = max(0, hint.start() - _AROUND)
        end = min(len(text), hint.end() + _AROUND)
    if end:
        yield start, end


@lru_cache(maxsize=256)  # the files of a project begin with one header
def _told(text: str) -> tuple[tuple[int, str], ...]:
    from licenseclassifier import identify_license  # noqa: PLC0415  # unpacks its automata: not before the first text

    found = []
    for match in identify_license(text, coverage_threshold=0):
        hint = _HINT.search(text, match.start, match.end)  # a match begins with the copyright line before it
        found.append((match.start if hint is None else hint.start(), match.id))
    return tuple(found)
