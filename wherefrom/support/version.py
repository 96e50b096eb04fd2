"""The version of wherefrom."""

__version__ = "0.1.0"
