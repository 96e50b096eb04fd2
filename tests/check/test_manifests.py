"""Manifests of every ecosystem declare packages, and broken ones none."""

from __future__ import annotations

import json

import pytest

from wherefrom.projects.check.project import declared
from wherefrom.sources.packages.manifests import first_numbers, kind_of, stated_in

PYPROJECT = """
[project]
dependencies = ["Flask>=3; python_version > '3'"]
[dependency-groups]
dev = ["pytest", {include-group = "x"}]
[tool.poetry.group.docs.dependencies]
sphinx = "^7"
"""


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        (
            "package.json",
            json.dumps({"name": "mine", "dependencies": {"@vue/core": "^3"}}),
            ["npm:mine", "npm:@vue/core"],
        ),
        ("web/package.json", json.dumps({"devDependencies": {"lodash": "4"}}), ["npm:lodash"]),
        ("pyproject.toml", PYPROJECT, ["pypi:flask", "pypi:pytest", "pypi:sphinx"]),
        ("requirements-dev.txt", "a_b==1 \\\n  --hash=sha256:0\n-r other.txt\n# c\nd\n", ["pypi:a-b", "pypi:d"]),
        (
            "Cargo.toml",
            '[package]\nname = "x"\n[dependencies]\nserde = "1"\nold = {package = "new", version = "1"}\n',
            ["cargo:x", "cargo:serde", "cargo:new"],
        ),
        (
            "go.mod",
            "module x\nrequire (\n\tgithub.com/a/b v1.2.3\n)\nrequire c.d/e v1\n",
            ["golang:x", "golang:github-com/a/b", "golang:c-d/e"],
        ),
        ("package.json", "{", []),
        ("package.json", '{"dependencies": [[1]], "name": {"a": 1}}', []),
        ("package.json", '{"name": 5}', []),
        ("package.json", '{"dependencies": {" ": "1", "a/ ": "1", "b": "npm:@c/d"}}', ["npm:@c/d"]),
        ("Cargo.toml", "[dependencies]\na = {package = 5}", []),
        ("pyproject.toml", "[project]\ndependencies = 5", []),
        ("Cargo.toml", "dependencies = 1", []),
    ],
)
def test_a_manifest_declares_packages(path: str, text: str, names: list[str]) -> None:
    assert kind_of(path)
    assert [found.value for found in declared(path, text.encode()).found] == names


@pytest.mark.parametrize(
    ("wanted", "bare", "numbers"),
    [
        ("^1.2.3", "=", "1"),
        ("^0.2.3", "=", "0.2"),
        ("^0.0.3", "=", "0.0.3"),
        ("~1.2.3", "=", "1.2"),
        ("1.2.3-rc.1", "=", "1.2.3-rc.1"),
        ("1.x", "=", "1"),
        ("1.2.3", "^", "1"),
        ("=1.2.3", "^", "1.2.3"),
        ("^16 || ^17.0.1", "=", "17"),
        (">=1 <3", "=", ""),
        ("*", "=", ""),
    ],
)
def test_the_numbers_that_a_range_fixes(wanted: str, bare: str, numbers: str) -> None:
    assert first_numbers(wanted, bare) == numbers


def test_a_pom_takes_versions_from_its_properties() -> None:
    def dependency(name: str, more: str = "") -> str:
        return f"<dependency><groupId>${{project.groupId}}</groupId><artifactId>{name}</artifactId>{more}</dependency>"

    needed = [
        dependency("stated", "<version>${a}</version>"),
        dependency("managed"),
        dependency("tested", "<scope>test</scope>"),
        dependency("endless", "<version>${b}</version>"),
    ]
    pom = (
        "<project><parent><groupId>com.hello</groupId></parent><artifactId>mine</artifactId>"
        f"<properties><a>1.5</a><b>${{b}}${{b}}</b></properties><dependencies>{''.join(needed)}</dependencies></project>"
    )
    own, *others = stated_in("pom.xml", pom.encode())
    assert (own.name, own.is_own) == ("com.hello/mine", True)
    versions = {"com.hello/stated": "1.5", "com.hello/managed": "", "com.hello/endless": ""}
    assert {other.name: other.wanted for other in others} == versions
    assert stated_in("pom.xml", b"<!DOCTYPE x>" + pom.encode()) == []


def test_a_declaration_quotes_its_line() -> None:
    [found] = declared("package.json", b'{\n "dependencies": {\n  "a-b": "1",\n  "b": "2"\n }}').found[1:]
    assert (found.line, found.text) == (4, '"b": "2"')


def test_the_properties_of_a_hostile_pom_take_little_memory() -> None:
    properties = f"<properties><a>{'x' * 1_000_000}</a></properties>"
    needed = f"<dependency><groupId>g</groupId><artifactId>{'${a}' * 100_000}</artifactId></dependency>"
    pom = f"<project>{properties}<dependencies>{needed}</dependencies></project>"
    assert max(len(stated.name) for stated in stated_in("pom.xml", pom.encode())) < 20_000
