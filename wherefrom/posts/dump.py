"""The posts of a data dump's `Posts.xml`.

Rows are in the order of their ids, so an answer follows its question. An answer gets the tags of its question if the
question is at most 128 MiB before the answer. So a resumed run begins to read 128 MiB earlier, to give the same tags.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from typing import BinaryIO

from wherefrom.posts.dump_rows import DumpRow, read_rows
from wherefrom.posts.post import Post, license, tags

WINDOW = 128 << 20
"""An answer gets its question's tags if it is at most this many bytes of XML after the question."""

LARGEST = (1 << 63) - 1
"""The largest id that SQLite can store."""

QUESTIONS = 1 << 18
"""The tags of at most this many questions are kept in memory."""


class RowSkip(StrEnum):
    """Why a row gives no post."""

    OTHER_TYPE = "other_type"
    """The row is neither question nor answer, such as a tag's wiki page, a nomination or a help page."""
    INCOMPLETE = "incomplete"
    """The row has no valid id, no day, no body, or is an answer and does not name its question."""


class Dump:
    """The questions and answers of a dump, in the order of the dump. It can be iterated once.

    Args:
        file: the XML. It is read forwards only.
        name: the name of the file, for error messages.
        site: the host of the site.
        start: the `position` at which an earlier run stopped, to resume that run.

    Attributes:
        position: the offset in bytes of the XML after the last row that was read.
        skipped: the number of rows without a post, by reason.
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
        """Yields the posts after `start`. Raises the errors of `read_rows`."""
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

    def _post(self, row: DumpRow) -> Post | RowSkip:
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
            self._questions.pop(own, None)  # makes it the last key of the dictionary
            self._questions[own] = row.start, values.get("Tags", "")
            if len(self._questions) > QUESTIONS:
                del self._questions[next(iter(self._questions))]
        _, written = self._questions.get(question, (0, ""))
        stated = values.get("ContentLicense")
        return Post(self._site, own, question, created, license(created, stated), tags(written), body)

    def _forget(self, before: int) -> None:
        """Drops the questions whose rows begin before an offset."""
        while self._questions and self._questions[oldest := next(iter(self._questions))][0] < before:
            del self._questions[oldest]
