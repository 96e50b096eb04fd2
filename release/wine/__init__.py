"""Runs Python for Windows under Wine, for the tests."""
