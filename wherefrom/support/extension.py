"""Whether the native extension is there and is used: by `analyzers.kernel` for contents and what is compared with them,
and by the embedded engine for its postings.

The extension has a parser core of its own. Two cores may recover from an error differently, so it is used only where
its core has the same minor version as that of py-tree-sitter, by which `stamps` names it.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import zlib
from functools import cache
from pkgutil import get_data
from types import ModuleType

from wherefrom.errors import KernelError

VARIABLE = "WHEREFROM_KERNEL"
"""The variable that says whether the kernel is used: `0` never, `1` where it can be (the default), `require`."""

_NEVER, _REQUIRED = "0", "require"

REBUILD = "install wherefrom again, or in a clone of it run: python kernel/build.py wherefrom/_kernel.abi3.so"

_DESCRIPTION = "_kernel.pyi"
"""What the extension offers: one that was built for another description is not used."""


def wanted() -> ModuleType | None:
    """The extension, None if it is not used. Raises KernelError if it is required and cannot be used, or if `VARIABLE`
    has another value than it may have.
    """
    wish = os.environ.get(VARIABLE, "1")
    if wish not in (_NEVER, "1", _REQUIRED):
        raise KernelError(f"{VARIABLE} is 0, 1 or require, not {wish!r}; set it to one of these, or not at all")
    if wish == _NEVER:
        return None
    extension, problem = _found()
    if extension is None and wish == _REQUIRED:
        raise KernelError(f"{VARIABLE}=require, but the native kernel cannot be used: {problem}")
    return extension


def description() -> str:
    """What analyzes code here, in a few words."""
    extension = wanted()
    if extension is not None:
        return f"native kernel, tree-sitter {extension.CORE_VERSION}"
    return f"Python, tree-sitter {importlib.metadata.version('tree-sitter')}"


def problem() -> str:
    """Why the kernel cannot be used, with the remedy; empty if it is used, or was switched off."""
    return "" if wanted() is not None or os.environ.get(VARIABLE) == _NEVER else _found()[1]


@cache
def _found() -> tuple[ModuleType | None, str]:
    """The extension, None where it cannot be used, with the reason."""
    try:
        extension = importlib.import_module("wherefrom._kernel")
    except ModuleNotFoundError:
        return None, "it was not built; install wherefrom where cargo 1.85 or newer and a C compiler are found"
    except ImportError as error:
        return None, f"it does not load ({error}); install wherefrom again on this machine"
    if getattr(extension, "INTERFACE", "") != str(zlib.crc32(get_data("wherefrom", _DESCRIPTION) or b"")):
        return None, f"it was built for another state of wherefrom; {REBUILD}"
    core, installed = extension.CORE_VERSION, importlib.metadata.version("tree-sitter")
    if _minor(core) != _minor(installed):
        remedy = f"pip install 'tree-sitter=={'.'.join(_minor(core))}.*'"
        return None, f"its parser core is {core}, and tree-sitter {installed} is installed; {remedy}"
    return extension, ""


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]
