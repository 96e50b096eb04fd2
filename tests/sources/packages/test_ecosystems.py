"""What only one ecosystem has: its forms of files, its lists of versions, and the settings of its clients."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from packageurl import PackageURL

from tests.sources.packages.registries import (
    CODE,
    METADATA,
    Answer,
    Server,
    configure_golang,
    configure_npm,
    configure_pypi,
    npm_version,
    publish_golang,
    publish_maven,
    publish_npm,
    publish_pypi,
    pypi_file,
    sha256,
    tar,
    zipped,
)
from tests.sources.packages.test_protocols import files, only, sources
from wherefrom.errors import SourceError
from wherefrom.model import SkipReason
from wherefrom.sources.packages.registry import Registry, semantic
from wherefrom.sources.packages.source import ECOSYSTEMS, registry_of


def registry(spec: str) -> Registry:
    purl = PackageURL.from_string(spec)
    return ECOSYSTEMS[purl.type].registry(purl)


def test_versions_are_ordered_as_numbers() -> None:
    ordered = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1"]
    ordered += ["1.0.0", "1.2.0", "1.10.0", "2.0.0"]  # https://semver.org/#spec-item-11
    assert sorted(sorted(ordered), key=semantic) == ordered


class TestPyPI:
    @pytest.fixture(autouse=True)
    def configured(self, home: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        configure_pypi(server, home, monkeypatch, False)

    def test_a_wheel_is_taken_where_there_is_no_sdist_and_that_is_said(self, server: Server, tmp_path: Path) -> None:
        wheel = zipped({"greeter.py": CODE, "greeter-1.0.dist-info/METADATA": METADATA})
        files_of = [
            pypi_file(server, "greeter-1.0-cp311-cp311-linux_x86_64.whl", b"native"),
            pypi_file(server, "greeter-1.0-py3-none-any.whl", wheel),
        ]
        server.put("/simple/greeter/", {"files": files_of})
        source = only(tmp_path, "pkg:pypi/greeter@1.0")
        assert files(source)["greeter.py"] == CODE
        assert source.package is not None
        assert (source.package.form, source.package.license) == ("bundle", "MIT")
        (warning,) = source.warnings
        assert warning.startswith("pkg:pypi/greeter@1.0 has no source form, so what it was built into is indexed: ")
        assert warning.endswith("greeter-1.0-py3-none-any.whl")

    def test_the_public_index_has_its_files_at_another_host_also_if_it_is_configured(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ecosystem, purl = ECOSYSTEMS["pypi"], PackageURL("pypi", name="greeter")
        public = ecosystem.public()
        assert registry_of(ecosystem, purl).knows is None
        monkeypatch.setenv("PIP_INDEX_URL", public.url.rstrip("/"))
        found = registry_of(ecosystem, purl)
        assert found == replace(public, is_configured=True)

    def test_a_yanked_version_is_taken_only_by_its_name(self, server: Server, tmp_path: Path) -> None:
        made = {v: pypi_file(server, f"greeter-{v}.tar.gz", tar({f"greeter-{v}/a.py": CODE})) for v in ("1.0", "1.1")}
        server.put("/simple/greeter/", {"files": [made["1.0"], {**made["1.1"], "yanked": "it is broken"}]})
        assert [source.key for source in sources(tmp_path, "pkg:pypi/greeter")] == ["pkg:pypi/greeter@1.0"]
        source = only(tmp_path, "pkg:pypi/greeter@1.1")
        _ = source.revision
        assert source.warnings == ("pkg:pypi/greeter@1.1 was withdrawn by its authors (yanked or deprecated)",)

    def test_an_index_may_answer_in_html(self, server: Server, tmp_path: Path) -> None:
        content = tar({"greeter-1.0/greeter.py": CODE})
        server.put("/files/greeter-1.0.tar.gz", content)
        page = f'<a href="../../files/greeter-1.0.tar.gz#sha256={sha256(content)}" data-requires-python="x">greeter</a>'
        server.put("/simple/greeter/", page.encode())
        assert files(only(tmp_path / "a", "pkg:pypi/greeter@1.0"))["greeter.py"] == CODE
        server.put("/simple/greeter/", page.replace(sha256(content), "0" * 64).encode())
        with pytest.raises(SourceError, match="another checksum"):
            _ = only(tmp_path / "b", "pkg:pypi/greeter@1.0").revision

    def test_a_lock_file_that_has_only_the_wheel_gets_the_wheel(self, server: Server, tmp_path: Path) -> None:
        publish_pypi(server)
        wheel = server.answers["/files/greeter-1.10.0-py3-none-any.whl"][0].body
        source = only(tmp_path, f"pkg:pypi/greeter@1.10.0?checksum=sha256:{sha256(wheel)}")
        assert source.revision == sha256(wheel)

    def test_a_file_of_another_package_is_left_alone(self, server: Server, tmp_path: Path) -> None:
        server.put("/simple/greeter/", {"files": [pypi_file(server, "other-1.0.tar.gz", b""), {"filename": 3}, 4]})
        with pytest.raises(SourceError, match="no version"):
            _ = only(tmp_path, "pkg:pypi/greeter@1.0").revision

    @pytest.mark.parametrize("place", [".config/pip/pip.conf", ".pip/pip.conf"])
    def test_pip_conf(self, place: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("PIP_INDEX_URL")
        path = home / place
        path.parent.mkdir(parents=True)
        path.write_text("[global]\nindex-url = https://me:a%40b@packages.invalid/simple\n")
        found = registry("pkg:pypi/x")
        assert (found.url, found.is_configured) == ("https://packages.invalid/simple/", True)
        header = "Basic " + base64.b64encode(b"me:a@b").decode()
        assert found.authorization == {"packages.invalid:443": header}

    def test_uv(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("PIP_INDEX_URL")
        monkeypatch.setenv("UV_DEFAULT_INDEX", "https://packages.invalid/simple")
        assert registry("pkg:pypi/x").url == "https://packages.invalid/simple/"

    def test_netrc_names_a_host_of_files(self, server: Server, other: Server, home: Path, tmp_path: Path) -> None:
        """It is trusted then, and gets its own credentials only."""
        (home / ".netrc").write_text("machine files.invalid login me password secret\n")
        found = registry("pkg:pypi/x")
        assert found.admits("https://files.invalid/a.tar.gz")
        assert not found.admits("https://files.invalid:8443/a.tar.gz")
        assert not found.admits(f"{other.url}/a.tar.gz")
        assert [*found.authorization] == ["files.invalid:443"]

    def test_a_broken_setting_is_named(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PIP_INDEX_URL", "ftp://packages.invalid")
        with pytest.raises(SourceError, match="PIP_INDEX_URL is not the URL of a registry"):
            registry("pkg:pypi/x")
        (home / ".netrc").write_text("machine")
        monkeypatch.setenv("PIP_INDEX_URL", "https://packages.invalid")
        with pytest.raises(SourceError, match=r"cannot read .*\.netrc"):
            registry("pkg:pypi/x")

    def test_files_of_the_public_index_are_only_at_hosts_that_are_known(self) -> None:
        public = ECOSYSTEMS["pypi"].public()
        assert public.admits(f"{public.url}greeter/")
        assert not public.admits("https://packages.invalid/greeter-1.0.tar.gz")
        assert not public.admits(f"{public.url}greeter/".replace("https:", "http:"))


class TestNpm:
    @pytest.fixture(autouse=True)
    def configured(self, home: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        configure_npm(server, home, monkeypatch, False)

    def publish(self, server: Server, inner: dict[str, bytes], **others: object) -> None:
        content = tar({f"package/{name}": text for name, text in inner.items()})
        made = npm_version(server, "3.5.2", content, **others)
        server.put("/@hello%2Fgreeter", {"versions": {"3.5.2": made, "3.4.9": made, "3.50.0": made}})

    def test_compiled_files_are_left_out_beside_their_source(self, server: Server, tmp_path: Path) -> None:
        code = b"export const greet = (name) => 'Hello, ' + name\n"
        inner = {"src/a.js": code, "dist/a.js": code, "dist/a.min.js": code, "a.min.css": b"a{}", "dist/a.d.ts": code}
        self.publish(server, inner)
        source = only(tmp_path, "pkg:npm/%40hello/greeter@3.5.2")
        skipped = {entry.path: entry.skip for entry in source.entries() if entry.skip}
        assert skipped == dict.fromkeys(("dist/a.js", "dist/a.min.js", "a.min.css"), SkipReason.GENERATED)
        assert source.warnings == ()

    def test_a_package_that_is_only_compiled_is_taken_and_that_is_said(self, server: Server, tmp_path: Path) -> None:
        self.publish(server, {"index.js": b"module.exports = require('./dist/a')", "dist/a.js": b"greet()\n" * 100})
        source = only(tmp_path, "pkg:npm/%40hello/greeter@3.5.2")
        assert {entry.path: entry.skip for entry in source.entries()} == {"index.js": None, "dist/a.js": None}
        assert source.package is not None
        assert source.package.form == "bundle"
        assert "no source form" in source.warnings[0]

    def test_a_part_of_a_version_is_the_newest_that_begins_so(self, server: Server, tmp_path: Path) -> None:
        self.publish(server, {"a.js": b"x"})
        assert [it.key for it in sources(tmp_path, "pkg:npm/%40hello/greeter@3.5")] == [
            "pkg:npm/%40hello/greeter@3.5.2"
        ]
        with pytest.raises(SourceError, match="no version that fits"):
            sources(tmp_path, "pkg:npm/%40hello/greeter@7.1")

    def test_older_metadata(self, server: Server, tmp_path: Path) -> None:
        older = {"license": None, "licenses": [{"type": "MIT"}, {"type": "GPL-2.0"}], "author": "Ada <a@b.invalid>"}
        self.publish(server, {"a.js": b"x"}, **older, repository="hello/greeter", deprecated="use another")
        source = only(tmp_path, "pkg:npm/%40hello/greeter@3.5.2")
        _ = source.revision
        found = source.package
        assert found is not None
        assert (found.license, found.author, found.repository) == (
            "MIT OR GPL-2.0",
            "Ada <a@b.invalid>",
            "hello/greeter",
        )
        assert "was withdrawn" in source.warnings[0]

    def test_a_scope_is_asked_only_of_its_registry(
        self, server: Server, other: Server, home: Path, tmp_path: Path
    ) -> None:
        publish_npm(server)
        (home / ".npmrc").write_text(
            f"registry={other.url}/\n@hello:registry={server.url}/\n//{other.url.partition('://')[2]}/:_authToken=secret\n"
        )
        assert files(only(tmp_path, "pkg:npm/%40hello/greeter@1.10.0"))["greeter.py"] == CODE
        assert other.asked == []
        assert {asked.authorization for asked in server.asked} == {None}
        with pytest.raises(SourceError):
            _ = only(tmp_path, "pkg:npm/greeter@1.10.0").revision
        assert {asked.authorization for asked in other.asked} == {"Bearer secret"}

    @pytest.mark.parametrize(
        ("lines", "header"),
        [
            ("//packages.invalid/a/:_authToken=t", "Bearer t"),
            ("//packages.invalid/:_auth=bWU6c2VjcmV0", "Basic bWU6c2VjcmV0"),
            ("//packages.invalid/a/:username=me\n//packages.invalid/a/:_password=c2VjcmV0", "Basic bWU6c2VjcmV0"),
            ("//other.invalid/:_authToken=t", None),
        ],
    )
    def test_credentials(self, lines: str, header: str | None, home: Path) -> None:
        (home / ".npmrc").write_text(f"registry = https://packages.invalid/a\n{lines}\n")
        assert registry("pkg:npm/x").authorization.get("packages.invalid:443") == header

    def test_the_environment_wins(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (home / ".npmrc").write_text("registry=https://packages.invalid/a")
        monkeypatch.setenv("npm_config_registry", "https://packages.invalid/b")
        assert registry("pkg:npm/x").url == "https://packages.invalid/b/"


class TestCargo:
    @pytest.mark.parametrize("place", ["1/a", "2/ab", "3/a/abc", "ab/cd/abcd", "ab/cd/Abcde"])
    def test_the_folders_of_an_index(self, place: str, home: Path, server: Server, tmp_path: Path) -> None:
        place, _, name = place.rpartition("/")
        content = tar({f"{name}-1.0.0/a.rs": CODE})
        template = f"{server.url}/{{crate}}-{{version}}-{{lowerprefix}}-{{sha256-checksum}}.crate"
        server.put("/config.json", {"dl": template})
        line = f'{{"name": "{name}", "vers": "1.0.0", "cksum": "{sha256(content)}", "yanked": true}}\n{{"v": 9\n'
        server.put(f"/{place}/{name.lower()}", line.encode())
        server.put(f"/{name}-1.0.0-{place}-{sha256(content)}.crate", content)
        (home / ".cargo").mkdir()
        (home / ".cargo/config.toml").write_text(
            '[source.crates-io]\nreplace-with = "a"\n[source.a]\nreplace-with = "b"\n'
            f'[source.b]\nregistry = "sparse+{server.url}/"\n'
        )
        source = only(tmp_path, f"pkg:cargo/{name}@1.0.0")
        assert files(source)["a.rs"] == CODE
        assert "was withdrawn" in source.warnings[0]

    def test_a_registry_of_a_lock_file(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CARGO_REGISTRIES_OWN_INDEX", "sparse+https://packages.invalid/index/")
        monkeypatch.setenv("CARGO_REGISTRIES_OWN_TOKEN", "secret")
        (home / ".cargo").mkdir()
        (home / ".cargo/config.toml").write_text('[registries.own]\nindex = "overridden"')
        found = registry("pkg:cargo/x?repository_url=sparse%2Bhttps://packages.invalid/index/")
        assert (found.url, found.authorization) == (
            "https://packages.invalid/index/",
            {"packages.invalid:443": "secret"},
        )
        assert not registry("pkg:cargo/x").is_configured

    @pytest.mark.parametrize("source", ['directory = "vendor"', 'registry = "https://packages.invalid/index.git"'])
    def test_what_is_no_sparse_registry_is_named(self, source: str, home: Path) -> None:
        (home / ".cargo").mkdir()
        (home / ".cargo/config.toml").write_text(f'[source.crates-io]\nreplace-with = "a"\n[source.a]\n{source}\n')
        with pytest.raises(SourceError, match="not a"):
            registry("pkg:cargo/x")


class TestMaven:
    @pytest.mark.parametrize(
        ("pattern", "is_mirror"),
        [
            ("*", True),
            ("central", True),
            ("external:*", True),
            ("a,central", True),
            ("*,!central", False),
            ("a", False),
        ],
    )
    def test_a_mirror(self, pattern: str, is_mirror: bool, home: Path) -> None:
        (home / ".m2").mkdir()
        (home / ".m2/settings.xml").write_text(
            '<settings xmlns="http://maven.apache.org/SETTINGS/1.2.0"><mirrors><mirror><id>a</id>'
            f"<mirrorOf>{pattern}</mirrorOf><url>https://packages.invalid/maven</url></mirror></mirrors></settings>"
        )
        assert registry("pkg:maven/a/b").is_configured is is_mirror

    def test_a_document_type_is_refused(self, home: Path) -> None:
        (home / ".m2").mkdir()
        (home / ".m2/settings.xml").write_text('<!DOCTYPE a [<!ENTITY b "c">]><settings/>')
        with pytest.raises(SourceError, match="document type"):
            registry("pkg:maven/a/b")

    def test_the_jar_is_taken_where_there_are_no_sources_and_the_parent_tells_the_license(
        self, home: Path, server: Server, tmp_path: Path
    ) -> None:
        publish_maven(server)
        (home / ".m2").mkdir()
        (home / ".m2/settings.xml").write_text(
            f"<settings><mirrors><mirror><mirrorOf>*</mirrorOf><url>{server.url}/maven2/</url></mirror></mirrors></settings>"
        )
        jar = zipped({"greeter.js": CODE})
        server.put("/maven2/a/b/1/b-1.jar", jar)
        server.put("/maven2/a/b/1/b-1.jar.sha256", f"{sha256(jar)}  b-1.jar".encode())
        server.put(
            "/maven2/a/b/1/b-1.pom",
            b"<project><parent><groupId>com.hello</groupId><artifactId>greeter</artifactId><version>1.9.0</version>"
            b"</parent><url>https://b.invalid</url></project>",
        )
        source = only(tmp_path, "pkg:maven/a/b@1")
        assert files(source)["greeter.js"] == CODE
        assert source.package is not None
        assert (source.package.form, source.package.license, source.package.upstream) == (
            "bundle",
            "MIT",
            "https://b.invalid",
        )


class TestGolang:
    def test_the_checksum_of_a_go_sum(
        self, home: Path, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The hash of https://go.dev/ref/mod#go-sum-files, made here without the code under test."""
        configure_golang(server, home, monkeypatch, False)
        publish_golang(server)
        line = f"{hashlib.sha256(CODE).hexdigest()}  code.invalid/Ada/greeter@v1.10.0/greeter.py\n"
        digest = hashlib.sha256(line.encode()).hexdigest()
        spec = f"pkg:golang/code.invalid/Ada/greeter@v1.10.0?checksum=h1:{digest}"
        assert files(only(tmp_path, spec))["greeter.py"] == CODE
        assert files(only(tmp_path, spec))["greeter.py"] == CODE  # from the cache, compared again

    def test_a_module_without_tags_is_its_newest_commit(
        self, home: Path, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        configure_golang(server, home, monkeypatch, False)
        server.put("/code.invalid/a/@v/list", b"")
        server.put("/code.invalid/a/@latest", {"Version": "v0.0.0-20240301100000-abcdefabcdef"})
        (source,) = sources(tmp_path, "pkg:golang/code.invalid/a")
        assert source.key == "pkg:golang/code.invalid/a@v0.0.0-20240301100000-abcdefabcdef"

    @pytest.mark.parametrize("pattern", ["code.invalid", "code.invalid/*", "*.other,code.invalid/ada/"])
    def test_a_private_module_is_asked_of_no_proxy(
        self, pattern: str, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GOPRIVATE", pattern)
        with pytest.raises(SourceError, match="GOPRIVATE"):
            registry("pkg:golang/code.invalid/ada/greeter")
        assert registry("pkg:golang/other.invalid/greeter").url

    @pytest.mark.parametrize("value", ["off", "direct"])
    def test_without_a_proxy(self, value: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GOPROXY", value)
        with pytest.raises(SourceError, match="the first entry of GOPROXY"):
            registry("pkg:golang/code.invalid/a")

    def test_the_file_of_go_env(self, home: Path) -> None:
        (home / ".config/go").mkdir(parents=True)
        (home / ".config/go/env").write_text("GOPROXY=https://packages.invalid/go|direct\n")
        assert registry("pkg:golang/code.invalid/a").url == "https://packages.invalid/go/"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("pkg:pypi", "is not a package URL"),
        ("pkg:", "is not a package URL"),
        ("pkg:nuget/a@1", "of a type that wherefrom cannot fetch"),
        ("pkg:npm/..%2F..%2Fa@1", "characters that no package has"),
        ("pkg:npm/a@1%2F..%2F2", "characters that no package has"),
        ("pkg:cargo/a%0D%0Ab@1", "characters that no package has"),
        ("pkg:maven/guava", "GROUP/ARTIFACT"),
    ],
)
def test_a_package_url_that_cannot_be_used(spec: str, message: str, home: Path, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=message):
        sources(tmp_path, spec)


def test_a_repository_is_a_clone(tmp_path: Path) -> None:
    (source,) = sources(tmp_path, "pkg:github/OWNER/Repository@v1")
    assert (source.key, getattr(source, "rev", None)) == ("github.com/owner/repository", "v1")


def test_a_proxy_is_not_asked_for_a_private_address(
    home: Path, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proxy would resolve the name, but an address needs no name."""
    from wherefrom.sources.packages.client import Client

    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.setenv("no_proxy", "")
    leading = Registry("http://packages.invalid/", hosts=frozenset({"169.254.169.254:80"}))
    with pytest.raises(SourceError, match="private address"):
        Client().answer(leading, "http://169.254.169.254/")
    assert server.asked == []
    server.put("http://packages.invalid/a", Answer(b"through the proxy"))
    through = Registry("http://packages.invalid/")
    assert Client().answer(through, f"{through.url}a") == b"through the proxy"
