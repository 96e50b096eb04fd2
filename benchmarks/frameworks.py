"""Makes the boilerplate set `frameworks`: the k-grams of the code that project generators write.

`frameworks.toml` lists the generators. Their packages are downloaded into a temporary folder by the package managers
(`pip`, `npm`, `mvn`, `apt-get`), and only read: nothing of them is run. Only the fixed text of a template counts. The
k-grams go into `wherefrom/queries/data/frameworks.npz`; run the command again for new schemes or generators:

    python -m benchmarks.frameworks --clone actions/starter-workflows=FOLDER

A package that cannot be downloaded stops the command; with `--skip` it is left out.
"""

from __future__ import annotations

import argparse
import ast
import base64
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import tokenize
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import numpy as np

from benchmarks.timing import table
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.model import SkipReason
from wherefrom.options import Limits
from wherefrom.queries import boilerplate
from wherefrom.queries.boilerplate import SetBuilder
from wherefrom.queries.globs import Globs
from wherefrom.queries.snippet import analyze_query

_LIST = Path(__file__).with_suffix(".toml")

_SET = Path(boilerplate.__file__).parent / "data" / "frameworks.npz"

LEAST_LITERAL = 200
"""A string literal with at least this many characters counts as a file that a generator writes."""

_BASE64 = re.compile(r"[A-Za-z0-9+/\s]{1000,}={0,2}\s*")

