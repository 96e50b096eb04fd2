"""The posts of a data dump's `Posts.xml`.

Rows come in the order of their ids, so an answer comes after its question, whose tags are remembered for 128 MiB. What
is remembered at a place depends on that much of the dump alone: a run that is resumed goes back as far.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from typing import BinaryIO

from wherefrom.posts.dump_rows import Row, read_rows
from wherefrom.posts.post import Post, license, tags

WINDOW = 128 << 20
"""Bytes of the XML before an answer in which its question's tags are remembered."""

LARGEST = (1 << 63) - 1
"""The largest id that a store can hold."""

QUESTIONS = 1 << 18
"""Questions of which they are remembered at most."""


class RowSkip(StrEnum):
    """Why a row gives no post."""

    OTHER_TYPE = "other_type"
    """Neither question nor answer: a page of a tag's wiki, a nomination, a help page."""
    INCOMPLETE = "incomplete"
    """Without an id that is one, a day, a body or, an answer, its question."""


class Dump:
    """The questions and answers of a dump, in its order; to be iterated over once.

    Args:
        file: the XML; it is read forwards only.
        name: what errors call it.
        site: the host.
        start: where to read on: a `position` of an earlier reading.

    Attributes:
        position: the byte of the XML, 0-based, behind the post that was given last.
        skipped: why some of them gave no post, and how many.
    """

    def __init__(self, file: BinaryIO, *, name: str, site: str, start: int = 0) -> None:
        self.position = start
        self.skipped: Counter[RowSkip] = Counter()
        self._file = file
        self._name = name
        self._site = site
        self._start = start
        self._questions: dict[int, tuple[int, str]] = {}

    def __iter__(self) -> Iterator[Post]:
        """The posts. Raises as `read_rows`."""
        for row in read_rows(self._file, self._name, max(0, self._start - WINDOW)):
            self._forget(row.start - WINDOW)
            post = self._post(row)
            if row.start < self._start:
                continue
            self.position = row.end
            if isinstance(post, Post):
                yield post
            else:
                self.skipped[post] += 1

    def _post(self, row: Row) -> Post | RowSkip:
        values = row.attributes
        if values.get("PostTypeId") not in {"1", "2"}:
            return RowSkip.OTHER_TYPE
        try:
            own = int(values["Id"])
            question = own if values["PostTypeId"] == "1" else int(values["ParentId"])
            created = date.fromisoformat(values["CreationDate"][:10])
            body = values["Body"]
        except (KeyError, ValueError):
            return RowSkip.INCOMPLETE
        if not (0 <= own <= LARGEST and 0 <= question <= LARGEST):
            return RowSkip.INCOMPLETE
        if question == own:
            self._remember(own, row.start, values.get("Tags", ""))
        _, written = self._questions.get(question, (0, ""))
        stated = values.get("ContentLicense")
        return Post(self._site, own, question, created, license(created, stated), tags(written), body)

    def _remember(self, question: int, start: int, written: str) -> None:
        self._questions.pop(question, None)  # so that it becomes the last one
        self._questions[question] = start, written
        if len(self._questions) > QUESTIONS:
            del self._questions[next(iter(self._questions))]

    def _forget(self, before: int) -> None:
        """Forgets the questions whose rows begin before that byte."""
        while self._questions and self._questions[oldest := next(iter(self._questions))][0] < before:
            del self._questions[oldest]
