"""The types of references, and their bytes, which an index stores with each blob."""

from __future__ import annotations

import json
from enum import StrEnum

from wherefrom.errors import IndexDamaged
from wherefrom.support.values import dataclass


class ReferenceKind(StrEnum):
    """The kinds of references. The kind determines the `value` of a reference."""

    POST = "post"  # a Stack Exchange question or answer: its URL as `targets.PostLink.url` writes it
    GIST = "gist"  # a gist: its URL as `targets.Gist.url` writes it
    PERMALINK = "permalink"  # a file at a host, at a commit: its URL as `targets.HostedPlace.url` writes it
    URL = "url"  # any other URL, as `targets.canonical` writes it
    PACKAGE = "package"  # a package, only in a project that `check` reads: its name as `extract.package_name` writes it
    SPDX = "spdx"  # an `SPDX-License-Identifier` tag: the expression, as `expressions.normalised_license` writes it
    LICENSE = "license"  # the text or the notice of a license: its SPDX identifier, or `model.UNKNOWN_LICENSE`
    COPYRIGHT = "copyright"  # a copyright line: years and holder as they are written there, without the marks before
    AUTHOR = "author"  # an author tag: the text after it
    SNIPPET_BEGIN = "snippet-begin"
    """An `SPDX-SnippetBegin` tag; its value is the tag. The tags after it are about the snippet, see `Snippets`."""
    SNIPPET_END = "snippet-end"  # an `SPDX-SnippetEnd` tag; its value is the tag


REFERENCES_VERSION = 4  # raise it with each change of the rules for references: the next run then finds them all again

LINKS = frozenset({ReferenceKind.POST, ReferenceKind.GIST, ReferenceKind.PERMALINK, ReferenceKind.URL})
"""Kinds that name a place by a URL."""

PEOPLE = frozenset({ReferenceKind.AUTHOR, ReferenceKind.COPYRIGHT})  # kinds that name a person or organization
LICENSES = frozenset({ReferenceKind.SPDX, ReferenceKind.LICENSE})  # kinds that state a license


@dataclass(frozen=True, slots=True)
class Reference:
    """A statement of a text about its source."""

    kind: ReferenceKind | str  # the kind; a plain text if the index was written by a newer version that has more kinds
    # the normalized value, see `ReferenceKind`; never empty. A URL has at most 2,048 characters, and any other value at
    # most 200
    value: str
    line: int  # the line where the reference begins, 1-based
    # that line without the blanks around it, or 200 characters around the reference if the line is long. The text comes
    # from an indexed file, so escape it before you print it
    text: str


@dataclass(frozen=True, slots=True)
class References:
    """The first `MOST` references of a file, in order. `omitted` is the number of references after these."""

    found: tuple[Reference, ...]
    omitted: int = 0


MOST = 4096  # at most this many references of a file are kept, against hostile files: a megabyte of links has fewer


_KINDS = frozenset(map(str, ReferenceKind))

_ENCODER = json.JSONEncoder(separators=(",", ":"))


def dump_references(references: References) -> bytes:
    """Encodes references as JSON in ASCII. Returns empty bytes if there are no references."""
    if not references.found:
        return b""
    rows = [
        (str(found.kind), found.line, found.value, *(() if found.text == found.value else (found.text,)))
        for found in references.found
    ]
    return _ENCODER.encode((references.omitted, rows)).encode("ascii")


def load_references(record: bytes) -> References:
    """Decodes the bytes that `dump_references` wrote. A kind that only a newer version knows becomes a `str`. Raises
    IndexDamaged if `dump_references` did not write these bytes.
    """
    if not record:
        return References(())
    try:
        omitted, rows = json.loads(record)
        found = tuple(
            Reference(_kind(kind), value, line, text[0] if text else value) for kind, line, value, *text in rows
        )
    except (TypeError, ValueError) as error:
        raise IndexDamaged(
            f"the references of an indexed file cannot be decoded ({error}); index again into a new folder"
        ) from None
    return References(found, omitted)


def _kind(text: str) -> ReferenceKind | str:
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not a kind")
    return ReferenceKind(text) if text in _KINDS else text
