"""The large dump of the benchmark is one."""

from __future__ import annotations

from typing import BinaryIO, cast

from benchmarks.posts import Repeated, stream
from tests.posts.conftest import dump, row
from wherefrom.posts.dump import Dump

SAMPLE = dump(
    row(4, Tags="<c#>", Body="<pre><code>abc</code></pre>"),
    row(7, PostTypeId="2", ParentId="4"),
    row(9, PostTypeId="5"),
)


def test_ids_rise_and_answers_keep_their_questions() -> None:
    posts = list(Dump(cast(BinaryIO, Repeated(SAMPLE, 2 * len(SAMPLE))), name="", site=""))
    assert [(post.id, post.question, post.tags) for post in posts[:6]] == [
        (4, 4, ("c#",)),
        (7, 4, ("c#",)),
        (13, 13, ("c#",)),
        (16, 13, ("c#",)),
        (22, 22, ("c#",)),
        (25, 22, ("c#",)),
    ]


def test_it_is_as_large_as_was_asked_for() -> None:
    seen = stream(SAMPLE, 100_000)
    assert 100_000 <= seen["bytes"] < 100_000 + 2 * len(SAMPLE)
    assert seen["posts"] == seen["tagged"] == 2 * seen["blocks"]
    assert seen["characters"] == 3 * seen["blocks"]
