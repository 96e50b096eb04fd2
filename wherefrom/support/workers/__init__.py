"""A pool of processes for tasks that may crash them."""

PARSE_MEMORY = 1_500_000_000
"""Default limit on the memory of a process that parses, in bytes."""

LEAST_PARSE_MEMORY = 100_000_000
"""The smallest limit that is allowed: with all grammars loaded, such a process takes 60 MB."""
