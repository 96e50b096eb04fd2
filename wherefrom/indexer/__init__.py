"""Indexes sources, and copies one index into another. Only new and stale contents are analyzed."""

# Imports nothing, so that a worker process loads only `work`.
