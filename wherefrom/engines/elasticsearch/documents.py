"""Blobs, occurrences, repositories and boilerplate sets as documents of Elasticsearch, and back.

What reads a document raises ValueError, LookupError or TypeError where it is damaged.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import zstandard

from wherefrom.engines import records
from wherefrom.engines.terms import narrowed
from wherefrom.mappings.elasticsearch import RecordKind, terms_field
from wherefrom.model import (
    INDEXED,
    STORED_BITS,
    BlobDocument,
    BoilerplateSet,
    Hashes,
    Occurrence,
    Refusal,
    RepositoryRecord,
    StoredBlob,
)

Document = dict[str, Any]

_WIDTHS = (5, 6, 8)
"""Bytes of an indexed term: the fewest that hold it. Texts of unlike lengths are unlike terms."""

SHORT_PATH = 1000
"""Characters of a path that the server sorts by; a value of more than 32,766 bytes would be refused."""

OCCURRENCE_FIELDS = ("repository", "path", "long_path", "blob", "revision")
"""The fields of an occurrence, all of them read from doc values."""

CANDIDATE_FIELDS = (*records.FACTS, "tokens")

REFERENCE_FIELDS = ("blob", "references")

BLOB_FIELDS = (*records.FACTS, *records.BULK)
"""The fields of a blob that are given back, all of them from doc values."""


def encode_terms(terms: Hashes) -> list[str]:
    """Terms as they are indexed: base64url of their 5 big-endian bytes, of 6 or 8 for one that needs more."""
    encoded = _base64url(terms, _WIDTHS[0])
    for narrower, width in pairwise(_WIDTHS):
        wide = np.flatnonzero(terms >> np.uint64(8 * narrower))
        for at, text in zip(wide.tolist(), _base64url(terms[wide], width), strict=True):
            encoded[at] = text
    return encoded


def plugin_terms(terms: Hashes) -> list[str]:
    """Terms as the plug-in makes them, which always stores the usual bits."""
    return encode_terms(narrowed(terms, STORED_BITS[0]))


def _base64url(terms: Hashes, width: int) -> list[str]:
    """The last `width` bytes of each term, without padding."""
    # Filled up with zeros so that each term has its own groups of three bytes, all of them are encoded together.
    groups = -(-width // 3)
    table = np.zeros((len(terms), 3 * groups), np.uint8)
    table[:, :width] = terms.astype(">u8").view(np.uint8).reshape(-1, 8)[:, -width:]
    text = b64encode(table.tobytes(), b"-_").decode()
    characters = -(-width * 8 // 6)
    return [text[at : at + characters] for at in range(0, len(text), 4 * groups)]


def blob_document(blob: BlobDocument, term_bits: int) -> Document:
    """A blob with its terms, each shortened to `term_bits`."""
    document: Document = records.facts(blob.stored)
    document |= {name: _packed(name, _shortened(name, value)) for name, value in records.bulk(blob.stored).items()}
    for representation in INDEXED:
        if len(terms := blob.terms.get(representation, ())):
            document[terms_field(representation)] = encode_terms(narrowed(np.asarray(terms), term_bits))
    return document


def stored_blob(hit: Mapping[str, Any]) -> StoredBlob:
    """The blob of a hit with its `BLOB_FIELDS`, or its `CANDIDATE_FIELDS`."""
    values: dict[str, Any] = {
        name: _lengthened(name, _unpacked(name, value)) if name in records.BULK else value
        for name, (value,) in hit["fields"].items()
    }
    return StoredBlob(**values)


def references(hit: Mapping[str, Any]) -> tuple[str, bytes]:
    """The id and the references of a hit with its `REFERENCE_FIELDS`."""
    values = hit["fields"]
    packed = values.get("references")
    return values["blob"][0], _unpacked("references", packed[0]) if packed else b""


def identity(kind: RecordKind, *names: str) -> str:
    """The id of a document of `NAME-records`, by what names it: repository and path of an occurrence, the blob of a
    refusal, the name or key of anything else.
    """
    return records.digest(kind, *names)


def occurrence_document(occurrence: Occurrence) -> Document:
    """An occurrence."""
    document: Document = {
        "kind": RecordKind.OCCURRENCE,
        "repository": occurrence.repository,
        "path": occurrence.path[:SHORT_PATH],
        "blob": occurrence.blob,
        "revision": occurrence.revision,
    }
    if len(occurrence.path) > SHORT_PATH:
        document["long_path"] = b64encode(occurrence.path.encode()).decode()
    return document


def load_occurrence(hit: Mapping[str, Any]) -> Occurrence:
    """The occurrence of a hit with its `OCCURRENCE_FIELDS`."""
    values = {name: value for name, (value,) in hit["fields"].items()}
    path = b64decode(values["long_path"]).decode() if "long_path" in values else values["path"]
    return Occurrence(values["repository"], path, values["blob"], values["revision"])


def refusal_document(refusal: Refusal) -> Document:
    """A refusal."""
    return {"kind": RecordKind.REFUSAL, **_checked(json.loads(records.dump_refusal(refusal)))}


def load_refusal(source: Document) -> Refusal:
    """The refusal in a document."""
    return records.load_refusal(json.dumps(_record(source)).encode())


def repository_document(record: RepositoryRecord) -> Document:
    """A repository's record."""
    return {
        "kind": RecordKind.REPOSITORY,
        "repository": record.key,
        **_checked(json.loads(records.dump_repository(record))),
    }


def load_repository(source: Document) -> RepositoryRecord:
    """The record in a document; one that is marked unfinished has other settings than any run."""
    record = dict(_record(source))
    if source.get("unfinished"):
        record["settings"] = ""
    return records.load_repository(json.dumps(record).encode())


def boilerplate_document(boilerplate: BoilerplateSet) -> Document:
    """A boilerplate set."""
    description, hashes = records.dump_boilerplate(boilerplate)
    return {
        "kind": RecordKind.BOILERPLATE,
        "name": boilerplate.name,
        **_checked({"description": json.loads(description)}),
        "hashes": _packed("hashes", hashes),
    }


def load_boilerplate(source: Document) -> BoilerplateSet:
    """The set in a document."""
    description = json.dumps(_record(source)["description"]).encode()
    return records.load_boilerplate(description, _unpacked("hashes", source["hashes"]))


def _packed(field: str, value: bytes) -> str:
    """The sealed value of a binary field."""
    return b64encode(records.seal(field, value)).decode()


def _unpacked(field: str, packed: str) -> bytes:
    return records.unseal(field, b64decode(packed))


def _shortened(field: str, value: bytes) -> bytes:
    """A value as it is stored: a token stream is compressed, for a short one is plain by itself."""
    return zstandard.compress(value) if field == "tokens" else value


def _lengthened(field: str, stored: bytes) -> bytes:
    try:
        return zstandard.decompress(stored) if field == "tokens" else stored
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error


def _checked(record: Document) -> Document:
    """The fields that hold a record and its checksum."""
    return {"record": record, "checksum": records.checksum(record)}


def _record(source: Document) -> Document:
    record: Document = source["record"]
    if records.checksum(record) != source["checksum"]:
        raise ValueError("the checksum of the record does not match")
    return record
