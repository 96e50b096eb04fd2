"""Finds licenses: SPDX tags, and the texts and notices of licenses.

Texts are recognized by `licenseclassifier`, a port of Go's licensecheck. Its word automata know the SPDX texts and the
usual notices, and take linear time. It reports whole notices, word for word, but not mentions such as "released under
the MIT license". If it knows no license in a text that grants a permission, the text has an unknown license.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from wherefrom.analyzers.guessing import guess
from wherefrom.analyzers.references.expressions import normalised_license
from wherefrom.languages import LANGUAGES
from wherefrom.model import UNKNOWN_LICENSE
from wherefrom.support.pattern import later

ODD = "\u0130\u0131\u017f\u212a"
"""Characters beyond ASCII that match an ASCII letter in a pattern that ignores case. `str.lower` does not change two of
them and turns one into two characters. So a text with any of them is not searched in lower case.
"""


def lowered(text: str) -> str | None:
    """A text in lower case with the same positions, or None if it has a character of `ODD`."""
    is_odd = not text.isascii() and any(odd in text for odd in ODD)
    return None if is_odd else text.lower()


def places(low: str, words: Sequence[str]) -> list[int]:
    """The positions, ascending, of lower-case ASCII words in a text in lower case."""
    found = []
    for word in words:
        at = low.find(word)
        while at >= 0:
            found.append(at)
            at = low.find(word, at + len(word))
    return sorted(found)


def lines(text: str, low: str, words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The position and text, without the line feed, of each line that contains one of the lower-case words.

    `low` is the text in lower case (`lowered`).
    """
    ends: dict[int, int] = {}
    for word in words:
        at = low.find(word)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            ends[text.rfind("\n", 0, at) + 1] = end
            at = low.find(word, end)
    for begin in sorted(ends):
        yield begin, text[begin : ends[begin]]


_LONGEST_TEXT = 250_000  # only this many characters of a text are searched for licenses. SPDX's longest has a sixth
_AROUND = 2000  # this many characters around a match of `_HINT` are searched. Matches in one license are always nearer
_MOST_TEXTS = 20_000  # the licenses of at most this many texts are cached
TAG_WORDS = ("spdx-license-identifier",)
LICENSE_WORDS = ("licen", "permission", "redistribut", "warrant", "public domain")
"""Every text with a tag or a license contains one of these words, in lower case."""

_TAG = later(r"SPDX-License-Identifier:[ \t]{0,20}([A-Za-z0-9.+\-() \t]{1,200})")
_IN_TAG = later(r"SPDX-License-Identifier", re.IGNORECASE)
_HINT = later(r"licen[cs]e|permission (?:is|to|notice)|redistribut|warrant(?:y|ies)|public domain", re.IGNORECASE)
_GRANT = later(
    r"permission\W{1,20}is\W{1,20}(?:hereby\W{1,20})?(?:granted|given)\b"
    r"|permission\W{1,20}to\W{1,20}(?:use|copy|modify|distribute)\b"
    r"|redistribution\W{1,20}and\W{1,20}use\b|everyone\W{1,20}is\W{1,20}permitted\b"
    r"|\b(?:may|can)\W{1,20}be\W{1,20}freely\W{1,20}(?:used|copied|modified|redistributed|distributed)\b",
    re.IGNORECASE,
)
"""Words by which a license permits something."""
_GRANT_WORDS = ("permission", "redistribution", "everyone", "freely")  # every match of `_GRANT` has one of these
_UNDER = later(
    r"\bunder\W{1,20}(?:the\W{1,20})?(?:terms\W{1,20}(?:and\W{1,20}conditions\W{1,20})?of\W{1,20}(?:the\W{1,20})?)?[A-Z]"
)
"""Words before the name of a license. A grant with these words after it only mentions that license."""

_UNDER_WITHIN = 120  # characters after a grant that are searched for the name of a license

_ELSEWHERE = later(r"\b(?:see|in|read|accompanying)\b[^\n]{0,60}\b(?:LICEN[CS]E|COPYING|NOTICE|COPYRIGHT)\b")
"""A reference to another file. A text with such a reference does not state a license itself."""

_PARAGRAPH = later(r"^[^\w\n]*\n", re.MULTILINE)  # a line between two paragraphs, which may have comment signs


def tags(text: str) -> Iterator[tuple[int, str]]:
    """The position and expression (see `normalised_license`) of each SPDX tag in a text."""
    for match in _TAG.finditer(text):
        expression = " ".join(match[1].split()).rstrip("-.( ")
        if expression:
            yield match.start(), normalised_license(expression)


def may_state_license(words: Collection[str]) -> bool:
    """Whether a content with these words (`extract.words_in`) may contain the text or notice of a license."""
    return not frozenset(words).isdisjoint(LICENSE_WORDS)


def license_texts(text: str) -> Iterator[tuple[int, str]]:
    """Finds licenses and license notices in a text, also in comments. Yields for each license the position of its first
    word of `LICENSE_WORDS`, and its SPDX identifier or `UNKNOWN_LICENSE`.
    """
    for start, end in _windows(text[:_LONGEST_TEXT]):
        for at, license in _remembered(text[start:end]):
            yield start + at, license


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """The parts of a text that may contain a license. Most of a long document has nothing to do with licenses.

    Each part begins with the paragraph of its first hint. Text before that paragraph, such as the name of the file,
    differs between files, so `_remembered` would not find the same license again.
    """
    start = end = 0
    for first, last in _hints(text):
        if end and first - _AROUND > end:
            yield start, end
            end = 0
        if not end:
            start = max(0, first - _AROUND)
            for gap in _PARAGRAPH.finditer(text, start, first):
                start = gap.end()
        end = min(len(text), last + _AROUND)
    if end:
        yield start, end


