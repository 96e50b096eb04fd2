"""The names in a report of a comparison, and the pseudonyms that replace them in an anonymous one."""

from __future__ import annotations

import hmac
import json
import posixpath
import re
import secrets
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from wherefrom.errors import UsageError
from wherefrom.extend import words
from wherefrom.reports.hit_fields import PEOPLE
from wherefrom.reports.pages.shown_text import Edit, merged
from wherefrom.results import ComparedFile, Comparison
from wherefrom.support.chunks import by_key
from wherefrom.support.formats import Format, OtherFormat
from wherefrom.support.hosts import HOSTS
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass, field
from wherefrom.support.writing import write_whole

FORMAT = Format(version=1, reader=1, oldest=1)
"""The version of the format of the key file, which has the secret and the real names."""

ID_DIGITS = 12  # the number of hexadecimal digits of the id of a pair
SHORTEST_NAME = 3  # a word with fewer letters does not count as a name
SOMEBODY = "[name]"  # replaces the name of a person who has no submission

_PART = later(r"[^\W_]+")
_HUMP = later(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|\d+|[^\W\d_A-Z]+")
"""One of the words in a run of letters and digits such as `janeDoe2`."""

_MOST_HUMPS = 8  # at most this many words of a run can be a name together: `janeDoe` is the name `janedoe`

_LABEL = later(
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
"""A tag or label for the author, at the beginning of a line or of a comment, and the rest of the line."""

_VALUE_END = later(r"[ \t]*(?:\*/|-->|\*\)|-\}|[\"']+[\])},;]*[ \t\r]*$|\r$)")
"""The end of a comment or a string after a value."""

_ACCOUNT = later(
    r"(?:(?:/home|/Users|[A-Za-z]:\\{1,2}Users|/c/Users)[/\\]{1,2}|://[^\s/]{1,80}/~|"
    rf"(?:{'|'.join(map(re.escape, HOSTS))})[/:]~?)"
    r"(?P<name>[\w.-]{1,64})",
    re.IGNORECASE,
)
"""The name of an account in the path of a home directory, or in an address at a host of repositories."""

_ADDRESS = later(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
"""A mail address. The length of its parts is limited, so that a search takes linear time even in a long line."""

_PLAIN = frozenset(
    words(
        "all and author authors class code com contributors copyright course edu email file for from homework inc "
        "license mail main net org program project public rights reserved src student students test tests the "
        "university with work www"
    )
)
"""Words that often appear beside names but never are names."""


@dataclass(slots=True)
class Names:
    """Shows the real names of a comparison."""

    comparison: Comparison
    is_anonymous: ClassVar[bool] = False

    def submission(self, number: int) -> str:
        """The name of a submission (0-based)."""
        return self.comparison.submissions[number].name

    def author(self, number: int) -> str:
        """The author of a submission (0-based); empty if unknown or hidden."""
        return self.comparison.submissions[number].author or ""

    def path(self, file: ComparedFile) -> str:
        """The path of a file."""
        return file.path

    def pair(self, identifier: str) -> str:
        """The id of a pair in links and reviews."""
        return identifier

    def text(self, text: str) -> str:
        """A sentence or a quoted line, with the replacements of `edits` made."""
        parts: list[str] = []
        done = 0
        for edit in self.edits(text):
            parts += text[done : edit.start], edit.text
            done = edit.end
        return "".join([*parts, text[done:]])

    def edits(self, text: str) -> Sequence[Edit]:  # noqa: ARG002 -- it is for pseudonyms
        """The replacements of names in a text, ascending; they do not overlap."""
        return ()


@dataclass(slots=True)
class Pseudonyms(Names):
    """Shows pseudonyms, by the names of the submissions. Their order does not reveal the order of the names. The same
    key file gives the same ones. The ids of pairs depend on the secret.
    """

    is_anonymous = True
    secret: str
    names: dict[str, str]
    _by_first: defaultdict[str, list[tuple[str, str]]] = field(init=False)

    def __post_init__(self) -> None:
        shown: dict[str, tuple[str, str]] = {}
        for name, pseudonym in _names(self.comparison, self.names):
            if (begin := _PART.search(name)) is not None:
                meant = name[begin.start() :]
                if len(meant.casefold()) == len(meant):
                    shown.setdefault(meant.casefold(), (begin[0].casefold(), pseudonym))
        # Names are grouped by their first word, the longest first, so that one pass over a text finds all of them.
        ordered = sorted(shown.items(), key=lambda item: (-len(item[0]), item[0]))
        self._by_first = by_key((first, (folded, pseudonym)) for folded, (first, pseudonym) in ordered)

    def submission(self, number: int) -> str:
        """The pseudonym of a submission (0-based)."""
        return self.names[self.comparison.submissions[number].name]

    def author(self, number: int) -> str:  # noqa: ARG002 -- authors are hidden
        """An empty text, since a pseudonym hides the author too."""
        return ""

    def path(self, file: ComparedFile) -> str:
        """The pseudonym of the submission, followed by the path of the file if the submission has several files."""
        submission = self.comparison.submissions[file.submission]
        name = self.names[submission.name]
        _, ending = posixpath.splitext(file.path)
        if len(submission.files) == 1:
            return f"{name}{self.text(ending)}"
        inner = file.path.removeprefix(f"{submission.name}/")
        inner = inner if inner != file.path else posixpath.basename(file.path)
        return f"{name}/{self.text(inner)}"

    def pair(self, identifier: str) -> str:
        """An id that does not reveal the real one."""
        return hmac.digest(self.secret.encode(), identifier.encode(), "sha256").hex()[:ID_DIGITS]

    def edits(self, text: str) -> Sequence[Edit]:
        """Replaces names, mail addresses, accounts, and all that follows a label for the author."""
        addresses = (Edit(*match.span(), "[address]") for match in _ADDRESS.finditer(text))
        accounts = (Edit(*match.span("name"), SOMEBODY) for match in _ACCOUNT.finditer(text))
        return merged([*self._signed(text), *addresses, *accounts, *self._named(text)])

    def _signed(self, text: str) -> Iterator[Edit]:
        """Replaces all text after a label such as `Author:`; by a pseudonym if the text has exactly one known name."""
        for label in _LABEL.finditer(text):
            start, end = label.span("value")
            value = label["value"]
            ending = _VALUE_END.search(value)
            end = start + (ending.start() if ending is not None else len(value))
            if any(map(str.isalnum, text[start:end])):
                known = {edit.text for edit in self._named(text[start:end])} - {SOMEBODY}
                yield Edit(start, end, known.pop() if len(known) == 1 else SOMEBODY)

    def _named(self, text: str) -> Iterator[Edit]:
        """Replaces the known names, as whole words; `janeDoe2` has three words."""
        done = 0
        for part in _PART.finditer(text):
            words_in = [*_HUMP.finditer(text, part.start(), part.end())]
            for at, word in enumerate(words_in):
                ends = [after.end() for after in words_in[at : at + _MOST_HUMPS]]
                if word.start() >= done and (found := self._at(text, word.start(), ends)) is not None:
                    yield found
                    done = found.end

    def _at(self, text: str, start: int, firsts: Sequence[int]) -> Edit | None:
        """The replacement of the longest name that begins at `start`; None if none does. `firsts` are the possible ends
        of the name's first run of letters and digits, ascending.
        """
        for first in reversed(firsts):
            for folded, pseudonym in self._by_first.get(text[start:first].casefold(), ()):
                end = start + len(folded)
                if text[start:end].casefold() == folded and _ends_word(text, end):
                    return Edit(start, end, pseudonym)
        return None


def _ends_word(text: str, end: int) -> bool:
    """True if a word ends at `end`: before a punctuation mark or a capital letter, or between a letter and a digit."""
    if end >= len(text) or not text[end].isalnum():
        return True
    before, after = text[end - 1], text[end]
    return before.isdigit() != after.isdigit() or (after.isupper() and not before.isupper())


def with_key(comparison: Comparison, path: Path) -> Pseudonyms:
    """The pseudonyms of a comparison: those in the key file, and new ones, which are added to the file. Raises
    UsageError if the file is not a key, or cannot be read or written.
    """
    secret, names = read_key(path)
    known = {name: pseudonym for pseudonym, name in names.items()}
    new = sorted(submission.name for submission in comparison.submissions if submission.name not in known)
    # The order depends on the secret, so it reveals nothing about the names.
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
    """The secret of a key file and its names by pseudonym; a new secret and no names if there is no such file. Raises
    UsageError if the file is not a key, or cannot be read.
    """
    remedy = "name another file"
    try:
        value = FORMAT.load(path.read_bytes(), remedy)
        secret, names = value["secret"], value["names"]
        if not isinstance(secret, str) or not all(isinstance(part, str) for item in names.items() for part in item):
            raise TypeError("a secret and names are texts")
        return secret, names
    except FileNotFoundError:
        return secrets.token_hex(32), {}
    except OSError as error:
        raise UsageError(f"cannot read the key {path}: {error.strerror}; {remedy}") from error
    except OtherFormat as error:
        raise UsageError(f"the key {path} {error}") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise UsageError(f"{path} is not a key of --anonymize; {remedy}") from error


def _names(comparison: Comparison, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Names of submissions, authors and people in files, and words that only one author has, with replacements."""
    holders: defaultdict[str, set[str]] = defaultdict(set)
    of_each = []
    for submission in comparison.submissions:
        stem = posixpath.splitext(posixpath.basename(submission.name))[0]
        whole = {part for part in (submission.name, submission.author) if part}
        parts = {word for part in (*whole, stem) for word in _names_in(part)}
        if len(stem) >= SHORTEST_NAME and stem.casefold() not in _PLAIN:
            parts.add(stem.casefold())
        of_each.append((names[submission.name], whole, parts))
        for word in parts:
            holders[word].add(submission.author or submission.name)
    for shown, whole, parts in of_each:
        yield from ((part, shown) for part in sorted(whole) if len(part) >= SHORTEST_NAME)
        # A word in the submissions of several people, such as `solution`, names nobody.
        yield from ((word, shown) for word in sorted(parts) if len(holders[word]) == 1)
    for file in comparison.files:
        for statement in file.statements:
            if statement.kind in PEOPLE:
                yield from ((word, SOMEBODY) for word in sorted(_names_in(statement.value)))


def _names_in(text: str) -> set[str]:
    """The words of a text that may be a name, in lower case, and a name of two or three words written as one word, such
    as `janedoe`, `doejane`, `jdoe`.
    """
    folded = [word.casefold() for word in _HUMP.findall(text) if word.isalpha()]
    found = {word for word in folded if len(word) >= SHORTEST_NAME} - _PLAIN
    if 2 <= len(folded) <= 3 and _PLAIN.isdisjoint(folded):
        first, last = folded[0], folded[-1]
        found |= {"".join(folded), first + last, last + first, first[0] + last, last + first[0]} - {first, last}
    return found
