"""An index of somebody else may claim any size: that is damage, and nothing is allocated for it."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
import zstandard

from tests.end_to_end.conftest import Wherefrom, module_source
from tests.repositories import Repository
from wherefrom.engines.embedded.folder import RECORDS
from wherefrom.engines.records import seal, unseal

MEMORY = 2_500_000
"""The most memory that the command may allocate, in kB."""

EXPANDED = 1 << 32

Alter = Callable[[sqlite3.Connection], None]


@cache
def bomb() -> bytes:
    """A short value that expands to more than there is memory."""
    compressor = zstandard.ZstdCompressor().compressobj(size=EXPANDED)
    zeros = bytes(1 << 24)
    made = [compressor.compress(zeros) for _ in range(EXPANDED // len(zeros))]
    return b"".join([*made, compressor.flush()])


def block(column: str) -> Alter:
    """Makes a value of every block expand."""

    def alter(connection: sqlite3.Connection) -> None:
        numbers = connection.execute(f'SELECT number FROM block WHERE "{column}" IS NOT NULL').fetchall()
        assert numbers
        for (number,) in numbers:
            value = seal(f"{column} {number}", b"\1" + bomb())
            connection.execute(f'UPDATE block SET "{column}" = ? WHERE number = ?', (value, number))

    return alter


def listing(connection: sqlite3.Connection) -> None:
    """Makes the paths of a repository expand."""
    for number, repository, count in connection.execute("SELECT number, repository, count FROM listing").fetchall():
        value = seal(f"listing {number} {repository} {count}", bomb())
        connection.execute("UPDATE listing SET places = ? WHERE number = ?", (value, number))


def run(**changes: object) -> Alter:
    """Describes a run by other values."""

    def alter(connection: sqlite3.Connection) -> None:
        [(name, record)] = connection.execute("SELECT name, record FROM run").fetchall()
        described = {**json.loads(unseal(f"run {name}", record)), **changes}
        value = seal(f"run {name}", json.dumps(described).encode())
        connection.execute("UPDATE run SET record = ? WHERE name = ?", (value, name))

    return alter


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """The command, with an index of small files and a large one."""
    wherefrom = Wherefrom(tmp_path_factory.mktemp("hostile"))
    Repository.make(
        wherefrom.folder / "clone", {f"{name}.py": module_source(name) for name in ("ast", "bisect", "sched")}
    )
    wherefrom.indexes(wherefrom.folder / "clone", "--keep-source")
    return wherefrom


@pytest.mark.parametrize(
    "alter",
    [
        pytest.param(block("contents"), id="numbers"),
        pytest.param(block("tokens"), id="tokens"),
        pytest.param(block("references"), id="references"),
        pytest.param(block("source"), id="source"),
        pytest.param(listing, id="listing"),
        pytest.param(run(bucket_bits=1 << 40), id="buckets"),
        pytest.param(run(term_bits="64"), id="text"),
        pytest.param(run(term_bits=0), id="bits"),
    ],
)
def test_a_size_that_cannot_be_is_damage(made: Wherefrom, tmp_path: Path, alter: Alter) -> None:
    location = tmp_path / "hostile.wherefrom"
    shutil.copytree(made.index, location)
    with closing(sqlite3.connect(location / RECORDS)) as connection, connection:
        alter(connection)
    limited = ["sh", "-c", f'ulimit -v {MEMORY} && exec "$@"', "sh", *made.command]
    done = subprocess.run(
        [*limited, "stats", "--verify", "--index", str(location)],
        env=made.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.startswith(f"wherefrom: error: the index {location} is damaged (")
    assert len(done.stderr.splitlines()) == 1
    assert done.returncode == 2
