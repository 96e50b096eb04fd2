"""The published JSON schemas of answers."""
