"""The options of every call, as classes that only store and check values. The library, the command line and the
configuration file share them. Options that several calls have are in common base classes.
"""

from __future__ import annotations

from wherefrom.options.indexing import CopyOptions as CopyOptions
from wherefrom.options.indexing import CorpusOptions as CorpusOptions
from wherefrom.options.indexing import IndexOptions as IndexOptions
from wherefrom.options.indexing import LearnOptions as LearnOptions
from wherefrom.options.indexing import PublishOptions as PublishOptions
from wherefrom.options.indexing import SamplerOptions as SamplerOptions
from wherefrom.options.projects import CheckOptions as CheckOptions
from wherefrom.options.projects import CompareOptions as CompareOptions
from wherefrom.options.projects import FixedOptions as FixedOptions
from wherefrom.options.projects import TraceOptions as TraceOptions
from wherefrom.options.projects import WatchOptions as WatchOptions
from wherefrom.options.searching import FirstOptions as FirstOptions
from wherefrom.options.searching import PostsOptions as PostsOptions
from wherefrom.options.searching import PostsReportOptions as PostsReportOptions
from wherefrom.options.searching import ReleasesOptions as ReleasesOptions
from wherefrom.options.searching import SearchOptions as SearchOptions
from wherefrom.options.searching import SimilarOptions as SimilarOptions
from wherefrom.options.searching import SourcesOptions as SourcesOptions
from wherefrom.options.shared import EngineOptions as EngineOptions
from wherefrom.options.shared import Limits as Limits
from wherefrom.options.shared import PostOptions as PostOptions
