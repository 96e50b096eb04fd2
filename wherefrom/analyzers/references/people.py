"""Copyright lines and author tags."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LONGEST = 200

COPYRIGHT_WORDS = ("copyright", "(c)", "©", "&copy;")
AUTHOR_WORDS = ("author",)
"""Every text that has a copyright line or an author tag has one of these, in lower case."""

_SIGNS = r"SPDX-(?:File|Snippet)CopyrightText:|\(c\)|©|&copy;"
_COPYRIGHT = re.compile(rf"(?<![\w-])(?:copyright\b|{_SIGNS})", re.IGNORECASE)
_MARKS = re.compile(rf"(?:[\s:,]|copyright\b|{_SIGNS}|by\b)+", re.IGNORECASE)
_CERTAIN = re.compile(r"spdx|©|&copy;|\bby\b|copyright\W*\(c\)|\(c\)\W*copyright", re.IGNORECASE)
"""Marks that no prose about copyright has; others need a year behind them."""
_YEAR = re.compile(r"(?:19|20)[0-9]{2}\b")
_RIGHTS = re.compile(r"[\s.,;]*all rights reserved.*", re.IGNORECASE)

_AUTHOR = re.compile(
    r"(?<![\w.])@authors?\b(?![.\w])|\\authors?(?=[ \t{])|(?<![\w:]):authors?:"
    r"|(?P<word>(?<![\w@\\:.-])authors?[ \t]{0,20}:(?![:/]))",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[a-z][a-z0-9]{0,10}(?:\s[^<>]*)?>", re.IGNORECASE)
_ENDS = re.compile(r"\*/|-->|-\}|\*\)|#\}")
"""The ends of comments of all languages that have one."""


def copyrights(text: str) -> Iterator[tuple[int, str]]:
    """The copyright lines of a text: where each begins, and its years and holder. Prose about copyright has neither a
    sign nor a year behind the word, and is none.
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
    r"""The author tags of a text (`@author`, `\author`, `:author:`, `Author:` at the beginning of a line): where each
    begins, and what is written behind it.
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
    """What follows on the same line, cut after enough for a value and the marks before it."""
    return text[start : start + 2 * _LONGEST].partition("\n")[0]


def _plain(text: str) -> str:
    """A value without the end of a comment, markup and decoration; empty where no letter or digit is left."""
    value = " ".join(_TAG.sub(" ", _ENDS.split(text, maxsplit=1)[0]).split()).strip(" :,;*#={}|\"'")[:_LONGEST].rstrip()
    return value if any(map(str.isalnum, value)) else ""
