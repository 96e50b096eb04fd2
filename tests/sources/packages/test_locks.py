"""Lock files and SBOMs, each in the form of its documentation."""

from __future__ import annotations

import base64
import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.repositories import Repository
from wherefrom.cli.files import source_list
from wherefrom.errors import SourceError, UsageError
from wherefrom.sources.discover import find_sources
from wherefrom.sources.listed import ListedSource
from wherefrom.sources.packages.locks import Locked, _read, read_lock
from wherefrom.sources.packages.purl import parsed
from wherefrom.sources.packages.source import ECOSYSTEMS
from wherefrom.sources.remote import RemoteSource
from wherefrom.sources.repository_urls import is_purl
from wherefrom.support.hosts import HOSTS

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
[[package]]
name = "packed"
version = "1"
source = {{ url = "https://files.invalid/packed.tar.gz" }}
[[package]]
name = "wheels"
version = "1"
source = {{ registry = "../wheels" }}
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
[[package]]
name = "packed"
version = "1.0"
[package.source]
type = "url"
url = "https://files.invalid/packed.tar.gz"
"""

PIPFILE = json.dumps(
    {
        "_meta": {"sources": [{"name": "ours", "url": "https://ann:secret@packages.invalid/simple"}]},
        "default": {
            "flask": {"version": "==3.0.0", "hashes": [f"sha256:{A}"], "index": "pypi"},
            "own": {"version": "==1.0", "index": "ours"},
            "cloned": {"git": "https://code.invalid/ada/cloned", "ref": A[:40]},
        },
        "develop": {"here": {"editable": True, "path": "."}, "packed": {"file": "https://files.invalid/p.zip"}},
    }
)

REQUIREMENTS = f"""
# a comment
flask[async]==3.0.0 ; python_version > "3" \\
    --hash=sha256:{A} \\
    --hash=sha256:{B}
Click>=8   # the newest
-e .
./vendored/thing.whl
--require-hashes
-c constraints.txt
own @ https://ann:secret@files.invalid/own-1.0.tar.gz
cloned @ git+https://code.invalid/ada/cloned@{A[:40]}
-e git+ssh://git@code.invalid/ada/other@feature/x#egg=other&subdirectory=python
git+https://code.invalid/ada/third.git
https://CODEHOST/ada/fourth/archive/refs/tags/v1.tar.gz
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
            "node_modules/plain": {"version": "1.0.0", "resolved": "git+https://code.invalid/ada/plain.git#v1"},
            "node_modules/packed": {
                "version": "1.0.0",
                "resolved": f"https://codeload.CODEHOST/ada/packed/tar.gz/{A[:40]}",
            },
            "node_modules/local": {"version": "1.0.0", "resolved": "file:../local.tgz"},
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
            "packed": {"version": "https://files.invalid/packed.tgz"},
            "short": {"version": "github:ada/short#v1"},
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
  packed@https://codeload.CODEHOST/ada/packed/tar.gz/v1:
    resolution: {{tarball: 'https://codeload.CODEHOST/ada/packed/tar.gz/v1'}}
  'here@file:../here':
    resolution: {{directory: ../here, type: directory}}
"""

YARN = f"""# yarn lockfile v1


"@vue/core@^3.0.0", "@vue/core@^3.5.0":
  version "3.5.0"
  resolved "https://registry.yarnpkg.com/@vue/core/-/core-3.5.0.tgz#0123"
  integrity {SRI}
  dependencies:
    lodash "^4.0.0"

alias@npm:lodash@^4.0.0:
  version "4.17.21"
  resolved "https://packages.invalid/lodash/-/lodash-4.17.21.tgz#0123"

"cloned@https://code.invalid/ada/cloned.git":
  version "1.0.0"
  resolved "https://code.invalid/ada/cloned.git#{A[:40]}"

"here@file:../here":
  version "1.0.0"
"""

YARN_4 = f"""
__metadata:
  version: 8

"@vue/core@npm:^3.0.0":
  version: 3.5.0
  resolution: "@vue/core@npm:3.5.0"
  checksum: 10c0/{A}

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."

"cloned@https://code.invalid/ada/cloned":
  version: 1.0.0
  resolution: "cloned@https://code.invalid/ada/cloned#commit={A[:40]}"
"""

GEMFILE = f"""GIT
  remote: https://code.invalid/ada/cloned
  revision: {A[:40]}
  specs:
    cloned (1.0)
      rake (>= 13)

