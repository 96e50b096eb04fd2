"""The published engine: an index as a few immutable files, which any static web server can serve."""
