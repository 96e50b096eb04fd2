"""Measurements: each prints a Markdown table, and exits with 1 if a target is missed."""
