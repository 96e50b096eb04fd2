"""How old code is, in words, and why that is doubtful: the same in every report."""

from __future__ import annotations

from wherefrom.reports.location_text import REVISION_DIGITS
from wherefrom.results import Age, Appearance, Doubt
from wherefrom.support.printable import visible

DOUBTS = {
    Doubt.IMPORT: "most files of that commit are new, so the code may be older",
    Doubt.BASE: "the commits before it are not known, so the code may be older",
    Doubt.OUT_OF_ORDER: "the commit before it has a later date, so one of the two dates is wrong",
    Doubt.OUT_OF_RANGE: "no commit can be of that day, so the date is wrong",
    Doubt.RELEASE: "only releases are known, so the code may be older",
    Doubt.VENDORED: "the folder is for code of other projects, so the code may be older elsewhere",
}
"""For each doubt a clause about the first commit."""


def day(appearance: Appearance) -> str:
    """The day of a commit."""
    return appearance.day or "an impossible date"


def tag(appearance: Appearance) -> list[str]:
    """The oldest tag that contains a commit, if there is one."""
    return [] if appearance.tag is None else [visible(appearance.tag)]


def commit(appearance: Appearance) -> str:
    """`commit 1a2b3c4d5e6f`, `merged by 1a2b3c4d5e6f`, `release` for that of a package."""
    if appearance.commit is None:
        return "release"
    name = visible(appearance.commit[:REVISION_DIGITS])
    return f"merged by {name}" if appearance.is_merge else f"commit {name}"


def doubts(age: Age) -> list[str]:
    """Why the day of the first appearance may be wrong, each as a clause."""
    return [DOUBTS[doubt] for doubt in age.first.doubts]


def here_since(age: Age) -> str:
    """`here since 2019-03-02 (v1.2), as it is now since 2020-01-01; most files of that commit are new, ...`."""
    tags = "".join(f" ({name})" for name in tag(age.first))
    now = f", as it is now since {day(age.since)}" if age.since != age.first else ""
    return "; ".join([f"here since {day(age.first)}{tags}{now}", *doubts(age)])


def short_age(age: Age) -> str:
    """`since 2019-03-02`, with `(in doubt)` if the day may be wrong."""
    return f"since {day(age.first)}{' (in doubt)' if age.first.doubts else ''}"


def since(appearance: Appearance | None) -> str:
    """`since 2019-03-02`, with the reasons why the day may be wrong; empty if it is not known."""
    if appearance is None or appearance.day is None:
        return ""
    doubts = f" (in doubt: {', '.join(appearance.doubts)})" if appearance.doubts else ""
    return f"since {appearance.day}{doubts}"
