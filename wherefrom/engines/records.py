"""Converts records to bytes (ASCII JSON) and back; makes digests that identify them, and checksums that show damage."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import asdict, fields
from enum import StrEnum
from typing import Any, TypeVar

import numpy as np

from wherefrom.engines.engine import Note, Schemes
from wherefrom.errors import IndexFormatError, SchemeMismatch
from wherefrom.model import (
    INDEXED,
    OF_TOKENS,
    STORED_BITS,
    BoilerplateSet,
    KeyKind,
    Notice,
    Package,
    Refusal,
    RepositoryRecord,
    SkipReason,
    StoredBlob,
)
from wherefrom.support.formats import Format

BULK = ("tokens", "source", "references")  # the large fields of a `StoredBlob`, stored apart from the others
FACTS = tuple(field.name for field in fields(StoredBlob) if field.name not in BULK)  # its small fields
_SEAL = struct.Struct("<I")

_USUAL = {field.name: field.default for field in fields(StoredBlob) if field.name in BULK}
"""The default value of each of `BULK`."""

_NAMES = {kind: {field.name for field in fields(kind)} for kind in (Package, Refusal, RepositoryRecord)}

_Text = TypeVar("_Text", bound=StrEnum)

_ENCODER = json.JSONEncoder(separators=(",", ":"))


def digest(*parts: str) -> str:
    """A digest (40 hexadecimal digits) of some strings. Other boundaries between the strings give another digest."""
    return hashlib.blake2b(_dump(parts), digest_size=20).hexdigest()


def seal(field: str, payload: bytes) -> bytes:
    """The value of a field as it is stored: a CRC-32 (4 bytes, little-endian) of the field's name and the payload, then
    the payload. The checksum detects any change within 32 adjacent bits, and misses one in 2^32 of other changes.
    """
    return _SEAL.pack(_crc(field, payload)) + payload


def unseal(field: str, sealed: bytes) -> bytes:
    """The payload of a value that `seal` made for this field. Raises ValueError if the value is damaged."""
    if len(sealed) < _SEAL.size:
        raise ValueError(f"{field} has no checksum")
    payload = sealed[_SEAL.size :]
    if _SEAL.unpack_from(sealed)[0] != _crc(field, payload):
        raise ValueError(f"the checksum of {field} does not match")
    return payload


def _crc(field: str, payload: bytes) -> int:
    return zlib.crc32(payload, zlib.crc32(field.encode("ascii")))


def checksum(value: Any) -> int:
    """The CRC-32 of a JSON value in its canonical form: ASCII, sorted keys, no spaces."""
    return zlib.crc32(json.dumps(value, separators=(",", ":"), sort_keys=True).encode("ascii"))


def check_format(index: object, stamp: Mapping[str, Any], form: Format, remedy: str, *, instead: str = "") -> None:
    """Checks by an index's stamp that this version of wherefrom can read it; `remedy` and `instead` go to
    `Format.refusal`. Raises IndexFormatError if it cannot; ValueError, LookupError or TypeError if this is not a stamp.
    """
    refusal = form.refusal(stamp["format"], stamp["reader"], remedy, instead=instead)
    if refusal is not None:
        raise IndexFormatError(f"the index {index} {refusal}")


def check_schemes(index: object, stamp: Mapping[str, Any], schemes: Schemes, remedy: str) -> int:
    """Checks that an index was made with these schemes; returns how many bits of each term the index stores. Raises
    SchemeMismatch if it was not; ValueError, LookupError or TypeError if this is not a stamp.
    """
    stamped = dict(stamp["schemes"])
    for representation in INDEXED:
        made, needed = stamped.get(representation), schemes[representation]
        if made != needed:
            raise SchemeMismatch(
                f"the index {index} was made with the {representation} scheme {made!r}, not {needed!r}; {remedy}"
            )
    term_bits = stamp["term_bits"]
    if term_bits not in STORED_BITS:
        raise ValueError("terms are of another width")
    return int(term_bits)


def facts(blob: StoredBlob) -> dict[str, Any]:
    """The `FACTS` of a blob, by name."""
    return {name: getattr(blob, name) for name in FACTS}


def bulk(blob: StoredBlob) -> dict[str, bytes]:
    """The `BULK` fields of a blob, by name, without those that have their default value."""
    return {name: value for name, usual in _USUAL.items() if (value := getattr(blob, name)) != usual}


def dump_refusal(refusal: Refusal) -> bytes:
    """A refusal as bytes."""
    return _dump(asdict(refusal))


def load_refusal(record: bytes) -> Refusal:
    """The reverse of `dump_refusal`."""
    values = _known(Refusal, json.loads(record))
    return Refusal(**{**values, "reason": _member(SkipReason, values["reason"])})


def dump_repository(repository: RepositoryRecord) -> bytes:
    """A repository record as bytes."""
    notices = [(notice.path, notice.blob) for notice in repository.notices]
    return _dump({**asdict(repository), "notices": notices})


def load_repository(record: bytes) -> RepositoryRecord:
    """The reverse of `dump_repository`."""
    values = _known(RepositoryRecord, json.loads(record))
    values["skipped"] = _skipped(values)
    values["notices"] = tuple(Notice(*notice) for notice in values["notices"])
    values["key_kind"] = _member(KeyKind, values["key_kind"])
    if values.get("package") is not None:
        values["package"] = Package(**_known(Package, values["package"]))
    return RepositoryRecord(**values)


def load_skipped(record: bytes) -> dict[SkipReason | str, int]:
    """The skipped files of a repository. This takes a third of the time of reading its whole record."""
    return _skipped(json.loads(record))


def _skipped(values: Mapping[str, Any]) -> dict[SkipReason | str, int]:
    return {_member(SkipReason, reason): count for reason, count in dict(values["skipped"]).items()}


def dump_boilerplate(boilerplate: BoilerplateSet) -> tuple[bytes, bytes]:
    """A boilerplate set as its description (JSON) and its hashes (little-endian, in the order of `OF_TOKENS`)."""
    hashes = [np.asarray(boilerplate.hashes.get(key, ()), dtype="<u8") for key in OF_TOKENS]
    description = (boilerplate.name, boilerplate.files, dict(boilerplate.schemes), [len(those) for those in hashes])
    return _dump(description), b"".join(those.tobytes() for those in hashes)


def load_boilerplate(description: bytes, hashes: bytes) -> BoilerplateSet:
    """The reverse of `dump_boilerplate`. The set has an array, perhaps an empty one, for every representation."""
    name, files, schemes, lengths = json.loads(description)
    parts = np.split(np.frombuffer(hashes, dtype="<u8").astype(np.uint64), np.cumsum(lengths)[:-1])
    return BoilerplateSet(
        name=name,
        files=tuple(files),
        schemes={key: schemes[key] for key in OF_TOKENS if key in schemes},
        hashes=dict(zip(OF_TOKENS, parts, strict=True)),
    )


def boilerplate_name(description: bytes) -> str:
    """The name of a boilerplate set, from its description."""
    name: str = json.loads(description)[0]
    return name


def dump_note(note: Note) -> bytes:
    """A note as bytes."""
    return _dump(dict(note))


def load_note(record: bytes) -> Note:
    """The reverse of `dump_note`."""
    note = json.loads(record)
    if not isinstance(note, dict):
        raise TypeError("a note is not an object")
    return note


def _known(kind: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values for the fields of a class. Leaves out others, which a newer version may have written."""
    names = _NAMES[kind]
    return {name: value for name, value in dict(values).items() if name in names}


def _member(kind: type[_Text], value: str) -> _Text | str:
    """The member with this value; the value itself if it is unknown, as a newer version may have written it."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    try:
        return kind(value)
    except ValueError:
        return value


def _dump(value: Any) -> bytes:
    return _ENCODER.encode(value).encode("ascii")
