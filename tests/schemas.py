"""The published schemas of answers."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

SCHEMAS = files("wherefrom.reports.schemas")


def schema(name: str) -> dict[str, Any]:
    """The published schema of a command's answers, such as `search`."""
    loaded: dict[str, Any] = json.loads(SCHEMAS.joinpath(f"{name}-result.schema.json").read_text("utf-8"))
    return loaded
