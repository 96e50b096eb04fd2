"""The schema of an index on Elasticsearch: two indices behind two aliases. Their mappings are in the JSON files here.

| index | documents | id |
| --- | --- | --- |
| `NAME-blobs` | one for each blob, written once, and again if the blob is analyzed again | the blob id |
| `NAME-records` | all others; `kind` tells which of `RecordKind` a document is | a digest |

Blobs are large and rarely change; records are small and often change. With two indices, a merge that removes replaced
occurrences need not copy token streams. Terms, token streams and contents are left out of `_source`. Token streams and
contents are doc values, which can be read one by one. As stored fields, which lie in compressed blocks, they made a
search that returns 100 token streams take ten times as long.

The binary fields `tokens`, `source`, `references` and `hashes` begin with a checksum (`engines.records.seal`). The
field `checksum` is the checksum of `record` (`engines.records.checksum`). All other fields, and so the occurrences,
rely on the checksums of Lucene's files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wherefrom.support.formats import Format

if TYPE_CHECKING:
    from wherefrom.model import Representation

FORMAT = Format(version=6, reader=6, oldest=6)
"""Raise the version with each change of the JSON files or of the meaning of a field."""

PARTS = ("blobs", "records")

SETTINGS: Mapping[str, Any] = {
    # Documents become visible only when a writer commits, so bulk loads need no other setting.
    "refresh_interval": "-1",
    "codec": "best_compression",
}


class RecordKind(StrEnum):
    """The kinds of documents in `NAME-records`."""

    OCCURRENCE = "occurrence"
    REPOSITORY = "repository"
    BOILERPLATE = "boilerplate"
    LEASE = "lease"
    CLAIM = "claim"
    REFUSAL = "refusal"
    NOTE = "note"


def terms_field(representation: Representation) -> str:
    """The name of the field with the terms of a representation."""
    return f"terms_{representation}"


def mapping(part: str, schemes: Mapping[Representation, str], term_bits: int) -> dict[str, Any]:
    """The mapping of one of `PARTS`. Its `_meta` has the format version, the scheme ids and the bits of a term."""
    from wherefrom.model import INDEXED  # noqa: PLC0415 -- `--version` does not wait for it

    loaded: dict[str, Any] = json.loads(Path(__file__).with_name(f"elasticsearch-{part}.json").read_bytes())
    properties: dict[str, Any] = {}
    for name, field in loaded["properties"].items():
        names = map(terms_field, INDEXED) if name == "terms_{representation}" else (name,)
        properties |= dict.fromkeys(names, field)
    stamp = {
        "wherefrom": part,
        **FORMAT.stamp(),
        "schemes": {key: schemes[key] for key in INDEXED},
        "term_bits": term_bits,
    }
    return {**loaded, "_meta": stamp, "properties": properties}
