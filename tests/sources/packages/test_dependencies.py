"""What a project depends on is indexed from its registries, and kept up to date."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import wherefrom
from tests.repositories import Repository
from tests.sources.packages.registries import CODE, Answer, Kind, Server, configure_npm, tar
from wherefrom.errors import SourceError
from wherefrom.projects.dependencies import Dependencies
from wherefrom.sources.checkout import Checkout
from wherefrom.sources.packages.closure import name_of
from wherefrom.sources.packages.own_registries import own_registries

DEEP = b"""\
function longestRun(values) {
  let best = 0, current = 0, last = null;
  for (const value of values) {
    current = value === last ? current + 1 : 1;
    best = Math.max(best, current);
    last = value;
  }
  return { best, current, last };
}
"""

GREETER = "<dependency><groupId>com.hello</groupId><artifactId>greeter</artifactId></dependency>"

DIRECT = {
    "pypi": ("pyproject.toml", '[project]\nname = "mine"\ndependencies = ["greeter>=1,<2"]'),
    "npm": ("package.json", '{"name": "mine", "dependencies": {"@hello/greeter": "^1.2.0"}}'),
    "cargo": ("Cargo.toml", '[dependencies]\ngreeter = "1"'),
    "maven": (
        "pom.xml",
        f"<project><artifactId>mine</artifactId><dependencies>{GREETER}</dependencies></project>",
    ),
    "golang": ("go.mod", "module mine\n\nrequire code.invalid/Ada/greeter v1.10.0\n"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def publish(server: Server, name: str, code: bytes, *needed: str) -> None:
    """Puts version 1.0.0 of the package `@hello/NAME` on a registry of npm."""
    path = f"/@hello/{name}/-/{name}-1.0.0.tgz"
    manifest = json.dumps({"dependencies": {f"@hello/{other}": "^1" for other in needed}}).encode()
    server.put(path, tar({"package/code.js": code, "package/package.json": manifest}))
    version = {"dist": {"tarball": server.url + path}}
    server.put(f"/@hello%2F{name}", {"dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": version}})


def keys(location: str) -> list[str]:
    with wherefrom.open_index(location) as index:
        return [record.key for record in index.repositories()]


@pytest.mark.thorough
def test_a_manifest_without_a_lock_file(kind: Kind, project: Path, tmp_path: Path) -> None:
    name, text = DIRECT[kind.name]
    (project / name).write_text(text)
    report = wherefrom.index_dependencies([project], cache=tmp_path / "cache")
    assert (report.warnings, report.packages) == ((), 1)
    assert keys(report.location) == [kind.newest]
    assert Path(report.location).is_relative_to(tmp_path / "dependencies")
    assert wherefrom.index_dependencies([project], cache=tmp_path / "cache").index is None


class TestOfNpm:
    @pytest.fixture
    def npm(self, home: Path, server: Server, project: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
        """A registry whose package `@hello/greeter` needs `@hello/deep`, which needs it in turn."""
        configure_npm(server, home, monkeypatch, False)
        publish(server, "greeter", CODE, "deep")
        publish(server, "deep", DEEP, "greeter")
        self.says(project, "greeter")
        return server

    @staticmethod
    def says(project: Path, *names: str) -> None:
        values = {"name": "@hello/mine", "dependencies": {f"@hello/{name}": "^1.0.0" for name in names}}
        (project / "package.json").write_text(json.dumps(values))

    @pytest.mark.thorough
    def test_code_of_an_indirect_dependency_is_found(self, npm: Server, project: Path, tmp_path: Path) -> None:
        (project / "mine.js").write_bytes(b"// mine\n" + DEEP.replace(b"current", b"now"))
        installed = project / "web/node_modules/deep/code.js"
        installed.parent.mkdir(parents=True)
        installed.write_bytes(DEEP)
        location = wherefrom.index_dependencies([project], cache=tmp_path / "cache").location
        with wherefrom.open_index(location) as index:
            report = index.check([project])
        [finding] = report.findings
        assert (finding.path, finding.places[0].occurrence.repository) == ("mine.js", "pkg:npm/%40hello/deep@1.0.0")
        assert {str(reason): number for reason, number in report.skipped.items()}["vendored"] == 1

    @pytest.mark.thorough
    def test_only_what_is_new_is_fetched_and_what_is_gone_is_removed(
        self, npm: Server, project: Path, tmp_path: Path
    ) -> None:
        publish(npm, "other", CODE)
        wherefrom.index_dependencies([project], cache=tmp_path / "cache")
        npm.asked.clear()
        self.says(project, "greeter", "other")
        report = wherefrom.index_dependencies([project], cache=tmp_path / "cache")
        assert [path for path in npm.paths if path.endswith(".tgz")] == ["/@hello/other/-/other-1.0.0.tgz"]
        assert len(keys(report.location)) == 3
        self.says(project, "other")
        assert keys(wherefrom.index_dependencies([project], cache=tmp_path / "cache").location) == [
            "pkg:npm/%40hello/other@1.0.0"
        ]

    @pytest.mark.thorough
    def test_without_a_network_it_says_what_it_has(
        self, npm: Server, home: Path, project: Path, tmp_path: Path
    ) -> None:
        location = wherefrom.index_dependencies([project], cache=tmp_path / "cache").location
        (home / ".npmrc").write_text("@hello:registry=http://127.0.0.1:9/")
        self.says(project, "greeter", "other")
        report = wherefrom.index_dependencies([project], cache=tmp_path / "cache")
        assert (report.location, report.packages) == (location, 2)
        assert "cannot be found: cannot fetch http://127.0.0.1:9/" in report.warnings[0]
        assert len(keys(location)) == 2

    @pytest.mark.thorough
    def test_a_withdrawn_version_is_left_out(self, npm: Server, project: Path, tmp_path: Path) -> None:
        [listed] = npm.answers["/@hello%2Fgreeter"]
        values = json.loads(listed.body)
        values["versions"]["1.0.1"] = {**values["versions"]["1.0.0"], "deprecated": "wrong"}
        npm.put("/@hello%2Fgreeter", {**values, "dist-tags": {}})
        location = wherefrom.index_dependencies([project], cache=tmp_path / "cache").location
        assert "pkg:npm/%40hello/greeter@1.0.0" in keys(location)

    @pytest.mark.thorough
    def test_a_registry_cannot_name_ever_new_packages(
        self, npm: Server, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("wherefrom.sources.packages.closure.MOST", 3)
        publish(npm, "greeter", CODE, *(f"unknown-{number}" for number in range(20)))
        report = wherefrom.index_dependencies([project], cache=tmp_path / "cache")
        assert len([path for path in npm.paths if "unknown" in path]) == 2
        assert "there are more than 3, which is the limit" in report.warnings[0]

    @pytest.mark.thorough
    def test_a_busy_registry_leaves_the_others(self, npm: Server, project: Path, tmp_path: Path) -> None:
        npm.put("/@hello/deep/-/deep-1.0.0.tgz", Answer(status=500))
        report = wherefrom.index_dependencies([project], cache=tmp_path / "cache")
        assert keys(report.location) == ["pkg:npm/%40hello/greeter@1.0.0"]
        assert report.warnings[0].startswith(
            "1 dependency could not be brought up to date: pkg:npm/%40hello/deep@1.0.0"
        )


def read(folder: Path, files: dict[str, str]) -> Dependencies:
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Dependencies.of(Checkout(folder, is_git=False).work_tree())


LOCK = json.dumps({"packages": {"node_modules/a": {"version": "1.0.0"}, "node_modules/mine": {"version": "1.0.0"}}})


@pytest.mark.thorough
def test_a_lock_file_speaks_for_the_manifests_below_it(project: Path) -> None:
    found = read(
        project,
        {
            "web/package-lock.json": LOCK,
            "web/app/package.json": '{"name": "mine", "dependencies": {"b": "1"}}',
            "other/package.json": '{"dependencies": {"c": "1"}}',
            "web/pyproject.toml": '[project]\ndependencies = ["d"]',
            "tests/package.json": '{"dependencies": {"e": "1"}}',
            "node_modules/f/package.json": '{"dependencies": {"g": "1"}}',
        },
    )
    assert [source.text for source in found.locked] == ["pkg:npm/a@1.0.0", "pkg:npm/mine@1.0.0"]
    assert [(kind, stated.name) for kind, stated in found.stated] == [("npm", "c"), ("pypi", "d")]
    assert found.own == {"pkg:npm/mine"}


@pytest.mark.thorough
def test_requirements_are_a_lock_file_if_they_have_hashes(project: Path) -> None:
    pinned = read(project, {"requirements.txt": "-r dev.txt\na==1 --hash=sha256:00\n"})
    assert ([source.text for source in pinned.locked], pinned.stated) == (
        ["pkg:pypi/a@1?checksum=sha256:00"],
        [],
    )
    written = read(project, {"requirements.txt": "-c limits.txt\na==1\n"})
    assert ([*written.locked], [stated.name for _, stated in written.stated]) == ([], ["a"])


@pytest.mark.thorough
def test_requirements_that_name_an_index_are_not_looked_up_elsewhere(project: Path) -> None:
    found = read(project, {"requirements.txt": "--extra-index-url https://private.invalid/\nsecret==1\n"})
    assert ([*found.locked], found.stated) == ([], [])
    assert "names an index" in found.warnings[0]


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("pyproject.toml", '[project]\ndependencies = ["secret @ git+https://a.invalid/b"]', "pypi"),
        ("pyproject.toml", '[project]\ndependencies = ["Secret"]\n[tool.uv.sources]\nsecret = {index = "a"}', "pypi"),
        ("pyproject.toml", '[tool.poetry.dependencies]\nsecret = {path = "../secret"}', "pypi"),
        ("pyproject.toml", '[tool.poetry.dependencies]\nsecret = [{version = "1", source = "a"}]', "pypi"),
        ("package.json", '{"dependencies": {"secret": "git+https://a.invalid/b.git"}}', "npm"),
        ("package.json", '{"dependencies": {"secret": "workspace:*"}}', "npm"),
        ("Cargo.toml", '[dependencies]\nsecret = {git = "https://a.invalid/b"}', "cargo"),
        ("Cargo.toml", '[dependencies]\nsecret = {version = "1", registry = "a"}', "cargo"),
        ("examples/package.json", '{"name": "secret"}', "npm"),
        ("go.mod", "module a\nrequire secret v0.0.0\nreplace secret => ../secret\n", "golang"),
        ("go.mod", "module a\nrequire (\n\tsecret v0.0.0\n)\nreplace (\n\tsecret v0.0.0 => ./b\n)\n", "golang"),
    ],
)
def test_what_a_manifest_gets_elsewhere_is_not_looked_up(project: Path, name: str, text: str, kind: str) -> None:
    found = read(project, {name: text})
    known = found.own | found.elsewhere
    assert known - {"pkg:golang/a"} == {f"pkg:{kind}/secret"}
    assert {name_of(*stated) for stated in found.stated} <= known


SECRET = '{"dependencies": {"secret": "1.0.0", "@corp/secret": "1.0.0"}}'
POM = DIRECT["maven"][1]
AT = "https://private.invalid/"


@pytest.mark.thorough
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "files",
    [
        {"package.json": SECRET, ".npmrc": f"registry={AT}"},
        {"package.json": SECRET, ".npmrc": f"@corp:registry={AT}\nregistry = {AT}"},
        {"package.json": SECRET, ".yarnrc": f'registry "{AT}"'},
        {"package.json": SECRET, ".yarnrc.yml": f'npmRegistryServer: "{AT}"'},
        {"package-lock.json": LOCK, ".npmrc": f"registry={AT}"},
        {
            "pnpm-lock.yaml": "packages:\n  secret@1.0.0:\n    resolution: {integrity: sha512-AA}\n",
            ".npmrc": f"registry={AT}",
        },
        {"requirements.txt": "secret==1\n", "more/requirements.txt": f"--index-url {AT}\n"},
        {"pyproject.toml": f'[project]\ndependencies = ["secret"]\n[[tool.uv.index]]\nurl = "{AT}"'},
        {"pyproject.toml": f'[tool.poetry.dependencies]\nsecret = "1"\n[[tool.poetry.source]]\nurl = "{AT}"'},
        {"requirements.txt": "secret==1\n", ".venv/pip.conf": f"[global]\nextra-index-url =\n  {AT}\n"},
        {"requirements.txt": "secret==1 --hash=sha256:00\n", "uv.toml": f'index-url = "{AT}"'},
        {
            "Cargo.toml": '[dependencies]\nsecret = "1.0.0"',
            ".cargo/config.toml": f'[source.crates-io]\nreplace-with = "a"\n[source.a]\nregistry = "sparse+{AT}"',
        },
        {
            "pom.xml": POM.replace(
                "</project>", f"<repositories><repository><url>{AT}</url></repository></repositories></project>"
            )
        },
        {"gradle.lockfile": "com.hello:secret:1.0=a\n", "build.gradle": f'repositories {{ maven {{ url "{AT}" }} }}'},
    ],
    ids=" ".join,
)
def test_no_other_registry_learns_the_names_of_a_registry_of_the_project(
    project: Path, tmp_path: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise AssertionError("it asks a registry")

    read(project, files)
    monkeypatch.setattr("wherefrom.sources.packages.client.Client._asked", fails)
    with pytest.raises(SourceError, match="may come from a registry that the project names"):
        wherefrom.index_dependencies([project], cache=tmp_path / "cache")


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("is_link", [False, True])
def test_settings_that_git_ignores_and_links_name_registries_too(
    project: Path, tmp_path: Path, is_link: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.rmdir()
    Repository.make(project, {".gitignore": b".npmrc\n", "web/package.json": SECRET.encode()})
    settings = project / "web/.npmrc"
    if is_link:
        settings.symlink_to(tmp_path / "elsewhere")
    else:
        settings.write_text(f"registry={AT}")
    monkeypatch.setattr("wherefrom.sources.packages.client.Client._asked", lambda *_: pytest.fail("it asks a registry"))
    with pytest.raises(SourceError, match="may come from a registry that the project names"):
        wherefrom.index_dependencies([project], cache=tmp_path / "cache")
    settings.unlink()
    settings.write_text("registry=https://registry.npmjs.org/\n")
    assert Dependencies.of(Checkout.of([project])[0].work_tree()).own_registries == set()


@pytest.mark.parametrize(
    ("path", "text", "scopes"),
    [
        (".npmrc", "registry=https://registry.npmjs.org/\n//a/:_authToken=x\n# registry=https://a/", []),
        (".npmrc", "@corp:registry=https://a.invalid/", ["@corp"]),
        ("uv.toml", '[[index]]\nurl = "https://a.invalid/"\nexplicit = true', []),
        ("Pipfile", '[[source]]\nurl = "https://pypi.org/simple"', []),
        (".cargo/config.toml", '[source.crates-io]\nreplace-with = "a"\n[source.a]\ndirectory = "vendor"', []),
        ("pyproject.toml", "[", []),
        ("pom.xml", "<a", []),
    ],
)
def test_registries_that_a_project_names(path: str, text: str, scopes: list[str]) -> None:
    assert sorted(own.scope for own in own_registries(path, text.encode())) == scopes


def test_what_a_lock_file_leaves_out_is_shown_without_control_characters(project: Path) -> None:
    lock = {"packages": {"node_modules/a\x1b[31m": {"version": "https://a.invalid/b.tgz"}}}
    assert "\x1b" not in read(project, {"package-lock.json": json.dumps(lock)}).warnings[0]


def test_a_project_that_names_no_package(project: Path, tmp_path: Path) -> None:
    (project / "a.py").write_bytes(CODE)
    with pytest.raises(SourceError, match="names no package to index"):
        wherefrom.index_dependencies([project], cache=tmp_path / "cache")
    assert not (tmp_path / "dependencies").exists()


@pytest.mark.usefixtures("home")
def test_hostile_names_are_refused(project: Path, tmp_path: Path) -> None:
    (project / "package.json").write_text(json.dumps({"dependencies": {"../../x": "1.0.0", "a b": "1.0.0"}}))
    with pytest.raises(SourceError, match=r"2 dependencies cannot be found: .*has characters that no package has"):
        wherefrom.index_dependencies([project], cache=tmp_path / "cache")
