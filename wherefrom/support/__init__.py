"""Helpers for every layer. They know nothing about the purpose of the product."""
