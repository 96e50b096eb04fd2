"""What the page of the API shows, from its OpenAPI description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

MOST_WORDS = 12
"""A field with more possible values than this is shown as a string."""


class ApiField(NamedTuple):
    """A parameter, or a field of the body of a request. `kind` is its type, or its possible values."""

    name: str
    kind: str
    is_required: bool
    meaning: str


class Operation(NamedTuple):
    """A request that the API answers: its parameters, and the fields of its body."""

    method: str
    path: str
    meaning: str
    fields: tuple[ApiField, ...]


def operations(described: Mapping[str, Any]) -> Iterator[Operation]:
    """The requests of an OpenAPI description, in its order."""
    parts = described["components"]["schemas"]
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            fields = tuple(_fields(operation, parts))
            yield Operation(method.upper(), path, operation.get("description") or operation.get("summary", ""), fields)


def _fields(operation: Mapping[str, Any], parts: Mapping[str, Any]) -> Iterator[ApiField]:
    for parameter in operation.get("parameters", ()):
        required, meaning = parameter.get("required", False), parameter.get("description") or ""
        yield ApiField(parameter["name"], _kind(parameter["schema"]), required, meaning)
    for body in operation.get("requestBody", {}).get("content", {}).values():
        schema = body.get("schema", {})
        schema = parts[_part(schema)] if "$ref" in schema else schema
        for name, value in schema.get("properties", {}).items():
            yield ApiField(name, _kind(value), name in schema.get("required", ()), value.get("description") or "")


def _kind(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return _part(schema)
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"] if each.get("type") != "null")
    if len(schema.get("enum", ())) in range(1, MOST_WORDS):
        return ", ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"array of {_kind(schema.get('items', {}))}"
    return str(schema.get("type", "any"))


def _part(schema: Mapping[str, Any]) -> str:
    """The name of the schema that a reference names."""
    return str(schema["$ref"]).rpartition("/")[2]
