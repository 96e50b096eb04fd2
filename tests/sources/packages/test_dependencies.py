"""What a project depends on is indexed from its registries, and kept up to date."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import wherefrom
from tests.sources.packages.registries import CODE, Answer, Kind, Server, configure_npm, tar
from wherefrom.errors import SourceError
from wherefrom.projects.dependencies import Dependencies
from wherefrom.sources.checkout import Checkout

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


def test_requirements_are_a_lock_file_if_they_have_hashes(project: Path) -> None:
    pinned = read(project, {"requirements.txt": "-r dev.txt\na==1 --hash=sha256:00\n"})
    assert ([source.text for source in pinned.locked], pinned.stated) == (
        ["pkg:pypi/a@1?checksum=sha256:00"],
        [],
    )
    written = read(project, {"requirements.txt": "-c limits.txt\na==1\n"})
    assert ([*written.locked], [stated.name for _, stated in written.stated]) == ([], ["a"])


def test_requirements_that_name_an_index_are_not_looked_up_elsewhere(project: Path) -> None:
    found = read(project, {"requirements.txt": "--extra-index-url https://private.invalid/\nsecret==1\n"})
    assert ([*found.locked], found.stated) == ([], [])
    assert "names an index" in found.warnings[0]


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
