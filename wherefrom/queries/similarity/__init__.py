"""Whole files against whole files."""
