"""The baseline: findings that were there before, so that only new ones fail."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wherefrom.check.findings import BaselineEntry
from wherefrom.errors import BaselineError
from wherefrom.formats import Format
from wherefrom.model import Rule
from wherefrom.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FORMAT = Format(version=1, reader=1, oldest=1)
"""Version of the file."""

_REMEDY = "move it away and make it again with --update-baseline"


def load_baseline(path: Path) -> frozenset[BaselineEntry]:
    """The entries of a baseline file.

    Raises:
        BaselineError: it is not there, cannot be read, is of a format that this version does not read, or is not a
            baseline at all.
    """
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise BaselineError(f"no baseline {path}; make it with --update-baseline") from None
    except OSError as error:
        raise BaselineError(f"cannot read the baseline {path}: {error.strerror}; check its permissions") from error
    try:
        value = json.loads(text)
        refusal = FORMAT.refusal(value["format"], value["reader"], _REMEDY)
        entries = frozenset() if refusal else frozenset(_entry(finding) for finding in value["findings"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        # An unknown rule is a plain `ValueError`.
        is_json = not isinstance(error, json.JSONDecodeError | UnicodeDecodeError)
        reason = "its fields are missing or wrong" if is_json else "not JSON"
        raise BaselineError(f"{path} is not a baseline ({reason}); name another file, or {_REMEDY}") from None
    if refusal is not None:
        raise BaselineError(f"the baseline {path} {refusal}")
    return entries


def write_baseline(path: Path, entries: Iterable[BaselineEntry]) -> None:
    """Writes a baseline file whole or not at all.

    Raises:
        BaselineError: it cannot be written.
    """
    findings = [
        {"path": entry.path, "rule": str(entry.rule), "fingerprint": entry.fingerprint}
        for entry in sorted(set(entries))
    ]
    text = json.dumps({**FORMAT.stamp(), "findings": findings}, indent=1) + "\n"
    try:
        write_whole(path, text.encode("ascii"))
    except OSError as error:
        raise BaselineError(f"cannot write the baseline {path}: {error.strerror}; name another file") from error


def _entry(value: Any) -> BaselineEntry:
    path, fingerprint = value["path"], value["fingerprint"]
    if not isinstance(path, str) or not isinstance(fingerprint, str):
        raise TypeError("a path and a fingerprint are texts")
    return BaselineEntry(path, Rule(value["rule"]), fingerprint)
