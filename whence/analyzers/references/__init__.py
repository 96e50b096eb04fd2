"""What a file says of where it comes from: links, posts, licences, copyright lines, authors. Pure."""

from whence.analyzers.references.base import MOST, Kind, Reference, References
from whence.analyzers.references.extract import of_file, of_text
from whence.analyzers.references.records import dump_references, load_references
from whence.analyzers.references.scope import scope
from whence.analyzers.references.targets import Gist, GitHubPlace, Page, Post, Target, names, source, target

__all__ = [
    "MOST",
    "Gist",
    "GitHubPlace",
    "Kind",
    "Page",
    "Post",
    "Reference",
    "References",
    "Target",
    "dump_references",
    "load_references",
    "names",
    "of_file",
    "of_text",
    "scope",
    "source",
    "target",
]
