"""`python -m release.licenses`: lists the licenses of everything that wherefrom is made of and made with.

It writes release/THIRD-PARTY.md: Python packages from the metadata that is installed here, crates from cargo, libraries
of Java from the local repository of Maven. What is not on this machine keeps its row. It fails if a license is not in
`ALLOWED`, or in `EXCEPTIONS` with a reason.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from license_expression import (  # type: ignore[import-untyped]  # has no types
    ExpressionError,
    get_spdx_licensing,
)
from licenseclassifier import identify_license
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from release.lock import LOCKS, PARTS, ROOT, asked, pins

PAGE = ROOT / "release" / "THIRD-PARTY.md"

ALLOWED = frozenset({"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0", "MIT-CMU"})
ALLOWED |= {"PSF-2.0", "Python-2.0", "Unicode-3.0", "Unicode-DFS-2016", "Unlicense", "Zlib"}
"""Licenses for users: of packages that are installed with wherefrom, and of code in it."""

DEVELOPMENT = ALLOWED | {"CC-PDDC", "MPL-2.0"}
"""Licenses for packages that only build and test it."""

TOOLS = frozenset({"development", "release", "build", "test"})
"""The purposes that no user has."""

EXCEPTIONS = {
    "certifi": "MPL-2.0: a file of certificates, which the clients of HTTP read and nobody here changes",
    "org.elasticsearch.plugin:elasticsearch-plugin-api": "the server has it; the plug-in is compiled with it only",
    "org.elasticsearch.plugin:elasticsearch-plugin-analysis-api": "the same",
}
"""Packages with another license, and why that is acceptable."""

KNOWN = {
    "alabaster": "BSD-3-Clause",
    "docutils": "CC-PDDC AND BSD-2-Clause AND BSD-3-Clause",
    # Their wheels have no text. This one is in the wheel of sphinxcontrib-jsmath, which is by the same authors.
    **{
        f"sphinxcontrib-{name}": "BSD-2-Clause"
        for name in ("applehelp", "devhelp", "htmlhelp", "qthelp", "serializinghtml")
    },
}
"""Licenses that were read by a person, since a program does not find them in the package."""

COPIED = {
    "Tree-sitter (kernel/core)": "MIT",
    "ICU's headers (kernel/core/src/unicode)": "Unicode-DFS-2016",
}
"""Code of others in this repository."""

CLASSIFIERS = {
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""Licenses by the names in the metadata of Python, which do not tell the BSD licenses apart."""

MAVEN = {
    "Apache 2": "Apache-2.0",
    "The Apache Software License, Version 2.0": "Apache-2.0",
    "Elastic License 2.0": "Elastic-2.0",
    "GNU Affero General Public License Version 3": "AGPL-3.0-only",
    "Server Side Public License, v 1": "SSPL-1.0",
}
"""Names of licenses in the files of Maven."""

SPDX = get_spdx_licensing()

POM = "{http://maven.apache.org/POM/4.0.0}"


class Row(NamedTuple):
    """A line of the page: a package, its license, and the purposes it is needed for."""

    name: str
    license: str
    purposes: str

    @property
    def is_allowed(self) -> bool:
        """Whether the license is acceptable for these purposes."""
        allowed = DEVELOPMENT if set(self.purposes.split(", ")) <= TOOLS else ALLOWED
        return self.name.partition(" ")[0] in EXCEPTIONS or grants(self.license, allowed)


def grants(license: str, allowed: Iterable[str]) -> bool:
    """Whether an SPDX expression can be met with allowed licenses alone. An exception to a license only adds rights."""

    def met(parsed: Any) -> bool:
        if not parsed.args:
            return str(parsed).partition(" WITH ")[0] in allowed
        return (any if isinstance(parsed, SPDX.OR) else all)(map(met, parsed.args))

    return met(SPDX.parse(license, validate=True))


def normal(license: str) -> str | None:
    """An SPDX expression in its usual form; None if it is none."""
    try:
        return str(SPDX.parse(license.replace("/", " OR "), validate=True)) if license else None
    except ExpressionError:
        return None


