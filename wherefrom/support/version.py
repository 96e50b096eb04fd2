"""The version of wherefrom, and where it is installed from."""

__version__ = "0.1.0"

INSTALLED_FROM = "."
"""The folder of a checkout, until an index of packages has wherefrom. Before that, somebody else could take its name
there. `./dev release` puts the name here.
"""


def remedy(extra: str) -> str:
    """How to install an extra."""
    place = ", in a checkout" if INSTALLED_FROM == "." else ""
    return f"install wherefrom with its extra {extra!r}{place}: pip install '{INSTALLED_FROM}[{extra}]'"
