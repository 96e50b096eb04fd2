"""Manifests: the packages that a project, or a package, says it uses. A form of manifest is a row of `_FORMS`."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar
from xml.etree import ElementTree as Xml

from packaging.requirements import InvalidRequirement, Requirement

from wherefrom.sources.packages.registry import text as text_at
from wherefrom.support.pattern import later

_Form = TypeVar("_Form")

_GROUPS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_CARGO_GROUPS = ("dependencies", "dev-dependencies", "build-dependencies")

_RANGE = later(r"(\^|~>?|=|)\s*v?(\d+(?:\.\d+)*)([-+][\w.+-]+)?(?:\.[xX*])*")
"""A range of versions with one bound: its operator, numbers, and the mark of a pre-release."""

_PROPERTY = later(r"\$\{([^{}]{1,200})\}")
_LONGEST = 200  # this many characters of a value and of each property in it are read: no name or version is longer
_ELSEWHERE = ("git", "path", "url", "file", "source")  # where a dependency of Poetry may come from


class Stated(NamedTuple):
    """A package that a manifest names."""

    name: str  # as its ecosystem writes it; for Maven `GROUP/ARTIFACT`
    wanted: str = ""  # its version, or the first numbers of it; for Python a specifier. Empty for any
    is_own: bool = False  # whether it is the project itself
    is_optional: bool = False  # whether it is only for developers of the project, or for an extra
    # whether it comes from a path, a URL, or a registry that the manifest names for it. Then no other registry may
    # learn its name
    is_elsewhere: bool = False


def form_of(forms: Mapping[str, _Form], path: str) -> _Form | None:
    """The form of a file, whose path or name matches the pattern of one of several; None if there is none."""
    if _any_of(tuple(forms)).search(path) is None:  # as nearly always
        return None
    return next(form for pattern, form in forms.items() if _any_of((pattern,)).search(path))


@cache
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:^|/)(?:{'|'.join(patterns)})\Z")


def kind_of(path: str) -> str | None:
    """The type of the packages that a file declares; None for a file that is not a manifest."""
    form = form_of(_FORMS, path)
    return None if form is None else form[0]


def stated_in(path: str, content: bytes) -> list[Stated]:
    """The packages that a manifest names; none if it is not one, or cannot be read."""
    form = form_of(_FORMS, path)
    if form is None:
        return []
    try:
        found = dict.fromkeys(form[1](content.decode("utf-8", "replace")))
        return [one for one in found if one.name.rpartition("/")[2].strip()]
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError, Xml.ParseError):
        return []


def first_numbers(wanted: str, bare: str) -> str:
    """The version or the first numbers that a range such as `^1.2.3` or `~1.2` allows, of several the last one; empty
    if they do not tell. `bare` is the operator of a range without one.
    """
    found = _RANGE.fullmatch(wanted.rpartition("||")[2].strip())
    if found is None:
        return ""
    operator, numbers = found[1] or bare, found[2].split(".")
    if operator == "=":
        return found[2] + (found[3] or "")
    fixed = next((at for at, number in enumerate(numbers) if number.strip("0")), len(numbers) - 1)
    return ".".join(numbers[: 1 + fixed if operator == "^" else 2])


def _package_json(text: str) -> Iterator[Stated]:
    values = json.loads(text)
    yield Stated(text_at(values, "name"), is_own=True)
    for group in _GROUPS:
        for name, wanted in (values.get(group) or {}).items():
            stated, is_optional = str(wanted), group == "devDependencies"
            if alias := re.fullmatch("npm:(@?[^@]+)@?(.*)", stated):
                name, stated = alias.groups()  # noqa: PLW2901
            is_elsewhere = ":" in stated or "/" in stated
            yield Stated(name, first_numbers(stated, "="), is_optional=is_optional, is_elsewhere=is_elsewhere)


def _required(lines: Iterable[str], *, is_optional: bool = False) -> Iterator[Stated]:
    for line in lines:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            continue  # an option, or a path
        is_for_extra = bool(re.search(r"\bextra\b", str(requirement.marker or "")))
        is_optional_here, is_elsewhere = is_optional or is_for_extra, requirement.url is not None
        yield Stated(requirement.name, str(requirement.specifier), False, is_optional_here, is_elsewhere)


def _go_mod(text: str) -> Iterator[Stated]:
    yield from (Stated(name, is_own=True) for name in re.findall(r"^module[ \t]+([\w.~/-]+)", text, re.MULTILINE))
    for name in re.findall(r"^(?:replace)?[ \t]*([\w.~/-]+)[ \t]+(?:v\S+[ \t]+)?=>[ \t]*[./]", text, re.MULTILINE):
        yield Stated(name, is_elsewhere=True)
    for name, version in re.findall(r"^(?:require)?[ \t]*([\w.~/-]+)[ \t]+(v\d[\w.+-]*)", text, re.MULTILINE):
        yield Stated(name, version)


def of_pom(pom: Xml.Element) -> Iterator[Stated]:
    """What a POM (https://maven.apache.org/pom.html) names that is needed to run it; any version if it does not say."""
    group = pom_value(pom, "groupId") or pom_value(pom, "parent/{*}groupId")
    version = pom_value(pom, "version") or pom_value(pom, "parent/{*}version")
    stated = {element.tag.rpartition("}")[2]: element.text or "" for element in pom.findall("{*}properties/*")}
    properties = {**stated, "project.groupId": group, "project.version": version}

    def value(element: Xml.Element, name: str) -> str:
        stated = pom_value(element, name)[:_LONGEST]
        return _PROPERTY.sub(lambda found: properties.get(found[1], "").strip()[:_LONGEST], stated)

    yield Stated(f"{group}/{pom_value(pom, 'artifactId')}", is_own=True)
    for element in pom.findall("{*}dependencies/{*}dependency"):
        if value(element, "scope") in {"", "compile", "runtime"} and value(element, "optional") != "true":
            wanted = re.fullmatch(r"[\w.+-]+", value(element, "version"))
            yield Stated(f"{value(element, 'groupId')}/{value(element, 'artifactId')}", wanted[0] if wanted else "")


def pom_value(element: Xml.Element, name: str) -> str:
    """The text of a child of an element of a POM, in any namespace."""
    return (element.findtext(f"{{*}}{name}") or "").strip()


def parsed_xml(content: bytes) -> Xml.Element:
    """The root of an XML document. A document type is refused, since it may define entities of any size. Raises
    ValueError, LookupError or `ParseError` if it is broken.
    """
    plain = content.replace(b"\0", b"")  # so that it is found in UTF-16 too
    if b"<!DOCTYPE" in plain or b"<!ENTITY" in plain:
        raise ValueError("it has a document type")
    return Xml.fromstring(content)  # noqa: S314


def _pyproject(text: str) -> Iterator[Stated]:
    values = tomllib.loads(text)
    project, tool = values.get("project", {}), values.get("tool", {})
    poetry = tool.get("poetry", {})
    for named in (project, poetry):
        yield Stated(text_at(named, "name"), is_own=True)
    yield from (Stated(name, is_elsewhere=True) for name in tool.get("uv", {}).get("sources", {}))
    yield from _required(project.get("dependencies", []))
    yield from _poetry(poetry)
    for group in (project.get("optional-dependencies", {}), values.get("dependency-groups", {})):
        for lines in group.values():
            yield from _required((line for line in lines if isinstance(line, str)), is_optional=True)
    for group in poetry.get("group", {}).values():
        yield from _poetry(group, is_optional=True)


def _poetry(group: Mapping[str, Any], *, is_optional: bool = False) -> Iterator[Stated]:
    for name, stated in group.get("dependencies", {}).items():
        several = stated if isinstance(stated, list) else [stated]
        is_elsewhere = any(field in one for one in several if isinstance(one, Mapping) for field in _ELSEWHERE)
        if name.lower() != "python":
            yield Stated(name, is_optional=is_optional, is_elsewhere=is_elsewhere)


def _requirements_txt(text: str) -> Iterator[Stated]:
    yield from _required(re.sub(r"(^|\s)(#|--).*", "", line).strip().rstrip("\\") for line in text.splitlines())


def _metadata(text: str) -> Iterator[Stated]:
    yield from _required(re.findall(r"^Requires-Dist: (.*)", text.partition("\n\n")[0], re.MULTILINE))


def _cargo_toml(text: str) -> Iterator[Stated]:
    values = tomllib.loads(text)
    yield Stated(text_at(values.get("package", {}), "name"), is_own=True)
    for tables in (values, values.get("workspace", {}), *values.get("target", {}).values()):
        for group in _CARGO_GROUPS:
            for name, stated in tables.get(group, {}).items():
                facts = stated if isinstance(stated, Mapping) else {"version": stated}
                wanted = first_numbers(str(facts.get("version", "")), "^")
                is_optional = group == "dev-dependencies" or bool(facts.get("optional"))
                is_elsewhere = not facts.keys().isdisjoint(("git", "registry", "registry-index"))
                yield Stated(facts.get("package", name), wanted, "path" in facts, is_optional, is_elsewhere)


_FORMS: Mapping[str, tuple[str, Callable[[str], Iterator[Stated]]]] = {
    r"package\.json": ("npm", _package_json),
    r"pyproject\.toml": ("pypi", _pyproject),
    r"requirements[\w.-]*\.(txt|in)": ("pypi", _requirements_txt),
    r"Cargo\.toml": ("cargo", _cargo_toml),
    r"go\.mod": ("golang", _go_mod),
    r"PKG-INFO|METADATA": ("pypi", _metadata),
    r"pom\.xml": ("maven", lambda text: of_pom(parsed_xml(text.encode()))),
}
"""For each name of a manifest, the type of its packages, and what yields them."""
