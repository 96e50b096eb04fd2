"""Finds out whether a location names the source of its code."""
