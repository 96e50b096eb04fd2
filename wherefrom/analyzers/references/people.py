"""Finds copyright lines and author tags."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wherefrom.support.pattern import later

_LONGEST = 200

COPYRIGHT_WORDS = ("copyright", "(c)", "©", "&copy;")
AUTHOR_WORDS = ("author",)
"""Every text with a copyright line or an author tag contains one of these, in lower case."""

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
_ENDS = later(r"\*/|-->|-\}|\*\)|#\}")
"""The ends of comments in all languages that have them."""


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
