"""Searches an index: from a snippet, or an indexed file, to ranked and explained places.

`searching` calls the steps in this order: `preparation`, `candidates`, `alignment`, `judging`, `grouping`,
`attributing`. `learning` and `decomposition` are loaded only by the calls that need them.
"""
