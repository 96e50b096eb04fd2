"""The options of every call, as classes that only store and check values. The library, the command line and the
configuration file share them. Options that several calls have are in common base classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.support.pattern import names_of

if TYPE_CHECKING:
    from wherefrom.options.asking import *  # noqa: F403
    from wherefrom.options.shared import *  # noqa: F403
else:
    __getattr__ = names_of(
        __name__,
        {
            "asking": "CheckOptions CompareOptions FirstOptions FixedOptions PostsOptions PostsReportOptions "
            "ReleasesOptions SearchOptions SimilarOptions SourcesOptions TraceOptions WatchOptions",
            "shared": "CopyOptions CorpusOptions EngineOptions IndexOptions LearnOptions Limits PostOptions "
            "PublishOptions SamplerOptions",
        },
    )
