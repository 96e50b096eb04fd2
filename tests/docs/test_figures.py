"""The figures in the documentation are those that `benchmarks/` records, each with the command that measured it."""

from __future__ import annotations

import pytest

from benchmarks.charts import FIRST, PAIRS, answered, rows, speeds, tools
from tests.documentation import ROOT
from wherefrom.cli.settings import URL_MEMORY
from wherefrom.languages import LANGUAGES
from wherefrom.options import Limits
from wherefrom.options.serving import ServeOptions
from wherefrom.queries.fingerprinted import MOST_FINGERPRINTED
from wherefrom.queries.snippet import MOST_QUERIED, MOST_TOKENS
from wherefrom.sources.archive import UNPACKED_BYTES
from wherefrom.sources.remote import FETCH_BYTES, FETCH_SECONDS
from wherefrom.sources.source import MOST_FILES
from wherefrom.support.workers import PARSE_MEMORY

RESULTS, SCALE = "docs/how-it-works/results.md", "docs/scale.md"
RELIABILITY, SERVE = "docs/how-it-works/reliability.md", "docs/how-to/serve.md"
DECISIONS = "docs/how-it-works/decisions.md"

NAMES = {"dolos": "Dolos", "jplag": "JPlag"}
"""How the text writes names that tables write otherwise."""


def text_of(page: str) -> str:
    return " ".join((ROOT / page).read_text().split())


def listed(figures: dict[str, float], digits: int) -> str:
    return ", ".join(f"{NAMES.get(name, name)} {figure:.{digits}f}" for name, figure in figures.items())


def test_the_text_of_each_chart_has_the_figures_of_its_tables() -> None:
    found, text = answered(), text_of(RESULTS)
    of = {kind: f"{figures[0]:.2f}" for kind, figures in found.items()}
    assert (
        f"{of['function, as it is']} of functions, {of['4 lines, as it is']} of 4 lines, "
        f"{of['function, rewritten']} of rewritten functions, {of['4 lines, rewritten']} of 4 rewritten lines; "
        f"of functions that are not indexed "
        f"{of['unrelated function']} get an answer"
    ) in text
    for where in (FIRST, PAIRS):
        assert f": {listed(tools(*where)[1], 2)}]" in text
    assert f": {listed(speeds(), 1)}]" in text
    answers, strong = (round(1000 * figure) for figure in found["unrelated function"])
    assert f"Of 1,000 functions that are not indexed, {answers} get an answer, {strong} a strong one." in text
    total = sum(
        int(cells[0].replace(",", ""))
        for answer in ("true file first", "answered")
        for _, *cells in rows("evidence.md", "## The draw `final`", f"query | number | {answer}")
    )
    assert f"{round(total, -3):,} queries in eleven languages" in text


def test_what_to_plan_with_is_what_was_computed() -> None:
    computed = {
        int(cells[0].replace(",", "")): [float(cell.replace(",", "")) for cell in cells[1:]]
        for kind, *cells in rows("scale.md", "## What a collection needs", "repositories | number")
        if kind == "any"
    }
    text = text_of(SCALE)
    for number, (source, _, embedded, *_, nodes) in computed.items():
        name = f"{number // 1_000_000} million" if number >= 1_000_000 else f"{number:,}"
        row = [cell.strip() for cell in text[text.index(f"| {name} |") :].split("|")[1:9]]
        assert float(row[1].replace(",", "")) == pytest.approx(source, rel=0.01)
        assert float(row[3].replace(",", "")) == pytest.approx(embedded, rel=0.01, abs=0.5)
        assert row[7] == f"{nodes:.0f}"


def size(number: float) -> str:
    return f"{number / 1e9:g} GB" if number >= 1e9 else f"{number / 1e6:g} MB"


LIMITS, SERVED = Limits(), ServeOptions()


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (RELIABILITY, f"| a file | {size(LIMITS.max_file_size)} | `--max-file-size` |"),
        (RELIABILITY, f"| parsing a file | {LIMITS.parse_seconds:g} s of a processor, {size(PARSE_MEMORY)} |"),
        (RELIABILITY, f"| a snippet | {size(MOST_QUERIED)}, {MOST_TOKENS // 1_000_000} million tokens, 60 s |"),
        (RELIABILITY, f"| a file of fingerprints | {size(MOST_FINGERPRINTED)} |"),
        (RELIABILITY, f"| a command that reads an index by its URL | {size(URL_MEMORY)} |"),
        (RELIABILITY, {1_000_000: "| files of a repository | a million |"}[MOST_FILES]),
        (RELIABILITY, f"| a fetch | {FETCH_SECONDS / 3600:g} hours, {size(FETCH_BYTES)} |"),
        (RELIABILITY, f"| an archive, unpacked | {size(UNPACKED_BYTES)} |"),
        (SERVE, f"{SERVED.call_seconds:g} seconds (`--call-seconds`) or {size(SERVED.call_memory)} (`--call-memory`)"),
        (SERVE, f"over {size(SERVED.max_body)} (`--max-body`)"),
        (SERVE, f"More than {SERVED.waiting} waiting requests (`--waiting`)"),
    ],
)
def test_a_limit_in_the_text_is_that_of_the_code(page: str, words: str) -> None:
    assert words in text_of(page)


