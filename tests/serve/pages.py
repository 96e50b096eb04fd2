"""Every page of a server, over an index and uploads with hostile names."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

from tests.polygons import AREA
from tests.queries.test_long_queries import code
from tests.repositories import Repository
from tests.serve.running import serving
from tests.serve.uploading import ended, send
from tests.service.indexed import RENAMED, UNKNOWN, make_clones
from wherefrom import index_sources

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>\u2028\u202e.py"

NAME = HOSTILE.replace("/", "_")
"""The hostile name of a file, a folder and a repository."""

COPIED = code(5_000, 5_008) + f"/* {HOSTILE} */\n".encode() + code(5_008, 5_016)
"""Code that `FIFTY` files have, each beside its own code."""

FIFTY = 50

DIFF = "--- /dev/null\n+++ b/{0}\n@@ -0,0 +1,{1} @@\n{2}"

REPORTS = frozenset({"the report of a check", "the report of a comparison"})
"""The pages that are files of their own, with their own style and script inside."""

NAMES = (
    *(
        "the start",
        "hits",
        "one hit",
        "ten hits",
        "fifty hits",
        "nothing",
        "a diff",
        "packages",
        "a wrong search",
        "repositories",
        "a folder",
    ),
    *(
        "a file",
        "a file and others",
        "who shares code",
        "nothing there",
        "an unknown address",
        "the API",
        "a form for a check",
        "a form for a comparison",
        "jobs",
    ),
    *("a check", "a failed check", "a comparison", *sorted(REPORTS)),
)
"""The pages, by what they show."""


@dataclass(frozen=True)
class Pages:
    """A server, and the addresses of its pages by their names in `NAMES`."""

    address: str
    paths: dict[str, str]

    def __getitem__(self, name: str) -> str:
        return f"{self.address}{self.paths[name]}"


@contextmanager
def served_pages(folder: Path) -> Iterator[Pages]:
    """Serves an index of clones and of a folder with hostile names."""
    hostile = Repository.make(folder / NAME, {f"{NAME}/{NAME}": f"# {HOSTILE}\n{RENAMED}".encode()})
    # Code that most files of an index have is not significant, so there are other files.
    own = {f"{NAME}/{at} {NAME}.c": code(9 * at, 9 * at + 9) + (COPIED if at < FIFTY else b"") for at in range(200)}
    copies = Repository.make(folder / f"copies {NAME}", own)
    sources = [*make_clones(folder / "clones"), hostile.folder, copies.folder]
    index_sources(sources, folder / "made.wherefrom", jobs=1)
    with serving(folder / "made.wherefrom") as address:
        yield Pages(address, _paths(address, str(hostile.folder)))


def _paths(address: str, repository: str) -> dict[str, str]:
    lines = RENAMED.splitlines()
    diff = DIFF.format(NAME, len(lines), "".join(f"+{line}\n" for line in lines))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in ((NAME, AREA), ("ben", RENAMED), ("cleo", UNKNOWN)):
            archive.writestr(f"{name}/a.py", text)
    check = ended(address, send(address, "check", [("change", (f"{NAME}.diff", diff.encode()))])["id"])
    failed = ended(address, send(address, "check", [], diff="no diff")["id"])
    compared = ended(address, send(address, "compare", [("submissions", (f"{NAME}.zip", packed.getvalue()))])["id"])
    key = f"%2F{quote(repository[1:])}"
    found = {
        "the start": "/",
        "hits": _search(f"# {HOSTILE}\n{RENAMED}"),
        "one hit": _search(RENAMED, repository="*/maps", source="https://github.com/example/geometry"),
        "ten hits": _search(COPIED.decode(), limit="10"),
        "fifty hits": _search(COPIED.decode(), limit=f"{FIFTY}"),
        "nothing": _search(f"# {HOSTILE}\n{UNKNOWN}"),
        "a diff": _search(diff),
        "packages": _search("pkg:pypi/<img src=x>".replace(" ", "")),
        "a wrong search": _search(RENAMED, limit=HOSTILE),
        "repositories": "/repositories",
        "a folder": f"/r/{key}/{quote(NAME)}/",
        "a file": f"/r/{key}/{quote(NAME)}/{quote(NAME)}",
        "a file and others": f"/r/{key}/{quote(NAME)}/{quote(NAME)}?elsewhere=1",
        "who shares code": f"/r/{key}/?elsewhere=1",
        "nothing there": f"/r/{quote(NAME)}",
        "an unknown address": f"/{quote(NAME)}",
        "the API": "/api",
        "a form for a check": "/check",
        "a form for a comparison": "/compare",
        "jobs": "/jobs",
        "a check": f"/jobs/{check['id']}",
        "a failed check": f"/jobs/{failed['id']}",
        "a comparison": f"/jobs/{compared['id']}",
        "the report of a check": f"/jobs/{check['id']}/report",
        "the report of a comparison": f"/jobs/{compared['id']}/report",
    }
    assert set(found) == set(NAMES)
    return found


def _search(code: str, **others: str) -> str:
    return f"/search?{urlencode({'code': code, **others})}"
