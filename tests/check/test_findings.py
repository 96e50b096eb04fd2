"""The page about checks names the rules and the shortest piece."""

from __future__ import annotations

from pathlib import Path

import pytest

from wherefrom.model import Rule
from wherefrom.options import CheckOptions

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "check-in-ci.md"


@pytest.mark.parametrize("rule", Rule)
def test_the_page_tells_each_rule_and_whether_it_fails(rule: Rule) -> None:
    [row] = [line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{rule}` |")]
    assert row.rstrip(" |").endswith("fails" if rule in CheckOptions.fail_on else "a note")


def test_the_page_tells_the_shortest_piece() -> None:
    assert f"from {CheckOptions.min_tokens} tokens on (`--min-tokens`" in PAGE.read_text()
