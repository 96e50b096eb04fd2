"""`./dev wasm`: builds the kernel and the grammars as WebAssembly into `build/wasm/`, for the page.

    ./dev wasm               everything; parts that have not changed are kept from the last time

It needs the standard library of Rust for `wasm32-unknown-unknown`: `rustup target add wasm32-unknown-unknown`. Without
rustup, `.ci/run` unpacks Debian's Rust with the source of the library into `build/rust`. The C compiler is Zig's, which
brings a C library.

The folder `build/wasm/` then has:

- `kernel.wasm`: the kernel with the parser's core;
- `grammars/NAME.wasm`: for each language with a grammar, the grammar as a module that is linked to the kernel when a
  file needs it, from the source in `release/grammars`;
- `rules.json`: the rules by which the page reads files (`release/rules.py`). Each module also has a section with its
  own rules;
- `LICENSES/`: the texts of the licenses of all that.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path

import psutil

from release import rules
from release.lock import LOCKS, ROOT, tools
from release.wheels import standard_library
from wherefrom.languages import LANGUAGES, Grammar, Language
from wherefrom.support.system import system
from wherefrom.support.workers import PARSE_MEMORY

OUTPUT = ROOT / "build" / "wasm"

MADE = ROOT / "build" / "wasm-made"
"""The folder for the modules without their sections, each with a digest of its inputs in its name."""

RUST = ROOT / "build" / "rust" / "usr"
"""Debian's Rust with the source of its standard library. It is not installed, since it conflicts with other Rusts."""

KERNEL = ROOT / "kernel"

SOURCES = ROOT / "release" / "grammars"

TARGET = "wasm32-unknown-unknown"

CC = (
    *("-target", "wasm32-wasi", "-mcpu=lime1-extended_const"),  # Node 20 does not know extended constants
    *("-std=c11", "-DNDEBUG", "-fvisibility=hidden", "-w"),
)

KERNEL_CC = (*CC, "-O2", "-DTREE_SITTER_HIDE_SYMBOLS", "-DCLOCK_THREAD_CPUTIME_ID=CLOCK_MONOTONIC")

GRAMMAR_CC = (*CC, "-Os", "-fPIC")

LEXING = SOURCES / "lexing.h"
"""Included before each generated parser, for a lexer that LLVM compiles in seconds."""

GRAMMAR_LINK = (
    *("-shared", "--experimental-pic", "--no-entry", "--strip-all", "--gc-sections"),
    "--unresolved-symbols=import-dynamic",
)

LIBRARY = (
    *("abort", "calloc", "free", "malloc", "realloc"),
    *("memchr", "memcmp", "memcpy", "memmove", "memset", "strcmp", "strlen", "strncat", "strncmp", "strncpy"),
)
"""The functions of the C library that the kernel exports, because grammars use them. It has some more of its own
(`kernel/src/c_border/characters.rs`)."""

STACK = 1 << 20

MOST_MEMORY = PARSE_MEMORY // (1 << 16) << 16
"""The bytes of memory that the kernel can have: whole pages of WebAssembly. A file that needs more ends the kernel."""

OTHER_NAMES = {"tree-sitter-kotlin": "tree-sitter-kotlin-ng", "tree-sitter-sql": "tree-sitter-sequel"}
"""The crates of grammars that have another name on PyPI."""

MEMORY = 2 << 30
"""Bytes that the C compiler may take for the largest grammar."""


