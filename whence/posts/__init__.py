"""Posts of Stack Exchange sites, out of a data dump or from the public API, and the code in them."""

from whence.posts.api import BASE, Api
from whence.posts.base import Post
from whence.posts.blocks import CodeBlock, PostBlock, code_blocks
from whence.posts.cache import FetchedPost
from whence.posts.dump import Dump, RowSkip
from whence.posts.importing import ImportProgress, ImportReport, import_dump
from whence.posts.packed import open_dump
from whence.posts.store import PostStore, Selection, SiteCounts

__all__ = [
    "BASE",
    "Api",
    "CodeBlock",
    "Dump",
    "FetchedPost",
    "ImportProgress",
    "ImportReport",
    "Post",
    "PostBlock",
    "PostStore",
    "RowSkip",
    "Selection",
    "SiteCounts",
    "code_blocks",
    "import_dump",
    "open_dump",
]
