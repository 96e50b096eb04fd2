"""Names in a report of a comparison, and what is written in their place where readers are not to know them."""

from __future__ import annotations

import hmac
import json
import posixpath
import re
import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wherefrom.errors import UsageError
from wherefrom.languages.nothing import words
from wherefrom.reports.pages.shown_text import Edit
from wherefrom.results import ComparedFile, Comparison
from wherefrom.support.formats import Format
from wherefrom.support.hosts import HOSTS
from wherefrom.support.writing import write_whole

FORMAT = Format(version=1, reader=1, oldest=1)
"""Version of the file with the key."""

ID_DIGITS = 12
"""Hexadecimal digits of the id of a pair."""

SHORTEST_NAME = 3
"""Letters of the shortest word that is taken for a name."""

SOMEBODY = "[name]"
"""What is shown for a person who has no submission."""

_PERSON = frozenset({"author", "copyright"})
"""Kinds of statements whose values are names of people."""

_PART = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|\d+|[^\W\d_A-Z]+")
"""A word within letters and digits that are joined, as in `janeDoe2`."""

_MOST_HUMPS = 8
"""Words that are read as one where a name is sought: `janeDoe` is the name `janedoe`."""

_LABEL = re.compile(
    r"""
    (?: (?<![\w.@\\]) [@\\]authors? \b | \b__author__ [ \t]* =
      | ^ [^\w\n]{0,40} (?: authors? | student (?: [ \t_-]? (?: name | id | number | no\.? ) )?
          | matriculation [ \t] (?: number | no\.? ) | submitted [ \t] by
          | (?: full | first | last | family | given | user | login ) [ \t_-]? name ) [ \t]* : (?![:/])
      | ^ [^\w\n]{0,40} (?: written | created | coded | implemented | submitted ) [ \t] by \b [ \t]* :?
      | ^ [ \t]{0,99} [\#*/;%-]{1,9} [^\w\n]{0,20} (?: name [ \t]* : | by \b (?= [ \t]+ (?-i:[A-Z]) ) )
    )
    [ \t"'({\[]* (?P<value> [^\n]{1,200} )
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
"""Who wrote it: a tag, or a label at the beginning of a line or of a comment; and what follows on the line."""

_VALUE_END = re.compile(r"[ \t]*(?:\*/|-->|\*\)|-\}|[\"']+[\])},;]*[ \t\r]*$|\r$)")
"""The end of a comment or a text, behind a value."""

_ACCOUNT = re.compile(
    r"(?:(?:/home|/Users|[A-Za-z]:\\{1,2}Users|/c/Users)[/\\]{1,2}|://[^\s/]{1,80}/~|"
    rf"(?:{'|'.join(map(re.escape, HOSTS))})[/:]~?)"
    r"(?P<name>[\w.-]{1,64})",
    re.IGNORECASE,
)
"""Home directories, and accounts at hosts of repositories."""

_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
"""A mail address; bounded, so that a long line is read once."""

_PLAIN = frozenset(
    words(
        "all and author authors class code com contributors copyright course edu email file for from homework inc "
        "license mail main net org program project public rights reserved src student students test tests the "
        "university with work www"
    )
)
"""Words that are not names, though they are found beside names."""


@dataclass(slots=True)
class Names:
    """Names as they are.

    Attributes:
        comparison: whose they are.
    """

    comparison: Comparison

    @property
    def is_anonymous(self) -> bool:
        """Whether what is shown is in the place of names."""
        return False

    def submission(self, number: int) -> str:
        """The name of a submission."""
        return self.comparison.submissions[number].name

    def author(self, number: int) -> str:
        """Who submitted it; empty where that is not known."""
        return self.comparison.submissions[number].author or ""

    def path(self, file: ComparedFile) -> str:
        """The path of a file."""
        return file.path

    def pair(self, identifier: str) -> str:
        """What a pair is called in links and reviews."""
        return identifier

    def text(self, text: str) -> str:
        """A sentence or a quoted line."""
        return text

    def edits(self, text: str) -> Iterable[Edit]:  # noqa: ARG002 -- names are shown as they are
        """What is shown in place of names in a source."""
        return ()


@dataclass(slots=True)
class Pseudonyms(Names):
    """Names of nobody. They say nothing of the order of the names, and stay the same with the same key.

    Attributes:
        secret: what ids are made with: hexadecimal digits.
        names: what is shown, by the name of the submission.
    """

    secret: str
    names: dict[str, str]
    _by_first: dict[str, list[tuple[str, int, str]]] = field(init=False)

    def __post_init__(self) -> None:
        shown: dict[str, tuple[int, str]] = {}
        for name, pseudonym in _names(self.comparison, self.names):
            begin = _PART.search(name)
            if begin is not None:
                meant = name[begin.start() :]
                if len(meant.casefold()) == len(meant):
                    shown.setdefault(meant.casefold(), (len(meant), pseudonym))
        # Names by the word they begin with, the longest first: a text is read once, however many names there are.
        self._by_first = {}
        for folded, (length, pseudonym) in sorted(shown.items(), key=lambda item: (-len(item[0]), item[0])):
            first = _PART.search(folded)
            assert first is not None, "it begins with one"
            self._by_first.setdefault(first[0], []).append((folded, length, pseudonym))

    @property
    def is_anonymous(self) -> bool:
        """See `Names`."""
        return True

    def submission(self, number: int) -> str:
        """See `Names`."""
        return self.names[self.comparison.submissions[number].name]

    def author(self, number: int) -> str:  # noqa: ARG002 -- nobody is named
        """See `Names`."""
        return ""

    def path(self, file: ComparedFile) -> str:
        """See `Names`."""
        submission = self.comparison.submissions[file.submission]
        name = self.names[submission.name]
        _, ending = posixpath.splitext(file.path)
        if len(submission.files) == 1:
            return f"{name}{self.text(ending)}"
        inner = file.path.removeprefix(f"{submission.name}/")
        inner = inner if inner != file.path else posixpath.basename(file.path)
        return f"{name}/{self.text(inner)}"

    def pair(self, identifier: str) -> str:
        """See `Names`."""
        return hmac.digest(self.secret.encode(), identifier.encode(), "sha256").hex()[:ID_DIGITS]

    def text(self, text: str) -> str:
        """See `Names`."""
        parts: list[str] = []
        done = 0
        for edit in sorted(self.edits(text)):
            if edit.start >= done:
                parts += text[done : edit.start], edit.text
                done = edit.end
        return "".join([*parts, text[done:]])

    def edits(self, text: str) -> Iterator[Edit]:
        """See `Names`."""
        done = 0
        # What is said after a label is replaced whole, with the names and addresses in it.
        found = [*self._signed(text), *_addresses(text), *_accounts(text), *self._named(text)]
        for edit in sorted(found, key=lambda edit: (edit.start, -edit.end)):
            if edit.start >= done:
                yield edit
                done = edit.end

    def _signed(self, text: str) -> Iterator[Edit]:
        """What follows a label such as `Author:`, whatever it is; a name that is known keeps its pseudonym."""
        for label in _LABEL.finditer(text):
            start, end = label.span("value")
            value = label["value"]
            ending = _VALUE_END.search(value)
            end = start + (ending.start() if ending is not None else len(value))
            if any(map(str.isalnum, text[start:end])):
                known = {edit.text for edit in self._named(text[start:end])} - {SOMEBODY}
                yield Edit(start, end, known.pop() if len(known) == 1 else SOMEBODY)

    def _named(self, text: str) -> Iterator[Edit]:
        """The names that are known, as whole words; in `janeDoe2` there are three."""
        done = 0
        for part in _PART.finditer(text):
            words_in = [*_HUMP.finditer(text, part.start(), part.end())]
            for at, word in enumerate(words_in):
                if word.start() < done:
                    continue
                found = self._at(text, word.start(), [after.end() for after in words_in[at : at + _MOST_HUMPS]])
                if found is not None:
                    yield found
                    done = found.end

    def _at(self, text: str, start: int, firsts: Sequence[int]) -> Edit | None:
        """The longest name that begins here, None where none does.

        Args:
            text: the text.
            start: where a word begins.
            firsts: where the letters and digits up to the first blank or mark of a name may end, ascending.
        """
        for first in reversed(firsts):
            for folded, length, pseudonym in self._by_first.get(text[start:first].casefold(), ()):
                end = start + length
                if text[start:end].casefold() == folded and _ends_word(text, end):
                    return Edit(start, end, pseudonym)
        return None


def _ends_word(text: str, end: int) -> bool:
    """Whether a word ends there: nothing follows, or no letter and digit, or a number, or a capital letter."""
    if end >= len(text) or not text[end].isalnum():
        return True
    before, after = text[end - 1], text[end]
    return before.isdigit() != after.isdigit() or (after.isupper() and not before.isupper())


def _addresses(text: str) -> Iterator[Edit]:
    for address in _ADDRESS.finditer(text):
        yield Edit(address.start(), address.end(), "[address]")


def _accounts(text: str) -> Iterator[Edit]:
    for account in _ACCOUNT.finditer(text):
        yield Edit(*account.span("name"), SOMEBODY)


def with_key(comparison: Comparison, path: Path) -> Pseudonyms:
    """The pseudonyms of a comparison. Those that the file with the key has are kept, and new ones are added to it.

    Raises:
        UsageError: the file is not a key, or cannot be read or written.
    """
    secret, names = read_key(path)
    known = {name: pseudonym for pseudonym, name in names.items()}
    new = sorted(submission.name for submission in comparison.submissions if submission.name not in known)
    # In an order that only the secret tells.
    new.sort(key=lambda name: hmac.digest(secret.encode(), name.encode("utf-8", "surrogateescape"), "sha256"))
    for number, name in enumerate(new, len(known) + 1):
        known[name] = f"submission-{number:03}"
    value = {**FORMAT.stamp(), "secret": secret, "names": {shown: name for name, shown in known.items()}}
    try:
        path.touch(mode=0o600)
        write_whole(path, (json.dumps(value, indent=1) + "\n").encode())
    except OSError as error:
        raise UsageError(f"cannot write the key {path}: {error.strerror}; name another file") from error
    return Pseudonyms(comparison, secret, known)


def read_key(path: Path) -> tuple[str, dict[str, str]]:
    """The secret and the names by pseudonym of a key; a new secret and none where there is no such file.

    Raises:
        UsageError: the file is not a key, or cannot be read.
    """
    remedy = "name another file"
    try:
        value: Any = json.loads(path.read_bytes())
        refusal = FORMAT.refusal(value["format"], value["reader"], remedy)
        secret, names = value["secret"], value["names"]
        if not isinstance(secret, str) or not all(isinstance(part, str) for item in names.items() for part in item):
            raise TypeError("a secret and names are texts")
    except FileNotFoundError:
        return secrets.token_hex(32), {}
    except OSError as error:
        raise UsageError(f"cannot read the key {path}: {error.strerror}; {remedy}") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise UsageError(f"{path} is not a key of --anonymize; {remedy}") from error
    if refusal is not None:
        raise UsageError(f"the key {path} {refusal}")
    return secret, names


def _names(comparison: Comparison, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What is replaced, and by what: names of submissions and authors, their words where they are of one alone, and
    the people that files name.
    """
    holders: defaultdict[str, set[str]] = defaultdict(set)
    of_each = []
    for submission in comparison.submissions:
        stem = posixpath.splitext(posixpath.basename(submission.name))[0]
        whole = {part for part in (submission.name, submission.author) if part}
        parts = {word for part in (*whole, stem) for word in _names_in(part) | _joined(part)}
        if len(stem) >= SHORTEST_NAME and stem.casefold() not in _PLAIN:
            parts.add(stem.casefold())
        of_each.append((names[submission.name], whole, parts))
        for word in parts:
            holders[word].add(submission.author or submission.name)
    for shown, whole, parts in of_each:
        yield from ((part, shown) for part in sorted(whole) if len(part) >= SHORTEST_NAME)
        # What submissions of several people are called, such as `solution.py`, names nobody.
        yield from ((word, shown) for word in sorted(parts) if len(holders[word]) == 1)
    for file in comparison.files:
        for statement in file.statements:
            if statement.kind in _PERSON:
                yield from ((word, SOMEBODY) for word in sorted(_names_in(statement.value) | _joined(statement.value)))


def _names_in(text: str) -> set[str]:
    """The words of a text that may be a name, in lower case."""
    found = {word.casefold() for word in _written_words(text)}
    return {word for word in found if len(word) >= SHORTEST_NAME} - _PLAIN


def _joined(text: str) -> set[str]:
    """How a name of two or three words is written as one: `janedoe`, `doejane`, `jdoe`."""
    folded = [word.casefold() for word in _written_words(text)]
    if not 2 <= len(folded) <= 3 or _PLAIN & set(folded):
        return set()
    first, last = folded[0], folded[-1]
    return {"".join(folded), first + last, last + first, first[0] + last, last + first[0]} - {first, last}


def _written_words(text: str) -> list[str]:
    return [word for word in _HUMP.findall(text) if word.isalpha()]


def names_of(comparison: Comparison, key: Path | None) -> Names:
    """The names that a report shows: as they are, or pseudonyms where a file for their key is given.

    Raises:
        UsageError: as `with_key`.
    """
    return Names(comparison) if key is None else with_key(comparison, key)