def _hints(text: str) -> Iterator[tuple[int, int]]:
    low = lowered(text)
    if low is None:
        found = _HINT.finditer(text)
    else:
        found = (hint for at in places(low, LICENSE_WORDS) if (hint := _HINT.match(text, at)) is not None)
    return (hint.span() for hint in found)


_known: dict[bytes, tuple[tuple[int, str], ...]] = {}
"""The licenses of texts, by digest. Many files begin with the same header, and many projects have the same licenses."""


def _remembered(text: str) -> tuple[tuple[int, str], ...]:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if digest not in _known:
        if len(_known) >= _MOST_TEXTS:
            _known.clear()
        _known[digest] = tuple(_classified(text))
    return _known[digest]


def _classified(text: str) -> Iterator[tuple[int, str]]:
    from licenseclassifier import identify_license  # noqa: PLC0415  # slow: it unpacks its automata

    # `tags` finds SPDX tags. Most texts with a tag have no other words of licenses, and need no classifier.
    has_words = any(_IN_TAG.match(text, max(0, first - len("SPDX-"))) is None for first, _ in _hints(text))
    matches = identify_license(text, coverage_threshold=0) if has_words else ()
    for match in matches:
        hint = _HINT.search(text, match.start, match.end)  # a match includes the copyright line before the license
        yield (match.start if hint is None else hint.start()), match.id
    if not matches and (grant := _grant(text)) is not None and _ELSEWHERE.search(text) is None:
        yield grant, UNKNOWN_LICENSE


def _grant(text: str) -> int | None:
    """The position of the first grant in a text that does not name its license, or None."""
    low = lowered(text)
    if low is not None and not any(word in low for word in _GRANT_WORDS):
        return None
    grants = (grant.span() for grant in _GRANT.finditer(text))
    return next((start for start, end in grants if not _UNDER.search(text, end, end + _UNDER_WITHIN)), None)


MOST_NOTICES = 200  # at most this many files of a repository speak for others: some have code of thousands of projects

_LICENSE_NAME = later(
    r"(?:(?:un|(?:mit|bsd|apache|[al]?gpl|mpl|epl|isc|zlib|ofl)[-_.0-9]{1,8})?licen[cs]es?|copying)(?![a-z])",
    re.IGNORECASE,
)
_NOTICE_NAME = later(
    r"(?:copyright|notices?|attributions?|credits|acknowledge?ments|third[-_.]?party(?:[-_.]?(?:licen[cs]es?|notices?))?)"
    r"(?![a-z])",
    re.IGNORECASE,
)
_OTHER_NAME = later(r"(?:readme|authors?|contributors)(?![a-z])", re.IGNORECASE)


@lru_cache(maxsize=16_384)  # the notices of a repository are compared with each of its files
def scope(path: str) -> str | None:
    """The folder whose files a file speaks for: empty for the whole repository, None for a file that speaks only for
    itself. For a file in a folder `LICENSES` (of REUSE), the folder above.
    """
    folder, _, name = path.rpartition("/")
    above, _, last = folder.rpartition("/")
    if last == "LICENSES":
        return above
    is_prose = not LANGUAGES[guess(name, b"")].grammar
    names = (_LICENSE_NAME, _NOTICE_NAME, _OTHER_NAME)
    return folder if is_prose and any(pattern.match(name) for pattern in names) else None


def governs(speaker: str, path: str) -> bool:
    """Whether the file `speaker` speaks for the file `path`, since it speaks for a folder that contains `path`."""
    folder = scope(speaker)
    return folder is not None and speaker != path and (not folder or path.startswith(f"{folder}/"))


def is_license_file(path: str) -> bool:
    """Whether a file states a license for others, as `LICENSE` and `COPYING` do."""
    folder, _, name = path.rpartition("/")
    in_folder = folder.rpartition("/")[2] == "LICENSES"
    return scope(path) is not None and (in_folder or _LICENSE_NAME.match(name) is not None)


def is_notice(path: str) -> bool:
    """Whether a file is a license file for others, or credits code of others (`NOTICE`, `THIRD-PARTY`).

    READMEs and lists of authors are not notices: a name or link in them is not a credit for code.
    """
    name = path.rpartition("/")[2]
    return is_license_file(path) or (scope(path) is not None and _NOTICE_NAME.match(name) is not None)


def notices(paths: Iterable[str]) -> list[str]:
    """The files that speak for others, those nearest to the root first, at most `MOST_NOTICES`. If there are more,
    READMEs and lists of authors are dropped before licenses and notices.
    """
    found = sorted((path for path in paths if scope(path) is not None), key=_by_depth)
    kept = sorted(found, key=lambda path: not is_notice(path))[:MOST_NOTICES]
    return sorted(kept, key=_by_depth)


def _by_depth(path: str) -> tuple[int, str]:
    return path.count("/"), path
