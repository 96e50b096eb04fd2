"""Finds code that was carried into another language, by the words of its names and literals."""
