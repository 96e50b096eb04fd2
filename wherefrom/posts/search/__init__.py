"""The code of imported posts, looked up in an index: block after block, and into a report that a later run resumes."""

from wherefrom.posts.search.answers import BlockSkip, PostAnswer, PostsProgress, PostsReport
from wherefrom.posts.search.reading import language_of
from wherefrom.posts.search.report import write_report
from wherefrom.posts.search.search import PostSearch
from wherefrom.posts.search.selection import named_post, named_site, select

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
