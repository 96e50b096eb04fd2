"""The version of wherefrom, and where it is installed from."""

__version__ = "0.2.0"

INSTALLED_FROM = "."
"""What installation commands name: the folder of a checkout until the first release, for which `./dev release` puts the
project's name here. Until then, somebody else could register the name.
"""


def remedy(extra: str) -> str:
    """How to install an extra."""
    place = ", in a checkout" if INSTALLED_FROM == "." else ""
    return f"install wherefrom with its extra {extra!r}{place}: pip install '{INSTALLED_FROM}[{extra}]'"
