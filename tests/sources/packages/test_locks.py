"""Lock files and SBOMs, each in the form of its documentation."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from wherefrom.cli.files import source_list
from wherefrom.errors import UsageError
from wherefrom.sources.listed import ListedSource
from wherefrom.sources.packages.ecosystems import ECOSYSTEMS
from wherefrom.sources.packages.locks import read_lock

A, B = "a" * 64, "b" * 64
SRI = "sha512-" + base64.b64encode(bytes(64)).decode()
ZERO = "sha512:" + "0" * 128

UV = f"""
version = 1
[[package]]
name = "flask"
version = "3.0.0"
source = {{ registry = "{ECOSYSTEMS["pypi"].public().url}" }}
sdist = {{ url = "https://files.invalid/flask-3.0.0.tar.gz", hash = "sha256:{A}", size = 1 }}
wheels = [{{ url = "https://files.invalid/flask-3.0.0-py3-none-any.whl", hash = "sha256:{B}" }}]
[[package]]
name = "own"
version = "1.0"
source = {{ registry = "https://packages.invalid/simple" }}
[[package]]
name = "here"
version = "0.1.0"
source = {{ editable = "." }}
[[package]]
name = "cloned"
version = "0.1.0"
source = {{ git = "https://code.invalid/ada/cloned?rev=main#{A[:40]}" }}
"""

POETRY = f"""
[[package]]
name = "flask"
version = "3.0.0"
files = [{{file = "flask-3.0.0.tar.gz", hash = "sha256:{A}"}}]
[[package]]
name = "own"
version = "1.0"
files = []
[package.source]
type = "legacy"
url = "https://packages.invalid/simple"
[[package]]
name = "cloned"
version = "1.0"
[package.source]
type = "git"
url = "https://code.invalid/ada/cloned.git"
resolved_reference = "{A[:40]}"
[[package]]
name = "here"
version = "1.0"
[package.source]
type = "directory"
url = "../here"
"""

REQUIREMENTS = f"""
# a comment
flask[async]==3.0.0 ; python_version > "3" \\
    --hash=sha256:{A} \\
    --hash=sha256:{B}
Click>=8   # the newest
-e .
--require-hashes
own @ https://files.invalid/own-1.0.tar.gz
"""

NPM = json.dumps(
    {
        "lockfileVersion": 3,
        "packages": {
            "": {"name": "app", "version": "1.0.0"},
            "node_modules/lodash": {
                "version": "4.17.21",
                "resolved": f"{ECOSYSTEMS['npm'].public().url}lodash/-/lodash-4.17.21.tgz",
                "integrity": SRI,
            },
            "node_modules/@vue/core": {"version": "3.5.0", "resolved": "https://packages.invalid/core-3.5.0.tgz"},
            "node_modules/a/node_modules/lodash": {"version": "3.0.0"},
            "node_modules/alias": {"name": "real", "version": "1.0.0"},
            "node_modules/cloned": {
                "version": "1.0.0",
                "resolved": f"git+ssh://git@code.invalid/ada/cloned.git#{A[:40]}",
            },
            "node_modules/here": {"resolved": "packages/here", "link": True},
            "packages/here": {"version": "1.0.0"},
        },
    }
)

OLD_NPM = json.dumps(
    {
        "lockfileVersion": 1,
        "dependencies": {
            "lodash": {"version": "4.17.21", "integrity": SRI, "dependencies": {"b": {"version": "1.0.0"}}},
            "alias": {"version": "npm:@vue/core@3.5.0"},
            "here": {"version": "file:../here"},
        },
    }
)

PNPM = f"""
lockfileVersion: '9.0'
packages:
  '@vue/core@3.5.0':
    resolution: {{integrity: {SRI}}}
  lodash@4.17.21(peer@1.0.0):
    resolution: {{integrity: {SRI}}}
  /old@1.0.0:
    resolution: {{integrity: {SRI}}}
  /@older/one/1.0.0_react@18.0.0:
    resolution: {{integrity: {SRI}}}
  own@1.0.0:
    resolution: {{tarball: 'https://packages.invalid/own-1.0.0.tgz'}}
  cloned@https://code.invalid/x:
    resolution: {{commit: {A[:40]}, repo: 'https://code.invalid/ada/cloned', type: git}}
