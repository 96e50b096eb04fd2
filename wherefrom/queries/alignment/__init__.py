"""Aligns a document with a window of the query: chains of k-grams, the runs that grow from them, regions."""
