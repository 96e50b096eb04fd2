"""Every public name. A name is loaded on its first use, here or as a name of the package `wherefrom`."""

# ruff: noqa: F403, PLC0414 -- `as` makes a name public, `*` all names of a module

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.support.pattern import names_in

if TYPE_CHECKING:
    from wherefrom.api import compare_sources as compare_sources
    from wherefrom.api import copy_index as copy_index
    from wherefrom.api import default_posts as default_posts
    from wherefrom.api import fetch_post as fetch_post
    from wherefrom.api import fingerprint as fingerprint
    from wherefrom.api import import_posts as import_posts
    from wherefrom.api import index_dependencies as index_dependencies
    from wherefrom.api import index_sources as index_sources
    from wherefrom.api import list_languages as list_languages
    from wherefrom.api import make_boilerplate as make_boilerplate
    from wherefrom.api import open_posts as open_posts
    from wherefrom.api import publish_index as publish_index
    from wherefrom.compare.reviews import read_reviews as read_reviews
    from wherefrom.engines import ElasticsearchOptions as ElasticsearchOptions
    from wherefrom.engines import PublishedOptions as PublishedOptions
    from wherefrom.errors import *
    from wherefrom.index import Index as Index
    from wherefrom.indexes import Indexes as Indexes
    from wherefrom.indexes import open_index as open_index
    from wherefrom.indexes import open_indexes as open_indexes
    from wherefrom.lab.experiments import measure_frequencies as measure_frequencies
    from wherefrom.lab.experiments import measure_noise as measure_noise
    from wherefrom.lab.experiments import measure_samplers as measure_samplers
    from wherefrom.lab.experiments import plot as plot
    from wherefrom.lab.figures import CommonFingerprint as CommonFingerprint
    from wherefrom.lab.figures import CorpusProgress as CorpusProgress
    from wherefrom.lab.figures import CorpusSize as CorpusSize
    from wherefrom.lab.figures import Frequencies as Frequencies
    from wherefrom.lab.figures import FrequencyResult as FrequencyResult
    from wherefrom.lab.figures import Noise as Noise
    from wherefrom.lab.figures import NoiseResult as NoiseResult
    from wherefrom.lab.figures import SamplerFigures as SamplerFigures
    from wherefrom.lab.figures import SamplerResult as SamplerResult
    from wherefrom.languages import Grammar as Grammar
    from wherefrom.languages import Language as Language
    from wherefrom.languages.forms import Nothing as Nothing
    from wherefrom.languages.language import Claim as Claim
    from wherefrom.languages.language import FormatterNoise as FormatterNoise
    from wherefrom.languages.language import Imports as Imports
    from wherefrom.languages.language import Lexical as Lexical
    from wherefrom.languages.language import Minified as Minified
    from wherefrom.languages.language import Opening as Opening
    from wherefrom.languages.language import Prompt as Prompt
    from wherefrom.languages.language import Quote as Quote
    from wherefrom.languages.language import Spelling as Spelling
    from wherefrom.model import BoilerplateSet as BoilerplateSet
    from wherefrom.model import KeyKind as KeyKind
    from wherefrom.model import LicenseJudgment as LicenseJudgment
    from wherefrom.model import Notice as Notice
    from wherefrom.model import Occurrence as Occurrence
    from wherefrom.model import Package as Package
    from wherefrom.model import ProposalKind as ProposalKind
    from wherefrom.model import RepositoryRecord as RepositoryRecord
    from wherefrom.model import Representation as Representation
    from wherefrom.model import Rule as Rule
    from wherefrom.model import SkipReason as SkipReason
    from wherefrom.model import Strength as Strength
    from wherefrom.options import *
    from wherefrom.options.calls import default_cache as default_cache
    from wherefrom.posts.dump import RowSkip as RowSkip
    from wherefrom.posts.importing import ImportProgress as ImportProgress
    from wherefrom.posts.importing import ImportReport as ImportReport
    from wherefrom.posts.post import CodeBlock as CodeBlock
    from wherefrom.posts.post import Post as Post
    from wherefrom.posts.post import PostBlock as PostBlock
    from wherefrom.posts.search import BlockSkip as BlockSkip
    from wherefrom.posts.search import PostAnswer as PostAnswer
    from wherefrom.posts.search import PostSearch as PostSearch
    from wherefrom.posts.search import PostsProgress as PostsProgress
    from wherefrom.posts.search import PostsReport as PostsReport
    from wherefrom.posts.store import PostStore as PostStore
    from wherefrom.posts.store import Selection as Selection
    from wherefrom.posts.store import SiteCounts as SiteCounts
    from wherefrom.projects.check.findings import Acceptance as Acceptance
    from wherefrom.projects.check.findings import BaselineEntry as BaselineEntry
    from wherefrom.projects.check.findings import CheckProgress as CheckProgress
    from wherefrom.projects.check.findings import CheckReport as CheckReport
    from wherefrom.projects.check.findings import FileCopy as FileCopy
    from wherefrom.projects.check.findings import Finding as Finding
    from wherefrom.projects.check.findings import FolderCopy as FolderCopy
    from wherefrom.projects.check.findings import MatchedLocation as MatchedLocation
    from wherefrom.projects.check.findings import Relicensed as Relicensed
    from wherefrom.projects.trace import TracedSpan as TracedSpan
    from wherefrom.projects.trace import TraceResult as TraceResult
    from wherefrom.projects.watch.places import WatchedPlace as WatchedPlace
    from wherefrom.projects.watch.watches import Watch as Watch
    from wherefrom.projects.watch.watching import WatchNews as WatchNews
    from wherefrom.queries.boilerplate import BoilerplateProgress as BoilerplateProgress
    from wherefrom.queries.fingerprinted import FingerprintedQuery as FingerprintedQuery
    from wherefrom.queries.fingerprinted import FingerprintedReading as FingerprintedReading
    from wherefrom.queries.fingerprinted import FingerprintedWindow as FingerprintedWindow
    from wherefrom.queries.learning import LearningProgress as LearningProgress
    from wherefrom.queries.learning import Proposal as Proposal
    from wherefrom.queries.learning import Proposals as Proposals
    from wherefrom.queries.learning import dump_proposals as dump_proposals
    from wherefrom.queries.learning import load_proposals as load_proposals
    from wherefrom.queries.learning.proposals import Example as Example
    from wherefrom.queries.plugin import plugin_fields as plugin_fields
    from wherefrom.results import *
    from wherefrom.results.locations import Texts as Texts
    from wherefrom.sources.listed import ListedSource as ListedSource
else:
    __getattr__, __dir__ = names_in(__name__)
