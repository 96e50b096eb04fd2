"""Finds the references in a text, or in the comments of a file."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, islice
from typing import NamedTuple
from urllib.parse import unquote

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.references.commentary import stretches, text_of
from wherefrom.analyzers.references.licenses import LICENSE_WORDS, TAG_WORDS, license_texts, lines, lowered, tags
from wherefrom.analyzers.references.reference import MOST, Reference, ReferenceKind, References
from wherefrom.analyzers.references.targets import URL_WORDS, target, urls
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass

SNIPPET_WORDS = ("spdx-snippet",)  # every text with one of the tags contains this, in lower case
BEGIN = later(r"SPDX-SnippetBegin\b")
END = later(r"SPDX-SnippetEnd\b")


def tagged(tag: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    """The position and text of each `BEGIN` or `END`."""
    return ((found.start(), found[0]) for found in tag.finditer(text))


@dataclass(frozen=True, slots=True)
class SpdxSnippet:
    """The lines of a snippet, including its tags, 1-based and inclusive."""

    first: int
    last: int | None  # None if no tag ends it

    def holds(self, line: int) -> bool:
        """Whether a line is in the snippet."""
        return self.first <= line and (self.last is None or line <= self.last)


@dataclass(frozen=True, slots=True)
class Snippets:
    """The snippets of a file, inner ones before those around them."""

    found: tuple[SpdxSnippet, ...]

    @staticmethod
    def of(references: Sequence[Reference]) -> Snippets:
        """The snippets of a file with these references. End tags without a begin tag are ignored."""
        open_lines: list[int] = []
        found: list[SpdxSnippet] = []
        for reference in references:
            if reference.kind == ReferenceKind.SNIPPET_BEGIN:
                open_lines.append(reference.line)
            elif reference.kind == ReferenceKind.SNIPPET_END and open_lines:
                found.append(SpdxSnippet(open_lines.pop(), reference.line))
        return Snippets((*found, *(SpdxSnippet(first, None) for first in reversed(open_lines))))

    def around(self, line: int) -> SpdxSnippet | None:
        """The innermost snippet with this line, or None."""
        return next((snippet for snippet in self.found if snippet.holds(line)), None)

    def around_all(self, ranges: Sequence[tuple[int, int]]) -> list[SpdxSnippet]:
        """The snippets that contain all of these inclusive line ranges, the innermost first. Empty without ranges."""
        if not ranges:
            return []
        return [snippet for snippet in self.found if all(snippet.holds(line) for pair in ranges for line in pair)]


_NAME = r"(?P<name>@?[a-z0-9][\w.-]{0,100}(?:[/:][\w.-]{1,100}){0,5})"

_TYPES = {
    "pip": "pypi",
    "pip3": "pypi",
    "pipx": "pypi",
    "uv": "pypi",
    "poetry": "pypi",
    "npm": "npm",
    "yarn": "npm",
    "pnpm": "npm",
    "cargo": "cargo",
    "go": "golang",
}
"""The type of the packages that a command installs."""

_INSTALL = later(
    rf"(?<![\w-])(?P<command>{'|'.join(_TYPES)})[ \t](?:pip[ \t])?(?:install|i|add|get)[ \t]{{1,9}}"
    rf"(?:-{{1,2}}[\w-]{{1,20}}[ \t]{{1,9}}){{0,5}}{_NAME}",
    re.IGNORECASE,
)
_FROM = later(
    r"(?:\b(?:copied|taken|adapted|borrowed|ported|vendored|extracted|derived|backported|lifted|comes|code)[ \t]from"
    r"|\b(?:based|modell?ed)[ \t]on|^[^\w\n]{0,10}from)"
    rf"[ \t]{{1,9}}(?:the[ \t]{{1,9}})?[`'\"*]?{_NAME}",
    re.IGNORECASE | re.MULTILINE,
)
_PURL = later(r"pkg:(?P<type>[a-z][a-z0-9.+-]{1,20})/(?P<name>[\w.~%@/+-]{1,300})", re.IGNORECASE)

PACKAGE_WORDS = ("pkg:", " install ", " i ", " add ", " get ", "from", "based on", "modeled on", "modelled on")
"""Every text with the name of a package contains one of these, in lower case."""


def packages(text: str) -> Iterator[tuple[int, str]]:
    """The position and the name of each package, as `package_name` writes it. Words such as `from x` name it without
    its type, whatever x is, so a name counts only for code of a package with that name.
    """
    for found in _PURL.finditer(text):
        yield found.start(), package_name(unquote(found["name"].rstrip("./")), found["type"])
    for found in _INSTALL.finditer(text):
        yield found.start(), package_name(found["name"], _TYPES[found["command"].lower()])
    for found in _FROM.finditer(text):
        yield found.start(), package_name(found["name"])


def package_name(name: str, kind: str = "") -> str:
    """A name of a package in a form for comparison: `pypi:ruamel-yaml`, or only `ruamel-yaml` without the type. In
    lower case, without the version at its end, with `-` for each of `-`, `_`, `.` and `:`.
    """
    plain = re.sub(r"[-_.:]+", "-", re.sub(r"(?<=.)@.*$", "", name).strip("-_.:").lower())
    return f"{kind.lower()}:{plain}" if kind else plain


_LONGEST = 200

COPYRIGHT_WORDS = ("copyright", "(c)", "©", "&copy;")
AUTHOR_WORDS = ("author",)  # every text with a copyright line or an author tag contains one of these, in lower case
_SIGNS = r"SPDX-(?:File|Snippet)CopyrightText:|\(c\)|©|&copy;"
_COPYRIGHT = later(rf"(?<![\w-])(?:copyright\b|{_SIGNS})", re.IGNORECASE)
_MARKS = later(rf"(?:[\s:,]|copyright\b|{_SIGNS}|by\b)+", re.IGNORECASE)
_CERTAIN = later(r"spdx|©|&copy;|\bby\b|copyright\W*\(c\)|\(c\)\W*copyright", re.IGNORECASE)
"""Marks that prose about copyright does not have. Other marks need a year after them."""
_YEAR = later(r"(?:19|20)[0-9]{2}\b")
_RIGHTS = later(r"[\s.,;]*all rights reserved.*", re.IGNORECASE)

_AUTHOR = later(
    r"(?<![\w.])@authors?\b(?![.\w])|\\authors?(?=[ \t{])|(?<![\w:]):authors?:"
    r"|(?P<word>(?<![\w@\\:.-])authors?[ \t]{0,20}:(?![:/]))",
    re.IGNORECASE,
)
_TAG = later(r"</?[a-z][a-z0-9]{0,10}(?:\s[^<>]*)?>", re.IGNORECASE)
_ENDS = later(r"\*/|-->|-\}|\*\)|#\}")  # the ends of comments in all languages that have them


def copyrights(text: str) -> Iterator[tuple[int, str]]:
    """The position, years and holder of each copyright line in a text. Prose about copyright does not count: it has no
    sign and no year after the word.
    """
    done = 0
    while (mark := _COPYRIGHT.search(text, done)) is not None:
        line = _rest_of_line(text, mark.start())
        done = mark.start() + len(line)
        marks = _MARKS.match(line)
        assert marks is not None, "a line begins with the mark that was found"
        rest = line[marks.end() :]
        if _YEAR.match(rest) or _CERTAIN.search(marks[0]):
            value = _plain(_RIGHTS.sub("", rest))
            if value:
                yield mark.start(), value


def authors(text: str) -> Iterator[tuple[int, str]]:
    r"""The position of each author tag in a text (`@author`, `\author`, `:author:`, or `Author:` at the beginning of a
    line), and the text after it.
    """
    done = 0
    while (tag := _AUTHOR.search(text, done)) is not None:
        done = tag.end()
        if tag["word"] and any(map(str.isalnum, text[max(0, tag.start() - 40) : tag.start()].rpartition("\n")[2])):
            continue
        line = _rest_of_line(text, done)
        done += len(line)
        value = _plain(line)
        if value:
            yield tag.start(), value


def _rest_of_line(text: str, start: int) -> str:
    """The rest of the line, cut after enough characters for a value and the marks before it."""
    return text[start : start + 2 * _LONGEST].partition("\n")[0]


def _plain(text: str) -> str:
    """A value without the end of a comment, markup and decoration; empty if no letter or digit is left."""
    value = " ".join(_TAG.sub(" ", _ENDS.split(text, maxsplit=1)[0]).split()).strip(" :,;*#={}|\"'")[:_LONGEST].rstrip()
    return value if any(map(str.isalnum, value)) else ""


_QUOTED = 200  # a reference quotes at most this many characters of its line


class _Finder(NamedTuple):
    """Finds the references of one kind."""

    kind: ReferenceKind | None  # the kind; None for URLs, whose kind depends on what they point to
    # every text with such a reference contains one of these words, in lower case. If `is_in_lines`, so does every line
    # with such a reference
    words: tuple[str, ...]
    find: Callable[[str], Iterator[tuple[int, str]]]  # yields the position and value of each reference in a text
    is_in_lines: bool = True  # true if each reference is in one line and does not depend on the other lines


_FINDERS = (
    _Finder(None, URL_WORDS, urls),
    _Finder(ReferenceKind.SPDX, TAG_WORDS, tags),
    _Finder(ReferenceKind.LICENSE, LICENSE_WORDS, license_texts, is_in_lines=False),
    _Finder(ReferenceKind.COPYRIGHT, COPYRIGHT_WORDS, copyrights),
    _Finder(ReferenceKind.AUTHOR, AUTHOR_WORDS, authors),
    _Finder(ReferenceKind.SNIPPET_BEGIN, SNIPPET_WORDS, partial(tagged, BEGIN)),
    _Finder(ReferenceKind.SNIPPET_END, SNIPPET_WORDS, partial(tagged, END)),
)

_ALL = (*_FINDERS, _Finder(ReferenceKind.PACKAGE, PACKAGE_WORDS, packages))

WORDS = tuple(dict.fromkeys(word for finder in _FINDERS for word in finder.words))
"""Every text with a reference contains one of these, in lower case."""


def of_file(content: bytes, analysis: Analysis, words: frozenset[str] | None = None) -> References:
    """The references in the comments and doc strings of a file, or in all of it if it is prose. `words` has the result
    of `words_in(content)`, if it is known.
    """
    # Each finder needs certain words. Most files have few of these, so most finders can be skipped.
    words = words_in(content) if words is None else words
    return of_stretches(_worded(content, stretches(content, analysis), words) if words else ())


def of_places(content: bytes, dumped: bytes) -> References:
    """The references in the parts of a file that `dump_places` encoded."""
    numbers = iter(array("I", dumped))
    places = zip(numbers, numbers, numbers, strict=True)
    return of_stretches(_worded(content, places, words_in(content)) if dumped else ())


def dump_places(places: Sequence[tuple[int, int, int]]) -> bytes:
    """Encodes the parts of a file that may have references, as `stretches` gives them, for this machine."""
    return array("I", chain.from_iterable(places)).tobytes()


def _worded(
    content: bytes, places: Iterable[tuple[int, int, int]], words: frozenset[str]
) -> Iterator[tuple[str, int, frozenset[str]]]:
    for start, end, line in places:
        text = text_of(content, start, end)
        yield text, line, _perhaps_in(text, words)


def words_in(content: bytes, words: Iterable[str] = WORDS) -> frozenset[str]:
    """Those of some words that a content contains. It is read as Latin-1 without NUL bytes, whatever its encoding."""
    low = content.replace(b"\0", b"").decode("latin-1").lower()
    return frozenset(word for word in words if word in low)


def of_project_file(content: bytes, analysis: Analysis) -> References:
    """The references in a file of a project that is checked: those of `of_file`, and the packages that it names."""
    return of_file(content, analysis, words_in(content, (*WORDS, *PACKAGE_WORDS)))


def of_stretches(texts: Iterable[tuple[str, int, frozenset[str]]]) -> References:
    """The references in some texts of a file, in order. `texts` has (text, first line, words that it may contain)."""
    return _kept(chain.from_iterable(_references(text, line, _fitting(words)) for text, line, words in texts))


def of_text(text: str, first_line: int = 1) -> References:
    """The references in a text whose first line has the number `first_line`."""
    low = text.lower()
    return _kept(_references(text, first_line, _fitting(frozenset(word for word in WORDS if word in low))))


def _kept(found: Iterable[Reference]) -> References:
    references = iter(dict.fromkeys(found))
    return References(tuple(islice(references, MOST)), sum(1 for _ in references))


def _references(text: str, first_line: int, finders: tuple[_Finder, ...]) -> Iterator[Reference]:
    if finders:
        read = _read_again if len(text) <= _LIKELY_AGAIN else _read
        for kind, line, value, quoted in read(text, finders):
            yield Reference(kind, value, first_line + line, quoted)


def _read(text: str, finders: tuple[_Finder, ...]) -> list[tuple[ReferenceKind, int, str, str]]:
    found = []
    line = line_start = before = 0
    for start, kind, value in sorted(_places(text, finders)):
        if end := 1 + text.rfind("\n", before, start):
            line, line_start = line + text.count("\n", before, end), end
        before = start
        found.append((kind, line, value, _quoted(text, line_start, start)))
    return found


_LIKELY_AGAIN = 5000  # references of texts of at most this many characters are cached: many files have the same header
_read_again = lru_cache(512)(_read)


def _places(text: str, finders: tuple[_Finder, ...]) -> Iterator[tuple[int, ReferenceKind, str]]:
    low = lowered(text)
    for finder in finders:
        parts = ((0, text),) if low is None or not finder.is_in_lines else lines(text, low, finder.words)
        for begin, part in parts:
            for start, value in finder.find(part):
                if finder.kind is not None:
                    yield begin + start, finder.kind, value
                elif (found := target(value)) is not None:
                    yield begin + start, found.kind, found.url


def _perhaps_in(text: str, words: frozenset[str]) -> frozenset[str]:
    """Which of these words a text may contain. If it is not ASCII, all of them, since the lower case of some characters
    beyond ASCII begins with an ASCII letter.
    """
    if not text.isascii():
        return words
    low = text.lower()
    return frozenset([word for word in words if word in low])


@lru_cache(maxsize=4096)  # few different sets of words occur
def _fitting(words: frozenset[str]) -> tuple[_Finder, ...]:
    """The finders for a text that contains at most these words, each with only these."""
    narrowed = (finder._replace(words=tuple(filter(words.__contains__, finder.words))) for finder in _ALL)
    return tuple(finder for finder in narrowed if finder.words)


def _quoted(text: str, line_start: int, start: int) -> str:
    """The line that begins at `line_start`, or only the part around `start` if the line is long."""
    first = line_start if start - line_start < _QUOTED // 2 else start - _QUOTED // 4
    return text[first : first + _QUOTED].partition("\n")[0].strip()
