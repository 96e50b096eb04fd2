"""The page of the JSON and CSV that commands print: the published schemas and the table of fields of a hit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from wherefrom.reports.hit_fields import FIELDS

COMMANDS = ("search", "check", "compare", "fixed", "sources", "first", "releases")

INTRODUCTION = """\
# JSON and CSV of answers

`--format json` prints these objects; the library gives the same as dictionaries (`to_dict()`). Byte positions start at
0 and end before `end`. Lines start at 1 and include the last one. A new version may add fields, so ignore fields that
you do not know. The JSON Schema files are in `wherefrom/reports/schemas`.
"""

CSV = """\
## Columns of CSV

`wherefrom search --format csv` prints one row for each place. `wherefrom posts search` prints most of these columns
after those of the post.

| column | meaning |
| --- | --- |"""


def page() -> str:
    """The page in Markdown."""
    answers = (line for command in COMMANDS for line in _answer(command))
    columns = (f"| `{field.name}` | {field.meaning} |" for field in FIELDS if "code" in field.csv)
    return "\n".join([INTRODUCTION, *answers, CSV, *columns, ""])


def _answer(command: str) -> Iterator[str]:
    name = f"{command}-result.schema.json"
    schema = json.loads(files("wherefrom.reports.schemas").joinpath(name).read_text("utf-8"))
    yield f"## `wherefrom {command}`\n\n`{name}`\n"
    yield from _fields(command, schema)
    for part, definition in schema["$defs"].items():
        if "properties" in definition:
            yield f"({command}-{part})=\n### `{part}` of {command}\n"
            yield from _fields(command, definition)


def _fields(command: str, definition: dict[str, Any]) -> Iterator[str]:
    """The description of an object, and a table of its fields."""
    if "description" in definition:
        yield f"{definition['description']}\n"
    yield "| field | type | meaning |\n| --- | --- | --- |"
    for name, value in definition["properties"].items():
        optional = "" if name in definition.get("required", ()) else " (optional)"
        meaning = value.get("description", "").replace("|", "\\|")
        yield f"| `{name}`{optional} | {_type(command, value)} | {meaning} |"
    yield ""


def _type(command: str, value: dict[str, Any]) -> str:
    """The type of a field in words."""
    if "$ref" in value:
        part = value["$ref"].rpartition("/")[2]
        return f"`{part}`"
    if "const" in value or "enum" in value:
        return ", ".join(f"`{json.dumps(each)}`" for each in value.get("enum", [value.get("const")]))
    if "items" in value:
        return f"array of {_type(command, value['items'])}"
    for key in ("anyOf", "oneOf"):
        if key in value:
            return " or ".join(_type(command, each) for each in value[key])
    found = value.get("type", "any")
    return " or ".join(found) if isinstance(found, list) else str(found)
