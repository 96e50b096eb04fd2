"""Makes hits of copies: nearly identical contents together, each beside the whole query."""
