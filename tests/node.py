"""Runs JavaScript of the project in Node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from release import wasm

ROOT = Path(__file__).resolve().parents[1]

WEB = ROOT / "kernel" / "web"
"""The modules around the kernel as WebAssembly."""


def built() -> Path:
    """The folder with the kernel and the grammars as WebAssembly, which are built first if they have changed.

    Where a tool for that is missing, the test is skipped; in CI, it fails.
    """
    try:
        if shutil.which("node") is None:
            raise RuntimeError("node is not found")
        return wasm.build()
    except RuntimeError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


class Node:
    """A process of Node that answers each line of JSON with one."""

    def __init__(self, script: Path, *arguments: Path | str) -> None:
        command = ["node", str(script), *map(str, arguments)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> Node:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=60)

    def ask(self, request: object) -> Any:
        """The answer to a request."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "node has ended; standard error says why"
        return json.loads(line)