PATH
  remote: .
  specs:
    here (0.1)

GEM
  remote: https://gems.invalid/
  specs:
    rake (13.0.6)

PLATFORMS
  ruby
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
            {"type": "application", "name": "app2"},
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


def listed(source: str, rev: str | None = None) -> ListedSource:
    return ListedSource(source, rev=rev, remote_only=True)


def checked(purl: str, *checksums: str) -> ListedSource:
    return listed(f"{purl}?checksum={'%2C'.join(checksums)}")


def elsewhere(purl: str, url: str) -> ListedSource:
    return listed(f"{purl}?repository_url={url}")


CLONED = listed("https://code.invalid/ada/cloned", A[:40])
HOST = next(iter(HOSTS))
CRATES = f"sparse+{ECOSYSTEMS['cargo'].public().url}"
PATH, AT_URL = "(a path)", "(an archive at a URL)"

FORMS: dict[str, tuple[str, list[ListedSource], list[str]]] = {
    "uv.lock": (
        UV,
        [
            checked("pkg:pypi/flask@3.0.0", f"sha256:{A}", f"sha256:{B}"),
            elsewhere("pkg:pypi/own@1.0", "https://packages.invalid/simple"),
            CLONED,
        ],
        [f"here {PATH}", f"packed {AT_URL}", f"wheels {PATH}"],
    ),
    "poetry.lock": (
        POETRY,
        [
            checked("pkg:pypi/flask@3.0.0", f"sha256:{A}"),
            elsewhere("pkg:pypi/own@1.0", "https://packages.invalid/simple"),
            listed("https://code.invalid/ada/cloned.git", A[:40]),
        ],
        [f"here {PATH}", f"packed {AT_URL}"],
    ),
    "Pipfile.lock": (
        PIPFILE,
        [
            checked("pkg:pypi/flask@3.0.0", f"sha256:{A}"),
            elsewhere("pkg:pypi/own@1.0", "https://packages.invalid/simple"),
            CLONED,
        ],
        [f"here {PATH}", f"packed {AT_URL}"],
    ),
    "requirements/dev.txt": (
        REQUIREMENTS,
        [
            checked("pkg:pypi/flask@3.0.0", f"sha256:{A}", f"sha256:{B}"),
            listed("pkg:pypi/click"),
            CLONED,
            listed("ssh://git@code.invalid/ada/other", "feature/x"),
            listed("https://code.invalid/ada/third.git"),
            listed(f"https://{HOST}/ada/fourth", "v1"),
        ],
        [f". {PATH}", f"./vendored/thing.whl {PATH}", f"own {AT_URL}"],
    ),
    "dev-requirements.in": ("a\n", [listed("pkg:pypi/a")], []),
    "package-lock.json": (
        NPM,
        [
            checked("pkg:npm/lodash@4.17.21", ZERO),
            elsewhere("pkg:npm/%40vue/core@3.5.0", "https://packages.invalid/core-3.5.0.tgz"),
            listed("pkg:npm/lodash@3.0.0"),
            listed("pkg:npm/real@1.0.0"),
            listed("ssh://git@code.invalid/ada/cloned.git", A[:40]),
            listed("https://code.invalid/ada/plain.git", "v1"),
            listed(f"https://{HOST}/ada/packed", A[:40]),
        ],
        [f"here {PATH}", f"local {PATH}"],
    ),
    "npm-shrinkwrap.json": (
        OLD_NPM,
        [
            checked("pkg:npm/lodash@4.17.21", ZERO),
            listed("pkg:npm/%40vue/core@3.5.0"),
            listed(f"https://{HOST}/ada/short", "v1"),
            listed("pkg:npm/b@1.0.0"),
        ],
        [f"here {PATH}", f"packed {AT_URL}"],
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
            listed(f"https://{HOST}/ada/packed", "v1"),
        ],
        [f"here@file:../here {PATH}"],
    ),
    "yarn.lock": (
        YARN,
        [
            checked("pkg:npm/%40vue/core@3.5.0", ZERO),
            elsewhere("pkg:npm/lodash@4.17.21", "https://packages.invalid/lodash/-/lodash-4.17.21.tgz"),
            listed("https://code.invalid/ada/cloned.git", A[:40]),
        ],
        [f"here {PATH}"],
    ),
    "web/yarn.lock": (YARN_4, [listed("pkg:npm/%40vue/core@3.5.0"), CLONED], [f"app {PATH}"]),
    "Gemfile.lock": (GEMFILE, [CLONED], [f"here {PATH}", "rake (a gem)"]),
    "Cargo.lock": (
        CARGO,
        [
            checked("pkg:cargo/serde@1.0.0", f"sha256:{A}"),
            elsewhere("pkg:cargo/own@1.0.0", "sparse%2Bhttps://packages.invalid/index/"),
            CLONED,
        ],
        [f"here {PATH}"],
    ),
    "go.sum": (
        GO,
        [
            checked("pkg:golang/github.com/BurntSushi/toml@v1.0.0", "h1:" + "0" * 64),
            checked("pkg:golang/golang.org/x/old@v2.0.0%2Bincompatible", "h1:" + "0" * 64),
        ],
        [],
    ),
    "bom.json": (
        CYCLONEDX,
        [listed("pkg:pypi/flask@3.0.0"), listed("pkg:npm/lodash@4.17.21")],
        ["app2 (no package URL)"],
    ),
    "spdx.json": (SPDX, [listed("pkg:pypi/flask@3.0.0")], ["none (no package URL)"]),
    "-": (SPDX_3, [listed("pkg:pypi/flask@3.0.0"), listed("pkg:npm/b@1.0.0")], []),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", FORMS)
