"""Manifests of every ecosystem declare packages, and broken ones none."""

from __future__ import annotations

import json

import pytest

from wherefrom.projects.check.project import declared, is_manifest

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
            ["golang:github-com/a/b", "golang:c-d/e"],
        ),
        ("package.json", "{", []),
        ("package.json", '{"dependencies": [[1]], "name": {"a": 1}}', []),
        ("package.json", '{"name": 5}', []),
        ("pyproject.toml", "[project]\ndependencies = 5", []),
        ("Cargo.toml", "dependencies = 1", []),
    ],
)
def test_a_manifest_declares_packages(path: str, text: str, names: list[str]) -> None:
    assert is_manifest(path)
    assert [found.value for found in declared(path, text.encode()).found] == names


def test_a_declaration_quotes_its_line() -> None:
    [found] = declared("package.json", b'{\n "dependencies": {\n  "a-b": "1",\n  "b": "2"\n }}').found[1:]
    assert (found.line, found.text) == (4, '"b": "2"')
