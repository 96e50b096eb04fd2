"""Explains a file by the few indexed documents that have its parts."""

from wherefrom.queries.decomposition.decompose import sources as sources
