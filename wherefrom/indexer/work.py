"""What a worker process does with one content."""

from __future__ import annotations

from dataclasses import dataclass

from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.content import Limits
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.references import dump_references, of_file
from wherefrom.analyzers.tokens import encode
from wherefrom.model import BlobDocument, SkipReason, StoredBlob


@dataclass(frozen=True, slots=True)
class Task:
    """A content to be analysed, under the first path at which it was seen."""

    blob: str
    path: str
    content: bytes
    limits: Limits
    keep_source: bool


def work(task: Task) -> BlobDocument | SkipReason:
    """Analyses and fingerprints a content, and notes what it says of its source."""
    analysis = analyze_file(task.path, task.content, task.limits)
    if isinstance(analysis, SkipReason):
        return analysis
    stored = StoredBlob(
        blob=task.blob,
        language=analysis.language,
        size=len(task.content),
        token_count=len(analysis.tokens),
        tokens=encode(analysis.tokens),
        source=task.content if task.keep_source else None,
        references=dump_references(of_file(task.content, analysis)),
    )
    return BlobDocument(stored, document_terms(analysis.tokens))
