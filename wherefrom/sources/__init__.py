"""Where code comes from: git objects, folders, archives and URLs, as sources of blobs with their paths."""

from wherefrom.sources.archive import ArchiveSource
from wherefrom.sources.contents import read_at, read_blob
from wherefrom.sources.directory import DirectorySource
from wherefrom.sources.discover import Found, FoundSource, Unusable, combined, discover, find_all, find_sources
from wherefrom.sources.files import FilesSource
from wherefrom.sources.git import GitSource
from wherefrom.sources.listed import ListedSource, read_list
from wherefrom.sources.permalinks import Permalink, line_range, permalink
from wherefrom.sources.presence import missing_source
from wherefrom.sources.remote import RemoteSource
from wherefrom.sources.source import MAX_BYTES, Entry, Source, blob_id, blob_ids, path_text

__all__ = [
    "MAX_BYTES",
    "ArchiveSource",
    "DirectorySource",
    "Entry",
    "FilesSource",
    "Found",
    "FoundSource",
    "GitSource",
    "ListedSource",
    "Permalink",
    "RemoteSource",
    "Source",
    "Unusable",
    "blob_id",
    "blob_ids",
    "combined",
    "discover",
    "find_all",
    "find_sources",
    "line_range",
    "missing_source",
    "path_text",
    "permalink",
    "read_at",
    "read_blob",
    "read_list",
]
