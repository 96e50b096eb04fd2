"""Projects: repositories that are one project under several names, the code that a project shares with others, who
still has the code from before a fix, and which files of a corpus became which of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from itertools import zip_longest
from typing import Any

from wherefrom.model import Occurrence, RepositoryRecord, SkipReason
from wherefrom.results.attribution import Appearance, Evidence
from wherefrom.results.locations import FoundContent, Texts, named
from wherefrom.results.regions import Lines, Region, line_range
from wherefrom.support.contract import JsonDocument, JsonObject, json_value
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field


class SameProject(StrEnum):
    """Why two indexed repositories are one project. `A` is the repository with the evidence, `B` the other one."""

    VERSION = "version"
    """Both are versions of one package."""
    NAMED = "named"
    """The metadata of package A names repository B, and B has its files."""
    SIBLING = "sibling"
    """The metadata of packages A and B names one repository, and they have most of their files in
    common; with one name, it suffices that B has the files of A."""
    CONTENTS = "contents"
    """A package and a repository have one name, and the repository has nearly all files of the package."""
    FORK = "fork"
    """A and B have most of their files in common."""
    VENDORED = "vendored"
    """A has a folder for code of other projects, and most of the files in it are those of B."""


@dataclass(frozen=True, slots=True)
class ProjectName(JsonObject):
    """A repository of a project, or a folder of another repository that is a copy of it.

    Attributes:
        repository: its key.
        same_as: the key of the repository that the evidence is about; None for the first one of a project.
        evidence: why both are one project; None for the first one.
        shared: how many of `files` have the same bytes at the same path in the other one; 0 for versions.
        files: the files with code of the repository or folder that were compared; 0 for versions.
        folder: the path of a vendored folder; empty for a repository.
    """

    repository: str
    same_as: str | None = None
    evidence: SameProject | None = None
    shared: int = 0
    files: int = 0
    folder: str = ""


@dataclass(frozen=True, slots=True)
class IndexedProject(JsonObject):
    """A project: the key of its main repository, or the package URL of its package without a version, and its
    repositories in the index, the main one first, then the vendored folders. `same_as` is always one of those before.
    """

    project: str
    names: tuple[ProjectName, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its repositories."""
        return tuple(name.repository for name in self.names if not name.folder)


@dataclass(frozen=True, slots=True)
class SharedFile:
    """A file of a project, and a file of another repository that has its code.

    Attributes:
        here: the file of the project.
        there: the file of the other repository.
        lines: the lines of `here` that are also in `there`, ascending; empty if both have the same content.
        lines_there: these lines in `there`, ascending; empty if both have the same content, or if only a nearly
            identical content was compared.
        credit_here: the line of the project that names the other place; None if no line does.
        credit_there: the line of the other repository that names this place; None if no line does.
    """

    here: Occurrence
    there: Occurrence
    lines: tuple[Lines, ...] = ()
    lines_there: tuple[Lines, ...] = ()
    credit_here: Evidence | None = None
    credit_there: Evidence | None = None

    @property
    def sides(self) -> tuple[tuple[Occurrence, tuple[Lines, ...]], tuple[Occurrence, tuple[Lines, ...]]]:
        """Both files, each with its lines."""
        return (self.here, self.lines), (self.there, self.lines_there)

    @property
    def is_credited(self) -> bool:
        """Whether one of both sides names the other one."""
        return self.credit_here is not None or self.credit_there is not None


@dataclass(frozen=True, slots=True)
class SharingRepository:
    """A repository that shares code with a project: `same` files whose content it has, and `lines` of other files, with
    some of these files as examples, those with the same content first. The record is None if the index does not have it
    (any longer).
    """

    repository: str
    record: RepositoryRecord | None
    same: int
    lines: int
    examples: tuple[SharedFile, ...]


@dataclass(frozen=True, slots=True)
class SharedCode:
    """The repositories that share code with a project, or with a folder of it.

    Attributes:
        record: the record of the project.
        files: the number of files with code.
        same: how many of them have the same content as a file of another repository.
        others: the number of different contents that are nowhere else.
        fitting: the number of these that are not too large to look up their parts; 0 if the index has no code.
        begin, end: the half-open range of these, by size, whose parts were looked up; the largest one is 0.
        unread: how many of the looked up ones could not be read.
        total: the number of repositories that share code.
        repositories: those that share most, the one with most first.
    """

    record: RepositoryRecord
    files: int
    same: int
    others: int
    fitting: int
    begin: int
    end: int
    unread: int
    total: int
    repositories: tuple[SharingRepository, ...]


class Form(StrEnum):
    """Which form of the code a location has: the form before the change (old), or the form after it (new)."""

    OLD = "old"
    NEW = "new"
    UNCLEAR = "unclear"


