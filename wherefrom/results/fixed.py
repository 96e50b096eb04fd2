"""The answer to who still has the code that a change fixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from wherefrom.model import Occurrence, RepositoryRecord, SkipReason
from wherefrom.results.locations import FoundContent
from wherefrom.results.naming import named
from wherefrom.results.regions import Lines, Region, line_range
from wherefrom.results.texts import Texts
from wherefrom.support.contract import JsonDocument, JsonObject
from wherefrom.support.printable import visible


class Form(StrEnum):
    """Which form of the code a location holds."""

    OLD = "old"
    NEW = "new"
    UNCLEAR = "unclear"


class Certainty(StrEnum):
    """How sure that is."""

    SURE = "sure"
    LIKELY = "likely"


@dataclass(frozen=True, slots=True)
class FixedChange(JsonObject):
    """One changed place of a function: what was there before, and what is there now; None for nothing."""

    old: Region | None
    new: Region | None


@dataclass(frozen=True, slots=True)
class FixedPlace(JsonObject):
    """Where a location has one of the changes of a function.

    Attributes:
        change: the number of the change, from 0.
        region: from the last token before it to the first one after it that is the same as in the function.
        score: as in `FixedLocation`, of this change alone.
    """

    change: int
    region: Region
    score: float


@dataclass(frozen=True, slots=True, repr=False)
class FixedLocation(FoundContent, JsonObject):
    """A content that holds a function that was changed, in one of its forms.

    Attributes:
        blob: its id.
        language: of the content.
        occurrences: where it is.
        form: which of the two it holds.
        certainty: how sure that is; None where it is unclear.
        score: from -1, only the old form is there, to 1, only the new one.
        held_old: the share of what only the old form has that is there, 0 to 1; None where it has nothing of its own.
        held_new: the same of the new form.
        match: percent of the tokens that were looked up that are there.
        places: where the changes are.
        repositories: the records of the repositories of the occurrences, by key, for `locations`.
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

    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last line of the changed places, 1-based, inclusive."""
        return self._range.first, self._range.last

    @property
    def matched_regions(self) -> tuple[Region, ...]:
        """Those of the changed places."""
        return tuple(place.region for place in self.places)

    @property
    def _range(self) -> Lines:
        lines = line_range(self.matched_regions)
        assert lines is not None, "it has a changed place"
        return lines

    @property
    def _places(self) -> list[dict[str, Any]]:
        return [{**location.to_dict(), "url": location.url} for location in self.locations]

    def __str__(self) -> str:
        sure = f", {self.certainty}" if self.certainty else ""
        return f"{self.form}{sure} {named(self.occurrences[0], self.matched_regions, len(self.occurrences))}"

    def __repr__(self) -> str:
        return f"<FixedLocation {self}>"


@dataclass(frozen=True, slots=True, repr=False)
class FixedFunction(JsonObject):
    """A function that was changed, or code outside of functions.

    Attributes:
        path: of its file after the change; before it where it is gone.
        old_path: before the change; None where it is new.
        name: the line of the file that names it; empty where none does.
        is_function: whether it is one.
        language: of the file.
        old: where it was before the change; None where it is new.
        new: where it is after the change; None where it is gone.
        changes: the places that were changed, in their order.
        locations: where it is indexed: old forms first, then new ones, then those that are unclear.
        truncated: whether the search stopped before the last location.
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
        """The locations that hold one of the forms."""
        return tuple(location for location in self.locations if location.form is form)

    def __repr__(self) -> str:
        forms = Counter(str(location.form) for location in self.locations)
        return f"<FixedFunction {visible(self.path)} {visible(self.name)!r} {dict(forms)}>"


@dataclass(frozen=True, slots=True)
class FixedProgress:
    """How far the search is: `functions` of `functions_total` are done, `path` is that of the next one (empty at the
    end).
    """

    path: str
    functions: int
    functions_total: int
    seconds: float


@dataclass(frozen=True, slots=True, repr=False)
class FixedReport(JsonDocument):
    """Who has the code that a change fixed, and in which form.

    Attributes:
        project: the folder of the repository.
        change: what was looked up, in words: `commit 1a2b3c4d5e6f`, `v1.2..v1.3`, `a diff`.
        commit: the id of the commit; None for a range and for a diff.
        engine: of the index.
        functions: what was changed, by file and place.
        tests: files of tests that were left out.
        skipped: files that were not looked at, by reason.
        own: keys of the repositories that were left out as the project's own.
        seconds: it took so long.
        before: the contents of the files of the functions before the change, by `old_path`.
        after: those after it, by `path`.
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
        """The locations, function by function, that hold one of the forms."""
        return sum(len(location.occurrences) for function in self.functions for location in function.of_form(form))

    @property
    def has_old(self) -> bool:
        """Whether an old form was found."""
        return any(function.of_form(Form.OLD) for function in self.functions)

    @property
    def _counts(self) -> dict[str, int]:
        return {str(form): self.count(form) for form in Form}

    def __repr__(self) -> str:
        counts = " ".join(f"{form}={number}" for form, number in self._counts.items())
        return f"<FixedReport {visible(self.project)!r} {self.change!r} functions={len(self.functions)} {counts}>"
