"""Finds the few indexed documents that together contain the parts of a file."""

from wherefrom.queries.decomposition.decompose import sources as sources
