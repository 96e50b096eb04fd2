"""How near to the code the references to a source are, and which license files apply to it."""

from __future__ import annotations

import pytest

from wherefrom.analyzers.references import Reference, ReferenceKind, References, of_text, source
from wherefrom.queries.attributing.evidence import Origin, Statements, gather
from wherefrom.results import Where

LINK = "https://stackoverflow.com/a/12"
MATCHED = [(100, 110)]


@pytest.mark.parametrize(
    ("line", "where"),
    [(91, Where.FILE), (92, Where.MATCH), (105, Where.MATCH), (118, Where.MATCH), (119, Where.FILE)],
)
def test_a_link_up_to_eight_lines_from_a_match_is_beside_it(line: int, where: Where) -> None:
    own = References((Reference(ReferenceKind.POST, LINK, line, LINK),))
    [evidence] = gather(Origin(targets=(source(LINK),)), Statements("a.py", own), MATCHED).evidence
    assert evidence.where is where


HOLDER, TAG, NOTHING = "Copyright (c) 2020 Jane Doe", "SPDX-License-Identifier: MIT", "All files are free."


@pytest.mark.parametrize(
    ("nearest", "applying"),
    [(HOLDER, ["lib/LICENSE"]), (TAG, ["lib/LICENSE"]), (NOTHING, ["lib/LICENSE", "COPYING"])],
)
def test_license_files_apply_up_to_the_nearest_folder_where_one_states_something(
    nearest: str, applying: list[str]
) -> None:
    texts = {"COPYING": HOLDER, "lib/LICENSE": nearest, "lib/other/LICENSE": HOLDER}
    notices = [(path, of_text(text)) for path, text in texts.items()]
    assert [path for path, _ in Statements("lib/src/a.c", None, notices).speaking()] == applying


def test_a_notice_above_the_nearest_license_file_applies() -> None:
    notices = [(path, of_text(HOLDER)) for path in ("NOTICE", "lib/LICENSE")]
    assert [path for path, _ in Statements("lib/src/a.c", None, notices).speaking()] == ["lib/LICENSE", "NOTICE"]
