"""Chooses the files that a check looks at, and the state of the project that they are in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from wherefrom.errors import UsageError
from wherefrom.options import CheckOptions
from wherefrom.projects.changes.comparison import Changed, Overlaid, Patched, Scope, ShownProject, between, whole
from wherefrom.projects.changes.patches import parse
from wherefrom.sources.checkout import Checkout
from wherefrom.sources.source import Files


@dataclass(frozen=True, slots=True)
class Inspected:
    """The files that a check looks at.

    Attributes:
        state: the state of the project, in words.
        files: the whole project in that state.
        changed: the files to look at.
        paths: the paths of the files to look at, and of deleted files.
        is_change: whether only a change is checked, so that only its added lines count.
    """

    state: str
    files: Files
    changed: Iterator[Changed]
    paths: Sequence[str]
    is_change: bool


def inspected(checkout: Checkout | ShownProject, inside: Sequence[str], options: CheckOptions) -> Inspected:
    """The files that the options name, limited to the paths `inside`.

    Raises:
        UsageError: the options name a state that does not exist, or a wrong range of revisions.
        SourceError: a state cannot be read, or a diff does not apply.
    """
    scope = Scope(frozenset(inside))
    if options.patch is not None:
        patches = checkout.patches if isinstance(checkout, ShownProject) else parse(options.patch)
        patched = Patched(checkout.work_tree(), patches)
        return _change("a diff", patched.before, patched.after, replace(scope, only=patched.touched), options)
    if isinstance(checkout, ShownProject):
        raise UsageError("without a project there is only a diff to check; leave staged, base and diff out")
    if options.staged:
        return _change("what is staged", checkout.revision(), checkout.staged(), scope, options)
    if options.base is not None:
        old = checkout.revision(checkout.merge_base(options.base, None))
        return _change(f"the work tree since {options.base}", old, _work_tree(checkout, options), scope, options)
    if options.diff is not None:
        states = checkout.between(options.diff)
        if states is None:
            raise UsageError(
                f"{options.diff!r} is not a range of revisions; give A..B or A...B, or `-` for a diff on standard input"
            )
        return _change(options.diff, *states, scope, options)
    files = _work_tree(checkout, options)
    changed, paths = whole(files, scope, options.limits)
    return Inspected("the work tree", files, changed, paths, is_change=False)


def _work_tree(checkout: Checkout, options: CheckOptions) -> Files:
    files = checkout.work_tree()
    if not options.texts:
        return files
    texts = {checkout.inside(path): text for path, text in options.texts.items()}
    return Overlaid(texts, files, list(files.entries()))


def _change(state: str, old: Files, new: Files, scope: Scope, options: CheckOptions) -> Inspected:
    changed, paths = between(old, new, scope, options.limits)
    return Inspected(state, new, changed, paths, is_change=True)
