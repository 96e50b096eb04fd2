"""A base for classes that close themselves at the end of a `with` block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self


class Closing(ABC):
    """Base of a class whose `close` is called at the end of a `with` block."""

    @abstractmethod
    def close(self) -> None:
        """Frees the resources of the object."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
