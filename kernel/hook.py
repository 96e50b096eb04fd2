"""The build hook of the wheel. The wheel contains the kernel if cargo can build it, else only Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags

MODULE, MODULE_ON_WINDOWS = "wherefrom/_kernel.abi3.so", "wherefrom/_kernel.pyd"


class KernelHook(BuildHookInterface):  # type: ignore[type-arg]  # hatchling has no type for its configuration
    """Adds the extension and the tag of the wheel, which is for CPython 3.11 and all later versions."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling. `WHEREFROM_KERNEL=0` leaves the kernel out; `require` fails if it cannot be built.

        `WHEREFROM_KERNEL_LIBRARY` is the path of a kernel that is built already, and `WHEREFROM_KERNEL_PLATFORM` the
        platform of its wheel.
        """
        library = os.environ.get("WHEREFROM_KERNEL_LIBRARY")
        if library:
            _include(build_data, library, os.environ["WHEREFROM_KERNEL_PLATFORM"])
            return
        wish = os.environ.get("WHEREFROM_KERNEL", "1")
        if wish == "0":
            return
        module = MODULE_ON_WINDOWS if sys.platform == "win32" else MODULE
        output = Path(self.root, module) if version == "editable" else Path(self.directory, "kernel.so")
        output.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, str(Path(self.root, "kernel", "build.py")), str(output)]
        if subprocess.run(command, check=False).returncode:
            if wish == "require":
                raise RuntimeError("the kernel is required (WHEREFROM_KERNEL) and cannot be built")
            return
        if version == "editable":  # the installed package is this folder, which now has the extension
            return
        _include(build_data, str(output), _platform())

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called by hatchling: removes the temporary extension."""
        del version, build_data, artifact_path
        Path(self.directory, "kernel.so").unlink(missing_ok=True)


def _include(build_data: dict[str, Any], library: str, platform: str) -> None:
    build_data["force_include"][library] = MODULE_ON_WINDOWS if platform.startswith("win") else MODULE
    build_data["pure_python"] = False
    build_data["tag"] = f"cp311-abi3-{platform}"


def _platform() -> str:
    """The platform tag of this system alone: a `manylinux` or `musllinux` wheel would have to run on others too."""
    return next(
        tag.platform for tag in sys_tags() if "manylinux" not in tag.platform and "musllinux" not in tag.platform
    )
