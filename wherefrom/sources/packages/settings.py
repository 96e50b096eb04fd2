"""Reads what the clients of registries are configured to: variables and files in the user's home."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from wherefrom.errors import SourceError
from wherefrom.support.pattern import later
from wherefrom.support.printable import visible

_MOST = 1_000_000  # limit on the bytes of a file of settings
_VARIABLE = later(r"\$\{(?:env\.)?(\w+)\}")


def home() -> Path:
    """The user's home; a folder that does not exist if there is none."""
    with suppress(RuntimeError):
        return Path.home()
    return Path("/nonexistent")


def read_settings(path: Path) -> str | None:
    """The text of a file of settings; None if it does not exist; SourceError if it cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST + 1)
        if len(content) > _MOST:
            raise ValueError(f"it has more than {_MOST:,} bytes")
        return content.decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def read_toml(path: Path) -> dict[str, Any]:
    """The values of a TOML file; empty if it does not exist; SourceError if it cannot be read."""
    try:
        return tomllib.loads(read_settings(path) or "")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _unreadable(path, error) from None


def assignments(text: str) -> dict[str, str]:
    """The values of lines `NAME = VALUE`. Lines that begin with `#` or `;` are comments; the last line counts."""
    found = {}
    for line in text.splitlines():
        name, equals, value = line.strip().partition("=")
        if equals and not name.startswith(("#", ";")):
            found[name.strip()] = value.strip().strip("\"'")
    return found


def expanded(text: str, variables: Mapping[str, str] = os.environ) -> str:
    """A text with the values of `${NAME}` and `${env.NAME}`; unknown names stay."""
    return _VARIABLE.sub(lambda name: variables.get(name[1], name[0]), text)


def _unreadable(path: Path, error: Exception) -> SourceError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return SourceError(f"cannot read {visible(str(path))}: {visible(reason)}; repair it, or move it away")
