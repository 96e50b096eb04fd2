"""What a call answers, as frozen values; what an index stores is in `wherefrom.model`, which also says how positions,
blobs and paths are written.
"""

from __future__ import annotations

from wherefrom.results.attribution import Attribution as Attribution
from wherefrom.results.attribution import DecidedBy as DecidedBy
from wherefrom.results.attribution import Evidence as Evidence
from wherefrom.results.attribution import Verdict as Verdict
from wherefrom.results.attribution import Where as Where
from wherefrom.results.comparison import Cluster as Cluster
from wherefrom.results.comparison import CompareCounts as CompareCounts
from wherefrom.results.comparison import ComparedFile as ComparedFile
from wherefrom.results.comparison import CompareParameters as CompareParameters
from wherefrom.results.comparison import CompareProgress as CompareProgress
from wherefrom.results.comparison import Comparison as Comparison
from wherefrom.results.comparison import CutOff as CutOff
from wherefrom.results.comparison import FilePair as FilePair
from wherefrom.results.comparison import MatchedRegion as MatchedRegion
from wherefrom.results.comparison import Review as Review
from wherefrom.results.comparison import ReviewState as ReviewState
from wherefrom.results.comparison import Role as Role
from wherefrom.results.comparison import Submission as Submission
from wherefrom.results.comparison import SubmissionPair as SubmissionPair
from wherefrom.results.copying import CopyProgress as CopyProgress
from wherefrom.results.copying import CopyReport as CopyReport
from wherefrom.results.corpora import Change as Change
from wherefrom.results.corpora import CorpusMap as CorpusMap
from wherefrom.results.corpora import MapEdge as MapEdge
from wherefrom.results.corpora import MapEntry as MapEntry
from wherefrom.results.corpora import VendoredFolder as VendoredFolder
from wherefrom.results.document import IndexedDocument as IndexedDocument
from wherefrom.results.explanation import ChainExplanation as ChainExplanation
from wherefrom.results.explanation import Explanation as Explanation
from wherefrom.results.explanation import Signs as Signs
from wherefrom.results.explanation import TermExplanation as TermExplanation
from wherefrom.results.fixed import Certainty as Certainty
from wherefrom.results.fixed import FixedChange as FixedChange
from wherefrom.results.fixed import FixedFunction as FixedFunction
from wherefrom.results.fixed import FixedLocation as FixedLocation
from wherefrom.results.fixed import FixedPlace as FixedPlace
from wherefrom.results.fixed import FixedProgress as FixedProgress
from wherefrom.results.fixed import FixedReport as FixedReport
from wherefrom.results.fixed import Form as Form
from wherefrom.results.indexing import IndexProgress as IndexProgress
from wherefrom.results.indexing import IndexReport as IndexReport
from wherefrom.results.indexing import IndexStats as IndexStats
from wherefrom.results.indexing import LeftOut as LeftOut
from wherefrom.results.indexing import RepositoryReport as RepositoryReport
from wherefrom.results.indexing import SkippedFile as SkippedFile
from wherefrom.results.linked_code import LinkedCode as LinkedCode
from wherefrom.results.locations import Location as Location
from wherefrom.results.missing import MissingSource as MissingSource
from wherefrom.results.plugin import BoilerplateTerms as BoilerplateTerms
from wherefrom.results.regions import Lines as Lines
from wherefrom.results.regions import Region as Region
from wherefrom.results.regions import RegionPair as RegionPair
from wherefrom.results.search import ContentMatch as ContentMatch
from wherefrom.results.search import Hit as Hit
from wherefrom.results.search import HitPlace as HitPlace
from wherefrom.results.search import QueryInfo as QueryInfo
from wherefrom.results.search import Refused as Refused
from wherefrom.results.search import SearchResult as SearchResult
from wherefrom.results.sources import Remainder as Remainder
from wherefrom.results.sources import SourceDocument as SourceDocument
from wherefrom.results.sources import SourcesResult as SourcesResult
