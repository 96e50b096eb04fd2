"""`./dev release`: whether all is ready for a release, and the texts that a release changes.

    ./dev release            puts the addresses of pyproject.toml and `pip install wherefrom` into all texts; if
                             anything is missing for a release, it says so with file and line and changes nothing
    ./dev release --check    names what is missing, and lines still as before a release; a workflow runs this on a tag

Exit code 0: the tree is ready. 1: it is not.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]

VERSION = "wherefrom/support/version.py"

ADDRESS = re.compile(r"https://(repository|site)\.invalid/wherefrom|MAINTAINERS-OF-WHEREFROM")
"""The placeholders of the repository, the site and the maintainers, which pyproject.toml has first."""

URLS = {"repository": "Repository", "site": "Documentation"}
"""The names in `project.urls` by the hosts of `ADDRESS`."""

UNPINNED = re.compile(r"^ *(?:- )?uses: *(?!\./)(?!\S+@(?!0{40})[0-9a-f]{40}\b)\S+", re.MULTILINE)
"""An action that is not pinned by the id of a commit; forty zeros are a placeholder."""

BEFORE = re.compile(
    r"""
    URL-OF-WHEREFROM | until\ the\ release | ^INSTALLED_FROM\ =\ "\."
    | pip\ install\ '?\.(?:/wherefrom)?(?=[\s'`\[]|$)
    """,
    re.VERBOSE | re.MULTILINE,
)
"""What texts say before the first release only."""

CHANGES: tuple[tuple[re.Pattern[str], str], ...] = (
    # Lines between these two are of the time before the release.
    (
        re.compile(r"^ *(?:<!--|#) until the release(?: -->)?\n(?:.*\n)*? *(?:<!--|#) end(?: -->)?\n\n?", re.MULTILINE),
        "",
    ),
    (re.compile(r"^\$ git clone URL-OF-WHEREFROM\n", re.MULTILINE), ""),
    (re.compile(r"'git\+URL-OF-WHEREFROM@COMMIT'"), "wherefrom=={version}"),
    (re.compile(r"uses: URL-OF-WHEREFROM@COMMIT"), "uses: {action}@v{version}"),
    (re.compile(r"(repo: )URL-OF-WHEREFROM(\n *rev: )COMMIT"), r"\1{repository}\2v{version}"),
    (re.compile(r"pip install \.  +#.*"), "pip install wherefrom"),
    (re.compile(r"pip install (?:\./wherefrom|\.)(?=[\s`]|$)", re.MULTILINE), "pip install wherefrom"),
    (re.compile(r"pip install '(?:\./wherefrom|\.)\["), "pip install 'wherefrom["),
    (re.compile(r'^INSTALLED_FROM = "\."', re.MULTILINE), 'INSTALLED_FROM = "wherefrom"'),
)
"""How these texts change. A placeholder in braces is a fact of the release."""


def texts(root: Path) -> dict[str, str]:
    """The tracked files of a project that are text, by path."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
    found = {}
    for name in filter(None, listed.split("\0")):
        path = root / name
        if path.is_file() and not name.startswith(("tests/", "release/check.py")):
            try:
                found[name] = path.read_bytes().decode()
            except UnicodeDecodeError:
                continue
    return found


def facts(files: Mapping[str, str]) -> dict[str, str]:
    """The version, the action's owner and name, and the addresses of pyproject.toml: those of `URLS`, and the name
    of the maintainers.
    """
    [version] = re.findall(r'^__version__ = "(.+)"', files[VERSION], re.MULTILINE)
    project = tomllib.loads(files["pyproject.toml"])["project"]
    urls = project["urls"]
    action = urlsplit(urls["Repository"]).path.strip("/")
    written = {"maintainers": project["maintainers"][0]["name"], **{host: urls[name] for host, name in URLS.items()}}
    return {"version": version, "action": action, **written}


def says_how_to_install(name: str) -> bool:
    """Whether a release changes how this file says to install wherefrom. Notes tell what was done in a checkout."""
    return name in {"README.md", "action.yml", VERSION} or name.startswith(("docs/", "examples/", "wherefrom/"))


def released(files: Mapping[str, str]) -> dict[str, str]:
    """The texts as a release has them."""
    known = facts(files)
    result = {}
    for name, before in files.items():
        text = ADDRESS.sub(lambda found: known[found[1] or "maintainers"], before)
        if says_how_to_install(name):
            for pattern, replacement in CHANGES:
                filled = re.sub(r"\{(\w+)\}", lambda found: known[found[1]], replacement)
                text = pattern.sub(filled, text)
        result[name] = text
    return result


def changes_of(files: Mapping[str, str], version: str) -> str:
    """The section of a version in CHANGELOG.md; empty if there is none."""
    found = re.search(
        rf"^## \[?{re.escape(version)}(?![\w.]).*\n((?:(?!## ).*\n)*)", files["CHANGELOG.md"], re.MULTILINE
    )
    return found[1].strip() if found else ""


def problems(files: Mapping[str, str], tag: str | None = None) -> Iterator[str]:
    """What is missing for a release, each with file and line."""
    known = facts(files)
    version = known["version"]
    for name, text in files.items():
        patterns = [(ADDRESS, "a placeholder, whose real value pyproject.toml has to have")]
        if PurePath(name).suffix in {".yml", ".yaml"}:
            patterns.append((UNPINNED, "an action that is not pinned by the id of a commit"))
        if says_how_to_install(name):
            patterns.append((BEFORE, "as before a release, which `./dev release` changes"))
        for pattern, what in patterns:
            for found in pattern.finditer(text):
                if found[0].endswith(f"uses: {known['action']}@v{version}"):
                    continue  # nothing has the id of its own commit
                yield f"{name}:{text.count(chr(10), 0, found.start()) + 1}: {found[0].strip()}: {what}"
    if not changes_of(files, version):
        yield f"CHANGELOG.md:1: no section for version {version}"
    if tag is not None and tag != f"v{version}":
        yield f"{VERSION}:1: the version is {version}, and the tag {tag}"


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Checks a tree or changes it. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("--tag", help="the tag of the release, which has to fit the version")
    options = parser.parse_args(arguments)
    files = texts(root)
    new = files if options.check else released(files)
    missing = [*problems(new, options.tag)]
    print(*missing, sep="\n", end="\n" if missing else "", file=sys.stderr)
    if missing:
        print(f"not ready for a release: {len(missing)} places", file=sys.stderr)
        return 1
    for name, text in new.items():
        if text != files[name]:
            (root / name).write_bytes(text.encode())
            print(f"changed {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
