"""From a snippet, or an indexed file, to ranked, explained places."""

from wherefrom.queries.attribution import Asked, Places
from wherefrom.queries.boilerplate import MOST_STORED, BoilerplateProgress, SetBuilder, make_set, stored_sets
from wherefrom.queries.decomposition import SourcesOptions, sources
from wherefrom.queries.filters import AdmittedBlobs, Filters
from wherefrom.queries.learning import (
    LearningProgress,
    Proposal,
    ProposalKind,
    Proposals,
    dump_proposals,
    learn,
    load_proposals,
)
from wherefrom.queries.places import content_at, texts
from wherefrom.queries.posts import BlockSkip, PostAnswer, encoded, language_of, skip_of
from wherefrom.queries.search import Options, search
from wherefrom.queries.similar import find_occurrence, similar

__all__ = [
    "MOST_STORED",
    "AdmittedBlobs",
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
    "texts",
]
