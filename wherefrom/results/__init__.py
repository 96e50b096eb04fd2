"""What a call answers, as frozen values; what an index stores is in `wherefrom.model`, which also says how positions,
blobs and paths are written.
"""

from __future__ import annotations

from wherefrom.results.copying import CopyProgress, CopyReport
from wherefrom.results.fixed import (
    Certainty,
    FixedChange,
    FixedFunction,
    FixedLocation,
    FixedPlace,
    FixedProgress,
    FixedReport,
    Form,
)
from wherefrom.results.indexing import IndexProgress, IndexReport, IndexStats, LeftOut, RepositoryReport, SkippedFile
from wherefrom.results.linked_code import LinkedCode
from wherefrom.results.locations import Location
from wherefrom.results.missing import MissingSource
from wherefrom.results.plugin import BoilerplateTerms
from wherefrom.results.search import (
    Attribution,
    ChainExplanation,
    ContentMatch,
    DecidedBy,
    Evidence,
    Explanation,
    Hit,
    QueryInfo,
    Region,
    RegionPair,
    SearchResult,
    TermExplanation,
    Verdict,
    Where,
    match_percent,
)
from wherefrom.results.sources import Lines, Remainder, SourceDocument, SourcesResult

__all__ = [
    "Attribution",
    "BoilerplateTerms",
    "Certainty",
    "ChainExplanation",
    "ContentMatch",
    "CopyProgress",
    "CopyReport",
    "DecidedBy",
    "Evidence",
    "Explanation",
    "FixedChange",
    "FixedFunction",
    "FixedLocation",
    "FixedPlace",
    "FixedProgress",
    "FixedReport",
    "Form",
    "Hit",
    "IndexProgress",
    "IndexReport",
    "IndexStats",
    "LeftOut",
    "Lines",
    "LinkedCode",
    "Location",
    "MissingSource",
    "QueryInfo",
    "Region",
    "RegionPair",
    "Remainder",
    "RepositoryReport",
    "SearchResult",
    "SkippedFile",
    "SourceDocument",
    "SourcesResult",
    "TermExplanation",
    "Verdict",
    "Where",
    "match_percent",
]