def build() -> Path:
    """Builds what has changed, and returns `OUTPUT`. Another process that builds at the same time waits.

    Raises:
        RuntimeError: a tool is missing; the message says how to get it.
        subprocess.CalledProcessError: a tool failed, and has printed why.
    """
    MADE.mkdir(parents=True, exist_ok=True)
    with _alone():
        languages = [language for language in LANGUAGES.values() if language.grammar]
        kernel = _kernel()
        # A compiler takes up to `MEMORY` for the largest grammars.
        workers = max(min(os.cpu_count() or 1, psutil.virtual_memory().available // MEMORY), 1)
        with ThreadPoolExecutor(workers) as pool:
            grammars = [*pool.map(_grammar, languages)]
        OUTPUT.mkdir(exist_ok=True)
        (OUTPUT / "grammars").mkdir(exist_ok=True)
        whole = _with_section(kernel.read_bytes(), rules.request_of_rules())
        _write(OUTPUT / "kernel.wasm", _with_section(whole, rules.request_of_background(), b"background"))
        for language, made in zip(languages, grammars, strict=True):
            section = rules.request_of_grammar(language)
            _write(OUTPUT / "grammars" / f"{language.name}.wasm", _with_section(made.read_bytes(), section))
        _write(OUTPUT / "rules.json", json.dumps(rules.rules()).encode())
        _licenses(languages)
    return OUTPUT


@contextmanager
def _alone() -> Iterator[None]:
    with (MADE / "lock").open("w") as lock:
        system.lock(lock.fileno(), wait=True)
        yield


def _rust() -> tuple[list[str], dict[str, str]]:
    """The arguments and variables with which cargo has a standard library for the target."""
    if shutil.which("cargo") is None:
        raise RuntimeError("cargo is not found; install Rust: https://rustup.rs")
    unpacked = {
        "RUSTC": str(RUST / "bin" / "rustc"),
        "LD_LIBRARY_PATH": ":".join(map(str, RUST.glob("lib/*-linux-gnu"))),
        "RUSTC_BOOTSTRAP": "1",
    }
    for variables in ({}, unpacked) if RUST.exists() else ({},):
        environment = {**os.environ, **variables}
        library = standard_library(TARGET, environment)
        if library is not None:
            return library, environment
    raise RuntimeError(f"Rust has no standard library for {TARGET}; install it with: rustup target add {TARGET}")


def _kernel() -> Path:
    library, environment = _rust()
    sources = sorted(
        path
        for folder in ("src", "core")
        for path in (KERNEL / folder).rglob("*")
        if path.suffix in {".rs", ".c", ".h"}
    )
    exports = [
        name
        for path in sources
        if "c_border" in str(path)
        for name in re.findall(r'extern "C" fn (\w+)', path.read_text())
    ]
    rust = ["cargo", "rustc", "--release", "--locked", "--quiet", "--lib", *library, "--target", TARGET]
    rust += ["--config", "profile.release.opt-level='s'"]  # measured: a twelfth smaller, and as fast
    rust += ["--no-default-features", "--features", "web", "--crate-type", "staticlib"]
    link = [*KERNEL_CC, "-mexec-model=reactor", "-s", f"-Wl,-z,stack-size={STACK}", f"-Wl,--max-memory={MOST_MEMORY}"]
    link += ["-Wl,--export-table", "-Wl,--growable-table"]
    link += [f"-Wl,--export={name}" for name in ("__stack_pointer", *LIBRARY, *exports)]

    def make(output: Path) -> None:
        subprocess.run([*rust, "--target-dir", str(MADE / "rust")], cwd=KERNEL, env=environment, check=True)
        static = MADE / "rust" / TARGET / "release" / "libwherefrom_kernel.a"
        include = ("-I", str(KERNEL / "core" / "src"), "-I", str(KERNEL / "core" / "include"))
        _zig("cc", *KERNEL_CC, *include, "-c", str(KERNEL / "src" / "walk.c"), "-o", f"{output}.o")
        _zig("cc", *link, f"{output}.o", str(static), "-o", str(output))

    texts = [path.read_bytes() for path in (*sources, KERNEL / "Cargo.toml", KERNEL / "Cargo.lock")]
    compiler = environment.get("RUSTC", "rustc")
    version = subprocess.run([compiler, "--version"], env=environment, capture_output=True, check=True).stdout
    return _made("kernel", (version, _version_of_zig(), repr((rust, link)).encode(), *texts), make)


def _grammar(language: Language) -> Path:
    """Builds the grammar of a language, from the crate that is locked, except for the parser of SQL."""
    assert language.grammar
    grammar = language.grammar
    crate = OTHER_NAMES.get(grammar.distribution, grammar.distribution)
    locked = next(each for each in _lock()["package"] if each["name"] == crate)
    pin = _pin(grammar) if grammar.distribution == "tree-sitter-sql" else ""

    def make(output: Path) -> None:
        symbol = "tree_sitter" + grammar.function.removeprefix("language")
        if symbol == "tree_sitter":
            symbol = grammar.module
        parser = _parser(_folder_of(crate), symbol)
        includes = [parser.parent]
        with tempfile.TemporaryDirectory() as folder:
            files = [path for path in (parser, parser.with_name("scanner.c")) if path.exists()]
            if pin:
                files[0] = _parser(_source_distribution(pin, Path(folder)), symbol)
                includes.insert(0, files[0].parent)
            objects = [f"{output}.{path.stem}.o" for path in files]
            include = [each for folder in includes for each in ("-I", str(folder))]
            for path, made in zip(files, objects, strict=True):
                before = ("-include", str(LEXING)) if path == files[0] else ()
                _zig("cc", *GRAMMAR_CC, *include, *before, "-c", str(path), "-o", made)
            _zig("wasm-ld", *GRAMMAR_LINK, f"--export={symbol}", *objects, "-o", str(output))

    inputs = (json.dumps(locked), pin, repr((GRAMMAR_CC, GRAMMAR_LINK)), grammar.function, LEXING.read_text())
    return _made(language.name, (_version_of_zig(), *(each.encode() for each in inputs)), make)


def _made(name: str, inputs: Iterable[bytes], make: Callable[[Path], None]) -> Path:
    """The module that `make` writes, or the one that it wrote earlier from the same inputs."""
    digest = hashlib.sha256()
    for each in inputs:
        digest.update(hashlib.sha256(each).digest())
    output = MADE / f"{name}-{digest.hexdigest()[:16]}.wasm"
    if not output.exists():
        print(f"building {name} as WebAssembly ...", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(dir=MADE) as folder:
            made = Path(folder) / "made"
            make(made)
            for old in MADE.glob(f"{name}-*.wasm"):
                old.unlink()
            made.replace(output)
    return output


def _zig(*arguments: str) -> None:
    subprocess.run([str(tools() / "python"), "-m", "ziglang", *arguments], check=True)


@cache
def _version_of_zig() -> bytes:
    return next(line for line in (LOCKS / "release.txt").read_bytes().splitlines() if line.startswith(b"ziglang=="))


@cache
def _lock() -> dict[str, list[dict[str, str]]]:
    return tomllib.loads((SOURCES / "Cargo.lock").read_text())


@cache
def _folders() -> dict[str, Path]:
    """The folders of the crates of grammars, by their names. Cargo downloads them and checks their digests."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--quiet"]
    printed = subprocess.run(command, cwd=SOURCES, stdout=subprocess.PIPE, check=True).stdout
    return {each["name"]: Path(each["manifest_path"]).parent for each in json.loads(printed)["packages"]}


def _folder_of(crate: str) -> Path:
    return _folders()[crate]


def _parser(folder: Path, symbol: str) -> Path:
    """The `parser.c` that defines a grammar."""
    name = f"TSLanguage *{symbol}(void)".encode()
    return next(path for path in sorted(folder.rglob("parser.c")) if name in path.read_bytes())


def _pin(grammar: Grammar) -> str:
    """The lines of the lock for a distribution."""
    text = (LOCKS / "dev.txt").read_text()
    found = re.search(rf"^{grammar.distribution}==.*(?:\n    --hash.*)+", text, re.MULTILINE)
    assert found
    return found[0].rstrip("\\ ")


def _source_distribution(pin: str, folder: Path) -> Path:
    """Downloads the source distribution of a pin, whose digest pip checks, and unpacks it."""
    (folder / "pin.txt").write_text(pin + "\n")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-binary", ":all:", "--require-hashes", "--requirement", str(folder / "pin.txt")]
    subprocess.run([*command, "--dest", str(folder)], check=True)
    [archive] = folder.glob("*.tar.gz")
    shutil.unpack_archive(archive, folder, filter="data")
    return folder


def _with_section(module: bytes, content: bytes, name: bytes = b"wherefrom") -> bytes:
    """A module with a section of its own, which `kernel/web/kernel.js` reads."""
    body = _leb(len(name)) + name + content
    return module + b"\0" + _leb(len(body)) + body


def _leb(value: int) -> bytes:
    """A number in the variable length of WebAssembly."""
    low, rest = value & 0x7F, value >> 7
    return bytes((low | 0x80,)) + _leb(rest) if rest else bytes((low,))


def _licenses(languages: Sequence[Language]) -> None:
    """Writes the licenses of the parser's core and of the grammars; the texts of the latter are in their wheels."""
    folder = OUTPUT / "LICENSES"
    folder.mkdir(exist_ok=True)
    shutil.copyfile(ROOT / "LICENSE", folder / "wherefrom.txt")
    shutil.copyfile(KERNEL / "core" / "LICENSE", folder / "tree-sitter.txt")
    shutil.copyfile(KERNEL / "core" / "src" / "unicode" / "LICENSE", folder / "icu.txt")
    libc = next((tools().parent / "lib").glob("python*/site-packages/ziglang/lib/libc"))
    shutil.copyfile(libc / "musl" / "COPYRIGHT", folder / "musl.txt")
    shutil.copyfile(libc / "wasi" / "LICENSE-APACHE-LLVM", folder / "wasi-libc.txt")
    for name in sorted({language.grammar.distribution for language in languages if language.grammar}):
        found = [file for file in metadata.files(name) or () if file.name.startswith("LICENSE")]
        _write(folder / f"{name}.txt", found[0].read_binary())


def _write(path: Path, content: bytes) -> None:
    """Writes a file under another name first, so that no reader sees half of it."""
    new = path.with_name(path.name + ".new")
    new.write_bytes(content)
    new.replace(path)


def main() -> None:
    """Builds everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    try:
        print(build())
    except RuntimeError as error:
        sys.exit(str(error))
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.cmd[0]} failed, so the kernel was not built as WebAssembly")


if __name__ == "__main__":
    main()
