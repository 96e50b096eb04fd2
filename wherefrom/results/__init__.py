"""The answers of calls, as frozen values. See the docstring of `wherefrom.model` for positions, blob ids and paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.support.pattern import names_of

if TYPE_CHECKING:
    from wherefrom.results.attribution import *  # noqa: F403
    from wherefrom.results.comparison import *  # noqa: F403
    from wherefrom.results.documents import *  # noqa: F403
    from wherefrom.results.indexing import *  # noqa: F403
    from wherefrom.results.locations import *  # noqa: F403
    from wherefrom.results.projects import *  # noqa: F403
    from wherefrom.results.regions import *  # noqa: F403
    from wherefrom.results.releases import *  # noqa: F403
    from wherefrom.results.search import *  # noqa: F403
else:
    __getattr__ = names_of(
        __name__,
        {
            "attribution": "Age Appearance Attribution DecidedBy Doubt Evidence Verdict Where",
            "comparison": "Cluster CompareCounts ComparedFile CompareParameters CompareProgress Comparison CutOff "
            "FilePair MatchedRegion Review ReviewState Role Submission SubmissionPair",
            "documents": "IndexedDocument LinkedCode Remainder SourceDocument SourcesResult",
            "indexing": "BoilerplateTerms CopyProgress CopyReport DependencyReport HistoryReport HistoryStats "
            "IndexProgress IndexReport IndexStats LeftOut MissingSource PublishProgress PublishReport RepositoryReport "
            "SkippedFile",
            "locations": "Location",
            "projects": "Certainty Change CorpusMap FixedChange FixedFunction FixedLocation FixedPlace FixedProgress "
            "FixedReport Form IndexedProject MapEdge MapEntry ProjectName SameProject SharedCode SharedFile "
            "SharingRepository VendoredFolder",
            "regions": "Lines Region RegionPair",
            "releases": "FirstPlace FirstResult FittingRelease ReleasesResult",
            "search": "ChainExplanation ContentMatch CopyEvidence Explanation Hit HitPlace QueryInfo Refused "
            "SearchResult TermExplanation",
        },
    )
