"""Reports of a check."""
