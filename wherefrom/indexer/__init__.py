"""From sources to the index: what is new is analysed by worker processes, the rest is only recorded. And from one index
to another.
"""

from wherefrom.indexer.copy import Copy
from wherefrom.indexer.indexing import Run
from wherefrom.indexer.keys import settle_keys
from wherefrom.indexer.plugin_fields import plugin_fields

__all__ = ["Copy", "Run", "plugin_fields", "settle_keys"]