def license_of(found: metadata.Distribution) -> str | None:
    """The license of an installed package: from its metadata, or else from the texts that it has."""
    if known := KNOWN.get(canonicalize_name(found.name)):
        return known
    fields = found.metadata
    for text in (*(fields.get_all("License-Expression") or ()), *(fields.get_all("License") or ())):
        if expression := normal(text):
            return expression
    named = [each.rpartition(" :: ")[2] for each in fields.get_all("Classifier") or () if each.startswith("License ::")]
    if len(named) == 1 and named[0] in CLASSIFIERS:
        return CLASSIFIERS[named[0]]
    files = [file for file in found.files or () if re.match(r"LICEN[CS]E|COPYING", file.name, re.IGNORECASE)]
    texts = (Path(str(file.locate())).read_text(errors="replace") for file in files)
    return " AND ".join(sorted({match.id for text in texts for match in identify_license(text, 0)})) or None


def locked() -> dict[str, set[str]]:
    """The locked packages with their versions, without those of systems on which wherefrom does not run."""
    found: dict[str, set[str]] = {}
    for part in PARTS:
        for pin in pins((LOCKS / f"{part}.txt").read_text()):
            if not re.search("'(win32|emscripten|nt)'", pin.marker):
                found.setdefault(pin.name, set()).add(pin.version)
    return found


def needed(requirements: Iterable[Requirement]) -> set[str]:
    """The packages that requirements install here, with all that these require."""
    todo = [*requirements]
    seen: set[tuple[str, frozenset[str]]] = set()
    for requirement in todo:
        key = canonicalize_name(requirement.name), frozenset(requirement.extras)
        if key in seen:
            continue
        seen.add(key)
        try:
            inner = metadata.requires(requirement.name) or ()
        except metadata.PackageNotFoundError:
            continue
        for text in inner:
            each = Requirement(text)
            if each.marker is None or any(
                each.marker.evaluate({"extra": extra}) for extra in ("", *requirement.extras)
            ):
                todo.append(each)
    return {name for name, _ in seen}


def purposes() -> dict[str, set[str]]:
    """The packages for each purpose: `wherefrom` itself, its extras, development and releases."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    table = project["project"]
    extras = table["optional-dependencies"]
    own = {
        name: [Requirement(each) for each in listed if not each.startswith("wherefrom[")]
        for name, listed in extras.items()
    }
    own["web"] += own["mcp"]
    base = needed(Requirement(each) for each in table["dependencies"])
    found = {"wherefrom": base}
    for name, listed in own.items():
        if name != "dev":
            found[name] = needed(listed) - base
    found["development"] = needed(asked(project, "dev")) - set().union(*found.values())
    found["release"] = needed([*asked(project, "release"), *asked(project, "publish")])
    return found


def python_rows() -> Iterator[Row]:
    """The locked packages of Python."""
    by_purpose = purposes()
    for name in locked():
        try:
            license = license_of(metadata.distribution(name))
        except metadata.PackageNotFoundError:
            continue
        yield Row(name, license or "", ", ".join(purpose for purpose, names in by_purpose.items() if name in names))


def crate_rows() -> Iterator[Row]:
    """The crates of the kernel, with those that only its build runs."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    done = subprocess.run(command, cwd=ROOT / "kernel", capture_output=True, text=True, check=True)
    tree = ["cargo", "tree", "--locked", "--edges", "normal,no-proc-macro", "--target", "all", "--prefix", "none"]
    built_in = subprocess.run(tree, cwd=ROOT / "kernel", capture_output=True, text=True, check=True).stdout
    for package in json.loads(done.stdout)["packages"]:
        if package["source"]:
            inside = f"{package['name']} v{package['version']}" in built_in
            license = normal(package["license"]) or ""
            yield Row(f"{package['name']} {package['version']}", license, "kernel" if inside else "build")


def java_dependencies() -> Iterator[tuple[str, str, str]]:
    """The name, version and scope of each library in pom.xml."""
    root = ElementTree.parse(ROOT / "elasticsearch-plugin" / "pom.xml").getroot()
    values = {each.tag.removeprefix(POM): each.text or "" for each in root.iterfind(f"{POM}properties/*")}
    for each in root.iter(f"{POM}dependency"):
        group, artifact, version, scope = (
            re.sub(r"\$\{(.*?)\}", lambda found: values[found[1]], each.findtext(f"{POM}{field}") or "")
            for field in ("groupId", "artifactId", "version", "scope")
        )
        yield f"{group}:{artifact}", version, scope


