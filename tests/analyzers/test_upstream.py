"""The patches for the core of Tree-sitter in `kernel/upstream` apply and change no tree."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from kernel.upstream.benchmark import CORE, PATCHES, Core, address, write_sources
from wherefrom.languages import LANGUAGES

SAMPLES = Path(__file__).parent / "samples"
GRAMMARS = {
    name: f"{grammar.module}:{grammar.function}"
    for name in sorted(path.stem for path in SAMPLES.glob("*.sample"))
    if (grammar := LANGUAGES[name].grammar)
}
CHOICES = {**{patch.stem: [patch] for patch in PATCHES}, "all": PATCHES}
WHOLE = 2**32 - 1


def changed(folder: Path) -> set[str]:
    sources = [path.relative_to(CORE) for path in (CORE / "src").rglob("*.[ch]")]
    return {path.name for path in sources if (folder / path).read_bytes() != (CORE / path).read_bytes()}


@pytest.mark.parametrize("patches", CHOICES.values(), ids=CHOICES)
def test_a_patch_applies_to_the_core(tmp_path: Path, patches: Sequence[Path]) -> None:
    write_sources(tmp_path / "core", patches)
    named = {
        line.rpartition("/")[2] for patch in patches for line in patch.read_text().splitlines() if line[:4] == "+++ "
    }
    assert changed(tmp_path / "core") == named != set()


def cases(source: bytes) -> list[tuple[bytes, int, int, int]]:
    """The input of a parse: source, size of a chunk, encoding, and the place of a missing part."""
    text = source.decode()
    return [
        (source, WHOLE, 0, 0),
        (source, 7, 0, 0),
        (source, WHOLE, 0, len(source) // 3),
        (source[: len(source) // 2].replace(b"\n", b"\r\n"), 1, 0, 0),
        (("\ufeff" + text.replace(" ", "\xe9 {", 40)).encode(), 64, 0, len(source) // 2),
        (text.encode("utf-16-le"), WHOLE, 1, 0),
        (text.encode("utf-16-be"), 6, 2, 0),
    ]


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.skipif("CC" not in os.environ and shutil.which("cc") is None, reason="needs a C compiler")
def test_patches_change_no_tree(tmp_path: Path) -> None:
    """Checks all patches together, with the assertions of the core."""
    plain, patched = Core(tmp_path / "plain", [], ["-O1"]), Core(tmp_path / "patched", PATCHES, ["-O1"])
    for name, grammar in GRAMMARS.items():
        expected, found = plain.parser(address(grammar)), patched.parser(address(grammar))
        for case in cases((SAMPLES / f"{name}.sample").read_bytes()):
            assert found(*case)[1] == expected(*case)[1], (name, case[1:])
