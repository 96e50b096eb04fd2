"""The pages that are written by hand: short, and they name only what there is."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.documentation import examples

ROOT = Path(__file__).parents[2]

MOST = 100_000
"""Bytes of all pages in docs, without what their commands print: a script writes that."""

LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")

NAMED = re.compile(r"\b(?:docs|benchmarks/(?:notes|results))/[\w./-]+\.md\b")
"""A page as code and comments name it."""


def tracked(*patterns: str) -> list[Path]:
    """The files of the project that match."""
    listed = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def named() -> Iterator[tuple[Path, Path]]:
    """Each page that a file of the project names or links to, with that file."""
    for file in tracked("*.md", "*.py", "*.rs", "*.toml", "*.yml", ":!benchmarks/notes", ":!tests"):
        text = file.read_text()
        if file.suffix == ".md":
            yield from ((file, file.parent / link) for link in LINK.findall(text))
        yield from ((file, ROOT / name) for name in NAMED.findall(text))


def test_the_documentation_stays_short() -> None:
    pages = tracked("docs/*.md")
    printed = sum(len(example.output.encode()) for page in pages for example in examples(page))
    assert sum(page.stat().st_size for page in pages) - printed <= MOST


def test_every_page_that_is_named_exists() -> None:
    made = ROOT / "docs" / "reference"  # only where the site was built
    missing = [
        f"{file.relative_to(ROOT)}: {page}"
        for file, page in named()
        if not page.exists() or page.resolve().is_relative_to(made)
    ]
    assert missing == []
