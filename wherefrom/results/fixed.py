"""The answer of `fixed`: which locations still have the code from before a fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from itertools import zip_longest
from typing import Any

from wherefrom.model import Occurrence, RepositoryRecord, SkipReason
from wherefrom.results.attribution import Appearance
from wherefrom.results.locations import FoundContent, named
from wherefrom.results.regions import Lines, Region, line_range
from wherefrom.results.texts import Texts
from wherefrom.support.contract import JsonDocument, JsonObject, json_value
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field


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
    """The region at a location that corresponds to a change of the function.

    Attributes:
        change: the position of the change in `FixedFunction.changes`, from 0.
        region: from the last equal token before the change to the first equal token after the change.
        score: as in `FixedLocation`, for this change alone.
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

    def __repr__(self) -> str:
        return f"<FixedLocation {self}>"


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
