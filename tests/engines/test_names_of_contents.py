"""A content is read once in each language of its names, whichever of them is indexed first."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.engines.conftest import Opened
from wherefrom import compare_sources
from wherefrom.analyzers import stamps
from wherefrom.engines.engine import Engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.indexer.copy import Copy, Union
from wherefrom.indexer.indexing import IndexingRun
from wherefrom.options import CopyOptions, IndexOptions, SearchOptions, SimilarOptions
from wherefrom.queries.searching import search
from wherefrom.queries.similarity.similar_files import similar_to
from wherefrom.sources.discover import discover
from wherefrom.sources.source import blob_id

PYTHON = "def add(first, second):\n    total = first + second\n    return total * 2 - first\n"
QT = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS><source>All files of the folder</source></TS>\n'
C = "static int twice(int value)\n{\n    return value + value;\n}\n"
SCRIPT = """total=0
while read -r name count; do
    if [ "$count" -gt 3 ]; then
        total=$((total + count))
    elif [ -f "$name.bak" ]; then
        mv "$name.bak" "$name" && echo "restored $name"
    fi
done < list.txt
case "$1" in
    -v) echo "total: $total" ;;
    *) printf '%s\\n' "$total" | tee -a log ;;
esac
"""
NAMES = (
    ("notes.txt", "ledger.py", PYTHON, "python"),
    ("c.css", "c.less", ".note { color: red; }\n.aside { margin: 0 auto; }\n", "css"),
    ("notes.txt", "sums.ts", "export function sum(a: number, b: number) { return a + b; }\n", "typescript"),
    ("sums.ts", "sums.js", "export function sum(a, b) { return a * a + b * b; }\n", "typescript"),
    ("twice.h", "twice.cpp", C, "cpp"),
    ("twice.c", "twice.h", C.replace("twice", "double_of"), "c"),
    ("run", "run.txt", "#!/bin/sh\nfor each in *; do\n    echo \"$each\" | tr a-z A-Z\ndone\n", "bash"),
    ("README", "README.md", "# Books\n\n```python\n" + PYTHON.replace("add", "sum") + "```\n", "markdown"),
    ("translation.ts", "translation.txt", QT, "text"),
    ("page.html", "page.php", "<p>There is no code in this page.</p>\n", "html php"),
    ("sums.js", "sums.js.erb", "function double_sum(a, b) { return 2 * (a * a + b * b); }\n", "html javascript"),
    ("run.sh", "run.py", "for each in *; do\n    echo \"$each\" | tr a-z A-Z\ndone\n", "bash python"),
)  # fmt: skip


def named(folder: Path, at: int) -> Path:
    """A folder of the contents of `NAMES`, each with its first or its second name."""
    shutil.rmtree(folder, ignore_errors=True)
    for number, (*names, content, _) in enumerate(NAMES):
        (folder / str(number)).mkdir(parents=True)
        (folder / str(number) / names[at]).write_text(content)
    return folder


def indexed(engine: Engine, *folders: Path) -> Engine:
    IndexingRun(engine, discover([*map(str, folders)], cache=folders[0] / "cache"), IndexOptions(jobs=1)).run()
    return engine


def copied(engine: Engine, *sources: Engine) -> None:
    Copy(Union(sources, replace=False), engine, CopyOptions(jobs=1)).run()


def indexed_by(way: str, index: Opened, tmp_path: Path, order: tuple[int, int]) -> None:
    if way == "renamed":
        for at in order:
            indexed(index.engine, named(tmp_path / "only", at))
    else:
        folders = [named(tmp_path / str(at), at) for at in order]
        if way == "one run":
            indexed(index.engine, *folders)
        elif way == "two runs":
            for folder in folders:
                indexed(index.engine, folder)
        else:
            sources = [indexed(MemoryEngine(index.engine.schemes), folder) for folder in folders]
            for together in [sources] if way == "copied together" else [[source] for source in sources]:
                copied(index.engine, *together)


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["one run", "two runs", "renamed", "copied", "copied together"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_order_of_names_decides_nothing(index: Opened, tmp_path: Path, way: str, order: tuple[int, int]) -> None:
    indexed_by(way, index, tmp_path, order)
    wanted = {blob_id(content.encode()): language for *_, content, language in NAMES}
    found = {it.blob: " ".join(sorted(stamps.named(it.analysis))) for it in index.engine.stored_blobs()}
    assert found == wanted


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["two runs", "copied"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_content_is_found_in_each_language_of_its_names(
    index: Opened, tmp_path: Path, way: str, order: tuple[int, int]
) -> None:
    indexed_by(way, index, tmp_path, order)
    for first, second, code, languages in NAMES[-2:]:
        query = code.replace("each", "one").replace("double_sum", "sum").encode()
        for language in languages.split():
            search_for, similar_for = SearchOptions(language=language), SimilarOptions(language=language)
            for found in (search(index.engine, query, search_for), similar_to(index.engine, query, similar_for)):
                places = {at.path.rpartition("/")[2] for hit in found.hits for at in hit.occurrences}
                assert places >= {first, second}, language


@pytest.mark.parametrize("others", [{"c.sh", "d.sh"}, {"c.py", "d.py"}])
def test_hand_ins_are_compared_in_the_language_that_most_of_them_are_in(tmp_path: Path, others: set[str]) -> None:
    for name in ("a.sh", "b.py", *others):
        (tmp_path / name).write_text(SCRIPT if name[0] in "ab" else SCRIPT.replace("total", f"sum_{name[0]}"))
    found = compare_sources([tmp_path], by="file", min_containment=0.9)
    assert {file.language for file in found.files} == {"bash" if "c.sh" in others else "python"}
    assert len(found.pairs) == 6
