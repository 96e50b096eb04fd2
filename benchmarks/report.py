"""How large the page of a comparison is, and how soon a browser shows its list and its pairs.

Makes a submission of each file in a folder, compares them, and opens the page in Chromium without a network.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import wherefrom
from benchmarks.timing import Target, finish, percentile
from wherefrom.reports.compare import html

MOST_BYTES = 10_000_000
"""The highest size of the page of 1,000 files and 10,000 pairs."""

MOST_LIST_SECONDS, MOST_PAIR_SECONDS = 1.0, 0.1

SHOWN = 50
"""The number of pairs that are opened, from the strongest to the weakest."""

_OPEN = """async (id) => {
  const view = document.getElementById("pair");
  const begin = performance.now();
  location.hash = `pair=${id}`;
  while (!(view.dataset.shown ?? "").startsWith(id)) await new Promise((done) => setTimeout(done));
  view.getBoundingClientRect(); // lays the page out
  return (performance.now() - begin) / 1000;
}"""


def _processor_seconds(tab: Page) -> Callable[[], float]:
    """A function that returns the processor seconds of the page's thread, which do not depend on other programs."""
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
    session.send("Performance.enable")

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")

    return spent


def main() -> None:
    """Measures, and exits with 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="each file in it is a submission")
    parser.add_argument("--limit", type=int, default=10_000, help="pairs at most (default: %(default)s)")
    parser.add_argument("--min-containment", type=float, default=0.1, help="of the pairs (default: %(default)s)")
    arguments = parser.parse_args()
    comparison = wherefrom.compare_sources(
        [arguments.folder], limit=arguments.limit, min_containment=arguments.min_containment
    )
    begin = time.process_time()
    page = "".join(html.write(comparison)).encode()
    print(f"{len(comparison.files):,} files, {len(comparison.pairs):,} pairs: {len(page):,} bytes")
    print(f"written in {time.process_time() - begin:.1f} s of a processor")
    program = shutil.which("chromium")
    assert program is not None, "install chromium"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder, "page.html")
        file.write_bytes(page)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        tab = browser.new_context(offline=True).new_page()
        spent = _processor_seconds(tab)
        began, before = time.perf_counter(), spent()
        tab.goto(file.as_uri())
        tab.wait_for_selector("html[data-ready]")
        print(f"the list is shown after {time.perf_counter() - began:.2f} s")
        until_list = spent() - before
        used, taken = [], []
        for pair in comparison.pairs[:: max(len(comparison.pairs) // SHOWN, 1)]:
            before = spent()
            taken.append(tab.evaluate(_OPEN, pair.id))
            used.append(spent() - before)
        browser.close()
    finish(
        [
            Target("bytes of the page", len(page), MOST_BYTES),
            Target("processor time until the list is shown", until_list, MOST_LIST_SECONDS, unit=" s"),
            Target("processor time of a pair, median", percentile(used, 0.5), MOST_PAIR_SECONDS, unit=" s"),
            Target("processor time of a pair, 9 of 10", percentile(used, 0.9), MOST_PAIR_SECONDS, unit=" s"),
            Target("time until a pair is shown, median", percentile(taken, 0.5), MOST_PAIR_SECONDS, unit=" s"),
            Target("time until a pair is shown, 9 of 10", percentile(taken, 0.9), MOST_PAIR_SECONDS, unit=" s"),
            Target("time until a pair is shown, slowest", max(taken), MOST_PAIR_SECONDS, unit=" s"),
        ]
    )


if __name__ == "__main__":
    main()
