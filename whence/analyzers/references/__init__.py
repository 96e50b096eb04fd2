"""What a file says of where it comes from: links, posts, licences, copyright lines, authors. Pure."""

from whence.analyzers.references.base import LICENCES, LINKS, MOST, PEOPLE, Kind, Reference, References
from whence.analyzers.references.extract import of_file, of_text
from whence.analyzers.references.records import dump_references, load_references
from whence.analyzers.references.scope import notices, scope
from whence.analyzers.references.targets import Gist, GitHubPlace, Page, Post, Target, names, source, target

__all__ = [
    "LICENCES",
    "LINKS",
    "MOST",
    "PEOPLE",
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
    "notices",
    "of_file",
    "of_text",
    "scope",
    "source",
    "target",
]
