from __future__ import annotations

import dataclasses

from tests.reports.rendered import rendered
from tests.results import answers
from wherefrom.model import Occurrence
from wherefrom.reports.posts import RENDERERS


def test_a_hit_shows_the_whole_location() -> None:
    answer = answers.post_answer()
    assert answer.result is not None
    hit = dataclasses.replace(
        answer.result.hits[0],
        occurrences=(
            Occurrence("github.com/x/y", "src/best.py", answers.BLOB, "0123456789abcdef"),
            Occurrence("/a/folder", "best.py", answers.BLOB, ""),
        ),
        attributions=answer.result.hits[0].attributions[:2],
    )
    folder = dataclasses.replace(hit, occurrences=hit.occurrences[1:], attributions=hit.attributions[:1])
    found = dataclasses.replace(answer, result=dataclasses.replace(answer.result, hits=(hit, folder)))
    lines = rendered(RENDERERS["text"], found).splitlines()
    assert "   91%  strong: 0.97 probable  github.com/x/y@0123456789ab  src/best.py:3-25" in lines
    assert "        and 1 more location (1 attributed)" in lines
    assert "   91%  strong: 0.97 probable  /a/folder  best.py:3-25" in lines


def test_the_day_of_the_post_is_beside_the_first_day_of_the_code() -> None:
    answer = answers.post_answer()
    posted = answer.block.post.created.isoformat()
    assert answer.result is not None
    attribution = answer.result.hits[0].attribution
    assert attribution is not None
    hit = dataclasses.replace(
        answer.result.hits[0],
        occurrences=answer.result.hits[0].occurrences[:1],
        attributions=(dataclasses.replace(attribution, first_seen="2017-11-20"),),
    )
    found = dataclasses.replace(answer, result=dataclasses.replace(answer.result, hits=(hit,)))
    assert f"posted {posted}, there since 2017-11-20" in rendered(RENDERERS["text"], found)
