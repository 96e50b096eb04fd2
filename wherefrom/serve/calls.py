"""What can be asked: a call is plain values, so that it can be sent to the process that answers it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from wherefrom.reports.json import dumps
from wherefrom.support.contract import FORMAT

if TYPE_CHECKING:
    from wherefrom.index import Index
    from wherefrom.options import CheckOptions, CompareOptions, SearchOptions, SourcesOptions

Result_co = TypeVar("Result_co", covariant=True)

LONG = 100_000
"""Bytes of code from which on a call is long."""


class Call(Protocol[Result_co]):
    """One question to an index."""

    @property
    def is_long(self) -> bool:
        """Whether it may take long: such calls leave a process free for the others."""

    def answer(self, index: Index) -> Result_co:
        """The answer, in values that can be sent to another process.

        Raises:
            WherefromError: the call cannot be answered.
        """


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as JSON.

    Attributes:
        body: the text, as `--format json` of the command writes it but on one line.
        found: hits, findings or documents in it.
    """

    body: bytes
    found: int

    @staticmethod
    def of(value: object, found: int) -> Answer:
        """The answer with these JSON values."""
        return Answer(dumps(value, is_one_line=True).encode("ascii"), found)


@dataclass(frozen=True, slots=True)
class Search:
    """Where does this code appear? The answer is that of `wherefrom search`."""

    code: bytes
    options: SearchOptions

    @property
    def is_long(self) -> bool:
        """See `Call`."""
        return len(self.code) > LONG

    def answer(self, index: Index) -> Answer:
        """See `Call`."""
        result = index.search(self.code, self.options)
        return Answer.of(result.to_dict(), result.total)


@dataclass(frozen=True, slots=True)
class Sources:
    """Which indexed files explain this one? The answer is that of `wherefrom sources`."""

    code: bytes
    options: SourcesOptions

    @property
    def is_long(self) -> bool:
        """See `Call`."""
        return len(self.code) > LONG

    def answer(self, index: Index) -> Answer:
        """See `Call`."""
        result = index.sources(self.code, self.options)
        return Answer.of(result.to_dict(), len(result.documents))


@dataclass(frozen=True, slots=True)
class CheckDiff:
    """What of a change appears elsewhere? The answer is that of `wherefrom check`; the project is not at hand, so the
    diff is all that is known of it.
    """

    diff: bytes
    options: CheckOptions

    @property
    def is_long(self) -> bool:
        """See `Call`. Each function of the change is a search."""
        return True

    def answer(self, index: Index) -> Answer:
        """See `Call`."""
        report = index.check_diff(self.diff, replace(self.options, jobs=1))
        return Answer.of(report.to_dict(), len(report.findings))


@dataclass(frozen=True, slots=True)
class Compare:
    """What do two texts share? Each is given as it is, or by the blob id of an indexed document. The answer is that of
    `wherefrom compare`.

    Attributes:
        left, right: a content with its name, or a blob id.
        options: what counts.
        language: of both, else guessed.
    """

    left: tuple[str, bytes] | str
    right: tuple[str, bytes] | str
    options: CompareOptions
    language: str | None = None

    @property
    def is_long(self) -> bool:
        """See `Call`."""
        return sum(len(side[1]) for side in (self.left, self.right) if not isinstance(side, str)) > LONG

    def answer(self, index: Index) -> Answer:
        """See `Call`."""
        (name, left), (other_name, right) = (_content(index, side) for side in (self.left, self.right))
        names = name, other_name
        result = index.compare_texts(left, right, names=names, language=self.language, options=self.options)
        return Answer.of(result.to_dict(), len(result.pairs))


@dataclass(frozen=True, slots=True)
class Document:
    """What is an indexed content, and where is it?"""

    blob: str
    is_long = False

    def answer(self, index: Index) -> Answer:
        """See `Call`."""
        document = index.document(self.blob)
        return Answer.of(document.to_dict(), len(document.occurrences))


@dataclass(frozen=True, slots=True)
class Repositories:
    """What is indexed? The answer is that of `wherefrom list`."""

    is_long = False

    def answer(self, index: Index) -> Answer:
        """See `Call`."""
        records = index.repositories()
        return Answer.of({"format": FORMAT, "repositories": [record.to_dict() for record in records]}, len(records))


@dataclass(frozen=True, slots=True)
class Health:
    """Can the index be read?"""

    is_long = False

    def answer(self, index: Index) -> int:
        """How many contents it holds."""
        return index.stats().blobs


def _content(index: Index, side: tuple[str, bytes] | str) -> tuple[str, bytes]:
    """Name and content of one of two documents.

    Raises:
        NotFound: the content of the indexed document is not at hand.
    """
    if not isinstance(side, str):
        return side
    document = index.document(side)
    return document.name, document.content()
