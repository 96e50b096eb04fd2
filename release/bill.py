"""`python -m release.bill FILE`: writes the bill of materials of a release, as CycloneDX 1.6 in JSON.

It has what is in the kernel (the crates and the C core), and the Python packages that the project and its extras for
users need, in the versions of this environment.
"""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from wherefrom.support.version import __version__

KERNEL = Path(__file__).resolve().parents[1] / "kernel"

LEFT_OUT = {"dev", "lab", "page"}
"""The extras that are left out: those for developers, and the page, whose wheel has the licenses of its parts."""


def bill() -> Bom:
    """The bill of this version."""
    product = Component(name="wherefrom", version=__version__, type=ComponentType.APPLICATION, bom_ref="wherefrom")
    bom = Bom(components=[*crates(), core()], metadata=BomMetaData(component=product))
    ours = distribution("wherefrom")
    extras = {*(ours.metadata.get_all("Provides-Extra") or [])} - LEFT_OUT
    found = {"wherefrom": product}
    waiting = [("wherefrom", extras)]
    done: set[tuple[str, str]] = set()
    while waiting:
        name, wanted = waiting.pop()
        for needed, needed_extras in requirements(distribution(name), wanted):
            if needed not in found:
                found[needed] = package(distribution(needed))
                bom.components.add(found[needed])
            bom.register_dependency(found[name], [found[needed]])
            new = {each for each in {"", *needed_extras} if (needed, each) not in done}
            done |= {(needed, each) for each in new}
            waiting += [(needed, new)] if new else []
    bom.register_dependency(product, bom.components - {*found.values()})
    return bom


def requirements(package: Distribution, extras: set[str]) -> list[tuple[str, set[str]]]:
    """The names and extras of what a package and these extras of it need in this environment."""
    name = canonicalize_name(package.name)
    found = []
    for requirement in map(Requirement, package.requires or []):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            found.append((canonicalize_name(requirement.name), requirement.extras))
    # An extra that includes another one names the package itself.
    return [(each, more) for each, more in found if each != name]


def package(installed: Distribution) -> Component:
    """A Python package."""
    return component(
        "pypi", canonicalize_name(installed.name), installed.version, installed.metadata["License-Expression"]
    )


def crates() -> list[Component]:
    """The crates that the kernel is built of and with."""
    locked = tomllib.loads((KERNEL / "Cargo.lock").read_text())["package"]
    made = []
    for crate in locked:
        if "checksum" in crate:
            made.append(component("cargo", crate["name"], crate["version"]))
            made[-1].hashes.add(HashType(alg=HashAlgorithm.SHA_256, content=crate["checksum"]))
    return made


def core() -> Component:
    """The C core of Tree-sitter, whose copy is compiled into the kernel."""
    return component("github", "tree-sitter/tree-sitter", (KERNEL / "core" / "VERSION").read_text().strip(), "MIT")


def component(kind: str, name: str, version: str, license_name: str | None = None) -> Component:
    """A component of a kind of package URL."""
    namespace, _, short = name.rpartition("/")
    purl = PackageURL(kind, namespace or None, short, f"v{version}" if kind == "github" else version)
    licenses = [LicenseFactory().make_from_string(license_name)] if license_name else []
    return Component(
        name=short, version=version, type=ComponentType.LIBRARY, purl=purl, bom_ref=str(purl), licenses=licenses
    )


def main(arguments: list[str]) -> None:
    """Writes the bill to a file."""
    [path] = arguments
    Path(path).write_text(JsonV1Dot6(bill()).output_as_string(indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
