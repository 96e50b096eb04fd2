"""What is proposed is shown, and nothing in it reaches the terminal raw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.model import ProposalKind, Representation
from wherefrom.queries import BoilerplateProgress, LearningProgress, Proposal, Proposals
from wherefrom.queries.learning.proposals import Example
from wherefrom.reports import learning

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
LEARNED = Proposals(2_000, 3_000, 3, (PROPOSAL,), complete=True, schemes=scheme_ids())


def test_a_proposal_is_shown_with_its_places_and_code() -> None:
    lines = learning.proposals(LEARNED).splitlines()
    assert lines[:5] == [
        "2,000 repositories, 3,000 contents: 1 set proposed",
        "",
        "shared-app.js",
        "  shared: in 1,234 repositories, 1 content, 0.12% of the index; k-grams: 1,000 exact",
        "  host/a␛[2J:src/b␊.js:3-9",
    ]
    assert lines[5] == "    |     if (x) {␛]0;title␇"
    assert len(lines[6]) == len("    | ") + learning.CODE_WIDTH
    assert all(line.isprintable() for line in lines)


def test_what_to_do_next_is_said() -> None:
    assert "nothing is stored" in learning.proposals(LEARNED)
    said = learning.proposals(replace(LEARNED, complete=False), "sets\x1b.json")
    assert "written to sets␛.json" in said
    assert "there is more" in said
    assert "there is more" not in learning.proposals(LEARNED)
    nothing = learning.proposals(replace(LEARNED, proposals=()))
    assert nothing == "2,000 repositories, 3,000 contents: nothing appears in 3 repositories or more\n"
    assert "|" not in learning.proposals(replace(LEARNED, proposals=(replace(PROPOSAL, code=None),)))


def test_live_lines_fit() -> None:
    gathering = BoilerplateProgress("/home/a\x1b/corpus", 1_200, 3_400_000, 2.0)
    assert learning.live_line(gathering) == "1,200 files · 3,400,000 k-grams · /home/a␛/corpus"
    assert learning.learning_line(LearningProgress("counting", 5, 1_000, 2.0)) == "counting 5/1,000 contents · 2.0 s"
    assert len(learning.live_line(gathering, 20)) == 20
