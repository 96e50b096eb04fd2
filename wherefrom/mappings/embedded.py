"""The schema of the embedded index: one document per record, told apart by `kind`.

| kind | fields |
| --- | --- |
| `blob` | `blob`, `key`, `language`, `analysis`, `size`, `token_count`, `has`, `terms_*`, `record` |
| | `tokens`, `source`, `references` |
| `occurrence` | `id`, `refers_to`, `repository`, `record` |
| `repository` | `id`, `record` |
| `boilerplate` | `id`, `record`, `hashes` |
| `refusal` | `id`, `record` |

Every field of bytes is sealed with a checksum (`engines.records.seal`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from wherefrom.formats import Format
from wherefrom.model import INDEXED, Representation

FORMAT = Format(version=3, reader=3, oldest=3)
HISTORY = {
    1: "the first",
    2: "the analysis of each blob, refused contents, checksums, the oldest reader",
    3: "a checksum in `wherefrom.json`",
}
"""What each format version changed. A change of `FIELDS`, or of what a field holds, needs a new version."""


class Kind(StrEnum):
    """What a document of the index records."""

    BLOB = "blob"
    OCCURRENCE = "occurrence"
    REPOSITORY = "repository"
    BOILERPLATE = "boilerplate"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True)
class Field:
    """One field: `text` is one exact string (or several), `unsigned` 64 bits (or several), `bytes` an opaque value.

    `indexed` fields can be asked for by value (`text` always can), `stored` ones are given back, `fast` ones can be
    counted over and sorted by without loading documents.
    """

    name: str
    type: Literal["text", "unsigned", "bytes"]
    indexed: bool = False
    stored: bool = False
    fast: bool = False


def terms_field(representation: Representation) -> str:
    """The field that holds the terms of a representation."""
    return f"terms_{representation}"


FIELDS = (
    Field("kind", "text", indexed=True),
    # A digest of what names an occurrence, a repository or a set: terms longer than 65,530 bytes are dropped silently.
    Field("id", "text", indexed=True),
    Field("repository", "text", indexed=True),
    Field("refers_to", "text", indexed=True),
    Field("blob", "text", indexed=True),
    # The first 64 bits of the blob id: orders and filters candidates without loading them.
    Field("key", "unsigned", fast=True),
    Field("language", "text", indexed=True, fast=True),
    Field("analysis", "text", indexed=True, fast=True),
    Field("size", "unsigned", fast=True),
    Field("token_count", "unsigned", fast=True),
    # The representations that the blob has terms of, to count N.
    Field("has", "text", indexed=True),
    *(Field(terms_field(representation), "unsigned", indexed=True) for representation in INDEXED),
    Field("record", "bytes", stored=True),
    Field("tokens", "bytes", stored=True),
    Field("source", "bytes", stored=True),
    Field("references", "bytes", stored=True),
    Field("hashes", "bytes", stored=True),
)
