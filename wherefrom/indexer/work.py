"""The work of a worker process: it analyzes one content."""

from __future__ import annotations

from typing import NamedTuple

from wherefrom.analyzers import stamps
from wherefrom.analyzers.analysis import Opened, open_file
from wherefrom.analyzers.documents import document
from wherefrom.analyzers.fingerprints import places_of
from wherefrom.model import BlobDocument, SkipReason, StoredBlob
from wherefrom.options import Limits


class Task(NamedTuple):
    """A content to be analyzed."""

    blob: str
    path: str  # the first path at which it was seen
    content: bytes
    limits: Limits
    is_kept: bool = True  # as `documents.document` takes it
    has_code: bool = True  # whether the tokens of the content are stored; otherwise only the places of its fingerprints
    # the analysis stamp of the content, which is in the index or on its way there; None if it is new
    renews: str | None = None
    named: frozenset[str] = frozenset()  # the languages of other names of the content
    again: str = ""  # as in its `job.ContentKey`
    # the result counts only if the content is in one of these languages, or has code in one; None for any
    languages: frozenset[str] | None = None
    opened: Opened | SkipReason | None = None  # the content as `open_file` opened it


def opened(task: Task) -> Task:
    """The task with its opened content. A batch is opened before the first is analyzed: the processor's caches do not
    hold what both steps need, so one after the other for each file takes a fifth longer if files are tiny.
    """
    return task._replace(opened=open_file(task.path, task.content, task.limits, known=_known(task)))


def _known(task: Task) -> frozenset[str]:
    return task.named if task.renews is None else task.named.union(stamps.named(task.renews))


def work(task: Task) -> BlobDocument | SkipReason | None:
    """Analyzes a content, without keeping its source; returns None if it has none of the task's `languages`."""
    made = document(task.path, task.content, task.limits, known=_known(task), is_kept=task.is_kept, opened=task.opened)
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
