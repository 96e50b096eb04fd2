"""The options of every call, each written once: the library, the command line and the configuration file share them.

An options class has no behavior beyond its checks. Options that several calls share are bases of theirs.
"""

from __future__ import annotations

from wherefrom.options.indexing import CopyOptions as CopyOptions
from wherefrom.options.indexing import CorpusOptions as CorpusOptions
from wherefrom.options.indexing import IndexOptions as IndexOptions
from wherefrom.options.indexing import LearnOptions as LearnOptions
from wherefrom.options.indexing import SamplerOptions as SamplerOptions
from wherefrom.options.projects import NO_RULE as NO_RULE
from wherefrom.options.projects import SHORTEST_PIECE as SHORTEST_PIECE
from wherefrom.options.projects import SHORTEST_REGION as SHORTEST_REGION
from wherefrom.options.projects import CheckOptions as CheckOptions
from wherefrom.options.projects import CompareOptions as CompareOptions
from wherefrom.options.projects import FixedOptions as FixedOptions
from wherefrom.options.projects import SubmissionUnit as SubmissionUnit
from wherefrom.options.searching import Likeness as Likeness
from wherefrom.options.searching import PostsOptions as PostsOptions
from wherefrom.options.searching import PostsReportOptions as PostsReportOptions
from wherefrom.options.searching import RowFormat as RowFormat
from wherefrom.options.searching import SearchOptions as SearchOptions
from wherefrom.options.searching import SimilarOptions as SimilarOptions
from wherefrom.options.searching import SourcesOptions as SourcesOptions
from wherefrom.options.serving import McpOptions as McpOptions
from wherefrom.options.serving import ServeOptions as ServeOptions
from wherefrom.options.shared import NO_SET as NO_SET
from wherefrom.options.shared import EngineOptions as EngineOptions
from wherefrom.options.shared import Limits as Limits
from wherefrom.options.shared import Without as Without
