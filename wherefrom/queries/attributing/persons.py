"""Authors and copyright holders, written so that they can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from wherefrom.analyzers.references import PEOPLE, Reference

_SHORTEST_NAME = 4
_WORDS_OF_A_PART = 2
"""In a list of names, only names of at least this many words count: a surname alone may be anybody's."""

_ADDRESS = re.compile(r"<[^>]*>|\([^)]*@[^)]*\)|\S+@\S+|https?://\S+")
_YEARS = re.compile(r"\b(?:19|20)[0-9]{2}(?:\s?[-–]\s?(?:[0-9]{2,4}\b|present\b)?)?", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;/&+]|\band\b|\.\s", re.IGNORECASE)
_NO_LETTERS = re.compile(r"[\W\d_]+")
_DIGIT = re.compile(r"[0-9]")

_NO_PART_OF_A_NAME = frozenset({"copyright", "present", "all", "rights", "reserved", "by", "the"})
_ENDS = frozenset(
    {
        *("inc", "ltd", "llc", "gmbh", "corp", "corporation", "foundation"),
        *("authors", "contributors", "developers", "team", "project", "and", "other", "others", "individual"),
    }
)
"""Words at the end of a holder's name that are dropped, since many holders' names end with them."""

_NOBODY = frozenset(
    {"author", "authors", "file", "fullname", "holders", "license", "licensed", "listed", "owner", "see"}
)
"""A text with one of these words names nobody. Licenses contain `[name of copyright owner]`, and headers contain `the
original author or authors` and `see the AUTHORS file`."""

_FREE_SOFTWARE_FOUNDATION = "free software foundation"
"""This holder does not count: its licenses name it in every project that uses them."""


@lru_cache(maxsize=16_384)  # the same lines are compared with one location after the other
def people(text: str) -> frozenset[str]:
    """The people that an author tag or a copyright line names: the whole line, and each part of two words or more, so
    that a longer list of holders still matches. In lower case, without years, addresses and words such as `Inc.`.
    """
    text = _YEARS.sub(" ", _ADDRESS.sub(" ", text))
    if " ".join(_words(text)).startswith(_FREE_SOFTWARE_FOUNDATION):
        return frozenset()
    found = {_name(text)}
    for part in _BETWEEN.split(text):
        if _DIGIT.search(part):  # the number of a house, so the rest is an address
            break
        name = _name(part)
        if len(name.split()) >= _WORDS_OF_A_PART:
            found.add(name)
    return frozenset(found - {""})


def people_of(references: Iterable[Reference]) -> frozenset[str]:
    """The authors and copyright holders among some references, as `people` writes them."""
    return frozenset(name for reference in references if reference.kind in PEOPLE for name in people(reference.value))


def people_of_address(address: str) -> frozenset[str]:
    """The owner and the name of a repository, by its address, as `people` writes them. Many projects write `Copyright
    OWNER, Inc.` or `Copyright the PROJECT authors`.
    """
    return frozenset(_name(part) for part in address.split("/")[-2:]) - {""}


def _words(text: str) -> list[str]:
    return [word for word in _NO_LETTERS.sub(" ", text).lower().split() if word not in _NO_PART_OF_A_NAME]


def _name(text: str) -> str:
    """A name for comparisons; empty if it is too short, or names nobody."""
    words = _words(text)
    while words and words[-1] in _ENDS:
        is_foundation = words.pop() == "foundation"
        if is_foundation and words and words[-1] == "software":
            words.pop()
    name = " ".join(words)
    return "" if len(name) < _SHORTEST_NAME or not _NOBODY.isdisjoint(words) else name
