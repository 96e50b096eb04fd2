"""The input and the result of a trial, and the folder that adds up the trials of all runs."""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wherefrom.support.system import system
from wherefrom.support.writing import write_whole


@dataclass(frozen=True, slots=True)
class Case:
    """A trial that can be repeated.

    Attributes:
        kind: a key of `soak.kinds.KINDS`.
        seed: decides everything random in the trial, except the moment at which a fault takes effect.
        path: the name of a fuzzed content, or of the damaged file of an index; else empty.
        content: the fuzzed content, or the damaged index as a ZIP file; empty if the seed alone decides it.
    """

    kind: str
    seed: int
    path: str = ""
    content: bytes = b""

    @classmethod
    def load(cls, path: Path) -> Case:
        """Reads the text of `Outcome.dump`."""
        values = json.loads(path.read_text())
        return cls(values["kind"], values["seed"], values["path"], b64decode(values["content"]))


@dataclass(slots=True)
class Outcome:
    """The result of a trial.

    Attributes:
        counts: the numbers of trials and of their results, by a description.
        wrong: a text for each failure; empty if there was none.
    """

    case: Case
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def dump(self) -> bytes:
        """The case as a file, with its failures."""
        values: dict[str, Any] = {
            "kind": self.case.kind,
            "seed": self.case.seed,
            "path": self.case.path,
            "content": b64encode(self.case.content).decode(),
            "wrong": self.wrong,
        }
        return (json.dumps(values, indent=1) + "\n").encode()


class State:
    """The figures of all runs, and the cases that failed, in a folder. Several runs may share it.

    Attributes:
        failures: the folder of the failing cases.
        world: the folder of the repositories and indexes that the trials use.
    """

    def __init__(self, folder: Path) -> None:
        self.failures = folder / "failures"
        self.world = folder / "world"
        self.failures.mkdir(parents=True, exist_ok=True)
        self._path = folder / "figures.json"
        self._lock = folder / "figures.lock"

    def take_seed(self) -> int:
        """A seed that no other trial of this folder has."""
        with self._changed() as figures:
            figures["seeds"] += 1
            return int(figures["seeds"])

    def add(self, outcome: Outcome, kind: str, seconds: float) -> Path | None:
        """Adds the figures of a trial.

        Returns:
            The file to which the case was written, if it failed.
        """
        kept = None
        if outcome.wrong:
            content = outcome.dump()
            digest = hashlib.sha256(content).hexdigest()[:8]
            kept = self.failures / f"{outcome.case.kind}-{outcome.case.seed}-{digest}.json"
            write_whole(kept, content)
        with self._changed() as figures:
            figures["seconds"][kind] = figures["seconds"].get(kind, 0.0) + seconds
            counts = figures["counts"].setdefault(kind, {})
            for what, number in outcome.counts.items():
                counts[what] = counts.get(what, 0) + number
            if outcome.wrong:
                counts["WRONG"] = counts.get("WRONG", 0) + 1
        return kept

    def figures(self) -> dict[str, Any]:
        """The number of used `seeds`, the `seconds` by kind, and the `counts` by kind and description."""
        try:
            found: dict[str, Any] = json.loads(self._path.read_text())
        except FileNotFoundError:
            return {"seeds": 0, "seconds": {}, "counts": {}}
        return found

    @contextmanager
    def _changed(self) -> Iterator[dict[str, Any]]:
        """The figures, locked so that no other process changes them."""
        with self._lock.open("a") as file:
            system.lock(file.fileno(), wait=True)
            figures = self.figures()
            yield figures
            write_whole(self._path, json.dumps(figures, indent=1, sort_keys=True).encode())
