"""What a worker process does with one content."""

from __future__ import annotations

from dataclasses import dataclass

from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.references import dump_references, may_state_license, of_file
from wherefrom.analyzers.stamps import stamp
from wherefrom.analyzers.tokens import encode
from wherefrom.model import BlobDocument, SkipReason, StoredBlob
from wherefrom.options import Limits


@dataclass(frozen=True, slots=True)
class Task:
    """A content to be analyzed, under the first path at which it was seen.

    Attributes:
        renews: the stamp of the analysis by which the index holds it; None: it is new to the index.
        languages: it is analyzed only if it is in one of these, or holds code in one; None: in any case.
    """

    blob: str
    path: str
    content: bytes
    limits: Limits
    keep_source: bool
    renews: str | None = None
    languages: frozenset[str] | None = None


def work(task: Task) -> BlobDocument | SkipReason | None:
    """Analyzes and fingerprints a content, and notes what it says of its source; None if it is in other languages."""
    analysis = analyze_file(task.path, task.content, task.limits)
    if isinstance(analysis, SkipReason):
        return analysis
    if task.languages is not None and task.languages.isdisjoint(analysis.languages):
        return None
    stored = StoredBlob(
        blob=task.blob,
        language=analysis.language,
        size=len(task.content),
        token_count=len(analysis.tokens),
        tokens=encode(analysis.tokens),
        source=task.content if task.keep_source else None,
        references=dump_references(of_file(task.content, analysis)),
        analysis=stamp(analysis.language, analysis.languages, states_license=may_state_license(task.content)),
    )
    return BlobDocument(stored, document_terms(analysis.tokens))
