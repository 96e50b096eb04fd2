"""How often clones, packages and forks are rightly recognized as one project (`wherefrom list --projects`).

Real projects are indexed as clones. From trees of their tags, packages and forks are made, with metadata that names the
right repository, none or a wrong one. Others are traps: they name a project whose code they do not have or only carry a
copy of. Nothing is fetched.

    python -m benchmarks.projects --clones FOLDER [--draw N]

FOLDER has the clones as OWNER+NAME, or as OWNER+NAME/repo.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path

from packageurl import PackageURL

import wherefrom
from benchmarks.timing import table
from wherefrom.model import Package
from wherefrom.sources.packages.client import Client
from wherefrom.sources.packages.kept import RECORD
from wherefrom.sources.packages.source import PackageSource, ecosystem_of

Files = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Project:
    """A project on GitHub: `OWNER/NAME`, and the folders that a package of it has, the newest first."""

    name: str
    folders: tuple[str, ...]

    @property
    def word(self) -> str:
        """Its name without the owner."""
        return self.name.partition("/")[2]

    @property
    def key(self) -> str:
        """Its repository key."""
        return f"github.com/{self.name}"


PROJECTS = (
    Project("pallets/flask", ("src/flask", "flask")),
    Project("psf/requests", ("src/requests", "requests")),
    Project("pallets/click", ("src/click", "click")),
    Project("pallets/jinja", ("src/jinja2", "jinja2")),
    Project("pallets/werkzeug", ("src/werkzeug", "werkzeug")),
    Project("expressjs/express", ("lib",)),
    Project("gin-gonic/gin", ("",)),
    Project("BurntSushi/ripgrep", ("crates", "src")),
    Project("google/gson", ("gson/src/main/java",)),
    Project("fmtlib/fmt", ("include", "fmt")),
    Project("redis/redis", ("src",)),
    Project("sinatra/sinatra", ("lib",)),
    Project("jquery/jquery", ("src",)),
    Project("serde-rs/serde", ("serde", "src")),
    Project("madler/zlib", ("",)),
)

PARTS = (
    ("BurntSushi/ripgrep", "crates/globset", True),
    ("BurntSushi/ripgrep", "crates/ignore", True),
    ("BurntSushi/ripgrep", "crates/searcher", True),
    ("serde-rs/serde", "serde_derive", True),
    ("serde-rs/serde", "test_suite", True),
    ("google/gson", "extras", True),
    ("google/gson", "metrics", True),
    ("sinatra/sinatra", "rack-protection", True),
    ("sinatra/sinatra", "sinatra-contrib", True),
    ("redis/redis", "deps/hiredis", False),
    ("redis/redis", "deps/lua", False),
    ("redis/redis", "deps/linenoise", False),
    ("redis/redis", "deps/hdr_histogram", False),
    ("redis/redis", "deps/fpconv", False),
    ("fmtlib/fmt", "test/gtest", False),
)
"""Folders of clones that are packed as packages that name the clone, and whether they are part of the project."""

URLS = (
    "https://github.com/{name}",
    "git+https://github.com/{name}.git",
    "https://github.com/{name}/tree/main/packages/core",
    "git@github.com:{name}.git",
    "https://GitHub.com/{upper}/",
)


@dataclass(frozen=True, slots=True)
class Item:
    """A repository of the index: `label` is its project in truth, `vendored` that of each vendored folder."""

    key: str
    label: str
    files: Files
    url: str = ""
    vendored: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Corpus:
    """Everything that is indexed, and the pairs that are counted: two keys and what the first one is."""

    items: dict[str, Item] = field(default_factory=dict)
    pairs: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, item: Item, other: str, case: str) -> None:
        """Adds an item that has some files. With a `case`, also adds its pair with another key."""
        if len(item.files) >= 3 and item.key not in self.items:
            self.items[item.key] = item
            if case:
                self.pairs.append((item.key, other, case))


class Clone:
    """A clone of a project."""

    def __init__(self, folder: Path, project: Project) -> None:
        place = folder / project.name.replace("/", "+")
        self.place = place / "repo" if (place / "repo").is_dir() else place
        self.project = project
        tags = self._git("for-each-ref", "--sort=creatordate", "--format=%(refname)", "refs/tags").decode().split()
        self.tags = [tag for tag in tags if re.search(r"\d\.\d", tag)]

    def tag(self, share: float) -> str:
        """The tag at a share of the history, 0 (the oldest) to 1 (the newest)."""
        return self.tags[round(share * (len(self.tags) - 1))]

    @cache  # noqa: B019
    def tree(self, rev: str) -> Files:
        """The files of a revision."""
        with tarfile.open(fileobj=io.BytesIO(self._git("archive", "--format=tar", rev))) as archive:
            return {info.name: archive.extractfile(info).read() for info in archive if info.isfile()}  # type: ignore[union-attr]

    def main(self, rev: str, *, keep: bool = True) -> Files:
        """What a package of a revision has: its main folder, with or without the name of the folder."""
        tree = self.tree(rev)
        for name in self.project.folders:
            if inner := below(tree, name):
                last = name.rpartition("/")[2]
                return placed(inner, last) if keep and last else inner
        return {}

    def _git(self, *arguments: str) -> bytes:
        return subprocess.run(["git", "-C", str(self.place), *arguments], check=True, capture_output=True).stdout


def below(files: Files, folder: str) -> Files:
    """The files below a folder."""
    begin = f"{folder}/" if folder else ""
    return {path[len(begin) :]: content for path, content in files.items() if path.startswith(begin)}


def placed(files: Files, folder: str) -> Files:
    """Files moved into a folder."""
    return {f"{folder}/{path}": content for path, content in files.items()}


def changed(files: Files, every: int = 1) -> Files:
    """Files with two more lines at the end of the first one and of each `every`th after it."""
    more = b"\n// changed here\n# and here\n"
    return {path: content if at % every else content + more for at, (path, content) in enumerate(sorted(files.items()))}


def corpus(clones: Mapping[str, Clone], draw: random.Random) -> Corpus:
    """The clones, and everything that is made of them."""
    made = Corpus()
    apart = draw.randrange(1, len(clones))
    for clone in clones.values():
        made.items[clone.project.key] = Item(clone.project.key, clone.project.name, {})
    for number, clone in enumerate(clones.values()):
        other = list(clones.values())[(number + apart) % len(clones)]
        for item, to, case in (
            *_packages(clone, number, draw),
            *_forks(clone, draw),
            *_traps(clone, other),
            *_unindexed(clone, other),
        ):
            made.add(item, to, case)
    for name, folder, is_part in PARTS:
        clone = clones[name]
        last = folder.rpartition("/")[2]
        label = name if is_part else f"{name} {folder}"
        files = below(clone.tree("HEAD"), folder)
        case = "package of a part of the repository" if is_part else "trap: package of a folder with vendored code"
        url = f"https://github.com/{name}"
        made.add(Item(f"pkg:cargo/{last}@1.0.0", label, files, url), clone.project.key, case)
    return made


Made = Iterator[tuple[Item, str, str]]


def _packages(clone: Clone, number: int, draw: random.Random) -> Made:
    project, word, key = clone.project, clone.project.word, clone.project.key
    urls = [url.format(name=project.name, upper=project.name.upper()) for url in (URLS * 2)[number % 5 :]]
    newest, older, old = clone.tag(1), clone.tag(draw.uniform(0.75, 0.95)), clone.tag(draw.uniform(0.5, 0.7))
    yield Item(f"pkg:pypi/{word}@9.0.0", project.name, clone.tree(newest), urls[0]), key, "newest release, right URL"
    files = clone.main(older)
    yield (
        Item(f"pkg:npm/{word}@5.0.0", project.name, files, urls[1]),
        key,
        "release at 75% to 95% of the tags, right URL",
    )
    files = clone.main(old, keep=False)
    yield (
        Item(f"pkg:cargo/{word}@3.0.0", project.name, files, urls[2]),
        key,
        "release at 50% to 70% of the tags, right URL",
    )
    yield Item(f"pkg:maven/org.{word}/{word}@9.0.0", project.name, clone.main(newest)), key, "newest release, no URL"
    files = clone.main(newest)
    yield Item(f"pkg:npm/{word}-mirror@9.0.0", project.name, files), key, "newest release, no URL, other name"


def _forks(clone: Clone, draw: random.Random) -> Made:
    project, word, key = clone.project, clone.project.word, clone.project.key
    files = changed(clone.tree(clone.tag(1)), 8) | placed(changed(changed(clone.main("HEAD"))), "more")
    fork = f"github.com/forker/{word}"
    yield Item(fork, project.name, files), key, "fork with an eighth of its files changed"
    old = clone.tree(clone.tag(draw.uniform(0.75, 0.95)))
    yield Item(f"github.com/stopped/{word}", project.name, old), key, "fork that stopped at 75% to 95% of the tags"
    package = changed(clone.main(clone.tag(1)), 8)
    yield Item(f"pkg:npm/%40forker/{word}@9.1.0", project.name, package, f"https://{fork}"), key, "package of the fork"


def _traps(clone: Clone, other: Clone) -> Made:
    project, word, key = clone.project, clone.project.word, clone.project.key
    url = f"https://github.com/{project.name}"
    theirs = other.main("HEAD")
    item = Item(f"pkg:npm/{word}-utils@1.0.0", other.project.name, theirs, url)
    yield item, key, "trap: code of another project, wrong URL"
    item = Item(f"pkg:golang/example.org/{word}@v1.0.0", f"taken {word}", changed(theirs), url)
    yield item, key, "trap: own code, wrong URL, same name"
    own, copy = changed(placed(theirs, "app")), clone.main(clone.tag(1))
    item = Item(
        f"pkg:pypi/{word}-app@1.0.0",
        f"app {word}",
        own | placed(copy, "app/_vendor"),
        url,
        {"app/_vendor": project.name},
    )
    yield item, key, "trap: vendors the project, wrong URL"
    few = dict(sorted(own.items())[:2])
    item = Item(f"pkg:pypi/{word}-bundle@1.0.0", f"bundle {word}", few | placed(copy, "app/copied"), url)
    yield item, key, "trap: mostly a copy of the project below a folder, wrong URL"
    files = copy | placed(theirs, "more") | changed(placed(own, "and"))
    yield (
        Item(f"pkg:pypi/{word}-all@1.0.0", f"all {word}", files, url),
        key,
        "trap: several projects side by side, wrong URL",
    )
    item = Item(
        f"pkg:cargo/{word}-sys@1.0.0",
        f"sys {word}",
        own | placed(copy, "vendor"),
        f"https://github.com/x/{word}-sys",
        {"vendor": project.name},
    )
    yield item, key, "trap: vendors the project, own URL"
    files = changed(other.tree("HEAD")) | placed(clone.tree(clone.tag(1)), f"lib/{word}")
    yield Item(f"github.com/user/{word}-user", f"user {word}", files), key, "trap: clone that carries the project"
    third = dict(sorted(clone.tree("HEAD").items())[::3])
    files = third | placed(changed(changed(other.tree("HEAD"))), "own")
    yield (
        Item(f"github.com/started/{word}", f"started {word}", files),
        key,
        "trap: clone begun with a third of the files",
    )


def _unindexed(clone: Clone, other: Clone) -> Made:
    """Packages that name a repository which is not indexed."""
    word = clone.project.word
    url, files = f"https://github.com/elsewhere/{word}-next", changed(clone.main("HEAD"))
    first, second = f"pkg:pypi/{word}-next@1.0.0", f"pkg:npm/{word}-next@1.1.0"
    yield Item(first, f"next {word}", files, url), second, "two registries, repository not indexed"
    yield Item(second, f"next {word}", files | changed(placed(files, "more"), 2), f"{url}.git"), first, ""
    item = Item(
        f"pkg:npm/{word}-plugin@1.0.0",
        f"plugin {word}",
        changed(other.main("HEAD"), 1) | placed(files, "deps"),
        url,
        {"deps": f"next {word}"},
    )
    yield item, first, "trap: names the same unindexed repository, vendors its code"


def write_package(item: Item, cache_folder: Path) -> None:
    """Puts a package into the cache, as if it had been fetched."""
    purl = PackageURL.from_string(item.key)
    if not ecosystem_of(purl).is_complete(purl.version or ""):
        sys.exit(f"a registry would be asked for the version of {item.key}")
    folder = PackageSource(purl, purl.version or "", cache=cache_folder, client=Client()).path
    folder.mkdir(parents=True)
    with tarfile.open(folder / "package.tar.gz", "w:gz", compresslevel=1) as archive:
        for path, content in item.files.items():
            info = tarfile.TarInfo(f"package/{path}")
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    package = asdict(Package(repository=item.url))
    kept = {"archive": "package.tar.gz", "depth": 1, "revision": "0" * 64, "package": package, "warnings": []}
    (folder / RECORD).write_text(json.dumps(kept))


def indexed(made: Corpus, clones: Mapping[str, Clone], folder: Path) -> wherefrom.Index:
    """The index of a corpus."""
    sources: list[str | wherefrom.ListedSource] = []
    for item in made.items.values():
        if item.key.startswith("pkg:"):
            write_package(item, folder / "cache")
            sources.append(item.key)
        elif item.label in clones and not item.files:
            sources.append(wherefrom.ListedSource(clones[item.label].place, name=item.key))
        else:
            place = folder / "folders" / item.key
            for path, content in item.files.items():
                (place / path).parent.mkdir(parents=True, exist_ok=True)
                (place / path).write_bytes(content)
            sources.append(wherefrom.ListedSource(place, name=item.key))
    report = wherefrom.index_sources(sources, folder / "index", cache=folder / "cache", parse_seconds=20)
    if failed := [one.key for one in report.repositories if one.error]:
        sys.exit(f"not indexed: {failed}")
    return wherefrom.open_index(folder / "index")


def main() -> None:
    """Measures, and prints tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clones", type=Path, required=True, help="the folder of the clones")
    parser.add_argument("--draw", type=int, default=1, help="the seed of the tags and of the other projects in traps")
    parser.add_argument("--keep", type=Path, help="keep the index in this folder, and use it if it is there")
    given = parser.parse_args()
    clones = {project.name: Clone(given.clones, project) for project in PROJECTS}
    made = corpus(clones, random.Random(given.draw))
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        is_there = (folder / "index").is_dir()
        with wherefrom.open_index(folder / "index") if is_there else indexed(made, clones, folder) as index:
            begin = time.process_time()
            projects = index.projects()
            seconds = time.process_time() - begin
    report(made, projects, seconds)


