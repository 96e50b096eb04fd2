"""The layout of a published index: a manifest, and files that never change.

| file | what |
| --- | --- |
| `wherefrom-published.json` | the manifest: format, schemes, and the name, size and SHA-256 of each file |
| `root-*` | counts, names, the upper part of each tree, and the checksums of the checksums of the other files |
| `postings-*` | leaves of `frames.FRAME` postings, sorted by representation, term and document |
| `contents-*` | blocks with the facts, occurrences, references and token streams of a few contents |
| `columns-*` | the language, the token count and the first bits of the id of each content |
| `sources-*` | the texts of contents; empty if the index does not store them |
| `places-*` | all occurrences, sorted by repository and path |
| `records-*` | the records of repositories and boilerplate sets |
| `history-*` | the manifest of the history, whose files lie beside the others; only if the index has a history |

Each file but the root is a tree (`tree`) in pages with checksums (`pages`). Contents are numbered in the order of their
ids, so the blocks are found by number and by id. The last part of a file's name is the beginning of its SHA-256, so a
file that did not change keeps its name, and a cache can keep it for ever. Only the manifest is ever replaced, in one
step, and so a reader has one publication of the index and of its history.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from wherefrom.engines.engine import Schemes
from wherefrom.engines.records import check_format, check_schemes
from wherefrom.model import INDEXED
from wherefrom.support.formats import Format
from wherefrom.support.values import asdict, dataclass

FORMAT = Format(version=3, reader=3, oldest=3)  # raise the version with each change of the layout
ROOT = "root"
TREES = ("postings", "contents", "columns", "sources", "places", "records")  # the kinds of the other files
HISTORY = "history"

KINDS = (ROOT, *TREES, HISTORY)  # the kinds of all files but the manifest

LARGEST_MANIFEST = 1 << 20  # the highest number of bytes of a manifest
LARGEST_ROOT = 1 << 28  # the highest number of bytes of a root
REMEDY = "publish it again"
_DIGITS = 16  # the number of digits of the SHA-256 in the name of a file


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """The name, the number of bytes, and the SHA-256 (64 hexadecimal digits) of a file."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of a published index: what the index is stamped with, and its files."""

    schemes: Schemes
    term_bits: int
    has_code: bool
    files: Mapping[str, PublishedFile]  # by kind (`ROOT` and `TREES`)
    history: PublishedFile | None = None  # the file with the manifest of the history, if there is one

    def dump(self) -> bytes:
        """The manifest as JSON."""
        values = {
            **FORMAT.stamp(),
            "schemes": {str(key): self.schemes[key] for key in INDEXED},
            "term_bits": self.term_bits,
            "has_code": self.has_code,
            "files": {kind: asdict(file) for kind, file in self.files.items()},
            "history": None if self.history is None else asdict(self.history),
        }
        return json.dumps(values, indent=1).encode("ascii") + b"\n"

    @classmethod
    def load(cls, data: bytes, location: str, schemes: Schemes) -> Manifest:
        """The reverse of `dump`. Raises IndexFormatError; SchemeMismatch; ValueError, LookupError, TypeError,
        AttributeError or RecursionError if this is not a manifest.
        """
        values = json.loads(data)
        check_format(location, values, FORMAT, REMEDY)
        term_bits = check_schemes(location, values, schemes, REMEDY)
        files = {kind: _file(kind, value) for kind, value in dict(values["files"]).items()}
        if files.keys() != {ROOT, *TREES}:
            raise ValueError("the manifest lacks a file")
        history = None if values["history"] is None else _file(HISTORY, values["history"])
        if type(values["has_code"]) is not bool:
            raise ValueError("the manifest does not tell whether there is code")
        return cls({key: values["schemes"][key] for key in INDEXED}, term_bits, values["has_code"], files, history)


def _file(kind: str, value: Mapping[str, Any]) -> PublishedFile:
    """A file of a manifest, whose name cannot lead out of the folder. Raises ValueError for anything else."""
    file = PublishedFile(value["name"], value["size"], value["sha256"])
    if kind not in KINDS or type(file.size) is not int or not 0 <= file.size < 1 << 50:
        raise ValueError("the manifest has a file that no index has")
    if len(file.sha256) != 64 or not is_hexadecimal(file.sha256) or file.name != file_name(kind, file.sha256):
        raise ValueError("the manifest has a file with another name")
    return file


def file_name(kind: str, sha256: str) -> str:
    """The name of a file of a kind with this SHA-256."""
    return f"{kind}-{sha256[:_DIGITS]}"


def is_file_name(name: str) -> bool:
    """True if `file_name` can return this name."""
    kind, _, digits = name.partition("-")
    return kind in KINDS and len(digits) == _DIGITS and is_hexadecimal(digits)


def is_hexadecimal(text: str) -> bool:
    """True if a text has only the digits of a digest."""
    return {*text} <= {*"0123456789abcdef"}


def is_id(blob: str) -> bool:
    """True if an index can have a content with this id."""
    return len(blob) % 2 == 0 and is_hexadecimal(blob)
