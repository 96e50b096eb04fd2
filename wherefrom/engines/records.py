"""Records as bytes (JSON, ASCII) and back, the digest that names them, and the checksums that show damage."""

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

from wherefrom.errors import IndexFormatError, SchemeMismatch
from wherefrom.model import (
    INDEXED,
    STORED_BITS,
    BoilerplateSet,
    KeyKind,
    Notice,
    Refusal,
    RepositoryRecord,
    Representation,
    SkipReason,
    StoredBlob,
)
from wherefrom.support.formats import Format

BULK = ("tokens", "source", "references")
"""The fields of a `StoredBlob` that are large bytes: they are stored beside its other fields."""

FACTS = tuple(field.name for field in fields(StoredBlob) if field.name not in BULK)
"""The other fields: small values."""

_SEAL = struct.Struct("<I")

_DEFAULTS = {field.name: field.default for field in fields(StoredBlob)}

_Text = TypeVar("_Text", bound=StrEnum)

_ENCODER = json.JSONEncoder(separators=(",", ":"))

_CANONICAL = json.JSONEncoder(separators=(",", ":"), sort_keys=True)


def digest(*parts: str) -> str:
    """40 hexadecimal digits for any strings of any length; the boundaries between the parts count."""
    return hashlib.blake2b(_dump(parts), digest_size=20).hexdigest()


def seal(field: str, payload: bytes) -> bytes:
    """The value of a field as it is stored: a CRC-32 (4 bytes, little-endian) of the field's name and the payload, then
    the payload. It detects any change within 32 adjacent bits, and all but one in 2^32 of other damage.
    """
    return _SEAL.pack(_sum(field, payload)) + payload


def unseal(field: str, sealed: bytes) -> bytes:
    """The payload of what `seal` made for this field, or a ValueError."""
    if len(sealed) < _SEAL.size:
        raise ValueError(f"{field} has no checksum")
    payload = sealed[_SEAL.size :]
    if _SEAL.unpack_from(sealed)[0] != _sum(field, payload):
        raise ValueError(f"the checksum of {field} does not match")
    return payload


def _sum(field: str, payload: bytes) -> int:
    return zlib.crc32(payload, zlib.crc32(field.encode("ascii")))


def checksum(value: Any) -> int:
    """The CRC-32 of a JSON value in its canonical form: ASCII, keys in order, no spaces."""
    return zlib.crc32(_CANONICAL.encode(value).encode("ascii"))


def check_format(index: object, stamp: Mapping[str, Any], form: Format, remedy: str, *, instead: str = "") -> None:
    """Sees that an index may be read, by its stamp; `remedy` and `instead` as `Format.refusal` has them.

    Raises:
        IndexFormatError: it may not.
        ValueError, LookupError, TypeError: this is not a stamp.
    """
    refusal = form.refusal(stamp["format"], stamp["reader"], remedy, instead=instead)
    if refusal is not None:
        raise IndexFormatError(f"the index {index} {refusal}")


def check_schemes(index: object, stamp: Mapping[str, Any], schemes: Mapping[Representation, str], remedy: str) -> int:
    """Sees that an index was made with these schemes; returns the bits of a term that it stores.

    Raises:
        SchemeMismatch: it was not.
        ValueError, LookupError, TypeError: this is not a stamp.
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
    """The `FACTS` of a blob."""
    return {name: getattr(blob, name) for name in FACTS}


def bulk(blob: StoredBlob) -> dict[str, bytes]:
    """The `BULK` of a blob, without what is left at its default."""
    return {name: value for name in BULK if (value := getattr(blob, name)) != _DEFAULTS[name]}


def dump_refusal(refusal: Refusal) -> bytes:
    """What `load_refusal` gives back."""
    return _dump(asdict(refusal))


def load_refusal(record: bytes) -> Refusal:
    """The refusal."""
    values = dict(json.loads(record))
    return Refusal(**{**_of(Refusal, values), "reason": _known(SkipReason, values["reason"])})


def dump_repository(repository: RepositoryRecord) -> bytes:
    """What `load_repository` gives back."""
    notices = [(each.path, each.blob) for each in repository.notices]
    return _dump({**asdict(repository), "notices": notices})


def load_repository(record: bytes) -> RepositoryRecord:
    """The repository record."""
    values = dict(json.loads(record))
    skipped = {_known(SkipReason, reason): count for reason, count in dict(values.pop("skipped")).items()}
    notices = tuple(Notice(*each) for each in values.pop("notices"))
    key_kind = _known(KeyKind, values.pop("key_kind"))
    return RepositoryRecord(**_of(RepositoryRecord, values), skipped=skipped, notices=notices, key_kind=key_kind)


def dump_boilerplate(boilerplate: BoilerplateSet) -> tuple[bytes, bytes]:
    """The description of a set, and its hashes: little-endian, those of each representation after the other."""
    hashes = [np.asarray(boilerplate.hashes.get(key, ()), dtype="<u8") for key in INDEXED]
    lengths = [len(each) for each in hashes]
    description = (boilerplate.name, boilerplate.files, dict(boilerplate.schemes), lengths)
    return _dump(description), b"".join(each.tobytes() for each in hashes)


def load_boilerplate(description: bytes, hashes: bytes) -> BoilerplateSet:
    """The set; every representation has its (perhaps empty) array."""
    name, files, schemes, lengths = json.loads(description)
    parts = np.split(np.frombuffer(hashes, dtype="<u8").astype(np.uint64), np.cumsum(lengths)[:-1])
    return BoilerplateSet(
        name=name,
        files=tuple(files),
        schemes={key: schemes[key] for key in INDEXED if key in schemes},
        hashes=dict(zip(INDEXED, parts, strict=True)),
    )


def boilerplate_name(description: bytes) -> str:
    """The name in a set's description."""
    name: str = json.loads(description)[0]
    return name


def _of(kind: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of these values that are fields of a class: a newer version may have written more."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in values.items() if name in names}


def _known(kind: type[_Text], value: str) -> _Text | str:
    """The member with this value; the value itself if only a newer version has that member."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    try:
        return kind(value)
    except ValueError:
        return value


def _dump(value: Any) -> bytes:
    return _ENCODER.encode(value).encode("ascii")
