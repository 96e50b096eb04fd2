"""What is shown of an answer: the texts of both sides of its matches, and HTML for a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import singledispatch
from importlib import import_module
from itertools import islice

from wherefrom.model import Occurrence

AHEAD = 30
"""`Texts.each` reads the contents of this many blobs together."""


class Texts:
    """Reads the text of the query and the contents of an answer when they are used.

    It reads from the index and from clones. Reading fails once the index is closed. A pickled copy reads nothing: its
    methods return None.

    Args:
        query: the query, or a function that reads it; None if it is not known.
        at: reads the content of an occurrence; None if there are no contents.
        together: reads the contents of many occurrences faster than `at`, by blob id. It may leave some out.
    """

    __slots__ = ("_at", "_query", "_together")

    def __init__(
        self,
        query: bytes | Callable[[], bytes | None] | None = None,
        at: Callable[[Occurrence], bytes | None] | None = None,
        together: Callable[[Sequence[Occurrence]], Mapping[str, bytes]] = lambda _: {},
    ) -> None:
        self._query = query
        self._at = at
        self._together = together

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

    def each(self, blobs: Iterable[tuple[str, Sequence[Occurrence]]]) -> Iterator[bytes | None]:
        """Yields the content of each blob as `of` does, but runs git once for many contents of a clone.

        Raises:
            WherefromError: the index cannot be read.
        """
        waiting = iter(blobs)
        while batch := [*islice(waiting, AHEAD)]:
            found = self.together([at for blob, occurrences in batch for at in occurrences if at.blob == blob])
            for blob, occurrences in batch:
                yield found[blob] if blob in found else self.of(blob, occurrences)

    def together(self, occurrences: Sequence[Occurrence]) -> Mapping[str, bytes]:
        """The contents of those occurrences that can be read together, by blob id.

        Raises:
            WherefromError: the index cannot be read.
        """
        return self._together(occurrences)

    def __reduce__(self) -> tuple[type[Texts], tuple[()]]:
        return Texts, ()


_modules: set[str] = set()


def rendered_by(module: str) -> None:
    """Tells which module to import before a result is shown. It registers functions with `to_html_by_type`."""
    _modules.add(module)


def to_html(result: object) -> str | None:
    """A result as HTML. None if no function is registered for its type; a notebook then shows the `repr`."""
    for module in _modules:
        import_module(module)
    return to_html_by_type(result)


@singledispatch
def to_html_by_type(_result: object) -> str | None:
    """Renders a result as HTML. `register` adds a function for a type; for other types the answer is None."""
    return None
