"""Folders that are copies of folders of another project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.conftest import module_source
from wherefrom import CompareOptions, compare_sources

COPIED = ("heapq", "textwrap", "sched")
OWN = ("shlex", "glob", "bisect", "stat")


def write(folder: Path, names: tuple[str, ...]) -> None:
    folder.mkdir(parents=True)
    for name in names:
        (folder / f"{name}.py").write_bytes(module_source(name))


@pytest.mark.parametrize(("own", "is_copy"), [(OWN[:1], True), (OWN[:2], True), (OWN, False)])
def test_a_folder_is_a_copy_if_most_of_its_code_is(tmp_path: Path, own: tuple[str, ...], is_copy: bool) -> None:
    write(tmp_path / "theirs" / "lib", COPIED)
    write(tmp_path / "mine" / "third_party", (*COPIED, *own))
    found = compare_sources([tmp_path / "mine"], CompareOptions(with_sources=[tmp_path / "theirs"])).vendored
    assert [each.folder for each in found] == (["third_party"] if is_copy else [])
