"""What a worker process does with one content."""

from __future__ import annotations

from dataclasses import dataclass

from wherefrom.analyzers.documents import document
from wherefrom.model import BlobDocument, SkipReason, StoredBlob
from wherefrom.options import Limits


@dataclass(frozen=True, slots=True)
class Task:
    """A content to be analyzed, under the first path at which it was seen. `renews` is the stamp by which the index has
    it, if it does; with `languages` it is analyzed only if it is in one of these, or has code in one.
    """

    blob: str
    path: str
    content: bytes
    limits: Limits
    is_compressed: bool = True
    renews: str | None = None
    languages: frozenset[str] | None = None


def work(task: Task) -> BlobDocument | SkipReason | None:
    """Analyzes and fingerprints a content, and notes what it says of its source; None if it is in other languages. The
    content itself is not in the answer: who gave the task has it.
    """
    made = document(task.path, task.content, task.limits, is_compressed=task.is_compressed)
    if isinstance(made, SkipReason):
        return made
    if task.languages is not None and task.languages.isdisjoint(made.languages):
        return None
    stored = StoredBlob(
        blob=task.blob,
        language=made.language,
        size=len(task.content),
        token_count=made.token_count,
        tokens=made.tokens,
        references=made.references,
        analysis=made.stamp,
    )
    return BlobDocument(stored, made.terms)
