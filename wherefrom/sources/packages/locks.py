"""The packages of lock files and SBOMs, as sources. A form of file is a row of `_FORMS`.

A file of a project is a stranger's. So it is read in a process with limits, and each of its sources is `remote_only`. A
checksum in a lock file becomes the qualifier `checksum` of the package URL.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from packageurl import PackageURL
from packaging.requirements import InvalidRequirement, Requirement

from wherefrom.errors import UsageError
from wherefrom.sources.listed import ListedSource
from wherefrom.sources.packages.cargo import is_public_index
from wherefrom.sources.packages.manifests import form_of
from wherefrom.sources.packages.npm import checksums_of
from wherefrom.sources.packages.source import ECOSYSTEMS, h1
from wherefrom.sources.repository_urls import without_credentials
from wherefrom.support.hosts import HOSTS
from wherefrom.support.pattern import later
from wherefrom.support.printable import visible
from wherefrom.support.workers import Died
from wherefrom.support.workers.pool import Pool

SECONDS, MEMORY = 60.0, 1_000_000_000  # limits on the time and the bytes of memory for reading a file
_DEEPEST = 100  # limit on the levels of nested packages and components
_SBOM_MARKS = ("bomFormat", "spdxVersion", "@graph")
_SBOM_NAMES = (
    ("externalRefs", "referenceType", "purl", "referenceLocator"),
    ("externalIdentifier", "externalIdentifierType", "packageUrl", "identifier"),
)
"""Lists of names of a package; the field and its value that mark a package URL, and the field that has it."""

_ARCHIVE = later(
    r"https://(?:codeload\.|api\.)?(github\.com)/(?:repos/)?([^/]+/[^/]+)/"
    r"(?:archive|(?:tar|zip)ball|(?:legacy\.)?(?:tar\.gz|zip))/(?:refs/(?:heads|tags)/)?(.+?)(?:\.tar\.gz|\.tgz|\.zip)?"
)
"""The URL of an archive of a repository: its host, path and revision."""

_SHORT = r"(github|gitlab|bitbucket):"  # the short form of the URL of a repository, before its path
_YARN = "https://registry.yarnpkg.com/"  # yarn's name for the public registry of npm
_PATH, _AT_URL = "a path", "an archive at a URL"


class Locked(NamedTuple):
    """What a file names: the sources, and what cannot be indexed, each with the reason."""

    sources: list[ListedSource]
    left_out: list[str]


def read_lock(name: str, text: str) -> Locked | None:
    """The packages that a lock file or an SBOM names, in its order; None if it is neither. Raises UsageError if it
    cannot be read, or asks for a registry of its own. The name of the file tells the form of a lock file, its content
    that of an SBOM.
    """
    if form_of(_FORMS, name) is None and not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return None
    with Pool(_read, jobs=1, seconds=SECONDS, memory=MEMORY, tries=1, forks=True) as pool:
        ((_, found),) = next(pool.map([[(name, text)]]))
    if isinstance(found, Died):
        raise UsageError(
            f"{visible(name)} takes more than {SECONDS:.0f} s or {MEMORY:,} bytes of memory to read, so no tool "
            "wrote it; leave it out"
        )
    return found


def kind_of_lock(name: str) -> str | None:
    """The type of the packages in a lock file, by its name; None for a file that is not a lock file."""
    form = form_of(_FORMS, name)
    return None if form is None else form[0]


def _read(file: tuple[str, str]) -> Locked | None:
    name, text = file
    form = form_of(_FORMS, name)
    try:
        if form is not None:
            found = [*dict.fromkeys(form[1](text.removeprefix("\ufeff")))]
        else:
            try:
                values = json.loads(text.lstrip("\ufeff"))
            except (ValueError, RecursionError):
                return None  # a list of sources can have lines of JSON
            if not isinstance(values, dict) or not any(mark in values for mark in _SBOM_MARKS):
                return None
            found = [*dict.fromkeys(_sbom(values))]
    except UsageError as error:
        raise UsageError(f"{visible(name)}: {error}") from None
    except (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError) as error:
        reason = visible(str(error).partition("\n")[0][:200])
        raise UsageError(f"{visible(name)} is not a lock file of its name ({reason}); write it again") from None
    return Locked([one for one in found if not isinstance(one, str)], [one for one in found if isinstance(one, str)])


def _uv(text: str) -> Iterator[ListedSource | str]:
    for package in tomllib.loads(text).get("package", []):
        name, source = package["name"], package.get("source", {})
        if "git" in source:
            yield _clone(source["git"])
        elif "registry" in source:
            files = [package.get("sdist", {}), *package.get("wheels", [])]
            hashes = [file["hash"] for file in files if "hash" in file]
            yield _package("pypi", name, package["version"], hashes, source["registry"])
        else:
            yield _at_url(name, source["url"]) if "url" in source else _left_out(name, _PATH)


def _poetry(text: str) -> Iterator[ListedSource | str]:
    values = tomllib.loads(text)
    older = values.get("metadata", {}).get("files", {})
    for package in values.get("package", []):
        name, source = package["name"], package.get("source", {})
        kind = source.get("type", "legacy")
        if kind == "git":
            yield _clone(source["url"], source.get("resolved_reference"))
        elif kind == "legacy":
            hashes = [file["hash"] for file in package.get("files") or older.get(name, [])]
            yield _package("pypi", name, package["version"], hashes, source.get("url"))
        else:
            yield _at_url(name, source["url"]) if kind == "url" else _left_out(name, _PATH)


def _pipfile(text: str) -> Iterator[ListedSource | str]:
    values = json.loads(text)
    indexes = {source["name"]: source["url"] for source in values.get("_meta", {}).get("sources", [])}
    for group in (group for name, group in values.items() if name != "_meta"):
        for name, package in group.items():
            if "git" in package:
                yield _clone(package["git"], package.get("ref"))
            elif "version" in package:
                version = package["version"].removeprefix("==")
                yield _package("pypi", name, version, package.get("hashes", []), indexes.get(package.get("index")))
            else:
                yield _at_url(name, package.get("file", ""))


def _requirements(text: str) -> Iterator[ListedSource | str]:
    for line in re.sub(r"\\\r?\n", " ", text).splitlines():
        stated = re.sub(r"(^|\s)#.*", "", line).strip()
        if stated.startswith(("-i", "--index-url", "--extra-index-url", "-f", "--find-links")):
            raise UsageError("it names an index; put that into pip.conf or PIP_INDEX_URL, and remove the line")
        if stated.startswith(("-r", "--requirement")):
            raise UsageError(f"{visible(stated)} names another file; give that one to --from too, and remove the line")
        stated = re.sub(r"^(?:-e|--editable)[\s=]*", "", stated)
        if not stated or stated.startswith("-"):
            continue
        written, *options = re.split(r"\s+--", stated)
        is_url = re.match(r"[\w+.-]+:[/.]", written)
        if is_url or re.search(r"^[.~]|/|\.(?:whl|zip|tar\.gz|tgz)$", written.partition("@")[0]):
            yield _at_url(written, written)
            continue
        try:
            requirement = Requirement(written)
        except InvalidRequirement:
            raise UsageError(f"{visible(stated[:200])} is not a requirement; give NAME==VERSION") from None
        exact = [one.version for one in requirement.specifier if one.operator in {"==", "==="}]
        hashes = [option.partition("=")[2].strip() for option in options if option.startswith("hash=")]
        if requirement.url is None:
            version = exact[0] if exact and not exact[0].endswith("*") else None
            yield _package("pypi", requirement.name, version, hashes)
        else:
            yield _at_url(requirement.name, requirement.url)


def _npm(text: str) -> Iterator[ListedSource | str]:
    values = json.loads(text)
    if "packages" in values:
        for path, package in values["packages"].items():
            name = package.get("name") or path.rpartition("node_modules/")[2]
            if "node_modules/" in path:
                yield _left_out(name, _PATH) if package.get("link") else _npm_package(name, package)
    else:
        waiting = [(values.get("dependencies", {}), 0)]
        while waiting:
            packages, depth = waiting.pop()
            for name, package in packages.items():
                yield _npm_package(name, package)
                if "dependencies" in package and depth < _DEEPEST:
                    waiting.append((package["dependencies"], depth + 1))


def _npm_package(name: str, package: Mapping[str, Any]) -> ListedSource | str:
    resolved, version = package.get("resolved", ""), package.get("version", "")
    is_alias = version.startswith("npm:")
    if is_alias:
        name, _, version = version.removeprefix("npm:").rpartition("@")
    if resolved.startswith(("git", "file:")) or _ARCHIVE.match(resolved) or resolved.partition("#")[0].endswith(".git"):
        return _at_url(name, resolved)
    if is_alias or re.match(r"\d", version):
        digests = checksums_of(package.get("integrity", ""))
        hashes = [f"{algorithm}:{digest}" for algorithm, digest in digests.items()]
        return _package("npm", name, version, hashes, resolved.partition("#")[0])
    return _at_url(name, version)


def _pnpm(text: str) -> Iterator[ListedSource | str]:
    for key, package in (_yaml(text).get("packages") or {}).items():
        resolution = package.get("resolution", {})
        # `name@version` since version 9, before that with a `/` in front, and before version 6 `/name/version`.
        found = re.fullmatch(r"/?((?:@[^@/]+/)?[^@/]+)[@/](\d[^(_]*)(?:[(_].*)?", key)
        tarball = resolution.get("tarball", "")
        if "repo" in resolution:
            yield _clone(resolution["repo"], resolution.get("commit"))
        elif found and "type" not in resolution:
            yield _npm_package(found[1], {**resolution, "version": found[2], "resolved": str(tarball)})
        else:
            yield _at_url(key, tarball)


def _yarn(text: str) -> Iterator[ListedSource | str]:
    if "__metadata:" in text:  # the form of Yarn 2 and later
        entries = _yaml(text)
        for package in (entries[key] for key in entries if key != "__metadata"):
            # Its checksums are those of another archive.
            name, _, where = package["resolution"][1:].partition("@")
            name, (url, _, commit) = package["resolution"][:1] + name, where.partition("#commit=")
            if version := re.match(r"npm:(\d[^:]*)", where):
                yield _package("npm", name, version[1])
            else:
                yield _clone(url, commit) if commit else _at_url(name, url)
        return
    for block in re.split(r"\n(?=\S)", f"\n{text}"):
        header, _, body = block.partition("\n")
        if named := re.match(r'"?(?:[^",:]*@npm:)?(@?[^@",]+)@([^",]*)', header):
            fields = dict(re.findall(r'^  (version|resolved|integrity) "?([^"\n]*)"?$', body, re.MULTILINE))
            resolved: str = fields.get("resolved") or (named[2] if named[2].startswith("file:") else "")
            public = resolved.replace(_YARN, ECOSYSTEMS["npm"].public().url)
            yield _npm_package(named[1], {**fields, "resolved": public})


def _cargo(text: str) -> Iterator[ListedSource | str]:
    values = tomllib.loads(text)
    older = values.get("metadata", {})
    for package in values.get("package", []):
        source = package.get("source", "")
        if source.startswith("git+"):
            yield _clone(source.removeprefix("git+"))
        elif source:
            name, version = package["name"], package["version"]
            checksum = package.get("checksum") or older.get(f"checksum {name} {version} ({source})")
            index = None if is_public_index(source) else source.removeprefix("registry+")
            hashes = [f"sha256:{checksum}"] if checksum else []
            yield _package("cargo", name, version, hashes, index)
        else:
            yield _left_out(package["name"], _PATH)


def _go(text: str) -> Iterator[ListedSource | str]:
    for line in text.splitlines():
        if words := line.split():
            module, version, digest = words
            if not version.endswith("/go.mod"):
                yield _package("golang", module, version, [h1(digest)])


def _gradle(text: str) -> Iterator[ListedSource | str]:
    for group, name, version in re.findall(r"^([\w.-]+):([\w.-]+):([\w.+-]+)=", text, re.MULTILINE):
        yield _package("maven", f"{group}/{name}", version)


def _gemfile(text: str) -> Iterator[ListedSource | str]:
    for kind, block in re.findall(r"^([A-Z]+)\n((?:[ \t].*\n?)*)", text, re.MULTILINE):
        fields = dict(re.findall(r"^  (remote|revision): (\S+)$", block, re.MULTILINE))
        if kind == "GIT":
            yield _clone(fields["remote"], fields.get("revision"))
        elif kind in {"GEM", "PATH"}:
            reason = _PATH if kind == "PATH" else "a gem"
            yield from (_left_out(name, reason) for name in re.findall(r"^    (\S+) \(", block, re.MULTILINE))


_FORMS: Mapping[str, tuple[str, Callable[[str], Iterable[ListedSource | str]]]] = {
    r"uv\.lock": ("pypi", _uv),
    r"poetry\.lock": ("pypi", _poetry),
    r"Pipfile\.lock": ("pypi", _pipfile),
    r"requirements/.*\.(?:txt|in)|[^/]*requirements[^/]*\.(?:txt|in)": ("pypi", _requirements),
    r"(?:package-lock|npm-shrinkwrap)\.json": ("npm", _npm),
    r"pnpm-lock\.yaml": ("npm", _pnpm),
    r"yarn\.lock": ("npm", _yarn),
    r"Cargo\.lock": ("cargo", _cargo),
    r"go\.sum": ("golang", _go),
    r"(?:buildscript-)?gradle\.lockfile": ("maven", _gradle),
    r"Gemfile\.lock|gems\.locked": ("gem", _gemfile),
}
"""For each name of a lock file, the type of its packages, and what yields them."""


def _sbom(values: dict[str, Any]) -> Iterator[ListedSource | str]:
    waiting: list[tuple[Any, int]] = [(values.get(name), 0) for name in ("components", "packages", "@graph")]
    while waiting:
        items, depth = waiting.pop()
        for item in _list(items):
            named = [item.get("purl"), item.get("packageUrl"), item.get("software_packageUrl")]
            named += [
                it.get(value)
                for among, kind, purl, value in _SBOM_NAMES
                for it in _list(item.get(among))
                if it.get(kind) == purl
            ]
            purls = [one for one in named if isinstance(one, str) and one.strip()]
            yield from (ListedSource(purl, remote_only=True) for purl in purls)
            is_package = item.get("type") == "software_Package" if "spdxId" in item else item.get("type") != "file"
            if not purls and is_package and "name" in item:
                yield _left_out(item["name"], "no package URL")
            if depth < _DEEPEST:
                waiting.append((item.get("components"), depth + 1))


def _clone(url: str, rev: str | None = None) -> ListedSource:
    plain, _, commit = url.removeprefix("git+").partition("#")
    if short := re.match(_SHORT, plain):
        host = next(name for name in HOSTS if name.startswith(f"{short[1]}."))
        plain = f"https://{host}/{plain[short.end() :]}"
    return ListedSource(plain.partition("?")[0], rev=rev or commit or None, remote_only=True)


def _at_url(name: str, url: str) -> ListedSource | str:
    """What is at a URL or a path: a clone, or an archive of one, can be indexed."""
    plain, _, fragment = url.partition("#")
    if archive := _ARCHIVE.fullmatch(plain):
        return _clone(f"https://{archive[1]}/{archive[2]}", archive[3])
    if re.match(rf"git[+@:]|ssh:|{_SHORT}", plain) or re.fullmatch(r"https?:.*\.git", plain):
        before, at, rev = plain.rpartition("@")
        if at and "/" in before.partition("://")[2]:  # in a requirement, the revision is behind the path
            return _clone(before, rev)
        return _clone(plain, None if "=" in fragment else fragment)
    return _left_out(name, _AT_URL if re.match(r"(?i:https?):", plain) else _PATH)


def _left_out(name: object, reason: str) -> str:
    return f"{visible(without_credentials(str(name))[:100])} ({reason})"


def _yaml(text: str) -> dict[str, Any]:
    """The values of a YAML file, each as a text: only these files need the library."""
    import yaml  # noqa: PLC0415

    try:
        values: dict[str, Any] = yaml.load(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
    return values


def _list(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _package(
    kind: str, name: str, version: str | None, hashes: Iterable[str] = (), registry: str | None = None
) -> ListedSource | str:
    """A package as a source. If it comes from another registry than the public one, its URL says so."""
    namespace, _, last = name.rpartition("/")
    qualifiers = {"checksum": ",".join(hashes)} if hashes else {}
    host = urlsplit(registry.removeprefix("sparse+")).hostname if registry else None
    if registry and not host:
        return _left_out(name, _PATH)
    if registry and host != urlsplit(ECOSYSTEMS[kind].public().url).hostname:
        qualifiers["repository_url"] = without_credentials(registry)
    purl = PackageURL(kind, namespace or None, last, version, qualifiers).to_string()
    return ListedSource(purl, remote_only=True)
