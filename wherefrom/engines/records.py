"""Records as bytes (JSON, ASCII) and back, and the digest that names them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from enum import StrEnum
from typing import Any, TypeVar

import numpy as np

from wherefrom.model import (
    INDEXED,
    BlobDocument,
    BoilerplateSet,
    KeyKind,
    Notice,
    Occurrence,
    RepositoryRecord,
    SkipReason,
)

_Text = TypeVar("_Text", bound=StrEnum)

_ENCODER = json.JSONEncoder(separators=(",", ":"))


def digest(*parts: str) -> str:
    """40 hexadecimal digits for any strings of any length; the boundaries between the parts count."""
    return hashlib.blake2b(_dump(parts), digest_size=20).hexdigest()


def dump_blob(document: BlobDocument) -> bytes:
    """What `load_blob` gives back; the token stream and the source are stored beside it."""
    return _dump((document.blob, document.language, document.size, document.token_count))


def load_blob(record: bytes) -> tuple[str, str, int, int]:
    """Blob id, language, size and token count."""
    blob, language, size, token_count = json.loads(record)
    return blob, language, size, token_count


def dump_occurrence(occurrence: Occurrence) -> bytes:
    """What `load_occurrence` gives back."""
    return _dump((occurrence.repository, occurrence.path, occurrence.blob, occurrence.revision))


def load_occurrence(record: bytes) -> Occurrence:
    """The occurrence."""
    return Occurrence(*json.loads(record))


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
    return RepositoryRecord(**values, skipped=skipped, notices=notices, key_kind=key_kind)


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
