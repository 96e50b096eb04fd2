"""Processes that may die of what they are given: a pool of them, and the one that analyzes code for queries."""