def java_rows() -> Iterator[Row]:
    """The libraries of the plug-in for Elasticsearch. None goes into its archive."""
    for name, version, scope in java_dependencies():
        group, artifact = name.split(":")
        pom = (
            Path.home() / ".m2/repository" / group.replace(".", "/") / artifact / version / f"{artifact}-{version}.pom"
        )
        if pom.is_file():
            named = ElementTree.parse(pom).getroot().iterfind(f"{POM}licenses/{POM}license/{POM}name")
            yield Row(f"{name} {version}", " OR ".join(MAVEN[each.text or ""] for each in named), scope)


def crates() -> set[str]:
    """The crates of Cargo.lock, with versions."""
    listed = tomllib.loads((ROOT / "kernel" / "Cargo.lock").read_text())["package"]
    return {f"{each['name']} {each['version']}" for each in listed if "source" in each}


def expected() -> dict[str, set[str]]:
    """The names that each part of the page has."""
    return {
        "Python": set(locked()),
        "Rust": crates(),
        "Java": {f"{name} {version}" for name, version, _ in java_dependencies()},
        "Copied": set(COPIED),
    }


def read(text: str) -> dict[str, dict[str, Row]]:
    """The rows of the page by part and name."""
    return {
        part: {
            found[0]: Row(*found)
            for found in re.findall(r"^\| (?!package |---)(.+?) \| (.+?) \| (.+?) \|$", rows, re.MULTILINE)
        }
        for part, rows in re.findall(r"^## (\w+)\n((?:(?!## ).*\n)*)", text, re.MULTILINE)
        if part in TEXTS
    }


TEXTS = {
    "Python": "Each is installed by `pip` with wherefrom, with an extra of it, or for development or releases only.",
    "Rust": "The kernel is linked with these (`kernel`), or only built with them (`build`).",
    "Java": "The server has these (`provided`), or only tests use them. None goes into the plug-in.",
    "Copied": "These are part of this repository and of the kernel.",
}


def page(parts: Mapping[str, Mapping[str, Row]]) -> str:
    """The text of the page."""
    lines = [
        "# Licenses of others",
        "",
        "Written by `python -m release.licenses`, and checked by `tests/release/test_licenses.py`.",
    ]
    for part, rows in parts.items():
        lines += ["", f"## {part}", "", TEXTS[part], "", "| package | license | for |", "| --- | --- | --- |"]
        lines += (f"| {' | '.join(rows[name])} |" for name in sorted(rows))
    named = [f"- `{name}`: {reason}." for name, reason in EXCEPTIONS.items()]
    return "\n".join([*lines, "", "## Exceptions", "", *named, ""])


def problems(parts: Mapping[str, Mapping[str, Row]]) -> Iterator[str]:
    """What is missing on the page or is not acceptable."""
    for part, names in expected().items():
        rows = parts.get(part, {})
        yield from (f"{name} has no license on the page; install it and run this again" for name in names - set(rows))
        yield from (f"{name} is on the page and no longer used" for name in set(rows) - names)
        for row in rows.values():
            if not row.license or not row.is_allowed:
                yield f"{row.name}: {row.license or 'no license found'} is not acceptable for {row.purposes}"


def main() -> int:
    """Writes the page. Returns the exit code."""
    before = read(PAGE.read_text()) if PAGE.exists() else {}
    found = {
        "Python": python_rows(),
        "Rust": crate_rows(),
        "Java": java_rows(),
        "Copied": [Row(name, license, "kernel") for name, license in COPIED.items()],
    }
    wanted = expected()
    parts = {
        part: {
            **{name: row for name, row in before.get(part, {}).items() if name in wanted[part]},
            **{row.name: row for row in rows},
        }
        for part, rows in found.items()
    }
    PAGE.write_text(page(parts))
    missing = [*problems(parts)]
    print(*missing, sep="\n", end="\n" if missing else "", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
