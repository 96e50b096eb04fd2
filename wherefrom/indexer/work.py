"""The work of a worker process: it analyzes one content."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from wherefrom.analyzers import stamps
from wherefrom.analyzers.analysis import open_file
from wherefrom.analyzers.documents import Steps
from wherefrom.analyzers.fingerprints import places_of
from wherefrom.model import BlobDocument, SkipReason, StoredBlob
from wherefrom.options import Limits


class Task(NamedTuple):
    """A content to be analyzed."""

    blob: str
    path: str  # the first path at which it was seen
    content: bytes
    limits: Limits
    is_kept: bool = True  # as `documents.Steps` takes it
    has_code: bool = True  # whether the tokens of the content are stored; otherwise only the places of its fingerprints
    # the analysis stamp of the content, which is in the index or on its way there; None if it is new
    renews: str | None = None
    named: frozenset[str] = frozenset()  # the languages of other names of the content
    again: str = ""  # as in its `job.ContentKey`
    # the result counts only if the content is in one of these languages, or has code in one; None for any
    languages: frozenset[str] | None = None


Begun: TypeAlias = "tuple[Task, Steps | SkipReason]"
"""A task with the steps of its content, or why the content is skipped."""


def work(task: Task) -> BlobDocument | SkipReason | None:
    """Analyzes a content, without keeping its source; returns None if it has none of the task's `languages`."""
    return finish(parse(begin(task)))


def begin(task: Task) -> Begun:
    """The first step of `work`."""
    known = task.named if task.renews is None else task.named.union(stamps.named(task.renews))
    opened = open_file(task.path, task.content, task.limits, known=known)
    if isinstance(opened, SkipReason):
        return task, opened
    return task, Steps(task.content, opened, task.limits, is_kept=task.is_kept)


def parse(begun: Begun) -> Begun:
    """The second step of `work`."""
    if not isinstance(begun[1], SkipReason):
        begun[1].parse()
    return begun


def finish(begun: Begun) -> BlobDocument | SkipReason | None:
    """The last step of `work`."""
    task, steps = begun
    made = steps if isinstance(steps, SkipReason) else steps.finish()
    if isinstance(made, SkipReason):
        return made
    if task.languages is not None and task.languages.isdisjoint(made.languages):
        return None
    stored = StoredBlob(
        blob=task.blob,
        language=made.language,
        size=len(task.content),
        token_count=made.token_count,
        tokens=made.tokens if task.has_code else places_of(made.tokens),
        references=made.references,
        analysis=made.stamp,
    )
    return BlobDocument(stored, made.terms)


STEPS = (begin, parse, finish)  # those of `work`
