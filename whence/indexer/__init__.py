"""From sources to the index: what is new is analysed by worker processes, the rest is only recorded."""

from whence.indexer.run import Options, Run

__all__ = ["Options", "Run"]
