"""How fast, and in what memory, a large dump of posts is read and its code extracted.

`python -m benchmarks.posts Posts.xml` makes 1 GB of the rows of this small dump, in memory and not on disk.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import BinaryIO, cast

from benchmarks import memory
from benchmarks.timing import Target, finish, table
from wherefrom.posts.dump import Dump
from wherefrom.posts.post import code_blocks

MOST_MEGABYTES = 100
MOST_GROWTH = 1.1

_IDS = re.compile(rb' (Id|ParentId)="(\d+)"')
_FIRST_ROW, _END = b"  <row ", b"</posts>"


class Repeated(io.RawIOBase):
    """A dump of at least `size` bytes: the rows of `sample` again and again, each time with higher ids.

    A read returns one repetition, whatever size is requested.
    """

    def __init__(self, sample: bytes, size: int) -> None:
        super().__init__()
        self.length = 0
        self._pieces = self._made(sample, size)

    def read(self, size: int = -1, /) -> bytes:  # noqa: ARG002  # of the protocol
        """The next piece, empty at the end."""
        piece = next(self._pieces, b"")
        self.length += len(piece)
        return piece

    @staticmethod
    def _made(sample: bytes, size: int) -> Iterator[bytes]:
        start, end = sample.index(_FIRST_ROW), sample.rindex(_END)
        rows = sample[start:end]
        step = max(int(found[2]) for found in _IDS.finditer(rows))
        yield sample[:start]
        made = 0
        for number in count():
            if made >= size:
                break
            moved = _IDS.sub(lambda found, by=number * step: b' %s="%d"' % (found[1], int(found[2]) + by), rows)  # type: ignore[misc]  # a default binds the number
            made += len(moved)
            yield moved
        yield sample[end:]


def stream(sample: bytes, size: int) -> dict[str, int]:
    """Reads a dump of `size` bytes; counts its bytes, posts, posts with tags, blocks and characters of code."""
    file = Repeated(sample, size)
    posts = tagged = blocks = characters = 0
    for post in Dump(cast(BinaryIO, file), name="the dump", site="example.stackexchange.com"):
        posts += 1
        tagged += bool(post.tags)
        for block in code_blocks(post.body):
            blocks += 1
            characters += len(block.text)
    return {"bytes": file.length, "posts": posts, "tagged": tagged, "blocks": blocks, "characters": characters}


def main() -> None:
    """Reads the dump in another process, and measures that process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sample", type=Path, help="a Posts.xml")
    parser.add_argument("--megabytes", type=int, default=1000, help="how much is made of it")
    parser.add_argument("--stream", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stream:
        print(json.dumps(stream(options.sample.read_bytes(), options.megabytes * 1_000_000)))
        return
    command = [sys.executable, "-m", "benchmarks.posts", "--stream", "--megabytes", str(options.megabytes)]
    done = memory.run([*command, str(options.sample)])
    if done.code:
        sys.exit(done.stderr)
    seen = json.loads(done.stdout)
    rows = [
        ("XML", f"{seen['bytes'] / 1e6:,.0f} MB"),
        ("posts", f"{seen['posts']:,} ({seen['tagged'] / seen['posts']:.1%} with tags)"),
        ("blocks of code", f"{seen['blocks']:,} ({seen['characters'] / 1e6:,.0f} million characters)"),
        ("time on a processor", f"{done.processor:.1f} s ({seen['bytes'] / 1e6 / done.processor:.0f} MB/s)"),
        ("memory, most", f"{done.peak / 1e6:.0f} MB"),
    ]
    print(table(("", "seen"), rows))
    finish(
        [
            Target("memory, most", done.peak / 1e6, MOST_MEGABYTES, unit=" MB"),
            Target("memory, last third by middle third", done.growth, MOST_GROWTH),
        ]
    )


if __name__ == "__main__":
    main()
