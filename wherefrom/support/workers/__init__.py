"""Processes that may die of what they are given: a pool of them, and the one that analyzes code for queries."""

PARSE_MEMORY = 1_500_000_000
"""Bytes of memory of a process that parses, unless the user says otherwise."""

LEAST_PARSE_MEMORY = 100_000_000
"""The smallest such limit: with all grammars loaded, a process that parses takes 60 MB."""
