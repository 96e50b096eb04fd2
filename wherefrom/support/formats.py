"""The two version numbers of everything that is stored: what wrote it, and the oldest reader that may read it.

A single number forces a choice at each change: either every old reader is locked out, or none is. With two, a change
that old readers can ignore raises only the first. zoekt's shards carry the same pair (`index/toc.go`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """The format of one kind of stored thing, such as an index or a baseline file.

    Attributes:
        version: the format that is written, counted from 1; each change of the layout raises it.
        reader: the oldest format whose readers understand what is written; stamped beside `version`.
        oldest: the oldest format that can still be read.
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
        """Why something with these two stamped numbers cannot be read, and what to do; None if it can be.

        Args:
            version: the stamped `format`.
            reader: the stamped `reader`.
            remedy: what to do about an older one, such as `index again into a new folder`.
            instead: what to do about a newer one if not to upgrade (default: the same).

        Raises:
            ValueError: the two are not a stamp.
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
