"""The two version numbers in everything that is stored: the version that wrote it, and the oldest version that can read
it. So old versions can read it after a change that they can ignore. zoekt's shards have the same pair (`index/toc.go`).
"""

from __future__ import annotations

import json
from typing import Any

from wherefrom.support.values import dataclass


class OtherFormat(ValueError):
    """This version of wherefrom cannot read a stored file or record. The message comes from `Format.refusal`."""


@dataclass(frozen=True, slots=True)
class Format:
    """The format of one kind of file or record, with versions from 1."""

    version: int  # the one that this program writes
    reader: int  # the oldest that can read that
    oldest: int  # the oldest that this program reads

    def stamp(self) -> dict[str, int]:
        """The two numbers to store, by name."""
        return {"format": self.version, "reader": self.reader}

    def load(self, data: bytes, remedy: str) -> Any:
        """The JSON object of a stored file that begins with a stamp. Raises RecursionError if the file is too deeply
        nested; else the errors of `checked`.
        """
        return self.checked(json.loads(data), remedy)

    def checked(self, value: Any, remedy: str) -> Any:
        """The same JSON object, which must have a stamp. Raises OtherFormat, with the `remedy`, if this version cannot
        read it; ValueError, KeyError or TypeError if it is not a JSON object with a stamp.
        """
        refusal = self.refusal(value["format"], value["reader"], remedy)
        if refusal is not None:
            raise OtherFormat(refusal)
        return value

    def refusal(self, version: object, reader: object, remedy: str, *, instead: str = "") -> str | None:
        """Why something with the stored `format` and `reader` cannot be read, and the remedy; None if it can be read.
        `remedy` is what to do if it is too old, `instead` what to do, apart from an upgrade, if it is too new (default:
        `remedy`). Raises ValueError if the two numbers are not a stamp.
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
