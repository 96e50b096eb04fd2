"""Compares many submissions with each other. Pairs are found by their common terms, never by looking at all pairs."""
