"""Blobs, occurrences, repositories and boilerplate sets as documents of Elasticsearch, and back.

A function that reads a damaged document raises ValueError, LookupError or TypeError.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np
import zstandard

from wherefrom.engines import records
from wherefrom.engines.terms import narrowed
from wherefrom.mappings.elasticsearch import RecordKind, terms_field
from wherefrom.model import (
    INDEXED,
    BlobDocument,
    BoilerplateSet,
    Hashes,
    Occurrence,
    Refusal,
    RepositoryRecord,
    StoredBlob,
)

Document = dict[str, Any]
_SHORT, _LONG = 5, 6  # the two lengths of an indexed term, in bytes. A term has the shorter one if it fits

SHORT_PATH = 1000
"""The field `path` has at most this many first characters of a path, and the server sorts by them. It refuses values of
more than 32,766 bytes, so only `long_path` has the whole of a longer path.
"""

OCCURRENCE_FIELDS = ("repository", "path", "long_path", "blob", "revision")  # all of them read from doc values
CANDIDATE_FIELDS = (*records.FACTS, "tokens")

REFERENCE_FIELDS = ("blob", "references")
BLOB_FIELDS = (*records.FACTS, *records.BULK)  # the fields of a `StoredBlob`, all of them read from doc values


def encode_terms(terms: Hashes) -> list[str]:
    """Terms as they are indexed: base64url of their 5 big-endian bytes, or of 6 if a term needs more."""
    encoded = _base64url(terms, _SHORT)
    long = np.flatnonzero(terms >> np.uint64(8 * _SHORT))
    for at, text in zip(long.tolist(), _base64url(terms[long], _LONG), strict=True):
        encoded[at] = text
    return encoded


def _base64url(terms: Hashes, width: int) -> list[str]:
    """The last `width` bytes of each term as base64url, without padding."""
    # Zeros fill each term up to whole groups of three bytes, so that one call can encode all terms.
    groups = -(-width // 3)
    table = np.zeros((len(terms), 3 * groups), np.uint8)
    table[:, :width] = terms.astype(">u8").view(np.uint8).reshape(-1, 8)[:, -width:]
    text = b64encode(table.tobytes(), b"-_").decode()
    characters = -(-width * 8 // 6)
    return [text[at : at + characters] for at in range(0, len(text), 4 * groups)]


def blob_document(blob: BlobDocument, term_bits: int) -> Document:
    """A blob with its terms, each shortened to `term_bits`. The token stream is compressed here, since
    `analyzers.tokens` leaves short streams uncompressed.
    """
    document: Document = records.facts(blob.stored)
    for name, value in records.bulk(blob.stored).items():
        document[name] = _packed(name, zstandard.compress(value) if name == "tokens" else value)
    for representation in INDEXED:
        if len(terms := blob.terms.get(representation, ())):
            document[terms_field(representation)] = encode_terms(narrowed(np.asarray(terms), term_bits))
    return document


def stored_blob(hit: Mapping[str, Any]) -> StoredBlob:
    """The blob of a hit with its `BLOB_FIELDS`, or its `CANDIDATE_FIELDS`."""
    values = {name: value for name, (value,) in hit["fields"].items()}
    values |= {name: _unpacked(name, values[name]) for name in records.BULK if name in values}
    try:
        values["tokens"] = zstandard.decompress(values["tokens"])
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
    return StoredBlob(**values)


def references(hit: Mapping[str, Any]) -> tuple[str, bytes]:
    """The blob id and the references in a hit with its `REFERENCE_FIELDS`."""
    values = hit["fields"]
    packed = values.get("references")
    return values["blob"][0], _unpacked("references", packed[0]) if packed else b""


def identity(kind: RecordKind, *names: str) -> str:
    """The id of a document in `NAME-records` by its names: repository and path, a blob, or a name or key."""
    return records.digest(kind, *names)


def occurrence_document(occurrence: Occurrence) -> Document:
    """The document of an occurrence."""
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


def load_refusal(source: Document) -> Refusal:
    """The refusal in a document."""
    return records.load_refusal(json.dumps(load_record(source)).encode())


def load_repository(source: Document) -> RepositoryRecord:
    """The record in a document; an unfinished record gets empty settings, so the next run re-indexes the repository."""
    record = load_record(source)
    if source.get("unfinished"):
        record = {**record, "settings": ""}
    return records.load_repository(json.dumps(record).encode())


def boilerplate_document(boilerplate: BoilerplateSet) -> Document:
    """The document of a boilerplate set."""
    description, hashes = records.dump_boilerplate(boilerplate)
    document = record_document(RecordKind.BOILERPLATE, b'{"description":%b}' % description, name=boilerplate.name)
    return {**document, "hashes": _packed("hashes", hashes)}


def load_boilerplate(source: Document) -> BoilerplateSet:
    """The boilerplate set in a document."""
    description = json.dumps(load_record(source)["description"]).encode()
    return records.load_boilerplate(description, _unpacked("hashes", source["hashes"]))


def _packed(field: str, value: bytes) -> str:
    """A value as it is in a binary field: sealed (`records.seal`), in base64."""
    return b64encode(records.seal(field, value)).decode()


def _unpacked(field: str, packed: str) -> bytes:
    return records.unseal(field, b64decode(packed))


def record_document(kind: RecordKind, dumped: bytes, **names: str) -> Document:
    """The document of a record that `engines.records` has written, with its checksum."""
    record = json.loads(dumped)
    return {"kind": kind, **names, "record": record, "checksum": records.checksum(record)}


def load_record(source: Document) -> Document:
    """The record in a document."""
    record: Document = source["record"]
    if records.checksum(record) != source["checksum"]:
        raise ValueError("the checksum of the record does not match")
    return record
