"""Damages files of an index. Each answer must be that of the undamaged index, or report the damage."""

from __future__ import annotations

import gc
import io
import shutil
import traceback
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from soak.cases import Case, Outcome
from soak.world import Ground, module_source
from tests.answers import answers
from wherefrom import Index, open_index
from wherefrom.errors import UnusableIndex
from wherefrom.support.workers import PARSE_MEMORY, Died
from wherefrom.support.workers.pool import Pool

DAMAGES = 25
"""Damaged files in a round."""

SECONDS = 120.0

PAGE = 4096

MODULES = ("bisect", "heapq", "netrc", "shlex", "textwrap")
"""Files whose beginnings are looked up."""

Answers = dict[str, Any]


def index_answers(location: Path) -> Answers:
    """The answers of an index, without its location and the sizes of its files."""
    return answers(location, MODULES, _searched, stats={"location": "", "stored": 0})


def _searched(index: Index, module: str) -> Answers:
    result = index.search(module_source(module)[:1500], language="python")
    texts = [index.hit_source(hit) for hit in result.hits[:2]]
    return {**result.to_dict(), "took_ms": 0, "texts": texts}


@cache
def expected(location: Path) -> Answers:
    """The answers of the undamaged index."""
    return index_answers(location)


def damaged(whole: bytes, other: bytes, dice: Random) -> tuple[str, bytes | None]:
    """Damages a file. Returns a description and the new content (None: deleted). `other` is another file."""
    at = dice.randrange(len(whole))
    page = at - at % PAGE
    rest = whole[page + PAGE :]
    match dice.randrange(12):
        case 0:
            return "file removed", None
        case 1:
            return "file emptied", b""
        case 2:
            return "end cut off", whole[:at]
        case 3:
            return "page of zeros", whole[:page] + bytes(min(PAGE, len(whole) - page)) + rest
        case 4:
            return "page of another file", (whole[:page] + other[:PAGE] + rest)[: len(whole)]
        case 5:
            return "bytes added", whole + dice.randbytes(dice.randrange(1, 64))
        case 6:
            return "random bytes", whole[:at] + dice.randbytes(dice.randrange(1, 64)) + whole[at + 64 :]
        case _:
            return "bit flipped", whole[:at] + bytes([whole[at] ^ 1 << dice.randrange(8)]) + whole[at + 1 :]


def outcome(location: Path, right: Answers) -> tuple[str, list[str]]:
    """The result of a damage, in a word, and the failures."""
    try:
        try:
            found = index_answers(location)
        except UnusableIndex:
            return "refused when opened", []
        try:
            with open_index(str(location)) as index:
                index.stats(verify=True)
        except UnusableIndex:
            is_told = found.keys() != right.keys()
            return ("told by an answer" if is_told else "found by stats --verify"), []
    except MemoryError:
        raise
    except Exception:
        return "failed", [traceback.format_exc()]
    if found == right:
        return "without effect", []
    differ = [name for name in right if found.get(name) != right[name]]
    return "another answer", [f"another answer, and nothing tells of the damage: {differ}"]


def packed(folder: Path) -> bytes:
    """A folder as a ZIP file."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return made.getvalue()


def work(task: tuple[int, int, Path, Path]) -> tuple[str, str, list[str], Case | None]:
    """Damages one file of a copy of the index. Returns the damage, its result, the failures and the case."""
    seed, number, index, folder = task
    dice = Random(f"{seed}/{number}")
    copy = folder / f"damaged{seed}.{number}"
    shutil.rmtree(copy, ignore_errors=True)  # a process that ended may have left it
    shutil.copytree(index, copy)
    paths = sorted(
        (path for path in copy.rglob("*") if path.is_file() and path.stat().st_size),
        key=lambda path: (path.suffix, path.stat().st_size, path.name),
    )
    if dice.randrange(4):  # in one case of four, one of the small files that describe the index is damaged
        paths = [path for path in paths if path.suffix != ".json"]
    path, other = dice.choice(paths), dice.choice(paths)
    done, content = damaged(path.read_bytes(), other.read_bytes(), dice)
    if content == other.read_bytes():
        # No checksum can tell one intact file from another (docs/how-it-works/reliability.md).
        content = content[:-1]
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    word, wrong = outcome(copy, expected(index))
    case = Case("damage", seed, path.name, packed(copy)) if wrong else None
    gc.collect()  # on Windows, no file can be removed that is open
    shutil.rmtree(copy, ignore_errors=True)
    return done, word, wrong, case


def run(seed: int, ground: Ground, jobs: int) -> list[Outcome]:
    """A round: one outcome for the figures, and one for each damage that failed."""
    index = ground.world().folder / "newer.wherefrom"
    total = Outcome(Case("damage", seed))
    found = [total]
    tasks = [[(seed, number, index, ground.folder)] for number in range(DAMAGES)]
    with Pool(work, jobs=jobs, seconds=SECONDS, memory=PARSE_MEMORY) as pool:
        for results in pool.map(tasks):
            for task, result in results:
                total.counts["files damaged"] += 1
                if isinstance(result, Died):
                    copy = ground.folder / f"damaged{seed}.{task[1]}"
                    case = Case("damage", seed, "", packed(copy) if copy.exists() else b"")
                    found.append(Outcome(case, Counter(), [f"the process that reads it ends: {result.reason}"]))
                    shutil.rmtree(copy, ignore_errors=True)
                    continue
                done, word, wrong, kept = result
                total.counts[f"was: {done}"] += 1
                total.counts[f"became: {word}"] += 1
                if kept is not None:
                    found.append(Outcome(kept, Counter(), wrong))
    return found


def replay(case: Case, ground: Ground) -> Outcome:
    """Reads a damaged index again, in this process."""
    copy = ground.folder / "damaged"
    with zipfile.ZipFile(io.BytesIO(case.content)) as archive:
        archive.extractall(copy)
    word, wrong = outcome(copy, expected(ground.world().folder / "newer.wherefrom"))
    return Outcome(case, Counter({word: 1}), wrong)
