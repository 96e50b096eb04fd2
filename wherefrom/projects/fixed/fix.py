"""The change that is looked up: that of a commit, of a range of commits or of a diff."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wherefrom.errors import NotFound, UsageError
from wherefrom.options import FixedOptions
from wherefrom.projects.changes.comparison import Pair, Patched, pairs
from wherefrom.projects.changes.patches import parse
from wherefrom.projects.changes.revisions import is_range, revisions
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from wherefrom.sources.checkout import Checkout


@dataclass(frozen=True, slots=True)
class Fix:
    """The change of a project that is looked up.

    Attributes:
        files: those that it touches, before and after it.
        words: what it is called: `commit 1a2b3c4d5e6f`, `v1.2..v1.3`, `a diff`.
        commit: the id of the commit; None for a range and for a diff.
    """

    files: Iterator[Pair]
    words: str
    commit: str | None = None


def fix_of(checkout: Checkout, commit: str | None, options: FixedOptions) -> Fix:
    """The change that a user names.

    Raises:
        UsageError: neither a commit nor a diff, or both.
        SourceError: the commit or the diff cannot be read, or the diff does not apply.
    """
    diff = _diff(options)
    if (commit is None) == (diff is None):
        raise UsageError("name the commit that fixed something, or a diff with --diff FILE, and not both")
    if commit is None:
        patched = Patched(checkout.work_tree(), parse(diff or b""))
        return Fix(pairs(patched.before, patched.after, options.limits, only=patched.touched), "a diff")
    if is_range(commit):
        one, other = revisions(checkout, commit)
        return Fix(pairs(checkout.revision(one), checkout.revision(other), options.limits), commit)
    before, after, found = checkout.commit(commit)
    return Fix(pairs(before, after, options.limits), f"commit {found[:12]}", found)


def _diff(options: FixedOptions) -> bytes | None:
    if options.diff is None:
        return options.patch
    try:
        return options.diff.read_bytes()
    except OSError as error:
        raise NotFound(f"cannot read the diff {visible(options.diff)}: {error.strerror}; check the path") from None
