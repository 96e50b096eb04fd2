"""The form of changed code that a document has."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tests.fixed.code import NUMBERS, file, function, side
from wherefrom.analyzers.hashing import kgram_hashes
from wherefrom.projects.fixed.forms import Different, FoundForms, K, different_hashes, found_forms, judged, score_of
from wherefrom.projects.fixed.functions import changed_functions
from wherefrom.projects.fixed.sites import NEAR, Difference, FileSide, Site, SiteForm, changes, differences, sites
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.searching import Holder
from wherefrom.results.projects import Certainty, Form


def holder(part: SiteForm, document: FileSide, original: FileSide) -> Holder:
    """A document as the search for a form finds it. `original` is the document before its names were replaced."""
    found = differences(part.codes, original.stream.codes)
    edges = [*found, Difference((len(part),) * 2, (len(original.stream),) * 2)]
    runs, begin, shift = [], 0, 0
    for difference in edges:
        if difference.old[0] > begin:
            runs.append(MatchedRun(shift, begin, difference.old[0]))
        begin, shift = difference.old[1], difference.new[1] - difference.old[1]
    return Holder("0" * 40, "python", document.stream, (), tuple(runs))


def site_of(old: str, new: str) -> tuple[Site, Different]:
    """The only site of a change, and the k-grams that differ."""
    sides = [(side(old), side(new))]
    [found] = changed_functions(sides)
    [site] = sites(found.old, found.new, found.differences)
    return site, different_hashes(sides)


def forms_in(old: str, new: str, document: str, *, names: str = "") -> list[FoundForms]:
    """How much a document has of a change.

    Args:
        old: the file before the change.
        new: the same after it.
        document: another file.
        names: a regular expression; the document has other names in place of these.
    """
    site, different = site_of(old, new)
    there = side(re.sub(rf"\b({names})\b", r"their_\1", document) if names else document)
    return found_forms(
        site,
        different,
        *(None if part is None else holder(part, there, side(document)) for part in (site.old, site.new)),
    )


FIXES = (
    ("        total = item", "        if item.is_closed:\n            continue\n        total = item"),
    (" > total.limit", " >= total.limit"),
    ("            raise total", "            items.close()\n            raise total"),
    ("    return total", "    total.check(items)\n    return total"),
)
"""Statements of each function before and after a fix."""


@given(NUMBERS, st.sampled_from(FIXES), st.booleans(), st.booleans(), st.data())
def test_both_forms_are_told_from_each_other(
    numbers: list[int], fix: tuple[str, str], is_fixed: bool, is_renamed: bool, data: st.DataObject
) -> None:
    fixed = data.draw(st.sampled_from(numbers))
    old = file(*numbers)
    new = old.replace(function(fixed), function(fixed).replace(*fix))
    document = new if is_fixed else old
    [found] = forms_in(old, new, document, names="items|item|total" if is_renamed else "")
    assert found.old + found.new > 0
    assert (found.found_old, found.found_new) == ((0, found.new) if is_fixed else (found.old, 0))
    form = Form.NEW if is_fixed else Form.OLD
    if found.new if is_fixed else found.old:
        assert judged(score_of([found])) == (form, Certainty.SURE)


def test_a_place_that_was_written_anew_has_neither_form() -> None:
    old = file(1)
    new = old.replace(*FIXES[0])
    document = re.sub(r"        if item(.|\n)*?weigh_1\(total\)\n", "        return self.other(items)[total]\n", old)
    [found] = forms_in(old, new, document)
    assert (found.found_old, found.found_new) == (0, 0)


def test_forms_that_are_found_at_different_places_are_judged_at_the_one_that_is_more_alike() -> None:
    old = file(1)
    new = old.replace(*FIXES[0])
    # Another function of the document is like the old form, with other names.
    document = f"{file(1)}\n\n{function(2)}".replace(*FIXES[0], 1)
    (site, different), there = site_of(old, new), side(document)
    old_part, new_part = site.old, site.new
    assert old_part is not None
    assert new_part is not None
    at = len(side(file(1).replace(*FIXES[0])).stream)
    begin = len(side("import os").stream)
    elsewhere = MatchedRun(at - begin, begin, len(old_part))
    [found] = found_forms(
        site, different, Holder("0" * 40, "python", there.stream, (), (elsewhere,)), holder(new_part, there, there)
    )
    assert (found.found_old, found.found_new) == (0, found.new)


def test_code_that_only_moved_is_in_neither_form() -> None:
    statement = "    items.sort(key=items.of_1, reverse=True)\n"
    old = file(1).replace("    for item", f"{statement}    for item")
    new = file(1).replace("    return total", f"{statement}    assert items.done\n    return total")
    moved = different_hashes([(side(old), side(new))])
    gone, come = moved[K[0]]
    inside = set(kgram_hashes(side(statement).stream.codes, K[0]).tolist())
    assert not inside & {*gone.tolist(), *come.tolist()}


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8))
def test_differences_near_each_other_are_judged_as_one(steps: list[tuple[int, int, int]]) -> None:
    found, old, new = [], 0, 0
    for equal, removed, added in steps:
        old, new = old + equal, new + equal
        found.append(Difference((old, old + removed), (new, new + added)))
        old, new = old + removed, new + added
    judged_together = list(changes(found))
    assert len(judged_together) == 1 + sum(equal > NEAR for equal, _, _ in steps[1:])
    assert judged_together[0].old[0] == found[0].old[0]
    assert judged_together[-1] == judged_together[-1].joined(found[-1])


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 4), max_size=4))
def test_a_score_is_the_share_of_the_new_form_less_that_of_the_old(counts: list[tuple[int, int, int, int]]) -> None:
    every = [
        FoundForms(old, min(found_old, old), new, min(found_new, new), (0, 1))
        for old, found_old, new, found_new in counts
    ]
    score = score_of(every)
    assert -1 <= score.score <= 1
    assert score.score == round((score.held_new or 0) - (score.held_old or 0), 4)
    assert (score.held_old is None) == (not sum(found.old for found in every))
    turned = score_of(FoundForms(found.new, found.found_new, found.old, found.found_old, (0, 1)) for found in every)
    assert turned.score == -score.score
    form, certainty = judged(score)
    assert (form is Form.UNCLEAR) == (certainty is None) == (abs(score.score) < 0.4)
    assert form is not (Form.OLD if score.score > 0 else Form.NEW)
