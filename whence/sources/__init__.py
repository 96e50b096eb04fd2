"""Where code comes from: git objects, folders, archives and URLs, as sources of blobs with their paths."""

from whence.sources.archive import ArchiveSource
from whence.sources.base import MAX_BYTES, Entry, Source, blob_id, blob_ids
from whence.sources.contents import read_blob
from whence.sources.directory import DirectorySource
from whence.sources.discover import discover, read_list
from whence.sources.git import GitSource
from whence.sources.remote import RemoteSource

__all__ = [
    "MAX_BYTES",
    "ArchiveSource",
    "DirectorySource",
    "Entry",
    "GitSource",
    "RemoteSource",
    "Source",
    "blob_id",
    "blob_ids",
    "discover",
    "read_blob",
    "read_list",
]
