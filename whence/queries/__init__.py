"""From a snippet, or an indexed file, to ranked, explained places."""

from whence.queries.attribution import Asked, Places
from whence.queries.boilerplate import BoilerplateProgress, SetBuilder, make_set, stored_sets
from whence.queries.filters import Filters
from whence.queries.posts import BlockSkip, PostAnswer, encoded, language_of, skip_of
from whence.queries.search import Options, search
from whence.queries.similar import find_occurrence, similar

__all__ = [
    "Asked",
    "BlockSkip",
    "BoilerplateProgress",
    "Filters",
    "Options",
    "Places",
    "PostAnswer",
    "SetBuilder",
    "encoded",
    "find_occurrence",
    "language_of",
    "make_set",
    "search",
    "similar",
    "skip_of",
    "stored_sets",
]
