"""Posts of Stack Exchange sites, out of a data dump or from the public API, and the code in them."""

from wherefrom.posts.blocks import CodeBlock, PostBlock, code_blocks
from wherefrom.posts.cache import FetchedPost
from wherefrom.posts.client import BASE, Api
from wherefrom.posts.dump import Dump, RowSkip
from wherefrom.posts.importing import ImportProgress, ImportReport, import_dump
from wherefrom.posts.packed import open_dump
from wherefrom.posts.post import Post
from wherefrom.posts.store import PostStore, Selection, SiteCounts

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
