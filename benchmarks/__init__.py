"""Measurements: each prints a Markdown table and exits with 1 when a target is missed (`docs/benchmarks.md`)."""