class Certainty(StrEnum):
    """How certain it is that a location has a form."""

    SURE = "sure"
    LIKELY = "likely"


@dataclass(frozen=True, slots=True)
class FixedChange(JsonObject):
    """A changed region of a function. `old` is None if the change only added code, `new` if it only removed code."""

    old: Region | None
    new: Region | None


@dataclass(frozen=True, slots=True)
class FixedPlace(JsonObject):
    """The region at a location that corresponds to a change of the function, by its position in `FixedFunction.changes`
    from 0: from the last equal token before the change to the first equal token after it. The score is as in
    `FixedLocation`, for this change alone.
    """

    change: int
    region: Region
    score: float


@dataclass(frozen=True, slots=True, repr=False)
class FixedLocation(FoundContent, JsonObject):
    """An indexed content that has the old or the new form of a changed function, or parts of both forms.

    Attributes:
        blob: the id of the content.
        language: the language of the content.
        occurrences: the occurrences of the content.
        form: the form that the content has.
        certainty: the certainty of `form`; None if `form` is unclear.
        score: from -1 (the content has only the old form) to 1 (only the new form): `held_new` minus `held_old`.
        held_old: the share of the removed code that the content has, 0 to 1; None if the change removed no code.
        held_new: the share of the added code that the content has, 0 to 1; None if the change added no code.
        match: percent of the looked-up tokens that the content has.
        places: the regions that correspond to the changes.
        repositories: the records of the repositories of the occurrences, by key.
        fixed_by: for the new form, the commit that brought the change to each of the occurrences: since then, at least
            half of its new lines are there. None for places without a history. Empty for other forms, and if the
            change has no new lines.
    """

    JSON = "blob swhid language form certainty score held_old held_new match *_range occurrences=_places places"

    blob: str
    language: str
    occurrences: tuple[Occurrence, ...]
    form: Form
    certainty: Certainty | None
    score: float
    held_old: float | None
    held_new: float | None
    match: float
    places: tuple[FixedPlace, ...]
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict, compare=False)
    fixed_by: tuple[Appearance | None, ...] = ()

    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last line of all `places`, 1-based, inclusive."""
        return self._range.first, self._range.last

    @property
    def matched_regions(self) -> tuple[Region, ...]:
        """The regions of all `places`."""
        return tuple(place.region for place in self.places)

    @property
    def _range(self) -> Lines:
        lines = line_range(self.matched_regions)
        assert lines is not None, "there is a change"
        return lines

    @property
    def _places(self) -> list[dict[str, Any]]:
        return [
            {**location.to_dict(), "url": location.url, "fixed_by": json_value(commit)}
            for location, commit in zip_longest(self.locations, self.fixed_by)
        ]

    def __str__(self) -> str:
        sure = f", {self.certainty}" if self.certainty else ""
        return f"{self.form}{sure} {named(self.occurrences[0], self.matched_regions, len(self.occurrences))}"


@dataclass(frozen=True, slots=True, repr=False)
class FixedFunction(JsonObject):
    """A changed function, or changed code outside functions.

    Attributes:
        path: the path of its file after the change, or before it if the file was removed.
        old_path: the path before the change; None if the file is new.
        name: the name of the function, or the line with it, or the heading above other code; empty if there is none.
        is_function: False for code outside functions.
        language: the language of the file.
        old: the function's region before the change; None if the function is new.
        new: the function's region after the change; None if the function was removed.
        changes: the changed regions, in their order.
        locations: the indexed contents that have the function: old forms, then new forms, then unclear ones.
        truncated: True if the search stopped before it found all locations.
    """

    JSON = "path old_path name is_function language old new changes truncated locations"

    path: str
    old_path: str | None
    name: str
    is_function: bool
    language: str
    old: Region | None
    new: Region | None
    changes: tuple[FixedChange, ...]
    locations: tuple[FixedLocation, ...]
    truncated: bool = False

    def of_form(self, form: Form) -> tuple[FixedLocation, ...]:
        """The locations with this form."""
        return tuple(location for location in self.locations if location.form is form)

    def __repr__(self) -> str:
        forms = Counter(str(location.form) for location in self.locations)
        return f"<FixedFunction {visible(self.path)} {visible(self.name)!r} {dict(forms)}>"


@dataclass(frozen=True, slots=True)
class FixedProgress:
    """The progress of the search: `functions` of `functions_total` are done; `path` is the next file, or empty."""

    path: str
    functions: int
    functions_total: int
    seconds: float


@dataclass(frozen=True, slots=True, repr=False)
class FixedReport(JsonDocument):
    """The indexed contents that have the old or the new form of changed code.

    Attributes:
        project: the folder of the repository.
        change: the change in words: `commit 1a2b3c4d5e6f`, `v1.2..v1.3`, `a diff`.
        commit: the id of the commit; None for a range or a diff.
        engine: the name of the index's engine.
        functions: the changed functions, by file and region.
        tests: the number of changed test files that were left out.
        skipped: the number of files that were not read, by reason.
        own: keys of indexed repositories that were left out because they are the project itself.
        seconds: the duration.
        before: contents of changed files before the change, by `old_path`.
        after: contents after the change, by `path`.
        texts: reads the contents of the locations, while the index is open.
    """

    JSON = "engine project change commit *_counts tests +skipped own functions seconds"

    project: str
    change: str
    commit: str | None
    engine: str
    functions: tuple[FixedFunction, ...]
    tests: int
    skipped: Mapping[SkipReason, int]
    own: tuple[str, ...]
    seconds: float
    before: Mapping[str, bytes] = field(default_factory=dict)
    after: Mapping[str, bytes] = field(default_factory=dict)
    texts: Texts = field(default_factory=Texts, compare=False)

    def count(self, form: Form) -> int:
        """The number of locations with this form, added up over all functions."""
        return sum(len(location.occurrences) for function in self.functions for location in function.of_form(form))

    @property
    def has_old(self) -> bool:
        """True if any location has an old form."""
        return any(function.of_form(Form.OLD) for function in self.functions)

    @property
    def _counts(self) -> dict[str, int]:
        return {str(form): self.count(form) for form in Form}

    def __repr__(self) -> str:
        counts = " ".join(f"{form}={number}" for form, number in self._counts.items())
        return f"<FixedReport {visible(self.project)!r} {self.change!r} functions={len(self.functions)} {counts}>"


class Change(StrEnum):
    """How files of the first corpus changed in the second."""

    SAME = "same"
    """One file that has the same bytes and the same path in both corpora."""
    MOVED = "moved"
    """One file that has the same bytes in both corpora, but different paths."""
    CHANGED = "changed"
    """One file that was changed but not moved."""
    MOVED_CHANGED = "moved-changed"
    """One file that was changed and moved."""
    COPIED = "copied"
    """One file that is now several files, each with nearly all of the code."""
    SPLIT = "split"
    """One file whose parts are now in several files."""
    MERGED = "merged"
    """Several files that are now one file."""
    MIXED = "mixed"
    """Several files that share parts with several files."""


@dataclass(frozen=True, slots=True)
class MapEdge(JsonObject):
    """A file of the first corpus and a file of the second that share code, by their positions in `Comparison.files`.
    The shares are those of the file's remaining tokens that match the other file, 0 to 1.
    """

    left: int
    right: int
    left_share: float
    right_share: float


@dataclass(frozen=True, slots=True)
class MapEntry(JsonObject):
    """Some files of the first corpus and the files of the second corpus that have the same code.

    Attributes:
        change: how the files changed.
        left: positions in `Comparison.files` of the files of the first corpus, in the order of `edges`.
        right: positions of the files of the second corpus.
        left_share: the share of the remaining tokens of all files in `left` that match files in `right`, 0 to 1.
        right_share: the same for the files in `right`.
        edges: pairs of these files that share code, the largest shares first.
    """

    change: Change
    left: tuple[int, ...]
    right: tuple[int, ...]
    left_share: float
    right_share: float
    edges: tuple[MapEdge, ...]


@dataclass(frozen=True, slots=True)
class CorpusMap(JsonObject):
    """Maps files of the first corpus to files of the second, many to many: groups of files that share code, by the path
    of the group's first file (no file is in two), and the positions in `Comparison.files` of files in only one corpus.
    """

    entries: tuple[MapEntry, ...]
    only_left: tuple[int, ...]
    only_right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VendoredFolder(JsonObject):
    """A folder of the first corpus that is a copy of a folder of the second, perhaps with changes.

    Attributes:
        repository: the repository in the first corpus.
        folder: the path of the copy in `repository`, without a final slash; empty for the root.
        origin: the repository in the second corpus.
        origin_folder: the path of the original folder in `origin`.
        revision: the commit of `origin` that is most like the copy; empty if `origin` has no history.
        tag: the tag of `origin` that is most like the copy; None if `origin` has no tags.
        files: compared files of the copy.
        identical: files of the copy that have the same bytes in the origin at `revision`.
        changed: paths under `folder` of files that differ from the origin.
        added: paths under `folder` of files that the origin does not have.
        missing: paths under `origin_folder` of files that the copy lacks, although it has other files of their folder.
        containment: the share of the copy's remaining tokens that are also in the origin, 0 to 1.
    """

    repository: str
    folder: str
    origin: str
    origin_folder: str
    revision: str
    tag: str | None
    files: int
    identical: int
    changed: tuple[str, ...]
    added: tuple[str, ...]
    missing: tuple[str, ...]
    containment: float
