from __future__ import annotations

import json
from dataclasses import replace

from tests.reports.rendered import rendered
from wherefrom.languages import LANGUAGES
from wherefrom.model import KeyKind, RepositoryRecord, Representation, SkipReason
from wherefrom.reports.index import LANGUAGES as LANGUAGE_FORMATS
from wherefrom.reports.index import REPOSITORIES
from wherefrom.reports.index import STATS as STATS_FORMATS
from wherefrom.results import IndexStats

RECORD = RepositoryRecord(
    "github.com/x/y\x1b",
    "/home/me/y",
    "git",
    "0123456789abcdef" * 2,
    "s1",
    1200,
    3_400_000,
    {SkipReason.BINARY: 4},
    "2026-01-02T03:04:05Z",
    key_kind=KeyKind.REMOTE,
)
STATS = IndexStats(
    engine="embedded",
    location="/home/me/index",
    format=1,
    schemes={Representation.EXACT: "e1", Representation.RENAMED: "r1", Representation.TEXT: "t1"},
    repositories=1,
    occurrences=1200,
    blobs=1000,
    size=3_000_000,
    tokens=700_000,
    languages={"c": 10, "python": 900, "bash": 90},
    analyses={},
    skipped={SkipReason.BINARY: 4},
    stored=2_400_000,
)


def test_repositories() -> None:
    header, row = rendered(REPOSITORIES["text"], [RECORD]).splitlines()
    assert header.split() == ["repository", "kind", "revision", "files", "size", "skipped", "indexed", "at"]
    assert row.split() == ["github.com/x/y␛", "git", "0123456789ab", "1,200", "3.4", "MB", "4", "2026-01-02T03:04:05Z"]
    assert rendered(REPOSITORIES["text"], []) == "no repositories\n"
    [value] = json.loads(rendered(REPOSITORIES["json"], [RECORD]))["repositories"]
    assert (value["repository"], value["key_kind"]) == ("github.com/x/y\x1b", "remote")
    assert value["skipped"] == {"binary": 4}


def test_a_skip_reason_that_only_a_newer_version_knows_is_shown_as_its_text() -> None:
    lines = rendered(STATS_FORMATS["text"], replace(STATS, skipped={"secret_scanned": 3, "odd\x1b": 2})).splitlines()
    assert [line.split() for line in lines[-2:]] == [["secret", "scanned", "3"], ["odd␛", "2"]]


def test_stats() -> None:
    lines = rendered(STATS_FORMATS["text"], STATS).splitlines()
    assert lines[0] == "index         /home/me/index (embedded, format 1)"
    assert "on disk       2.4 MB (0.80 bytes for each byte of source)" in lines
    at = lines.index("language  contents")
    assert [line.split() for line in lines[at + 1 : at + 4]] == [["python", "900"], ["bash", "90"], ["c", "10"]]
    value = json.loads(rendered(STATS_FORMATS["json"], STATS))
    assert (value["format"], value["index_format"], value["skipped"]) == (1, 1, {"binary": 4})


def test_stats_of_an_empty_index_whose_size_is_unknown() -> None:
    empty = IndexStats("memory", "memory", 1, {}, 0, 0, 0, 0, 0, {}, {}, {}, None)
    assert "on disk       unknown" in rendered(STATS_FORMATS["text"], empty)


def test_every_language_is_listed() -> None:
    lines = rendered(LANGUAGE_FORMATS["text"], list(LANGUAGES.values())).splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(LANGUAGES)
    values = json.loads(rendered(LANGUAGE_FORMATS["json"], list(LANGUAGES.values())))["languages"]
    assert [value["name"] for value in values] == list(LANGUAGES)
    assert values[0]["grammar"]["distribution"].startswith("tree-sitter-")
