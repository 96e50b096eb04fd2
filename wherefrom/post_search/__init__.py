"""The code of imported posts, looked up in an index: block after block, and into a report that a later run resumes."""

from wherefrom.post_search.answers import BlockSkip, PostAnswer, PostsProgress, PostsReport
from wherefrom.post_search.reading import language_of
from wherefrom.post_search.report import write_report
from wherefrom.post_search.search import PostSearch
from wherefrom.post_search.selection import named_post, named_site, select

__all__ = [
    "BlockSkip",
    "PostAnswer",
    "PostSearch",
    "PostsProgress",
    "PostsReport",
    "language_of",
    "named_post",
    "named_site",
    "select",
    "write_report",
]
