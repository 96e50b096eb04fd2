"""The embedded engine: an index in a folder, with postings in run files and records in SQLite."""

from wherefrom.engines.embedded.engine import EmbeddedEngine

__all__ = ["EmbeddedEngine"]
