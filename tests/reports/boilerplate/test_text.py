"""The text of proposals, which sends no control characters to the terminal."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from tests.reports.rendered import rendered
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.model import BoilerplateSet, ProposalKind, Representation
from wherefrom.queries.boilerplate import BoilerplateProgress
from wherefrom.queries.learning import LearningProgress, Proposal, Proposals
from wherefrom.queries.learning.proposals import Example
from wherefrom.reports.boilerplate import CODE_WIDTH, PROPOSALS, SETS, SHOWN, learning_line, live_line, next_step

PROPOSAL = Proposal(
    name="shared-app.js",
    kind=ProposalKind.SHARED,
    repositories=1_234,
    contents=1,
    share=0.00123,
    examples=(Example("host/a\x1b[2J", "src/b\n.js", 3, 9),),
    code="\tif (x) {\x1b]0;title\x07\n" + "long " * 100,
    hashes={Representation.EXACT: np.arange(1_000, dtype=np.uint64)},
)
SET = BoilerplateSet(
    "licenses",
    ("MIT.txt", "BSD\x1b.txt"),
    {Representation.EXACT: "e1", Representation.TEXT: "t1"},
    {Representation.EXACT: np.arange(1500, dtype=np.uint64), Representation.TEXT: np.arange(3, dtype=np.uint64)},
)

LEARNED = Proposals(2_000, 3_000, 3, (PROPOSAL,), complete=True, schemes=scheme_ids())


def shown(learned: Proposals) -> str:
    return rendered(PROPOSALS["text"], learned)


def test_a_proposal_is_shown_with_its_places_and_code() -> None:
    lines = shown(LEARNED).splitlines()
    assert lines[:5] == [
        "2,000 repositories, 3,000 contents: 1 set proposed",
        "",
        "shared-app.js",
        "  shared: in 1,234 repositories, 1 content, 0.12% of the index; k-grams: 1,000 exact",
        "  host/a␛[2J:src/b␊.js:3-9",
    ]
    assert lines[5] == "    |     if (x) {␛]0;title␇"
    assert len(lines[6]) == len("    | ") + CODE_WIDTH
    assert all(line.isprintable() for line in lines)


def test_the_next_step_is_shown() -> None:
    assert "nothing is stored" in next_step(None)
    assert next_step("sets\x1b.json").startswith(
        "written to sets␛.json; store the sets with: wherefrom boilerplate accept"
    )
    assert "there is more" in shown(replace(LEARNED, complete=False))
    assert "there is more" not in shown(LEARNED)
    nothing = shown(replace(LEARNED, proposals=()))
    assert nothing == "2,000 repositories, 3,000 contents: nothing appears in 3 repositories or more\n"
    assert "|" not in shown(replace(LEARNED, proposals=(replace(PROPOSAL, code=None),)))


def test_live_lines_fit() -> None:
    gathering = BoilerplateProgress("/home/a\x1b/corpus", 1_200, 3_400_000, 2.0)
    assert live_line(gathering) == "1,200 files · 3,400,000 k-grams · /home/a␛/corpus"
    assert learning_line(LearningProgress("counting", 5, 1_000, 2.0)) == "counting 5/1,000 contents · 2.0 s"
    assert len(live_line(gathering, 20)) == 20


def test_sets() -> None:
    assert [line.split() for line in rendered(SETS["text"], [SET]).splitlines()] == [
        ["name", "sources", "k-grams"],
        ["licenses", "2", "1,503"],
    ]
    assert rendered(SETS["text"], []) == "no boilerplate sets\n"
    text = rendered(SHOWN["text"], [SET])
    assert "licenses: from 2 sources\n" in text
    assert "  BSD␛.txt\n" in text
    assert json.loads(rendered(SETS["json"], [SET])) == {"format": 1, "sets": [SET.to_dict()]}
