"""`wherefrom page`."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from wherefrom.cli import console
from wherefrom.cli.files import display_name
from wherefrom.cli.flags import argument, command
from wherefrom.cli.given import Given
from wherefrom.errors import ExtraMissing, UsageError, WherefromError
from wherefrom.support.version import INSTALLED_FROM, remedy

_FACTS = "site.json"
"""The file by which a folder is known to have the page."""


@command()
def page(
    _given: Given,
    folder: Annotated[str, argument("DIR", "A new or empty folder, or one that has the page already.")],
) -> None:
    """Write a page that compares code in a browser.

    A web server that hands out files is enough for it. The reader drops folders; they are compared in the browser, and
    nothing is sent. Needs the extra 'page'.

    Examples:
        wherefrom page site  # then: python -m http.server --bind 127.0.0.1 --directory site
    """
    site, target = _site(), Path(folder)
    try:
        if target.exists() and any(target.iterdir()) and not _has_page(target):
            raise UsageError(f"{display_name(folder)} has other files; name a new or empty folder")
        for path in sorted(path for path in site.rglob("*") if path.is_file()):
            copy = target / path.relative_to(site)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    except OSError as error:
        raise WherefromError(
            f"cannot write into {display_name(folder)}: {error.strerror}; name another folder"
        ) from error
    shown = display_name(folder)
    console.say(
        f"wherefrom: wrote the page; to see it on this machine, run `python -m http.server --bind 127.0.0.1 "
        f"--directory {shown}` and open http://localhost:8000"
    )


def _site() -> Path:
    """The folder of the site: in the distribution `wherefrom-page`, or as a checkout has built it."""
    found = find_spec("wherefrom_page")
    if found is not None and found.origin is not None:
        return Path(found.origin).with_name("site")
    built = Path(__file__).parents[2] / "build" / "page"
    if (built / _FACTS).is_file():
        return built
    # Before the release, somebody else could register the name of the distribution.
    raise ExtraMissing(f"the page is missing; {'build it: ./dev page' if INSTALLED_FROM == '.' else remedy('page')}")


def _has_page(folder: Path) -> bool:
    """Whether a folder has the page, of this version or another one."""
    try:
        return "wherefrom" in json.loads((folder / _FACTS).read_bytes())
    except (OSError, ValueError, TypeError):
        return False
