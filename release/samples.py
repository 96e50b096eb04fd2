"""Stores a sample of each thing whose format a version promises to read: `python -m release.samples`.

It writes `tests/formats/VERSION.tar.xz` with an index that has a history and a watch, the same index published, a store
of posts, and a project with its baseline. Each release adds a sample, and no sample is ever changed:
`tests/release/test_samples.py` opens all of them.
"""

from __future__ import annotations

import sys
import tarfile
import tempfile
from pathlib import Path

import wherefrom
from release.check import ROOT
from tests.posts.conftest import dump, row
from tests.repositories import Repository
from wherefrom.support.version import __version__

SAMPLES = ROOT / "tests" / "formats"

CODE = b"""\
def shifted(moments, zone):
    result = []
    for moment in sorted(moments):
        offset = zone.utcoffset(moment)
        if offset is None or moment.tzinfo is not None:
            raise ValueError(f"{moment} has a zone already")
        result.append((moment - offset).replace(tzinfo=zone))
    return result
"""

OTHER = b"""\
class Ring:
    def __init__(self, size):
        self.items, self.begin, self.size = [None] * size, 0, size

    def push(self, item):
        self.items[self.begin % self.size] = item
        self.begin += 1
        return self.begin >= self.size
"""


def make(folder: Path) -> None:
    """Makes the things of a sample in an empty folder."""
    with tempfile.TemporaryDirectory(prefix="wherefrom-sample-") as scratch:
        clone = Repository.make(Path(scratch, "clone"), {"LICENSE": b"MIT License\n", "times.py": CODE})
        clone.git("remote", "add", "origin", "https://example.org/owner/times.git")
        clone.commit({"ring.py": OTHER}, day="2024-02-02")
        index = folder / "index"
        wherefrom.index_sources([clone.folder], index, history=True, keep_source=True)
        Path(scratch, "Posts.xml").write_bytes(dump(row(7, Body=f"<pre><code>{CODE.decode()}</code></pre>")))
        with wherefrom.open_index(index) as opened:
            opened.watch("ring", files={"ring.py": OTHER})
        wherefrom.import_posts(Path(scratch, "Posts.xml"), store=folder / "posts.sqlite")
    wherefrom.publish_index(index, folder / "published")
    Repository.make(folder / "project", {"copied.py": CODE})
    with wherefrom.open_index(index) as opened:
        opened.check([folder / "project"], baseline=folder / "baseline.json", update_baseline=True)


def main() -> int:
    """Writes the sample of this version, which must not exist. Returns the exit code."""
    SAMPLES.mkdir(exist_ok=True)
    sample = SAMPLES / f"{__version__}.tar.xz"
    with tempfile.TemporaryDirectory(prefix="wherefrom-sample-") as scratch:
        make(Path(scratch))
        with tarfile.open(sample, "x:xz") as archive:
            for path in sorted(Path(scratch).iterdir()):
                archive.add(path, path.name)
    print(f"{sample.relative_to(ROOT)}: {sample.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
