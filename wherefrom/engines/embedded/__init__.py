"""The embedded engine: an index in a folder of its own, postings in runs and records in SQLite."""

from wherefrom.engines.embedded.engine import EmbeddedEngine

__all__ = ["EmbeddedEngine"]
