"""What calls do their work with. A name is loaded on its first use, so that a search does not wait for it."""

# ruff: noqa: PLC0414 -- `as` makes it a name of this module

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.support.pattern import names_in

if TYPE_CHECKING:
    from wherefrom.compare.comparer import Comparer as Comparer
    from wherefrom.engines.published.publishing import Publisher as Publisher
    from wherefrom.indexer import removing as removing
    from wherefrom.indexer.copy import Copy as Copy
    from wherefrom.indexer.copy import Union as Union
    from wherefrom.indexer.history import HistoryRun as HistoryRun
    from wherefrom.posts.client import BASE as BASE
    from wherefrom.posts.client import Api as Api
    from wherefrom.posts.dump import open_dump as open_dump
    from wherefrom.posts.importing import import_dump as import_dump
    from wherefrom.posts.post import PostBlock as PostBlock
    from wherefrom.posts.post import code_blocks as code_blocks
    from wherefrom.posts.search import PostSearch as PostSearch
    from wherefrom.posts.search import named_post as named_post
    from wherefrom.posts.search import named_site as named_site
    from wherefrom.posts.search import write_report as write_report
    from wherefrom.posts.store import PostStore as PostStore
    from wherefrom.projects.check.checker import Check as Check
    from wherefrom.projects.dependencies import DependencyIndex as DependencyIndex
    from wherefrom.projects.fixed.finder import Fixed as Fixed
    from wherefrom.projects.shared import shared as shared
    from wherefrom.projects.trace import trace as trace
    from wherefrom.projects.watch import places as places
    from wherefrom.projects.watch import watches as watches
    from wherefrom.projects.watch import watching as watching
    from wherefrom.projects.watch.indexing import looking_out as looking_out
    from wherefrom.projects.watch.indexing import with_news as with_news
    from wherefrom.projects.watch.places import mark_reported as mark_reported
    from wherefrom.projects.watch.watching import taking_along as taking_along
    from wherefrom.queries import boilerplate as boilerplate
    from wherefrom.queries import permalinks as permalinks
    from wherefrom.queries import plugin as plugin
    from wherefrom.queries import projects as projects
    from wherefrom.queries import statistics as statistics
    from wherefrom.queries.clones import Clones as Clones
    from wherefrom.queries.decomposition import sources as sources
    from wherefrom.queries.fingerprinted import fingerprinted as fingerprinted
    from wherefrom.queries.first import first as first
    from wherefrom.queries.learning import learn as learn
    from wherefrom.queries.releases import releases as releases
    from wherefrom.queries.similarity import similar_files as similar_files
    from wherefrom.sources.discover import discover as discover
    from wherefrom.sources.discover import find_all as find_all
    from wherefrom.sources.indexed import missing_source as missing_source
else:
    __getattr__, __dir__ = names_in(__name__)
