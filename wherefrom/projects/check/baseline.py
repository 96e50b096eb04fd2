"""The baseline: findings that were there before, so that only new ones fail."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from wherefrom.errors import BaselineError
from wherefrom.model import Rule
from wherefrom.projects.check.findings import BaselineEntry
from wherefrom.support.formats import Format
from wherefrom.support.writing import write_whole

FORMAT = Format(version=1, reader=1, oldest=1)
"""Version of the file."""

_REMEDY = "move it away and make it again with --update-baseline"


class KnownFindings:
    """The entries of a baseline beside the findings of a check.

    An entry fits the finding with its path, rule and fingerprint. An entry whose file is gone fits one with its rule
    and fingerprint in another file, so that a file may be renamed.
    """

    def __init__(self, entries: Collection[BaselineEntry], paths: Collection[str] = ()) -> None:
        self._entries = frozenset(entries)
        self.gone = frozenset(entry for entry in self._entries if entry.path not in paths)
        """The entries whose file is not in the project any longer."""
        self.paths = frozenset(entry.path for entry in self._entries)
        """The files that have entries."""
        self._moved: defaultdict[tuple[Rule, str], list[BaselineEntry]] = defaultdict(list)
        for entry in sorted(self.gone, reverse=True):
            self._moved[entry.rule, entry.fingerprint].append(entry)
        self._now: dict[BaselineEntry, BaselineEntry] = {}

    def fits(self, finding: BaselineEntry) -> bool:
        """Whether an entry fits this finding; an entry of a file that is gone fits the first one only."""
        if finding in self._now:
            return True
        moved = self._moved[finding.rule, finding.fingerprint]
        if finding not in self._entries and not moved:
            return False
        self._now[finding] = finding if finding in self._entries else moved.pop()
        return True

    def stale(self, paths: Collection[str], *, is_whole: bool) -> set[BaselineEntry]:
        """The entries that fit no finding.

        Args:
            paths: of the files that were looked at.
            is_whole: whether that was the whole project: else an entry whose file is gone may fit one elsewhere.
        """
        used = set(self._now.values())
        meant = (entry for entry in self._entries if entry in self.gone or entry.path in paths)
        return {entry for entry in meant if entry not in used and (is_whole or entry not in self.gone)}

    def kept(self, stale: Collection[BaselineEntry]) -> set[BaselineEntry]:
        """The entries but for the stale ones, with the paths that their files have now."""
        return {*self._now, *(self._entries - set(self._now.values()) - set(stale))}


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


def to_json(entries: Iterable[BaselineEntry]) -> dict[str, Any]:
    """The content of a baseline file as JSON values."""
    return {**FORMAT.stamp(), "findings": [entry.to_dict() for entry in sorted(set(entries))]}


def write_baseline(path: Path, entries: Iterable[BaselineEntry]) -> None:
    """Writes a baseline file whole or not at all.

    Raises:
        BaselineError: it cannot be written.
    """
    text = json.dumps(to_json(entries), indent=1) + "\n"
    try:
        write_whole(path, text.encode("ascii"))
    except OSError as error:
        raise BaselineError(f"cannot write the baseline {path}: {error.strerror}; name another file") from error


def _entry(value: Any) -> BaselineEntry:
    path, fingerprint = value["path"], value["fingerprint"]
    if not isinstance(path, str) or not isinstance(fingerprint, str):
        raise TypeError("a path and a fingerprint are texts")
    return BaselineEntry(path, Rule(value["rule"]), fingerprint)
