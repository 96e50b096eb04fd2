"""The texts behind an answer, with which both sides of a match can be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wherefrom.model import Occurrence


class Texts:
    """The text of the query and those at the places of an answer, read on use.

    They come from the index that gave the answer and from clones, so there are none after pickling, and reading one
    fails when the index is closed.

    Args:
        query: the query, or what reads it; None where it is not known.
        at: reads the content at an occurrence; None where nothing does.
    """

    __slots__ = ("_at", "_query")

    def __init__(
        self,
        query: bytes | Callable[[], bytes | None] | None = None,
        at: Callable[[Occurrence], bytes | None] | None = None,
    ) -> None:
        self._query = query
        self._at = at

    def query(self) -> bytes | None:
        """The text that was looked up, None where it cannot be had (any longer).

        Raises:
            WherefromError: the index cannot be read.
        """
        return self._query() if callable(self._query) else self._query

    def at(self, occurrence: Occurrence) -> bytes | None:
        """The content at an occurrence, None where it cannot be had (any longer).

        Raises:
            WherefromError: the index cannot be read.
        """
        return None if self._at is None else self._at(occurrence)

    def of(self, blob: str, occurrences: Iterable[Occurrence]) -> bytes | None:
        """The content of a blob, by the first of its occurrences that can be read; None if none can.

        Raises:
            WherefromError: the index cannot be read.
        """
        own = (occurrence for occurrence in occurrences if occurrence.blob == blob)
        return next((content for occurrence in own if (content := self.at(occurrence)) is not None), None)

    def __reduce__(self) -> tuple[type[Texts], tuple[()]]:
        return Texts, ()
