"""Makes hits from copies: groups nearly identical contents, and compares each with the whole query."""