_FILLED_IN: Mapping[str, tuple[tuple[str, str], ...]] = {
    "jinja": ((r"\{#.*?#\}|\{%.*?%\}", ""), (r"\{\{.*?\}\}", "x")),
    "percent": ((r"%\(\w+\)[srd]", "x"), (r"%%", "%")),
    "erb": ((r"<%[=-]?=.*?%>", "x"), (r"<%.*?%>", "")),
    "dollar": ((r"(?m)^%.*$|^##.*$|^#set.*$", ""), (r"\$\{.*?\}", "x")),
}
"""For each form of template, patterns and the text that replaces their matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """A generator: an entry of the list, with its keys."""

    name: str
    origin: str
    packages: tuple[str, ...]
    files: Globs
    left_out: Globs = field(default_factory=lambda: Globs(()))
    form: str = ""
    suffixes: tuple[str, ...] = ()
    python: str = ""

    @classmethod
    def of(cls, entry: Mapping[str, object]) -> Self:
        """A generator from an entry of the TOML file."""
        values = dict(entry)
        lists = {key: tuple(map(str, values.pop(key, ()))) for key in ("packages", "files", "not", "suffix")}  # type: ignore[call-overload] # lists of texts
        texts = {key: str(values.pop(key, "")) for key in ("name", "from", "form", "python")}
        if values:
            raise SystemExit(f"{_LIST.name}: unknown key {', '.join(values)}")
        return cls(
            name=texts["name"],
            origin=texts["from"],
            packages=lists["packages"],
            files=Globs(lists["files"]),
            left_out=Globs(lists["not"]),
            form=texts["form"],
            suffixes=lists["suffix"],
            python=texts["python"],
        )

    def written(self, path: str, content: bytes) -> Iterator[tuple[str, bytes]]:
        """Name and content of the files that the generator writes from a file of its package."""
        text = content.decode("utf-8", "replace")
        if self.form == "strings":
            for literal in _literals(text):
                yield "", _filled_in(_filled_in(literal, "percent"), "jinja").encode()
            return
        name = Path(path).name
        for suffix in self.suffixes:
            name = name.replace(suffix, "")
        yield name, (_filled_in(text, self.form) if self.form else text).encode()


def generators() -> list[Generator]:
    """All generators of the list."""
    return [Generator.of(entry) for entry in tomllib.loads(_LIST.read_text("utf-8"))["source"]]


def _filled_in(text: str, form: str) -> str:
    for pattern, filling in _FILLED_IN[form]:
        text = re.sub(pattern, filling, text, flags=re.DOTALL if form != "dollar" else 0)
    return text


def _literals(module: str) -> Iterator[str]:
    """The long string literals of a Python 2 or 3 module, also those in literals that are encoded in base64."""
    for token in tokenize.generate_tokens(io.StringIO(module).readline):
        if token.type == tokenize.STRING and len(token.string) >= LEAST_LITERAL:
            value = ast.literal_eval(token.string)
            if isinstance(value, str) and _BASE64.fullmatch(value):
                value = base64.b64decode(value).decode()
                yield from _literals(value)
            if isinstance(value, str):
                yield value


def downloaded(
    generator: Generator, package: str, folder: Path, clones: Mapping[str, str]
) -> tuple[str, Iterator[tuple[str, bytes]]]:
    """A package: its name with the version, and path and content of each of its files.

    Raises:
        subprocess.CalledProcessError: the package manager does not have it.
    """
    match generator.origin:
        case "pypi":
            target = [f"--python-version={generator.python}", "--abi=none", "--implementation=py", "--platform=any"]
            flags = ["--no-deps", "--only-binary=:all:", *(target if generator.python else ())]
            _run(folder, sys.executable, "-m", "pip", "download", "--quiet", *flags, package)
        case "npm":
            _run(folder, "npm", "pack", "--silent", package)
        case "maven":
            _run(folder, "mvn", "-q", "dependency:copy", f"-Dartifact={package}", "-DoutputDirectory=.")
        case "debian":
            _run(folder, "apt-get", "download", package)
        case "debian-source":
            _run(folder, "apt-get", "source", "-qq", "--tar-only", package)
            archives = [
                file for file in folder.glob("*.tar.*") if ".debian." not in file.name and file.suffix != ".asc"
            ]
            main = min(archives, key=lambda file: (".orig-" in file.name, file.name))
            return package, _from_tar(main.read_bytes())
        case "crates":
            name, _, version = package.partition("=")
            (folder / "src").mkdir()
            (folder / "src" / "lib.rs").touch()
            manifest = f'[package]\nname = "none"\n[dependencies]\n{name} = {{ version = "={version}" }}\n'
            (folder / "Cargo.toml").write_text(manifest)
            _run(folder, "cargo", "vendor", "--quiet")
            root = folder / "vendor" / name
            return package, ((str(each.relative_to(root)), each.read_bytes()) for each in root.rglob("*.rs"))
        case "clone":
            name, _, revision = package.partition("@")
            commit = _run(Path(clones[name]), "git", "rev-parse", revision).decode().strip()
            return f"{name}@{commit}", _from_tar(_run(Path(clones[name]), "git", "archive", commit))
        case other:
            raise SystemExit(f"{_LIST.name}: unknown origin {other!r}")
    [file] = folder.iterdir()
    if file.suffix == ".deb":
        version = file.name.split("_")[1].replace("%3a", ":")
        return f"{package} {version}", _from_tar(_run(folder, "dpkg-deb", "--fsys-tarfile", file.name))
    return package, _from_tar(file.read_bytes()) if file.suffix == ".tgz" else _from_zip(file)


def _run(folder: Path, *command: str) -> bytes:
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE).stdout


def _from_tar(content: bytes) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive:
            if member.isfile() and (file := archive.extractfile(member)):
                yield member.name.removeprefix("./"), file.read()


def _from_zip(path: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                yield member.filename, archive.read(member)


def add(builder: SetBuilder, analyzer: Analyzer, name: str, content: bytes) -> int:
    """Adds a file that a generator writes, unless it is binary or data; returns the number of its k-grams."""
    if name:
        found = analyzer.file(name, content, Limits(include_generated=True))
    else:  # a literal: if it does not seem to be Python, it is read as a file without a grammar
        found = analyze_query(content, name="", analyzer=analyzer)
        if found.language != "python":
            found = analyze_query(content, name="", language="text", analyzer=analyzer)
    if isinstance(found, SkipReason):
        return 0
    hashes = [
        (representation, kgrams(found.tokens, representation, SCHEMES[representation].k).hashes)
        for representation in boilerplate.FRAMEWORK_REPRESENTATIONS
    ]
    for representation, found_here in hashes:
        builder.add_hashes(representation, found_here)
    return sum(len(found_here) for _, found_here in hashes)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.frameworks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--clone", action="append", default=[], metavar="NAME=FOLDER", help="a git clone of the list")
    parser.add_argument("--skip", action="store_true", help="go on without packages that cannot be had")
    options = parser.parse_args()
    clones = dict(each.split("=", 1) for each in options.clone)
    builder = SetBuilder(boilerplate.FRAMEWORKS)
    rows, sources = [], []
    with Analyzer() as analyzer:
        for generator in generators():
            for package in generator.packages:
                with tempfile.TemporaryDirectory() as folder:
                    try:
                        version, contents = downloaded(generator, package, Path(folder), clones)
                    except (subprocess.CalledProcessError, KeyError) as error:
                        if not options.skip:
                            raise SystemExit(f"{generator.name}: {package} cannot be had: {error}") from error
                        rows.append((generator.name, package, "-", "-"))
                        continue
                    counts: list[int] = []
                    for path, content in contents:
                        if generator.files.match(path) and not generator.left_out.match(path):
                            for name, text in generator.written(path, content):
                                counts.append(add(builder, analyzer, name, text))
                sources.append(f"{generator.name}: {version}")
                rows.append((generator.name, version, f"{np.count_nonzero(counts):,}", f"{sum(counts):,}"))
    made = builder.made()
    with _SET.open("wb") as file:
        boilerplate.save_frameworks(file, made.hashes, sources)
    print(table(("generator", "package", "files", "k-grams"), rows))
    kept = ", ".join(f"{len(hashes):,} of {representation}" for representation, hashes in made.hashes.items())
    print(f"\nDistinct k-grams: {kept}. {_SET}: {_SET.stat().st_size:,} bytes.")


if __name__ == "__main__":
    main()
