"""Diffs whose hunks begin inside a class, as nearly all do."""

from __future__ import annotations

from pathlib import Path

import wherefrom

FUNCTION = """  fun overlap(first: Interval, second: Interval, limit: Int): List<Interval> {
    val found = mutableListOf<Interval>()
    for (at in first.begin until second.end) {
      if (at % limit == 0 && first.contains(at)) {
        found += Interval(at, minOf(second.end, at + limit))
      }
    }
    return found.filter { it.size > first.size / limit }.sortedBy { it.begin }
  }
"""


def test_an_added_function_is_found_below_the_end_of_another_one(tmp_path: Path) -> None:
    source = tmp_path / "intervals"
    source.mkdir()
    (source / "Intervals.kt").write_text(f"package intervals\n\nobject Intervals {{\n{FUNCTION}}}\n")
    wherefrom.index_sources([str(source)], str(tmp_path / "code.wherefrom"))
    context = ["    return x", "  }", ""]
    added = [f"+{line}" for line in FUNCTION.splitlines()]
    hunk = "\n".join([*(f" {line}" for line in context), *added, " }"])
    diff = f"diff --git a/Mine.kt b/Mine.kt\n--- a/Mine.kt\n+++ b/Mine.kt\n@@ -10,4 +10,{len(added) + 4} @@\n{hunk}\n"
    with wherefrom.open_index(str(tmp_path / "code.wherefrom")) as index:
        report = index.check_diff(diff)
    assert [finding.path for finding in report.findings] == ["Mine.kt"]
