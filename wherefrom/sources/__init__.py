"""Where code comes from: git objects, folders, archives and URLs, as sources of blobs with their paths."""

from wherefrom.sources.archive import ArchiveSource
from wherefrom.sources.contents import read_blob
from wherefrom.sources.directory import DirectorySource
from wherefrom.sources.discover import Found, FoundSource, Unusable, combined, discover, find_sources
from wherefrom.sources.git import GitSource
from wherefrom.sources.listed import ListedSource, read_list
from wherefrom.sources.presence import missing_source
from wherefrom.sources.remote import RemoteSource
from wherefrom.sources.source import MAX_BYTES, Entry, Source, blob_id, blob_ids

__all__ = [
    "MAX_BYTES",
    "ArchiveSource",
    "DirectorySource",
    "Entry",
    "Found",
    "FoundSource",
    "GitSource",
    "ListedSource",
    "RemoteSource",
    "Source",
    "Unusable",
    "blob_id",
    "blob_ids",
    "combined",
    "discover",
    "find_sources",
    "missing_source",
    "read_blob",
    "read_list",
]
