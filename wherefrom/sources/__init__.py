"""Where code comes from: git objects, folders, archives and URLs, as sources of blobs with their paths.

Each kind of source, and what finds them, is a module of its own: a search reads a content now and then, and waits for
none of them.
"""

from wherefrom.sources.contents import read_at, read_blob
from wherefrom.sources.permalinks import Permalink, line_range, permalink
from wherefrom.sources.source import MAX_BYTES, Entry, Source, blob_id, blob_ids, path_text

__all__ = [
    "MAX_BYTES",
    "Entry",
    "Permalink",
    "Source",
    "blob_id",
    "blob_ids",
    "line_range",
    "path_text",
    "permalink",
    "read_at",
    "read_blob",
]
