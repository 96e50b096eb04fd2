"""Indexing runs that can be stopped in the middle, and the whole contents of an index for comparisons."""

from __future__ import annotations

import heapq
import random
import shlex
import subprocess
import sys
import textwrap
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.end_to_end.conftest import INDEXED_MODULES, SAMPLES, Wherefrom, module_source
from tests.end_to_end.edits import UNRELATED, renamed, source_of
from tests.repositories import Repository
from wherefrom import Index
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import decode
from wherefrom.engines import ElasticsearchOptions, open_engine

RUNNER = '''\
"""Indexes with a commit after each 300 kB instead of each 128 MB; says how many files are done, and how it ended."""

import sys

import wherefrom
from wherefrom.support import throttle
from wherefrom.indexer import indexing

indexing.BATCH_BYTES, indexing.COMMIT_BYTES, throttle.SECONDS = 50_000, 300_000, 0.0

if __name__ == "__main__":
    try:
        report = wherefrom.index_sources(
            sys.argv[2:], sys.argv[1], jobs=2, progress=lambda at: print(at.files, flush=True)
        )
        print("interrupted" if report.interrupted else "done", flush=True)
    except KeyboardInterrupt:
        print("interrupted at its very end", flush=True)
'''

SNIPPETS = (
    source_of(heapq.merge),
    renamed(source_of(heapq.nsmallest)),
    source_of(textwrap.TextWrapper._split),
    renamed(source_of(shlex.shlex.read_token)),
    (SAMPLES / "java.sample").read_text(),
    UNRELATED,
)


def overlapping_clones(folder: Path) -> Path:
    """A dozen repositories of some hundred real files; most files are in several of them."""
    dice = random.Random(4)
    contents = {f"{name}.py": module_source(name) for name in INDEXED_MODULES}
    contents |= {f"{path.stem}.txt": path.read_bytes() for path in sorted(SAMPLES.iterdir())}
    for number in range(12):
        files = {f"{dice.choice(('src', 'lib/deep'))}/{name}": contents[name] for name in dice.sample([*contents], 24)}
        files[f"own{number}.py"] = module_source("heapq") + b"\n\nOWNER = %d\n" % number
        Repository.make(folder / f"repository{number:02}", {**files, "data.json": b"{}", "none.bin": b"\0" * 9})
    return folder


def start(wherefrom: Wherefrom, *command: str | Path) -> subprocess.Popen[bytes]:
    """A process group of its own, as a terminal makes one of each command."""
    return subprocess.Popen(
        command,
        env=wherefrom.environment,
        cwd=wherefrom.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def start_in_steps(wherefrom: Wherefrom, *sources: Path) -> subprocess.Popen[bytes]:
    """Starts `RUNNER`."""
    script = wherefrom.folder / "runner.py"
    script.write_text(RUNNER)
    return start(wherefrom, sys.executable, script, wherefrom.index, *sources)


def contents_of(location: Path | str, options: ElasticsearchOptions | None = None) -> dict[str, Any]:
    """All contents and answers of an index, without times."""
    with closing(open_engine(location, schemes=scheme_ids(), options=options)) as engine:
        occurrences = list(engine.occurrences())
        blobs = engine.blobs(sorted({item.blob for item in occurrences}))
        streams = {name: decode(blob.tokens) for name, blob in blobs.items()}
        frequencies = {
            name: engine.document_frequencies(
                {key: terms[:50].tolist() for key, terms in document_terms(streams[name]).items()}
            )
            for name in sorted(streams)[::8]
        }
        stats = engine.stats()
        answers = [Index(engine).search(snippet, limit=50, explain=True).to_dict() for snippet in SNIPPETS]
        records = engine.repositories()
    for answer in answers:
        del answer["took_ms"]
    parts = ("codes", "classes", "starts", "ends", "start_lines", "end_lines")
    return {
        "repositories": [replace(item, indexed_at="") for item in records],
        "occurrences": [(item.repository, item.path, item.blob) for item in occurrences],
        "blobs": {name: (blob.language, blob.size, blob.token_count) for name, blob in blobs.items()},
        "streams": {name: [getattr(item, part).tolist() for part in parts] for name, item in streams.items()},
        "frequencies": frequencies,
        "stats": (stats.blobs, stats.occurrences, stats.size, stats.tokens, stats.languages, stats.skipped),
        "answers": answers,
    }
