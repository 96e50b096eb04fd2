"""What a file says of where it comes from: the values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a reference is, and so what its `value` holds."""

    POST = "post"
    """A Stack Exchange question or answer: its URL as `targets.Post.url` writes it."""
    GIST = "gist"
    """A gist: its URL as `targets.Gist.url` writes it."""
    PERMALINK = "permalink"
    """A file at a host of repositories at a commit: its URL as `targets.HostedPlace.url` writes it."""
    URL = "url"
    """Any other URL, as `urls.canonical` writes it."""
    SPDX = "spdx"
    """An `SPDX-License-Identifier` tag: the expression, as `expressions.normalised` writes it."""
    LICENSE = "license"
    """The text or the notice of a license: its SPDX identifier, or `model.UNKNOWN_LICENSE`."""
    COPYRIGHT = "copyright"
    """A copyright line: years and holder as they are written there, without the marks before them."""
    AUTHOR = "author"
    """An author tag: what is written behind it."""
    SNIPPET_BEGIN = "snippet-begin"
    """An `SPDX-SnippetBegin` tag: the tag itself. What follows speaks for the lines up to its end, see `Snippets`."""
    SNIPPET_END = "snippet-end"
    """An `SPDX-SnippetEnd` tag: the tag itself."""


REFERENCES_VERSION = 4
"""Raise it with each change of what is found or how it is written: contents are read again by the next run."""

LINKS = frozenset({Kind.POST, Kind.GIST, Kind.PERMALINK, Kind.URL})
"""What names a place by a URL."""

PEOPLE = frozenset({Kind.AUTHOR, Kind.COPYRIGHT})
"""What names somebody."""

LICENSES = frozenset({Kind.SPDX, Kind.LICENSE})
"""What states a license."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One thing that a text says of its source.

    Attributes:
        kind: what it is; plain text for a kind that only a newer version, which wrote the index, knows.
        value: its normalised form, see `Kind`; never empty, at most 2,048 characters for a URL and 200 for the rest.
        line: where it begins, 1-based.
        text: that line unchanged, without the blanks around it; of a long one the 200 characters about the
            reference. It comes from an indexed file: escape it before it is printed.
    """

    kind: Kind | str
    value: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class References:
    """What a file says, in the order of its lines; `omitted` counts what is beyond the first `MOST` references."""

    found: tuple[Reference, ...]
    omitted: int = 0


MOST = 4096
"""References kept of one file: a bound for hostile ones. A list of links of a megabyte stays below it."""
