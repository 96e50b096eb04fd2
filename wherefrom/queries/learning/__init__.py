"""Proposes boilerplate: code that many repositories of an index share."""

from wherefrom.queries.learning.learning import LearningProgress, learn
from wherefrom.queries.learning.proposals import Proposal, Proposals, dump_proposals, load_proposals

__all__ = ["LearningProgress", "Proposal", "Proposals", "dump_proposals", "learn", "load_proposals"]
