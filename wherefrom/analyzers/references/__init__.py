"""What a file says of where it comes from: links, posts, licenses, copyright lines, authors. Pure."""

from wherefrom.analyzers.references.encoding import dump_references, load_references
from wherefrom.analyzers.references.extract import of_analysis, of_file, of_text, words_in
from wherefrom.analyzers.references.licenses import may_state_license
from wherefrom.analyzers.references.reference import (
    LICENSES,
    LINKS,
    MOST,
    PEOPLE,
    REFERENCES_VERSION,
    Kind,
    Reference,
    References,
)
from wherefrom.analyzers.references.scope import governs, is_license_file, is_notice, notices, scope
from wherefrom.analyzers.references.snippets import Snippet, Snippets
from wherefrom.analyzers.references.targets import HostedPlace, Post, Target, names, source, target

__all__ = [
    "LICENSES",
    "LINKS",
    "MOST",
    "PEOPLE",
    "REFERENCES_VERSION",
    "HostedPlace",
    "Kind",
    "Post",
    "Reference",
    "References",
    "Snippet",
    "Snippets",
    "Target",
    "dump_references",
    "governs",
    "is_license_file",
    "is_notice",
    "load_references",
    "may_state_license",
    "names",
    "notices",
    "of_analysis",
    "of_file",
    "of_text",
    "scope",
    "source",
    "target",
    "words_in",
]