def report(made: Corpus, projects: list[wherefrom.IndexedProject], seconds: float) -> None:
    """Prints what was merged, for each kind of pair and for all pairs of repositories."""
    group_of = {key: project.project for project in projects for key in project.keys}
    labels = {item.key: item.label for item in made.items.values()}
    pairs, merged, same = Counter[str](), Counter[str](), Counter[str]()
    for first, second, case in made.pairs:
        pairs[case] += 1
        same[case] += labels[first] == labels[second]
        merged[case] += group_of[first] == group_of[second]
    rows = [(case, str(pairs[case]), str(same[case]), str(merged[case])) for case in pairs]
    print(table(["pair", "pairs", "are one project", "merged"], rows))
    every = [(one, other) for one, other in combinations(labels, 2) if group_of[one] == group_of[other]]
    wrong = [(one, other) for one, other in every if labels[one] != labels[other]]
    possible = sum(labels[one] == labels[other] for one, other in combinations(labels, 2))
    print(f"\n{len(labels)} repositories, {sum(pairs.values())} pairs, {len(projects)} projects, {seconds:.1f} s")
    right = len(every) - len(wrong)
    print(f"of all pairs, {len(every)} are merged; {right} of them are right, and {possible - right} are missed")
    for one, other in wrong:
        print(f"wrong: {one} and {other}")
    vendored(made, projects, labels)


def vendored(made: Corpus, projects: Sequence[wherefrom.IndexedProject], labels: Mapping[str, str]) -> None:
    """Prints how many vendored folders are listed as copies of the right project."""
    parts = {folder: f"{name} {folder}" for name, folder, is_part in PARTS if not is_part}
    truth = {(item.key, folder): label for item in made.items.values() for folder, label in item.vendored.items()}
    seen = set()
    found = {(name.repository, name.folder): project for project in projects for name in project.names if name.folder}
    right = 0
    for (key, folder), project in found.items():
        own = made.items[key].vendored if key in made.items else {}
        inner = (at for at in (*own, *parts) if f"/{at}/" in f"/{folder}/")
        at = next(inner, "")
        seen.add((key, at))
        label = own.get(at) or parts.get(at, "")
        is_right = label in {labels[of] for of in project.keys}
        right += is_right
        if not is_right:
            print(f"wrong folder: {key} {folder} of {project.project}, in truth {label or 'unknown'}")
    missed = len(truth.keys() - seen)
    print(f"{len(found)} vendored folders are listed, {right} of them rightly; {missed} of {len(truth)} are missed")


if __name__ == "__main__":
    main()
