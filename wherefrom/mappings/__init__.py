"""The index schemas as data, and the versions of their formats. Nothing here imports a search library."""

from __future__ import annotations


def format_versions() -> tuple[int, int]:
    """The versions of the formats of an index in a folder and of one on Elasticsearch."""
    from wherefrom.mappings import elasticsearch, embedded  # noqa: PLC0415 -- an engine needs one of them

    return embedded.FORMAT.version, elasticsearch.FORMAT.version