def test_the_size_of_the_model_of_code_is_that_of_its_file() -> None:
    model = ROOT / "wherefrom" / "queries" / "data" / "background.zst"
    assert f"A model of code in general: {size(round(model.stat().st_size, -5))} to ship" in text_of(DECISIONS)


def test_the_languages_are_as_many_as_the_text_says() -> None:
    assert f"It knows over {(len(LANGUAGES) - 1) // 5 * 5} languages" in text_of("README.md")


@pytest.mark.parametrize(
    ("page", "words", "result", "recorded"),
    [
        (RESULTS, "right in 99 of 100 cases", "results/evidence.md", "| 0.99 to 1.0 | 3,657 | 1.000 | 0.993"),
        (RESULTS, "Of 100 common idioms, 7 get", "results/evidence.md", "| idiom written by hand | 203 | 0.069 |"),
        (
            RESULTS,
            "wherefrom has 0.89 and the best other tool 0.66",
            "results/compare.md",
            "| default | 0.9538 | 0.8855 |",
        ),
        (RESULTS, "wherefrom answers 1,", "results/beside.md", "| wherefrom | default | 0.971 | 0.978 | 0.043 |"),
        (RESULTS, "setting of Dolos all.", "results/beside.md", "longest fragment | 0.866 | 0.994 | 1 |"),
        (RESULTS, "Dolos is better: 0.99 to 0.98", "results/beside.md", "- among the first ten (0.978): dolos 0.994"),
        (
            RESULTS,
            "So is jscpd, on Python",
            "results/beside.md",
            "- MB/s of python (9.1): bare Tree-sitter 11.4, scanoss 15.9, jscpd",
        ),
        (RESULTS, "1.9 times as long as parsing", "notes/benchmarks.md", "34.5 s of processors, 0.54"),
        (RESULTS, "57 to 94 ms (median)", "results/scale.md", "| search | 56.5 / 206.4 | 94.1 / 235.1 |"),
        (RESULTS, "0.31 s as a command", "results/start.md", "| `search` | 0.352 | 0.313 |"),
        (SCALE, "gives 0.58 bytes of index (m)", "results/scale.md", "| 7.1 | 0.0504 | 0.577 |"),
        (SCALE, "7 MB each (m, 17 clones)", "results/scale.md", "| 17 | 0.6 | 1.9 | 18.1 | 7.1 |"),
        (SCALE, "10 kB has about 500 (m)", "results/scale.md", "| 7.1 | 0.0504 |"),
        (SCALE, "indexes 4.4 MB/s (m)", "results/scale.md", "121 MB in 27.48 s of the processor"),
        (SCALE, "| index | 0.1 GB | 9.6 GB |", "results/scale.md", "4,657 MB of postings, 4,907 MB of records"),
        (SCALE, "37 minutes of a core", "results/scale.md", "| 3,130 | 2,218 | 875 |"),
        (SCALE, "under 0.9 GB", "results/scale.md", "875 MB of anonymous memory at most"),
        (
            SCALE,
            "| 57 / 206 ms | 94 / 235 ms |",
            "results/scale.md",
            "| search | 56.5 / 206.4 | 94.1 / 235.1 | 159.5 / 439.8 |",
        ),
        (SCALE, "1 s, 1,640 pages", "results/scale.md", "| search | 1,640 / 7,466 | 846 | 780 | 42 | 1,009 |"),
        (SCALE, "a third of the time of indexing (m)", "results/scale.md", "takes about a third of it again"),
        (SCALE, "14 bytes for each posting and copy", "results/cluster.md", "| merged, in 102 s | 14.2 |"),
        (SCALE, "80,000 postings/s while loading", "results/cluster.md", "(80,600 postings/s)"),
        (
            DECISIONS,
            "The token streams take half of the index",
            "results/what-an-index-stores.md",
            "| token streams, as they are stored | 0.243 |",
        ),
        (DECISIONS, "half of the index", "results/what-an-index-stores.md", "0.451 bytes for each byte of source"),
        ("CHANGELOG.md", "about 0.58 bytes for each byte of source", "results/scale.md", "| 7.1 | 0.0504 | 0.577 |"),
        (
            "CHANGELOG.md",
            "A native kernel in Rust halves the time of indexing",
            "results/kernel.md",
            "| indexing | 3.56 | 8.11 | 2.35 |",
        ),
        (
            "docs/how-it-works/confidentiality.md",
            "| flask | 2% | 53% | | redis | 4% | 63% |",
            "results/published.md",
            "| 0.038 | 0.392 | 0.460 | 0.631 | | flask | 75,239 | 0.021 | 0.288 | 0.403 | 0.530 |",
        ),
    ],
)
def test_a_figure_in_the_text_is_the_recorded_one(page: str, words: str, result: str, recorded: str) -> None:
    assert words in text_of(page)
    assert recorded in text_of(f"benchmarks/{result}")


def test_the_disk_of_a_server_follows_from_the_records() -> None:
    assert "| merged, in 102 s | 14.2 |" in text_of("benchmarks/results/cluster.md")
    assert "| 7.1 | 0.0504 |" in text_of("benchmarks/results/scale.md")
    text, for_a_byte = text_of("docs/how-to/elasticsearch.md"), 14.2 * 0.0504
    assert f"Plan {for_a_byte:.1f} bytes of disk for each byte" in text
    assert f"30 GB, which is {30 / 14.2:.0f} billion postings or {30 / for_a_byte // 10:.0f}0 GB of source" in text
