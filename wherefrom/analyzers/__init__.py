"""Analyzes code: guesses its language, splits it into tokens, and computes its fingerprints and references."""
