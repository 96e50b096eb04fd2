"""Proposed boilerplate sets, and their file, which a person may read, edit and keep."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from wherefrom.analyzers.hashing import distinct
from wherefrom.analyzers.schemes import token_scheme_ids
from wherefrom.errors import BoilerplateError
from wherefrom.model import OF_TOKENS, BoilerplateSet, Hashes, ProposalKind, Representation
from wherefrom.results.locations import listed
from wherefrom.support.contract import JsonObject, encoded
from wherefrom.support.formats import Format, OtherFormat
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass

FORMAT = Format(version=1, reader=1, oldest=1)  # the version of the format of the file


@dataclass(frozen=True, slots=True)
class Example(JsonObject):
    """A place of a proposal: lines are 1-based and inclusive."""

    repository: str
    path: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True, repr=False)
class Proposal(JsonObject):
    """A proposed boilerplate set, which a person may accept.

    Attributes:
        repositories: how many have it; forks and copies of one repository count as one.
        contents: how many distinct contents have it.
        share: its part of the bytes of all distinct contents of the index, 0 to 1.
        examples: up to three places, each in another repository if there are as many.
        code: the lines of the first example; None if neither the index nor the clone has them.
        hashes: the set's k-grams, as in `BoilerplateSet`.
    """

    JSON = "name kind repositories contents share examples code kgrams=_kgrams"

    name: str
    kind: ProposalKind
    repositories: int
    contents: int
    share: float
    examples: tuple[Example, ...]
    code: str | None
    hashes: Mapping[Representation, Hashes]

    @property
    def _kgrams(self) -> dict[Representation, int]:
        return {key: len(found) for key, found in self.hashes.items()}

    def __str__(self) -> str:
        return f"{visible(self.name)} ({self.kind})"

    def __repr__(self) -> str:
        return f"<Proposal {self}>"


@dataclass(frozen=True, slots=True, repr=False)
class Proposals(JsonObject):
    """The proposals that were learned from an index.

    Attributes:
        repositories: how many the index has; forks and copies of one repository count as one.
        contents: how many distinct contents have a location.
        min_repositories: each proposal is in at least this many repositories.
        proposals: the proposals, those with most bytes first.
        complete: False if not everything fitted in memory, or `limit` left some out.
        schemes: the ids of the schemes that made the k-grams.
    """

    JSON = "schemes repositories contents min_repositories complete proposals"

    repositories: int
    contents: int
    min_repositories: int
    proposals: tuple[Proposal, ...]
    complete: bool
    schemes: Mapping[Representation, str]

    def chosen(self, names: Iterable[str] = ()) -> list[BoilerplateSet]:
        """The proposals of some names as sets; all of them if no name is given.

        Raises:
            BoilerplateError: a name is not among them, or there are no proposals.
        """
        by_name = {proposal.name: proposal for proposal in self.proposals}
        sets = []
        for name in dict.fromkeys(names) or by_name:
            if name not in by_name:
                there = ", ".join(by_name) or "none"
                raise BoilerplateError(f"no proposal {name!r} in the file; there are: {there}")
            found = by_name[name]
            places = tuple(f"{it.repository}:{it.path}:{it.start_line}-{it.end_line}" for it in found.examples)
            sets.append(BoilerplateSet(name, places, dict(self.schemes), found.hashes))
        if not sets:
            raise BoilerplateError("the file proposes nothing; learn again with a smaller --min-repositories")
        return sets

    def to_dict(self, *, hashes: bool = False) -> dict[str, Any]:
        """As JSON values; with `hashes` also the k-grams: base64 of 64-bit little-endian numbers."""
        values = encoded(self)
        for proposal, written in zip(self.proposals, values["proposals"] if hashes else (), strict=False):
            written["hashes"] = {
                str(key): b64encode(found.astype("<u8").tobytes()).decode("ascii")
                for key, found in proposal.hashes.items()
            }
        return {**FORMAT.stamp(), **values}

    def __repr__(self) -> str:
        number = len(self.proposals)
        return f"<Proposals proposals={number}{listed(self.proposals, number)}>"


def dump_proposals(learned: Proposals) -> bytes:
    """The file of proposals: JSON, ASCII."""
    return (json.dumps(learned.to_dict(hashes=True), indent=1) + "\n").encode("ascii")


def load_proposals(data: bytes) -> Proposals:
    """The proposals that `dump_proposals` wrote. A person may have edited them since.

    Raises:
        BoilerplateError: the file is damaged, not one of proposals, or of another version or scheme.
    """
    try:
        value = FORMAT.load(data, "learn again with this version of wherefrom")
        schemes = dict(value["schemes"])
    except OtherFormat as error:
        raise BoilerplateError(f"the file of proposals {error}") from None
    except (KeyError, TypeError, ValueError, RecursionError):
        raise BoilerplateError(
            "this is not a file of proposals; make one with `wherefrom boilerplate learn --output FILE`"
        ) from None
    if schemes != {str(key): name for key, name in token_scheme_ids().items()}:
        raise BoilerplateError("the proposals were made by another scheme; learn again with this version of wherefrom")
    try:
        proposals = tuple(_proposal(item) for item in value["proposals"])
        counts = (int(value["repositories"]), int(value["contents"]), int(value["min_repositories"]))
        complete = bool(value["complete"])
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise BoilerplateError(f"the file of proposals is damaged ({reason}); learn again, or undo the edit") from None
    names = [proposal.name for proposal in proposals]
    if len(set(names)) < len(names):
        raise BoilerplateError("two proposals in the file have one name; give one of them another name")
    return Proposals(*counts, proposals, complete, token_scheme_ids())


def _proposal(value: dict[str, Any]) -> Proposal:
    name = value["name"]
    if not isinstance(name, str) or not name or not name.isprintable():
        raise ValueError("a name that does not print")
    hashes = {
        key: distinct(np.frombuffer(b64decode(value["hashes"][key], validate=True), "<u8").astype(np.uint64))
        for key in OF_TOKENS
        if key in value["hashes"]
    }
    if not any(map(len, hashes.values())):
        raise ValueError(f"{name} has no k-grams")
    return Proposal(
        name=name,
        kind=ProposalKind(value["kind"]),
        repositories=int(value["repositories"]),
        contents=int(value["contents"]),
        share=float(value["share"]),
        examples=tuple(
            Example(str(at["repository"]), str(at["path"]), int(at["start_line"]), int(at["end_line"]))
            for at in value["examples"]
        ),
        code=None if value["code"] is None else str(value["code"]),
        hashes=hashes,
    )
