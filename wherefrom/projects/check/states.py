"""Which files a check looks at, and in which state of the project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wherefrom.errors import UsageError
from wherefrom.options import CheckOptions
from wherefrom.projects.changes.comparison import Changed, Patched, Scope, between, whole
from wherefrom.projects.changes.patches import parse
from wherefrom.projects.changes.revisions import revisions
from wherefrom.projects.changes.shown import ShownProject
from wherefrom.sources.source import Files

if TYPE_CHECKING:
    from wherefrom.sources.checkout import Checkout


@dataclass(frozen=True, slots=True)
class Inspected:
    """What a check looks at.

    Attributes:
        state: in words.
        files: the whole project in that state.
        changed: what is to be looked at, file by file.
        paths: of all of these, and of files that are gone.
        is_change: whether only what a change adds counts.
    """

    state: str
    files: Files
    changed: Iterator[Changed]
    paths: Sequence[str]
    is_change: bool


def inspected(checkout: Checkout | ShownProject, inside: Sequence[str], options: CheckOptions) -> Inspected:
    """What the options name.

    Raises:
        UsageError: no range of revisions.
        SourceError: a state cannot be read, or a diff does not apply.
    """
    scope = Scope(inside)
    if options.patch is not None:
        files = checkout.work_tree()
        patched = Patched(files, parse(options.patch))
        changed, paths = between(patched.before, patched.after, Scope(inside, patched.touched), options.limits)
        return Inspected("a diff", patched.after, changed, paths, is_change=True)
    if isinstance(checkout, ShownProject):
        raise UsageError("without a project there is only a diff to check; leave staged, base and diff out")
    if options.staged:
        return _change("what is staged", checkout.revision(), checkout.staged(), scope, options)
    if options.base is not None:
        old = checkout.revision(checkout.merge_base(options.base, None))
        return _change(f"the work tree since {options.base}", old, checkout.work_tree(), scope, options)
    if options.diff is not None:
        one, other = revisions(checkout, options.diff)
        return _change(options.diff, checkout.revision(one), checkout.revision(other), scope, options)
    files = checkout.work_tree()
    changed, paths = whole(files, scope, options.limits)
    return Inspected("the work tree", files, changed, paths, is_change=False)


def _change(state: str, old: Files, new: Files, scope: Scope, options: CheckOptions) -> Inspected:
    changed, paths = between(old, new, scope, options.limits)
    return Inspected(state, new, changed, paths, is_change=True)
