"""From a snippet, or an indexed file, to ranked, explained places."""

from whence.queries.attribution import Asked, Places
from whence.queries.boilerplate import MOST_STORED, BoilerplateProgress, SetBuilder, make_set, stored_sets
from whence.queries.decomposition import SourcesOptions, sources
from whence.queries.filters import Filters
from whence.queries.learning import (
    LearningProgress,
    Proposal,
    ProposalKind,
    Proposals,
    dump_proposals,
    learn,
    load_proposals,
)
from whence.queries.places import content_at
from whence.queries.posts import BlockSkip, PostAnswer, encoded, language_of, skip_of
from whence.queries.search import Options, search
from whence.queries.similar import find_occurrence, similar

__all__ = [
    "MOST_STORED",
    "Asked",
    "BlockSkip",
    "BoilerplateProgress",
    "Filters",
    "LearningProgress",
    "Options",
    "Places",
    "PostAnswer",
    "Proposal",
    "ProposalKind",
    "Proposals",
    "SetBuilder",
    "SourcesOptions",
    "content_at",
    "dump_proposals",
    "encoded",
    "find_occurrence",
    "language_of",
    "learn",
    "load_proposals",
    "make_set",
    "search",
    "similar",
    "skip_of",
    "sources",
    "stored_sets",
]
