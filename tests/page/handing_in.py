"""Hand-ins to compare: pieces of the samples of all languages, edited and put together."""

from __future__ import annotations

import re
import struct
import zipfile
from pathlib import Path

SAMPLES = Path(__file__).parents[1] / "analyzers" / "samples"

ENDINGS = {"python": "py", "c": "c", "java": "java", "javascript": "js"}


def sample(language: str) -> str:
    return (SAMPLES / f"{language}.sample").read_text()


def renamed(text: str) -> str:
    """The text with other names: each word of at least five letters in lower case gets an ending."""
    return re.sub(r"\b[a-z]{5,}\b(?!\()", lambda word: f"{word[0]}_2", text)


def hand_ins(folder: Path, *languages: str) -> Path:
    """A folder with a folder for each of four students, who have files in these languages. Ann and Bob share code,
    Cleo has renamed some of it, and Dan has only his own.
    """
    for language in languages or ("python",):
        text, ending = sample(language), ENDINGS[language]
        half = text[: len(text) // 2]
        own = "\n".join(reversed(text.splitlines()))
        for name, content in {"ann": text, "bob": text, "cleo": renamed(half), "dan": own}.items():
            path = folder / name / f"main.{ending}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
    return folder


def zipped(folder: Path, archive: Path) -> Path:
    """A zip of the files in a folder."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                opened.write(path, path.relative_to(folder))
    return archive


def lying(archive: Path, name: str, size: int) -> None:
    """Changes the size that the list of a zip gives for a file."""
    data = bytearray(archive.read_bytes())
    at = data.rindex(b"PK\1\2", 0, data.rindex(name.encode()))
    data[at + 24 : at + 28] = struct.pack("<I", size)
    archive.write_bytes(data)