"""

CARGO = f"""
version = 4
[[package]]
name = "serde"
version = "1.0.0"
source = "PUBLIC"
checksum = "{A}"
[[package]]
name = "own"
version = "1.0.0"
source = "sparse+https://packages.invalid/index/"
[[package]]
name = "cloned"
version = "0.1.0"
source = "git+https://code.invalid/ada/cloned?branch=main#{A[:40]}"
[[package]]
name = "here"
version = "0.1.0"
"""

GO = f"""
github.com/BurntSushi/toml v1.0.0 h1:{base64.b64encode(bytes(32)).decode()}
github.com/BurntSushi/toml v1.0.0/go.mod h1:{base64.b64encode(bytes(32)).decode()}
golang.org/x/old v2.0.0+incompatible h1:{base64.b64encode(bytes(32)).decode()}
"""

CYCLONEDX = json.dumps(
    {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "metadata": {"component": {"purl": "pkg:npm/app@1.0.0"}},
        "components": [
            {"type": "library", "name": "flask", "purl": "pkg:pypi/flask@3.0.0"},
            {"type": "library", "components": [{"purl": "pkg:npm/lodash@4.17.21"}]},
            {"type": "file", "name": "x"},
            {"type": "library", "purl": "pkg:pypi/flask@3.0.0"},
        ],
    }
)

SPDX = json.dumps(
    {
        "spdxVersion": "SPDX-2.3",
        "packages": [
            {
                "name": "flask",
                "externalRefs": [
                    {"referenceType": "cpe23Type", "referenceLocator": "cpe:2.3:a"},
                    {"referenceType": "purl", "referenceLocator": "pkg:pypi/flask@3.0.0"},
                ],
            },
            {"name": "none"},
        ],
    }
)

SPDX_3 = json.dumps(
    {
        "@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld",
        "@graph": [
            {"type": "software_Package", "software_packageUrl": "pkg:pypi/flask@3.0.0"},
            {
                "type": "software_Package",
                "externalIdentifier": [{"externalIdentifierType": "packageUrl", "identifier": "pkg:npm/b@1.0.0"}],
            },
        ],
    }
)


def checked(purl: str, *checksums: str) -> ListedSource:
    return ListedSource(f"{purl}?checksum={'%2C'.join(checksums)}")


def elsewhere(purl: str, url: str) -> ListedSource:
    return ListedSource(f"{purl}?repository_url={url}")


CLONED = ListedSource("https://code.invalid/ada/cloned", rev=A[:40])

FORMS = {
    "uv.lock": (
        UV,
        [
            checked("pkg:pypi/flask@3.0.0", f"sha256:{A}", f"sha256:{B}"),
            elsewhere("pkg:pypi/own@1.0", "https://packages.invalid/simple"),
            CLONED,
        ],
    ),
    "poetry.lock": (
        POETRY,
        [
            checked("pkg:pypi/flask@3.0.0", f"sha256:{A}"),
            elsewhere("pkg:pypi/own@1.0", "https://packages.invalid/simple"),
            ListedSource("https://code.invalid/ada/cloned.git", rev=A[:40]),
        ],
    ),
    "requirements-dev.txt": (
        REQUIREMENTS,
        [checked("pkg:pypi/flask@3.0.0", f"sha256:{A}", f"sha256:{B}"), ListedSource("pkg:pypi/click")],
    ),
    "package-lock.json": (
        NPM,
        [
            checked("pkg:npm/lodash@4.17.21", ZERO),
            elsewhere("pkg:npm/%40vue/core@3.5.0", "https://packages.invalid/core-3.5.0.tgz"),
            ListedSource("pkg:npm/lodash@3.0.0"),
            ListedSource("pkg:npm/real@1.0.0"),
            ListedSource("git+ssh://git@code.invalid/ada/cloned.git", rev=A[:40]),
        ],
    ),
    "npm-shrinkwrap.json": (
        OLD_NPM,
        [
            checked("pkg:npm/lodash@4.17.21", ZERO),
            ListedSource("pkg:npm/%40vue/core@3.5.0"),
            ListedSource("pkg:npm/b@1.0.0"),
        ],
    ),
    "pnpm-lock.yaml": (
        PNPM,
        [
            checked("pkg:npm/%40vue/core@3.5.0", ZERO),
            checked("pkg:npm/lodash@4.17.21", ZERO),
            checked("pkg:npm/old@1.0.0", ZERO),
            checked("pkg:npm/%40older/one@1.0.0", ZERO),
            elsewhere("pkg:npm/own@1.0.0", "https://packages.invalid/own-1.0.0.tgz"),
            CLONED,
        ],
    ),
    "Cargo.lock": (
        CARGO,
        [
            checked("pkg:cargo/serde@1.0.0", f"sha256:{A}"),
            elsewhere("pkg:cargo/own@1.0.0", "sparse%2Bhttps://packages.invalid/index/"),
            CLONED,
        ],
    ),
    "go.sum": (
        GO,
        [
            checked("pkg:golang/github.com/BurntSushi/toml@v1.0.0", "h1:" + "0" * 64),
            checked("pkg:golang/golang.org/x/old@v2.0.0%2Bincompatible", "h1:" + "0" * 64),
        ],
    ),
    "bom.json": (CYCLONEDX, [ListedSource("pkg:pypi/flask@3.0.0"), ListedSource("pkg:npm/lodash@4.17.21")]),
    "spdx.json": (SPDX, [ListedSource("pkg:pypi/flask@3.0.0")]),
    "-": (SPDX_3, [ListedSource("pkg:pypi/flask@3.0.0"), ListedSource("pkg:npm/b@1.0.0")]),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_packages_of_a_lock_file_or_sbom(name: str) -> None:
    text, expected = FORMS[name]
    assert read_lock(f"folder/{name}", text) == expected


@pytest.mark.parametrize("kind", ["registry+https://code.invalid/x/{}-index", "sparse+https://index.{}/"])
def test_the_public_registry_in_a_cargo_lock_is_the_default_one(kind: str) -> None:
    site = ECOSYSTEMS["cargo"].public().url.removeprefix("https://index.").strip("/")
    found = read_lock("Cargo.lock", CARGO.replace("PUBLIC", kind.format(site)))
    assert found is not None
    assert found[0] == checked("pkg:cargo/serde@1.0.0", f"sha256:{A}")


@pytest.mark.parametrize(
    "text", ["/clones/a\n", '{"source": "/clones/a"}\n{"source": "pkg:npm/b@1.0.0"}\n', '{"source": "/a"}', "{", ""]
)
def test_a_list_of_sources_is_no_lock_file(text: str) -> None:
    assert read_lock("sources.txt", text) is None


@pytest.mark.parametrize("name", [name for name in FORMS if name[0] not in "bs-"])
@pytest.mark.parametrize(
    "text", ["\0", "[1]", "{" * 10_000, "a: [b", '{"packages": {"node_modules/a": 3}}', "package = [3]"]
)
def test_a_broken_lock_file_is_named(name: str, text: str) -> None:
    if name == "go.sum" and len(text.split()) == 3:
        return
    try:
        found = read_lock(name, text)
    except UsageError as error:
        assert name in str(error)  # noqa: PT017
    else:
        assert not found


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--index-url https://packages.invalid", "names an index"),
        ("-r other.txt", "names another file"),
        ("./here", "is not a requirement"),
    ],
)
def test_what_a_requirements_file_cannot_say(line: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_lock("requirements.txt", line)


def test_the_command_line_reads_lists_and_lock_files(tmp_path: Path) -> None:
    lock, plain = tmp_path / "go.sum", tmp_path / "list.txt"
    lock.write_text(GO)
    plain.write_text("pkg:npm/b@1.0.0\n/clones/a\tname\n")
    assert source_list(str(lock)) == FORMS["go.sum"][1]
    assert source_list(str(plain)) == [ListedSource("pkg:npm/b@1.0.0"), ListedSource("/clones/a", "name")]
