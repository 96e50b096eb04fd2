"""The language of a block."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.bare import run_bare

SWIFT = """
from datetime import date
from wherefrom.posts.search import analyze_block, language_of_post
from wherefrom.posts.post import CodeBlock, PostBlock
from wherefrom.posts.post import Post
from wherefrom.analyzers.analyzer import Analyzer

post = Post("stackoverflow.com", 1, 1, date(2020, 1, 1), "", ("swift",), "")
block = PostBlock(post, CodeBlock(1, "func add(_ a: Int, to b: Int) -> Int { return a + b }", ()))
if __name__ == "__main__":
    with Analyzer() as analyzer:
        print(language_of_post(block, analyzer), analyze_block(block, analyzer).language)
"""


@pytest.mark.thorough
def test_a_block_in_a_language_that_is_not_installed_is_read_as_text(tmp_path: Path) -> None:
    assert run_bare(tmp_path, SWIFT) == "None text\n"
