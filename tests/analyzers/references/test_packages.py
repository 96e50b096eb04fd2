"""Names of packages are found in comments, and compared whatever their spelling."""

from __future__ import annotations

import pytest

from wherefrom.analyzers.references import of_text
from wherefrom.analyzers.references.extract import package_name, packages


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# from lodash", "lodash"),
        ("/* from lodash 4.17.21 */", "lodash"),
        ("// copied from @vue/core, with changes", "@vue/core"),
        ("see pkg:npm/%40vue/core@3.5.1.", "npm:@vue/core"),
        ("# pip install Ruamel_yaml", "pypi:ruamel-yaml"),
        ("uv pip install httpx", "pypi:httpx"),
        ("npm i --save-dev left-pad", "npm:left-pad"),
        ("go get github.com/spf13/cobra@latest", "golang:github-com/spf13/cobra"),
        ("Based on `requests`", "requests"),
        ("# taken from com.google.guava:guava", "com-google-guava-guava"),
    ],
)
def test_a_package_is_named(text: str, name: str) -> None:
    assert [found for _, found in packages(text)] == [name]


@pytest.mark.parametrize(
    "text", ["the value that comes in from lodash", "npm installs left-pad", "pipeline install x", "pkg: a/b"]
)
def test_other_words_name_none(text: str) -> None:
    assert list(packages(text)) == []


def test_a_name_is_the_same_in_every_spelling() -> None:
    assert package_name("Ruamel.Yaml", "pypi") == package_name("ruamel_yaml@1.0", "pypi") == "pypi:ruamel-yaml"


def test_an_index_stores_no_names_of_packages() -> None:
    assert [found.value for found in of_text("# from lodash; see https://lodash.com").found] == ["https://lodash.com/"]
