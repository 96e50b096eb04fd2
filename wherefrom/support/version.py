"""The version of wherefrom, and where it is installed from."""

__version__ = "0.1.0"

INSTALLED_FROM = "."
"""What pip is given: the folder of a checkout, until wherefrom is on PyPI. `./dev release` then replaces the folder by
the name. Until then, somebody else could register the name.
"""


def remedy(extra: str) -> str:
    """How to install an extra."""
    place = ", in a checkout" if INSTALLED_FROM == "." else ""
    return f"install wherefrom with its extra {extra!r}{place}: pip install '{INSTALLED_FROM}[{extra}]'"
