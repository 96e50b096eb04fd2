"""What a call answers, as frozen values; what an index stores is in `wherefrom.model`, which also says how positions,
blobs and paths are written.
"""

from __future__ import annotations

from wherefrom.results.attribution import Attribution, DecidedBy, Evidence, Verdict, Where
from wherefrom.results.comparison import (
    Cluster,
    CompareCounts,
    ComparedFile,
    CompareParameters,
    CompareProgress,
    Comparison,
    CutOff,
    FilePair,
    MatchedRegion,
    Review,
    ReviewState,
    Role,
    Submission,
    SubmissionPair,
)
from wherefrom.results.copying import CopyProgress, CopyReport
from wherefrom.results.corpora import Change, CorpusMap, MapEdge, MapEntry, VendoredFolder
from wherefrom.results.document import IndexedDocument
from wherefrom.results.explanation import ChainExplanation, Explanation, Signs, TermExplanation
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
from wherefrom.results.regions import Lines, Region, RegionPair
from wherefrom.results.search import (
    ContentMatch,
    Hit,
    HitPlace,
    QueryInfo,
    Refused,
    SearchResult,
    match_percent,
    token_percent,
)
from wherefrom.results.sources import Remainder, SourceDocument, SourcesResult

__all__ = [
    "Attribution",
    "BoilerplateTerms",
    "Certainty",
    "ChainExplanation",
    "Change",
    "Cluster",
    "CompareCounts",
    "CompareParameters",
    "CompareProgress",
    "ComparedFile",
    "Comparison",
    "ContentMatch",
    "CopyProgress",
    "CopyReport",
    "CorpusMap",
    "CutOff",
    "DecidedBy",
    "Evidence",
    "Explanation",
    "FilePair",
    "FixedChange",
    "FixedFunction",
    "FixedLocation",
    "FixedPlace",
    "FixedProgress",
    "FixedReport",
    "Form",
    "Hit",
    "HitPlace",
    "IndexProgress",
    "IndexReport",
    "IndexStats",
    "IndexedDocument",
    "LeftOut",
    "Lines",
    "LinkedCode",
    "Location",
    "MapEdge",
    "MapEntry",
    "MatchedRegion",
    "MissingSource",
    "QueryInfo",
    "Refused",
    "Region",
    "RegionPair",
    "Remainder",
    "RepositoryReport",
    "Review",
    "ReviewState",
    "Role",
    "SearchResult",
    "Signs",
    "SkippedFile",
    "SourceDocument",
    "SourcesResult",
    "Submission",
    "SubmissionPair",
    "TermExplanation",
    "VendoredFolder",
    "Verdict",
    "Where",
    "match_percent",
    "token_percent",
]
