"""The versions of wherefrom and of installed packages, and where wherefrom is installed from."""

__version__ = "0.2.0"

INSTALLED_FROM = "."
"""What installation commands name: the folder of a checkout until the first release, for which `./dev release` puts the
project's name here. Until then, somebody else could register the name.
"""


def remedy(extra: str) -> str:
    """How to install an extra."""
    place = ", in a checkout" if INSTALLED_FROM == "." else ""
    return f"install wherefrom with its extra {extra!r}{place}: pip install '{INSTALLED_FROM}[{extra}]'"


def installed(distribution: str) -> str:
    """The version of an installed distribution; empty if it is missing. Nearly always the name of a folder tells it;
    to load `importlib.metadata` takes longer than all else here.
    """
    import os  # noqa: PLC0415 -- `import wherefrom` loads nothing
    import sys  # noqa: PLC0415

    begin = f"{distribution.replace('-', '_').lower()}-"
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 -- `pathlib` takes long to load
        except OSError:
            continue
        for name in names:
            if name.endswith(".dist-info") and name.lower().startswith(begin):
                return name[len(begin) : -len(".dist-info")]
    from importlib import metadata  # noqa: PLC0415

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""
