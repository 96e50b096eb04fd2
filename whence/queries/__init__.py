"""From a snippet, or an indexed file, to ranked, explained places."""

from whence.queries.attribution import Asked, Places
from whence.queries.boilerplate import BoilerplateProgress, SetBuilder, make_set, stored_sets
from whence.queries.filters import Filters
from whence.queries.search import Options, search
from whence.queries.similar import find_occurrence, similar

__all__ = [
    "Asked",
    "BoilerplateProgress",
    "Filters",
    "Options",
    "Places",
    "SetBuilder",
    "find_occurrence",
    "make_set",
    "search",
    "similar",
    "stored_sets",
]
