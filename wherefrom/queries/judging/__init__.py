"""Judges whether a document is a copy: its evidence, and the probability that follows from it."""
