"""Compares whole files with whole files."""
