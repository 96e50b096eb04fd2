"""Reads the texts of an answer, to show both sides of its matches."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wherefrom.model import Occurrence


class Texts:
    """Reads the text of the query and the contents of an answer when they are used.

    It reads from the index and from clones. Reading fails once the index is closed. A pickled copy reads nothing: its
    methods return None.

    Args:
        query: the query, or a function that reads it; None if it is not known.
        at: reads the content of an occurrence; None if there are no contents.
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
        """The text of the query, or None if it cannot be read.

        Raises:
            WherefromError: the index cannot be read.
        """
        return self._query() if callable(self._query) else self._query

    def at(self, occurrence: Occurrence) -> bytes | None:
        """The content of an occurrence, or None if it cannot be read.

        Raises:
            WherefromError: the index cannot be read.
        """
        return None if self._at is None else self._at(occurrence)

    def of(self, blob: str, occurrences: Iterable[Occurrence]) -> bytes | None:
        """The content of a blob, from its first readable occurrence; None if no occurrence can be read.

        Raises:
            WherefromError: the index cannot be read.
        """
        own = (occurrence for occurrence in occurrences if occurrence.blob == blob)
        return next((content for occurrence in own if (content := self.at(occurrence)) is not None), None)

    def __reduce__(self) -> tuple[type[Texts], tuple[()]]:
        return Texts, ()
