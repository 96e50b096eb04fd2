"""Reports of a comparison of submissions."""
