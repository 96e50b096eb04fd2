"""Licenses: SPDX tags, and the notices and texts of licenses themselves.

Texts are recognized by `licenseclassifier`, a port of Go's licensecheck: word automata of the SPDX texts and the usual
notices, linear in the text whatever it holds. It reports what agrees with a whole notice word for word; a mention
("released under the MIT license") does not. A text that grants something in the words of a license, but is not one that
it knows, is an unknown license.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator

from wherefrom.analyzers.references.expressions import normalised
from wherefrom.analyzers.references.places import lowered, places
from wherefrom.model import UNKNOWN_LICENSE

_LONGEST_TEXT = 250_000
"""Characters at the beginning of a text in which licenses are looked for; the longest of SPDX has a sixth of that."""

_AROUND = 2000
"""Characters on both sides of a word of licenses that are looked at; in no license are two of them farther apart."""

_MOST_TEXTS = 20_000
"""Texts whose licenses are remembered, by their digests."""

TAG_WORDS = ("spdx-license-identifier",)
LICENSE_WORDS = ("licen", "permission", "redistribut", "warrant", "public domain")
"""Every text that has a tag or a license contains one of these, in lower case."""

_TAG = re.compile(r"SPDX-License-Identifier:[ \t]{0,20}([A-Za-z0-9.+\-() \t]{1,200})")
_IN_TAG = re.compile(r"SPDX-License-Identifier", re.IGNORECASE)
_HINT = re.compile(r"licen[cs]e|permission (?:is|to|notice)|redistribut|warrant(?:y|ies)|public domain", re.IGNORECASE)
_GRANT = re.compile(
    r"permission\W{1,20}is\W{1,20}(?:hereby\W{1,20})?(?:granted|given)\b"
    r"|permission\W{1,20}to\W{1,20}(?:use|copy|modify|distribute)\b"
    r"|redistribution\W{1,20}and\W{1,20}use\b|everyone\W{1,20}is\W{1,20}permitted\b"
    r"|\b(?:may|can)\W{1,20}be\W{1,20}freely\W{1,20}(?:used|copied|modified|redistributed|distributed)\b",
    re.IGNORECASE,
)
"""Words with which a license permits something."""
_GRANT_WORDS = ("permission", "redistribution", "everyone", "freely")
"""Every text that does has one of these, in lower case."""
_UNDER = re.compile(
    r"\bunder\W{1,20}(?:the\W{1,20})?(?:terms\W{1,20}(?:and\W{1,20}conditions\W{1,20})?of\W{1,20}(?:the\W{1,20})?)?[A-Z]"
)
"""Behind a grant, the name of a license: that is a mention of it."""

_UNDER_WITHIN = 120
"""Characters behind a grant in which it is looked for."""

_ELSEWHERE = re.compile(r"\b(?:see|in|read|accompanying)\b[^\n]{0,60}\b(?:LICEN[CS]E|COPYING|NOTICE|COPYRIGHT)\b")
"""A text that sends its reader to another file states no license."""

_PARAGRAPH = re.compile(r"^[^\w\n]*\n", re.MULTILINE)
"""A line between two paragraphs, also behind comment signs."""


def tags(text: str) -> Iterator[tuple[int, str]]:
    """The SPDX tags of a text: where each begins, and its expression (see `normalised`)."""
    for match in _TAG.finditer(text):
        expression = " ".join(match[1].split()).rstrip("-.( ")
        if expression:
            yield match.start(), normalised(expression)


def may_state_license(words: Collection[str]) -> bool:
    """Whether a content with these words (`extract.words_in`) may hold the text or the notice of a license."""
    return any(word in words for word in LICENSE_WORDS)


def license_texts(text: str) -> Iterator[tuple[int, str]]:
    """The licenses whose text or notice is in a text, also behind comment signs: where each has its first word of
    `LICENSE_WORDS`, and its SPDX identifier, or `UNKNOWN_LICENSE`.
    """
    for start, end in _windows(text[:_LONGEST_TEXT]):
        for at, license in _remembered(text[start:end]):
            yield start + at, license


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """The parts of a text that may hold a license: long documents mention one here and there.

    Each begins with the paragraph of its first hint. What is before it, such as the name of the file, differs from file
    to file, and would make another text of the same license.
    """
    start = end = 0
    for first, last in _hints(text):
        if end and first - _AROUND > end:
            yield start, end
            end = 0
        if not end:
            start = _paragraph(text, first)
        end = min(len(text), last + _AROUND)
    if end:
        yield start, end


def _hints(text: str) -> Iterator[tuple[int, int]]:
    """Where the words of licenses begin and end."""
    low = lowered(text)
    if low is None:
        found = _HINT.finditer(text)
    else:
        found = (hint for at in places(low, LICENSE_WORDS) if (hint := _HINT.match(text, at)) is not None)
    return (hint.span() for hint in found)


def _paragraph(text: str, position: int) -> int:
    """Where the paragraph of a position begins, at most `_AROUND` characters before it."""
    start = max(0, position - _AROUND)
    for gap in _PARAGRAPH.finditer(text, start, position):
        start = gap.end()
    return start


_known: dict[bytes, tuple[tuple[int, str], ...]] = {}
"""The licenses of texts by their digests: the files of a project begin with one header, and vendored folders hold the
same license files."""


def _remembered(text: str) -> tuple[tuple[int, str], ...]:
    """Where each license of a text is, and its identifier; the same text is classified once."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if digest not in _known:
        if len(_known) >= _MOST_TEXTS:
            _known.clear()
        _known[digest] = tuple(_classified(text))
    return _known[digest]


def _classified(text: str) -> Iterator[tuple[int, str]]:
    from licenseclassifier import identify_license  # noqa: PLC0415  # unpacks its automata: not before the first text

    # A tag names a license and holds no words of it: most texts that have one have nothing else to look at.
    has_words = any(_IN_TAG.match(text, max(0, first - len("SPDX-"))) is None for first, _ in _hints(text))
    matches = identify_license(text, coverage_threshold=0) if has_words else ()
    for match in matches:
        hint = _HINT.search(text, match.start, match.end)  # a match begins with the copyright line before it
        yield (match.start if hint is None else hint.start()), match.id
    if not matches and (grant := _grant(text)) is not None and _ELSEWHERE.search(text) is None:
        yield grant, UNKNOWN_LICENSE


def _grant(text: str) -> int | None:
    """Where a text first grants something, other than under a license that it names; None where it does not."""
    low = lowered(text)
    if low is not None and not any(word in low for word in _GRANT_WORDS):
        return None
    grants = (
        grant.start()
        for grant in _GRANT.finditer(text)
        if not _UNDER.search(text, grant.end(), grant.end() + _UNDER_WITHIN)
    )
    return next(grants, None)
