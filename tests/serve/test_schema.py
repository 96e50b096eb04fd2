"""The API fits its description: schemathesis sends valid and invalid requests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.service.indexed import RENAMED

FLAGS = (
    *("--max-examples", "10", "--seed", "1", "--generation-database", "none", "--no-color"),
    # The server refuses many requests that fit the description, such as one for an unknown repository.
    *("--exclude-checks", "positive_data_acceptance"),
)


@pytest.mark.nightly
def test_the_api_is_as_it_is_described(served: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("schemathesis"), "run", f"{served}/openapi.json", *FLAGS],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert "7 selected / 7 total" in done.stdout


@pytest.mark.nightly
def test_answers_that_are_described_by_a_published_schema_refer_to_it(client: httpx.Client) -> None:
    described = client.get("/openapi.json").json()
    schemas = described["components"]["schemas"]
    good = described["paths"]["/api/v1/search"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert good == {"$ref": "#/components/schemas/SearchResult"}
    assert {*schemas["SearchResult"]["properties"]} == {*client.post("/api/v1/search", json={"code": RENAMED}).json()}
    assert "#/$defs/" not in str(schemas)
    fields = schemas["SearchRequest"]["properties"]
    assert {"code", "limit", "repositories", "sources", "written", "lines"} <= {*fields}
    assert not {"progress", "without_sets", "without_texts", "allow_missing_sets", "without_terms"} & {*fields}
    assert fields["limit"]["default"] == 10
