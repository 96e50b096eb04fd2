"""Functions that another formatter rewrote: whether wherefrom finds them, and how much of them matches.

Some functions in each formatter's languages are taken, one of a file. The whole file is formatted, and the function at
its place is looked up in an index of all folders, as is the original function. It is found first if its file ranks no
lower than for the original. `tokens matched` is the share of the query that matches its own file, divided by that of
the original function, or 0 if the file is not found. The last column counts the functions with a changed token.

The formatters are found on the path, google-java-format as a jar (`--google-java-format`). Missing ones are left out.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import wherefrom
from benchmarks.effectiveness.metrics import mean
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.content import skip_reason
from wherefrom.analyzers.nodes import node_spans
from wherefrom.languages import LANGUAGES
from wherefrom.options import Limits
from wherefrom.results import Hit

BYTES = range(300, 3_000)
"""Bytes of a function that is looked up."""

_CHANGED = "{{BasedOnStyle: LLVM, ColumnLimit: 60, InsertBraces: true, QualifierAlignment: Right}}"
"""A style that also puts braces around single statements, moves `const`, and cuts strings. Its braces are doubled."""

LONGEST_FILE = 200_000
SECONDS = 30


@dataclass(frozen=True, slots=True)
class Formatter:
    """A formatter, which reads a file and rewrites it.

    Attributes:
        name: of the formatter, with its style.
        languages: that it formats.
        command: of the formatter; `{name}` is a file name.
        other_quotes: what is added to the command if the source has more `'` than `"`, and if it has not.
    """

    name: str
    languages: tuple[str, ...]
    command: tuple[str, ...]
    other_quotes: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def formatted(self, name: str, content: bytes) -> bytes | None:
        """The content as the formatter writes it; None if it fails."""
        added = self.other_quotes[content.count(b"'") <= content.count(b'"')]
        command = [part.format(name=name) for part in (*self.command, *added)]
        done = subprocess.run(command, input=content, capture_output=True, check=False, timeout=120)
        return done.stdout if done.returncode == 0 and done.stdout else None


def formatters(jar: Path | None) -> list[Formatter]:
    """The formatters that are installed."""
    c = ("c", "cpp")
    scripts = ("javascript", "typescript")
    single, double = "format.quote-style='single'", "format.quote-style='double'"
    every = [
        Formatter("black", ("python",), ("black", "--quiet", "-")),
        Formatter(
            "ruff, other quotes",
            ("python",),
            ("ruff", "format", "--isolated", "--stdin-filename", "a.py", "-"),
            (("--config", double), ("--config", single)),
        ),
        Formatter(
            "prettier, other quotes",
            scripts,
            ("prettier", "--no-config", "--stdin-filepath", "{name}"),
            (("--no-single-quote",), ("--single-quote",)),
        ),
        Formatter(
            "prettier, no semicolons",
            scripts,
            ("prettier", "--no-config", "--no-semi", "--stdin-filepath", "{name}"),
        ),
        Formatter("google-java-format", ("java",), ("java", "-jar", str(jar), "-")),
        Formatter("clang-format, Google", c, ("clang-format", "--style=Google", "--assume-filename={name}")),
        Formatter("clang-format, Microsoft", c, ("clang-format", "--style=Microsoft", "--assume-filename={name}")),
        Formatter(
            "clang-format, braces and qualifiers",
            c,
            ("clang-format", f"--style={_CHANGED}", "--assume-filename={name}"),
        ),
        Formatter("gofmt", ("go",), ("gofmt",)),
        Formatter("rustfmt", ("rust",), ("rustfmt", "--edition", "2021")),
        Formatter("shfmt", ("bash",), ("shfmt", "--filename", "{name}")),
    ]
    return [
        formatter
        for formatter in every
        if shutil.which(formatter.command[0]) and (formatter.command[0] != "java" or jar is not None)
    ]


@dataclass(frozen=True, slots=True)
class Case:
    """A function of a file, as it was and as a formatter wrote it."""

    formatter: str
    language: str
    path: Path
    before: bytes
    after: bytes


def cases(formatter: Formatter, files: Sequence[tuple[Path, str]], number: int) -> Iterator[Case]:
    """`number` functions, each of another file."""
    left = number
    for path, language in files:
        if not left:
            return
        if language not in formatter.languages:
            continue
        content = path.read_bytes()
        if not content.isascii() or skip_reason(path.name, content, Limits()) is not None:
            continue
        formatted = formatter.formatted(path.name, content)
        if formatted is None:
            continue
        before, after = functions(language, content), functions(language, formatted)
        if len(before) != len(after):
            continue
        order = list(range(len(before)))
        random.Random(str(path.name)).shuffle(order)
        for at in order:
            if len(before[at]) in BYTES and before[at] != after[at]:
                yield Case(formatter.name, language, path, before[at], after[at])
                left -= 1
                break


def functions(language: str, content: bytes) -> list[bytes]:
    """The functions of a file, in its order."""
    known = LANGUAGES[language]
    return [content[begin:end] for begin, end in node_spans(known, content, SECONDS, known.functions, 1)]


def in_place(
    language: str, content: bytes, span: tuple[int, int], code: str, rewrite: Callable[[bytes], bytes | None]
) -> str | None:
    """Puts code in the place of a function of a file, and returns it after the whole file was rewritten; None if the
    file has no such function, or if it cannot be rewritten.
    """
    begin, end = span
    line = content[content.rfind(b"\n", 0, begin) + 1 : begin].decode()
    margin = line[: len(line) - len(line.lstrip())]
    new = textwrap.indent(code, margin)[len(margin) :].encode()
    before = functions(language, content)
    if content[begin:end] not in before:
        return None
    made = rewrite(content[:begin] + new + content[end:])
    after = functions(language, made) if made else []
    same = len(before) == len(after)
    return textwrap.dedent(margin + after[before.index(content[begin:end])].decode()) if same else None


def files_of(folders: Sequence[Path], seed: int) -> list[tuple[Path, str]]:
    """The files of the folders with their languages, in a random order."""
    by_ending = {ending: name for name, language in LANGUAGES.items() for ending in language.extensions}
    found = [
        (path, by_ending[path.suffix.lower()])
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in by_ending and path.is_file() and path.stat().st_size < LONGEST_FILE
    ]
    random.Random(seed).shuffle(found)
    return found


def own(hits: Sequence[Hit], path: Path) -> tuple[int, float]:
    """The rank of a file in an answer, from 1 (0: not found), and the share of the query that matches that file."""
    for rank, hit in enumerate(hits, 1):
        for at in hit.occurrences:
            if str(path).endswith(at.path):
                return rank, hit.match / 100
    return 0, 0.0


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="sources, such as clones")
    parser.add_argument("--functions", type=int, default=25, help="of each formatter")
    parser.add_argument("--google-java-format", type=Path, metavar="JAR")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="name the functions that do not match as a whole")
    arguments = parser.parse_args()
    files = files_of(arguments.folders, arguments.seed)
    rows: list[Sequence[str]] = []
    all_first, all_matched = 0, list[float]()
    with tempfile.TemporaryDirectory() as folder:
        location = Path(folder) / "index"
        wherefrom.index_sources(arguments.folders, location)
        with wherefrom.open_index(location) as index:
            for formatter in formatters(arguments.google_java_format):
                matched, first, changed, number = [], 0, 0, 0
                for case in cases(formatter, files, arguments.functions):
                    number += 1
                    as_it_was = own(index.search(case.before, language=case.language).hits, case.path)
                    anew = own(index.search(case.after, language=case.language).hits, case.path)
                    first += 0 < anew[0] <= max(as_it_was[0], 1)
                    matched.append(min(anew[1] / as_it_was[1], 1) if as_it_was[1] else 1.0)
                    codes = [
                        analyze_snippet(code, language=case.language).tokens.codes.tolist()
                        for code in (case.before, case.after)
                    ]
                    changed += codes[0] != codes[1]
                    if arguments.show and (anew[0] != 1 or matched[-1] < 1):
                        print(formatter.name, case.path, as_it_was, anew)
                        print(case.before.decode(), "\n---\n", case.after.decode(), "\n", sep="")
                if matched:
                    rows.append((formatter.name, f"{number}", f"{first}", f"{mean(matched):.3f}", f"{changed}"))
                all_first += first
                all_matched += matched
    rows.append(("all", f"{len(all_matched)}", f"{all_first}", f"{mean(all_matched):.3f}", ""))
    print(table(("formatter", "functions", "found first", "tokens matched", "with other tokens"), rows))


if __name__ == "__main__":
    main()
