"""Finds the native extension and decides whether to use it. `analyzers.kernel` uses it for contents and comparisons,
the embedded engine for its postings.

The extension contains its own Tree-sitter core. Two cores may recover from a syntax error differently, so the extension
is used only if both cores have the same minor version. `stamps` records the version of py-tree-sitter's core.
"""

from __future__ import annotations

import importlib
import os
import zlib
from functools import cache
from pkgutil import get_data
from types import ModuleType

from wherefrom.errors import KernelError
from wherefrom.support import version

VARIABLE = "WHEREFROM_KERNEL"  # the variable for it: `0` never, `1` if possible (the default), `require` always
_NEVER, _REQUIRED = "0", "require"

REBUILD = "install wherefrom again, or in a clone of it run: python kernel/build.py wherefrom/_kernel.abi3.so"


def wanted() -> ModuleType | None:
    """The extension, or None. Raises KernelError if it is required but cannot be used, or if `VARIABLE` is invalid."""
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
    """What analyzes code here, such as `native kernel, tree-sitter 0.25.1`."""
    extension = wanted()
    if extension is not None:
        return f"native kernel, tree-sitter {extension.CORE_VERSION}"
    return f"Python, tree-sitter {version.installed('tree-sitter') or 'is missing'}"


def problem() -> str:
    """Why the extension cannot be used, with the remedy; empty if it is used, or was switched off."""
    return "" if wanted() is not None or os.environ.get(VARIABLE) == _NEVER else _found()[1]


@cache
def _found() -> tuple[ModuleType | None, str]:
    try:
        extension = importlib.import_module("wherefrom._kernel")
    except ModuleNotFoundError:
        return None, "it was not built; install wherefrom where cargo 1.85 or newer and a C compiler are found"
    except ImportError as error:
        return None, f"it does not load ({error}); install wherefrom again on this machine"
    # The extension carries the checksum of the interface, `_kernel.pyi`, for which it was built.
    if getattr(extension, "INTERFACE", "") != str(zlib.crc32(get_data("wherefrom", "_kernel.pyi") or b"")):
        return None, f"it was built for another state of wherefrom; {REBUILD}"
    core, installed = extension.CORE_VERSION, version.installed("tree-sitter")
    if _minor(core) != _minor(installed):
        remedy = f"pip install 'tree-sitter=={'.'.join(_minor(core))}.*'"
        return None, f"its parser core is {core}, and tree-sitter {installed} is installed; {remedy}"
    return extension, ""


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]
