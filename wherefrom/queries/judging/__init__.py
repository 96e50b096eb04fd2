"""Judges whether a document is a copy: signs, and the probability that follows from them."""
