"""Repositories that are releases of one project."""

from __future__ import annotations

import pytest

from wherefrom.model import KeyKind, RepositoryRecord
from wherefrom.projects.check.judging import is_other_release


def record(key: str, location: str = "", kind: KeyKind = KeyKind.NAME) -> RepositoryRecord:
    return RepositoryRecord(key, location or f"/clones/{key}", "git", "1", "s", 1, 1, {}, "", key_kind=kind)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("github.com/redis/redis", "redis-7.0.0", True),
        ("github.com/redis/redis", "Redis@v7.0.0", True),
        ("redis", "redis/7.0.0", True),
        ("redis-6.2", "redis-7.0.0-rc1", True),
        ("/archives/zlib-1.2.11.tar.gz", "/archives/zlib-1.3.tgz", True),
        ("django", "django-5.0", True),
        ("github.com/redis/redis", "redis", False),
        ("github.com/redis/redis", "github.com/other/redis", False),
        ("github.com/redis/redis", "github.com/other/redis-7.0.0", False),
        ("github.com/valkey-io/valkey", "redis-7.0.0", False),
        ("sha1", "sha256", False),
        ("log4j", "log4j2", False),
        ("redis-7.0.0", "redis-7.0.0", False),
    ],
)
def test_one_name_but_for_the_version_is_one_project(one: str, other: str, expected: bool) -> None:
    records = [
        record(key, kind=KeyKind.REMOTE if key.startswith("github.com") else KeyKind.NAME) for key in (one, other)
    ]
    assert is_other_release(*records, same_path=True) is expected
    assert is_other_release(*reversed(records), same_path=True) is expected
    assert not is_other_release(*records, same_path=False)


def test_a_long_name_is_compared_at_once() -> None:
    hostile = record("redis-1.0" + "a." * 2_000 + "!")
    assert not is_other_release(hostile, record("redis-7.0.0"), same_path=True)


def test_one_clone_at_two_revisions_is_one_project_wherever_the_code_was_moved() -> None:
    assert is_other_release(record("a", "/clones/x"), record("b", "/clones/x"), same_path=False)
