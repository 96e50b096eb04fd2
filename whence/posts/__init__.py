"""Posts of Stack Exchange sites, out of a data dump or from the public API, and the code in them."""

from whence.posts.api import Api
from whence.posts.base import Post
from whence.posts.blocks import CodeBlock, code_blocks
from whence.posts.cache import FetchedPost
from whence.posts.dump import Dump, RowSkip
from whence.posts.packed import open_dump

__all__ = ["Api", "CodeBlock", "Dump", "FetchedPost", "Post", "RowSkip", "code_blocks", "open_dump"]
