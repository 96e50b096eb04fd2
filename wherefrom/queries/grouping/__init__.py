"""What is found, as hits: near-identical contents together, each beside the whole query."""
