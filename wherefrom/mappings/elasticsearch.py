"""The schema of an index on Elasticsearch: two indices behind two aliases, as the JSON files beside this one.

| index | documents | id |
| --- | --- | --- |
| `NAME-blobs` | one for each blob, written once and perhaps renewed | the blob id |
| `NAME-records` | occurrences, repositories, boilerplate sets, leases, claims: told apart by `kind` | a digest |

They are apart since blobs are large and rarely change, and records are small and often do: a merge that clears away
replaced occurrences need not copy token streams. Terms, token streams and contents are left out of `_source`; the last
two are doc values, which are read one by one: what is stored lies in compressed blocks, and a search that gives 100
token streams out of them took ten times as long.

The binary fields `tokens`, `source`, `references` and `hashes` are sealed with a checksum (`engines.records.seal`).
`checksum` is that of `record` (`engines.records.checksum`). All other fields, and with them the occurrences, are left
to the checksums that Lucene keeps of its files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from importlib.resources import files
from typing import Any

from wherefrom.model import INDEXED, Representation
from wherefrom.support.formats import Format

FORMAT = Format(version=4, reader=4, oldest=4)
HISTORY = {
    1: "the first",
    2: "the analysis of each blob, refused contents, checksums, the oldest reader",
    3: "token streams of format 2, compressed",
    4: "the bits of a term in `_meta`",
}
"""What each format version changed. A change of the JSON files, or of what a field holds, needs a new version."""

PARTS = ("blobs", "records")

SETTINGS: Mapping[str, Any] = {
    # Only a commit makes what was written visible; there is nothing to set for a load and to restore after it.
    "refresh_interval": "-1",
    "codec": "best_compression",
}


class RecordKind(StrEnum):
    """What a document of `NAME-records` is."""

    OCCURRENCE = "occurrence"
    REPOSITORY = "repository"
    BOILERPLATE = "boilerplate"
    LEASE = "lease"
    CLAIM = "claim"
    REFUSAL = "refusal"


def terms_field(representation: Representation) -> str:
    """The field that holds the terms of a representation."""
    return f"terms_{representation}"


def mapping(part: str, schemes: Mapping[Representation, str], term_bits: int) -> dict[str, Any]:
    """The mapping of one of `PARTS`, stamped with format version, scheme ids and the bits of a term in `_meta`."""
    loaded: dict[str, Any] = json.loads(files(__package__).joinpath(f"elasticsearch-{part}.json").read_bytes())
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