def test_the_packages_of_a_lock_file_or_sbom(name: str) -> None:
    text, sources, left_out = FORMS[name]
    assert read_lock(f"folder/{name}", text.replace("CODEHOST", HOST).replace("PUBLIC", CRATES)) == Locked(
        sources, left_out
    )


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["registry+https://code.invalid/x/{}-index", "sparse+https://index.{}/"])
def test_the_public_registry_in_a_cargo_lock_is_the_default_one(kind: str) -> None:
    site = ECOSYSTEMS["cargo"].public().url.removeprefix("https://index.").strip("/")
    found = read_lock("Cargo.lock", CARGO.replace("PUBLIC", kind.format(site)))
    assert found is not None
    assert found.sources[0] == checked("pkg:cargo/serde@1.0.0", f"sha256:{A}")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "text", ["/clones/a\n", '{"source": "/clones/a"}\n{"source": "pkg:npm/b@1.0.0"}\n', '{"source": "/a"}', "{", ""]
)
def test_a_list_of_sources_is_no_lock_file(text: str) -> None:
    assert read_lock("sources.txt", text) is None


@pytest.mark.thorough
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
        assert not found or not found.sources


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--index-url https://packages.invalid", "names an index"),
        ("-r other.txt", "names another file"),
        ("a b", "is not a requirement"),
    ],
)
def test_what_a_requirements_file_cannot_say(line: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_lock("requirements.txt", line)


@pytest.mark.thorough
def test_the_command_line_reads_lists_and_lock_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock, plain, other = tmp_path / "go.sum", tmp_path / "list.txt", tmp_path / "composer.lock"
    lock.write_text(GO)
    plain.write_text("pkg:npm/b@1.0.0\n/clones/a\tname\n")
    assert source_list(str(lock)) == FORMS["go.sum"][1]
    assert source_list(str(plain)) == [ListedSource("pkg:npm/b@1.0.0"), ListedSource("/clones/a", "name")]
    (tmp_path / "requirements.txt").write_text("a\n" + "".join(f"./p{n}\n" for n in range(12)))
    capsys.readouterr()
    assert source_list(str(tmp_path / "requirements.txt")) == [listed("pkg:pypi/a")]
    assert capsys.readouterr().err.endswith("./p9 (a path) and 2 more\n")
    other.write_text("/clones/a\n")
    with pytest.raises(UsageError, match="is not a lock file or SBOM that wherefrom reads"):
        source_list(str(other))
    with lock.open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(UsageError, match="more than 100,000,000 bytes"):
        source_list(str(lock))


NAMED = {
    "uv.lock": '[[package]]\nname = "a"\nversion = "1"\nsource = {{ git = "{0}" }}',
    "poetry.lock": '[[package]]\nname = "a"\nversion = "1"\n[package.source]\ntype = "git"\nurl = "{0}"',
    "Pipfile.lock": '{{"default": {{"a": {{"git": "{0}"}}}}}}',
    "requirements.txt": "a @ git+{0}\n-e {0}\n{0}",
    "package-lock.json": '{{"packages": {{"node_modules/a": {{"version": "1.0.0", "resolved": "git+{0}"}}}}}}',
    "npm-shrinkwrap.json": '{{"dependencies": {{"a": {{"version": "git+{0}"}}, "b": {{"version": "{0}"}}}}}}',
    "pnpm-lock.yaml": "packages: {{a: {{resolution: {{type: git, repo: '{0}'}}}},"
    " b: {{resolution: {{tarball: '{0}'}}}}}}",
    "yarn.lock": 'a@1:\n  version "1.0.0"\n  resolved "git+{0}"\n\nb@1:\n  version "{0}"\n',
    "web/yarn.lock": '__metadata: {{}}\na: {{resolution: "a@{0}#commit=1"}}',
    "Cargo.lock": '[[package]]\nname = "a"\nversion = "1"\nsource = "git+{0}"',
    "Gemfile.lock": "GIT\n  remote: {0}\n  specs:\n    a (1)\n",
    "bom.json": '{{"bomFormat": "CycloneDX", "components": [{{"purl": "{0}"}}]}}',
    "spdx.json": '{{"spdxVersion": "1", "packages": [{{"externalRefs": [{{"referenceType": "purl", '
    '"referenceLocator": "{0}"}}]}}]}}',
    "graph.json": '{{"@graph": [{{"software_packageUrl": "{0}"}}]}}',
}
"""A file of each form with a place for what it names instead of a package."""

SPELLINGS = (
    *("{0}", "{0}/.git", "file://{0}", "FILE://{0}", "file://localhost{0}", "file+git://{0}", "git+file://{0}"),
    *("private", "./private", "~/private", "{0}.zip", "https:/x", "ext::sh -c true", "/", ".", "~"),
    *("https://localhost/a", "https://a.localhost/a", "ssh://127.1/a", "git://0x7f.1/a", "https://[::1]/a"),
    *("git@10.0.0.1:a", "https://169.254.169.254/a", "https://2130706433./a"),
)
"""Ways to name what is on this machine or in a private network."""


@pytest.mark.parametrize("name", NAMED)
def test_a_lock_file_never_names_what_is_on_this_machine(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = Repository.make(tmp_path / "private", {"a.py": b"secret = 1\n"})
    (tmp_path / "https:").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for spelling in SPELLINGS:
        place = spelling.format(private.folder)
        try:
            found = _read((name, NAMED[name].format(place)))
        except UsageError:
            continue
        assert found is not None
        assert found.sources or found.left_out, place
        for source in found.sources:
            if is_purl(source.text):
                continue  # the name of a package, such as `private`
            with pytest.raises(SourceError):
                find_sources([source], cache=tmp_path / "cache")


def test_a_folder_of_the_project_is_no_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Repository.make(tmp_path / "https:" / "code.invalid" / "a", {"a.py": b"secret = 1\n"})
    monkeypatch.chdir(tmp_path)
    (source,) = find_sources([listed("https://code.invalid/a")], cache=tmp_path / "cache").sources
    assert isinstance(source, RemoteSource)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        *((name, "a" + ".a" * 50_000 + "=1", "takes more than") for name in ("uv.lock", "poetry.lock", "Cargo.lock")),
        ("pnpm-lock.yaml", "x: " + ":".join(["59"] * 30_000), None),
        ("pnpm-lock.yaml", "a: &a [" + "x," * 50 + "]\n" + "b: [" + "*a," * 9999 + "]", None),
        ("package-lock.json", '{"packages": ' + "9" * 100_000 + "}", "is not a lock file of its name"),
        (
            "pnpm-lock.yaml",
            "packages:\n" + "".join(f"  a@1.0.{n}: {{resolution: {{}}}}\n" for n in range(60_000)),
            None,
        ),
    ],
    ids=range(7),
)
def test_a_file_is_read_within_limits(
    name: str, text: str, message: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if message == "takes more than":
        monkeypatch.setattr("wherefrom.sources.packages.locks.MEMORY", 150_000_000)  # to fill it all takes seconds
    with pytest.raises(UsageError, match=message) if message else nullcontext():
        assert read_lock(name, text) is not None


@pytest.mark.thorough
@pytest.mark.parametrize("spelling", ["ruamel.yaml", "ruamel-yaml", "Ruamel__yaml", "ruamel-.yaml"])
def test_a_package_of_pypi_has_one_key(spelling: str) -> None:
    assert parsed(f"pkg:pypi/{spelling}@1.0").name == "ruamel-yaml"
