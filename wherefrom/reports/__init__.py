"""Turns results into text. All functions here are pure: they neither read files nor print."""
