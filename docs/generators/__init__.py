"""The pages of reference, each made from the code that it describes.

`conf.py` writes them into `docs/reference` when the site is built, so that they are never stale.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from docs.generators import api, command_line, configuration, formats, library, schemas

PAGES: dict[str, Callable[[], str]] = {
    "cli.md": command_line.page,
    "configuration.md": configuration.page,
    "api.md": api.page,
    **{f"{name}.md": page for name, page in library.PAGES.items()},
    "schemas.md": schemas.page,
    "formats.md": formats.page,
}
"""The pages by their names in `docs/reference`, in the order of the menu."""


def write(folder: Path) -> None:
    """Writes the pages that have changed into a folder, and removes pages that no generator makes any more."""
    folder.mkdir(exist_ok=True)
    for stale in {*folder.iterdir()} - {folder / name for name in PAGES}:
        stale.unlink()
    for name, page in PAGES.items():
        path, text = folder / name, page()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
