"""The two version numbers of everything that is stored: what wrote it, and the oldest reader that may read it. So a
change that old readers can ignore need not lock them out. zoekt's shards carry the same pair (`index/toc.go`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """The format of one kind of stored thing: the `version` that is written, counted from 1; the oldest one whose
    readers understand it (`reader`); the `oldest` one that can still be read.
    """

    version: int
    reader: int
    oldest: int

    def __post_init__(self) -> None:
        assert 1 <= self.oldest <= self.version
        assert 1 <= self.reader <= self.version

    def stamp(self) -> dict[str, int]:
        """Both numbers as they are stored."""
        return {"format": self.version, "reader": self.reader}

    def refusal(self, version: object, reader: object, remedy: str, *, instead: str = "") -> str | None:
        """Why something with these two stamped numbers cannot be read, and what to do about an older one (`remedy`) or
        a newer one (`instead`); None if it can be read. Raises ValueError if the two are not a stamp.
        """
        if not (type(version) is int and type(reader) is int and 1 <= reader <= version):
            raise ValueError(f"format {version!r} with reader {reader!r} is not a stamp")
        if reader > self.version:
            return (
                f"was written by a newer version of wherefrom (format {version}; this version reads up to "
                f"{self.version}); upgrade wherefrom, or {instead or remedy}"
            )
        if version < self.oldest:
            return (
                f"was written by an older version of wherefrom (format {version}; this version reads from "
                f"{self.oldest} on); {remedy}"
            )
        return None
