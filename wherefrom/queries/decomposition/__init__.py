"""A file explained by the few indexed documents that hold its parts."""

from wherefrom.queries.decomposition.decompose import sources as sources
