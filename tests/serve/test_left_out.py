"""The page and the API leave out the sets that the server's owner leaves out, unless a request overrides this."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from turbohtml import parse

from tests.polygons import AREA
from tests.serve.running import serving
from tests.service.indexed import RENAMED, make_clones
from wherefrom import index_sources, open_index


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that leaves out sets like `shape-*`, over an index with the set `shape-area`."""
    folder = tmp_path_factory.mktemp("left_out")
    index_sources(make_clones(folder / "clones"), folder / "index", jobs=1)
    with open_index(folder / "index") as index:
        index.add_boilerplate("shape-area", [("area.py", AREA.encode())])
        index.add_boilerplate("other", [("other.py", b"def other(one, two):\n    return one @ two - one.three(two)\n")])
    with serving(folder / "index", WHEREFROM_WITHOUT="shape-*,nothing-*") as address:
        yield address


def checked(page: str) -> list[str]:
    """The sets of the page whose boxes are checked."""
    return [str(box.attrs["value"]) for box in parse(page).select("input[type=checkbox][name=without][checked]")]


def test_the_page_begins_with_what_the_owner_leaves_out(client: httpx.Client) -> None:
    page = client.get("/").text
    assert checked(page) == ["shape-area"]
    boxes = parse(page).select("input[type=checkbox][name=without]")
    assert [str(box.attrs["value"]) for box in boxes] == ["frameworks", "other", "shape-area"]
    assert "left out as boilerplate" in client.post("/search", data={"code": RENAMED}).text


def test_a_form_says_what_is_left_out(client: httpx.Client) -> None:
    page = client.post("/search", data={"code": RENAMED, "without": ["none"]}).text
    assert (checked(page), "3 hits found" in page) == ([], True)
    page = client.post("/search", data={"code": RENAMED, "without": ["none", "other"]}).text
    assert (checked(page), "3 hits found" in page) == (["other"], True)
    page = client.post("/search", data={"code": RENAMED, "without": ["none", "shape-area"]}).text
    assert (checked(page), "3 hits found" in page) == (["shape-area"], False)
    assert client.post("/search", data={"code": RENAMED, "without": ["gone"]}).status_code == 422


def test_a_diff_in_the_form_is_checked_without_it(client: httpx.Client) -> None:
    lines = RENAMED.splitlines()
    diff = f"--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)
    found = [
        "1 finding to look at" in client.post("/search", data={"code": diff, **chosen}).text
        for chosen in ({}, {"without": ["none"]}, {"without": ["none", "shape-area"]})
    ]
    assert found == [False, True, False]


def test_a_request_says_so_too(client: httpx.Client) -> None:
    def total(**fields: object) -> int:
        found: int = client.post("/api/v1/search", json={"code": RENAMED, **fields}).json()["total"]
        return found

    assert (total(), total(without=[]), total(without=["o*"]), total(without=["shape-*"])) == (0, 3, 3, 0)
    refused = client.post("/api/v1/search", json={"code": RENAMED, "without": ["nothing-*"]})
    assert (refused.status_code, "nothing-*" in refused.json()["detail"]) == (422, True)
