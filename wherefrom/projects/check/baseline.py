"""Reads and writes the baseline: the findings that are known already, so that only new ones fail."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from wherefrom.errors import BaselineError
from wherefrom.model import Rule
from wherefrom.projects.check.findings import BaselineEntry
from wherefrom.support.chunks import by_key
from wherefrom.support.formats import Format, OtherFormat
from wherefrom.support.writing import write_whole

FORMAT = Format(version=1, reader=1, oldest=1)  # the version of the file's format

_REMEDY = "move it away and make it again with --update-baseline"


class KnownFindings:
    """Matches the entries of a baseline with the findings of a check.

    An entry matches the finding with its path, rule and fingerprint. An entry of a deleted file (`gone`: not among the
    paths of the project) matches the first finding with its rule and fingerprint in another file, so that a file may be
    renamed. `paths` has the paths of all entries.
    """

    def __init__(self, entries: Collection[BaselineEntry], paths: Collection[str]) -> None:
        self._entries = frozenset(entries)
        self.gone = frozenset(entry for entry in self._entries if entry.path not in paths)
        self.paths = frozenset(entry.path for entry in self._entries)
        self._moved = by_key(((entry.rule, entry.fingerprint), entry) for entry in sorted(self.gone, reverse=True))
        self._now: dict[BaselineEntry, BaselineEntry] = {}

    def fits(self, finding: BaselineEntry) -> bool:
        """Whether an entry matches a finding."""
        if finding not in self._now:
            moved = self._moved[finding.rule, finding.fingerprint]
            if finding in self._entries or moved:
                self._now[finding] = finding if finding in self._entries else moved.pop()
        return finding in self._now

    def stale(self, paths: Collection[str], *, is_whole: bool) -> set[BaselineEntry]:
        """The entries that match no finding in the files that were looked at. If these are not all files of the
        project, an entry of a deleted file is never stale, since it could match a file that was not looked at.
        """
        unused = self._entries - set(self._now.values())
        return {entry for entry in unused if (is_whole if entry in self.gone else entry.path in paths)}

    def kept(self, stale: Collection[BaselineEntry]) -> set[BaselineEntry]:
        """The entries that are not stale, with the paths that their files have now."""
        return {*self._now, *(self._entries - set(self._now.values()) - set(stale))}


def load_baseline(path: Path) -> frozenset[BaselineEntry]:
    """Reads a baseline. Raises BaselineError if the file cannot be read, or is not a baseline of a known format."""
    try:
        return frozenset(map(_entry, FORMAT.load(path.read_bytes(), _REMEDY)["findings"]))
    except FileNotFoundError:
        raise BaselineError(f"no baseline {path}; make it with --update-baseline") from None
    except OSError as error:
        raise BaselineError(f"cannot read the baseline {path}: {error.strerror}; check its permissions") from error
    except OtherFormat as error:
        raise BaselineError(f"the baseline {path} {error}") from None
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        # Text that is not JSON raises one of these two kinds of `ValueError`, an unknown rule a plain one.
        is_json = not isinstance(error, json.JSONDecodeError | UnicodeDecodeError)
        reason = "its fields or checksums are missing or wrong" if is_json else "not JSON"
        raise BaselineError(f"{path} is not a baseline ({reason}); name another file, or {_REMEDY}") from None


def baseline_of(entries: Iterable[BaselineEntry]) -> dict[str, Any]:
    """The JSON values of a baseline file."""
    found = [{**entry.to_dict(), "check": _check(entry)} for entry in sorted(set(entries))]
    return {**FORMAT.stamp(), "findings": found}


def write_baseline(path: Path, entries: Iterable[BaselineEntry]) -> None:
    """Writes a baseline, whole or not at all. Raises BaselineError if the file cannot be written."""
    text = json.dumps(baseline_of(entries), indent=1) + "\n"
    try:
        write_whole(path, text.encode("ascii"))
    except OSError as error:
        raise BaselineError(f"cannot write the baseline {path}: {error.strerror}; name another file") from error


def _entry(value: Any) -> BaselineEntry:
    path, fingerprint = value["path"], value["fingerprint"]
    if not isinstance(path, str) or not isinstance(fingerprint, str):
        raise TypeError("a path and a fingerprint are texts")
    entry = BaselineEntry(path, Rule(value["rule"]), fingerprint)
    if value.get("check", _check(entry)) != _check(entry):
        raise ValueError("its checksum does not fit")
    return entry


def _check(entry: BaselineEntry) -> str:
    """The checksum of an entry: of each alone, so that git can merge two baselines."""
    return sha256(f"{entry.path}\0{entry.rule}\0{entry.fingerprint}".encode("utf-8", "surrogatepass")).hexdigest()[:8]
