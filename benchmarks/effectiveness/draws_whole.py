"""The cases of the draws that are not functions: tables, import lists, whole files, prose."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import tree_sitter
from numpy.typing import NDArray

from benchmarks.effectiveness import idioms, obfuscation, prose, whole
from benchmarks.effectiveness.corpus import File
from benchmarks.effectiveness.drawing import GRAM, Case, Draw, Drawing, clone_of, mixed, picked
from benchmarks.effectiveness.moved import half_of
from benchmarks.effectiveness.passages import Document
from benchmarks.effectiveness.programs import Program
from benchmarks.effectiveness.rewriting import rewritten
from benchmarks.effectiveness.syntax import root
from benchmarks.effectiveness.tables import NODES, tables_of
from benchmarks.effectiveness.variants import (
    Function,
    all_at_once,
    excerpt,
    reformatted,
    renamed_throughout,
    text,
    with_comments,
)
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.sources.discover import discover

OCD = "ocd"
"""The repository of OCD's originals."""

TABLES, IMPORTS, FILES, UNRELATED_FILES, IDIOMS, OBFUSCATED = 100, 150, 100, 200, 100, 20
PASSAGES, UNRELATED_PASSAGES = 8, 150
"""Passages of each project, once as they are and once edited; and at most this many prose cases of one kind."""

LEAST_SHAPES = 25
"""A table is renamed if it has this many different shapes. In a renamed list of strings nothing is left to be found."""

LEAST_IMPORTS = 5
SAME_IMPORTS = 0.95
"""An import list is left out if an indexed file has this share of its 5-grams or more; half of them is common."""

_IMPORTS = frozenset(
    {
        *("import_statement", "import_from_statement", "import_declaration", "preproc_include", "use_declaration"),
        *("using_directive", "namespace_use_declaration"),
    }
)
"""The nodes of syntax trees that import."""

_Text = tuple[File, str, NDArray[np.uint64]]


def _below(file: File, node: tree_sitter.Node) -> tuple[Function | None, NDArray[np.uint64]]:
    """The tokens below a node, as text and as codes."""
    stream = file.analysis.tokens
    low, high = stream.starts.searchsorted((node.start_byte, node.end_byte)).tolist()
    return excerpt(file.analysis.language, file.content, file.analysis, node), stream.codes[low:high]


def of_tables(drawing: Drawing) -> Iterator[Case]:
    """Tables of literals of indexed files, as they are and renamed, and tables of files that are not indexed."""
    for is_unknown, files in ((False, drawing.indexed), (True, drawing.unknown)):
        chance = drawing.chance(f"tables {is_unknown}")
        found = _tables(files, chance)
        if is_unknown:
            yield from drawing.unrelated("table", ((file, table.source, codes) for file, table, codes in found), TABLES)
            continue
        left = {"table, as it is": TABLES, "table, renamed": TABLES}
        for file, table, codes in found:
            made = {"table, as it is": table.source}
            if _shapes(table) >= LEAST_SHAPES:
                made["table, renamed"] = text(renamed_throughout(table, chance))
            for kind, code in made.items():
                if left[kind]:
                    left[kind] -= 1
                    yield drawing.case(kind, file, code, codes)
            if not any(left.values()):
                break


def _shapes(table: Function) -> int:
    """How many different runs of five tokens a table has if all names are equal, and all numbers, and all strings."""
    shapes = [token.text if token.kind is TokenClass.SYMBOL else str(token.kind) for token in table.tokens]
    return len({tuple(shapes[at : at + GRAM]) for at in range(len(shapes) - GRAM + 1)})


def _tables(files: Iterable[File], chance: random.Random) -> Iterator[tuple[File, Function, NDArray[np.uint64]]]:
    """One table of each file that has any."""
    for file in mixed((file for file in files if file.analysis.language in NODES), chance):
        found = list(tables_of(file.analysis.language, file))
        if found:
            table, codes = _below(file, chance.choice(found))
            if table is not None:
                yield file, table, codes


def of_imports(drawing: Drawing) -> Iterator[Case]:
    """Import lists with a function of the same indexed file; those of unknown files, with and without a function."""
    for pick in islice(_with_imports(drawing.indexed, drawing.chance("imports")), IMPORTS):
        yield drawing.case("import list and function", *pick)
    both = _with_imports(drawing.unknown, drawing.chance("unrelated imports and functions"))
    yield from drawing.unrelated("import list and function", both, IMPORTS)
    alone = (
        (file, *found)
        for file in mixed(drawing.unknown, drawing.chance("unrelated imports"))
        if (found := _imports(file)) is not None
    )
    yield from drawing.unrelated("import list", alone, IMPORTS, SAME_IMPORTS)


def _with_imports(files: Iterable[File], chance: random.Random) -> Iterator[_Text]:
    """Import lists and functions, with the tokens of the functions."""
    for pick in picked(files, chance):
        imports = _imports(pick.file)
        if imports is not None:
            yield pick.file, f"{imports[0]}\n{pick.function.source}", pick.codes


def _imports(file: File) -> tuple[str, NDArray[np.uint64]] | None:
    """The import list of a file and its tokens; None if it is short."""
    nodes = [node for node in root(file.analysis.language, file.content).children if node.type in _IMPORTS]
    if len(nodes) < LEAST_IMPORTS:
        return None
    stream = file.analysis.tokens
    spans = [stream.starts.searchsorted((node.start_byte, node.end_byte)).tolist() for node in nodes]
    lines = (file.content[node.start_byte : node.end_byte].decode().rstrip("\n") for node in nodes)
    return "\n".join(lines) + "\n", np.concatenate([stream.codes[low:high] for low, high in spans])


def _program(file: File) -> Program:
    return Program(file.project, file.path, file.content)


def of_files(drawing: Drawing) -> Iterator[Case]:
    """Whole files: in another layout, changed all over, rewritten; and files of projects that are not indexed."""
    chance = drawing.chance("whole files")
    fitting = [file for file in drawing.indexed if obfuscation.is_program(_program(file))]
    for file in islice(mixed(fitting, chance), FILES):
        language, codes = file.analysis.language, file.analysis.tokens.codes
        program = excerpt(language, file.content, file.analysis, root(language, file.content))
        if program is None:
            continue
        first = program.tokens[0]
        program = replace(program, tokens=(replace(first, gap=first.bare), *program.tokens[1:]))  # without the license
        layout = replace(program, tokens=tuple(reformatted(program, chance)))
        yield drawing.case("whole file, as it is", file, program.source, codes)
        yield drawing.case("whole file, other layout", file, text(with_comments(layout, chance)), codes)
        yield drawing.case("whole file, changed all over", file, text(all_at_once(program, chance)), codes)
        if language in ("python", "javascript", "typescript"):
            yield drawing.case("whole file, rewritten", file, rewritten(program, chance), codes)
    strange = [file for file in drawing.unknown if obfuscation.is_program(_program(file))]
    texts = (
        (file, file.content.decode(), file.analysis.tokens.codes)
        for file in mixed(strange, drawing.chance("unrelated files"))
    )
    yield from drawing.unrelated("whole file", texts, UNRELATED_FILES)


def of_obfuscated(drawing: Drawing, tools: Path, folder: Path) -> Iterator[Case]:
    """Whole scripts that minifiers and obfuscators have changed.

    Args:
        drawing: of the draw.
        tools: see `obfuscation`.
        folder: for the changed scripts.
    """
    for language in obfuscation.SCRIPTS:
        files = {
            file.content: file
            for file in drawing.indexed
            if file.analysis.language == language and obfuscation.is_program(_program(file))
        }
        chosen = list(islice(mixed(files.values(), drawing.chance(f"obfuscated {language}")), OBFUSCATED))
        by_place = {(file.project, file.path): file for file in chosen}
        for made in obfuscation.scripts(language, [_program(file) for file in chosen], tools, folder):
            file = by_place[made.project, made.path]
            code = (folder / made.file).read_text(errors="replace")
            yield drawing.case(f"obfuscated, {language}: {made.version}", file, code, file.analysis.tokens.codes)


def ocd_originals(folder: Path, out: Path) -> list[File]:
    """Writes the originals of OCD, and reads them as files of one repository."""
    found = []
    for program in whole.ocd(folder)[0]:
        path = program.place.removeprefix(f"{OCD}/")
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(program.content)
        analysis = analyze_file(path, program.content)
        if isinstance(analysis, Analysis):
            found.append(File(OCD, path, program.content, analysis))
    return found


def of_ocd(drawing: Drawing, folder: Path) -> Iterator[Case]:
    """The programs of OCD that were obfuscated and decompiled."""
    originals = {f"{OCD}/{file.path}": file for file in drawing.indexed if file.project == OCD}
    for query in whole.ocd(folder)[1]:
        file = originals.get(query.place or "")
        if file is not None:
            yield drawing.case("obfuscated, OCD", file, query.code.decode(errors="replace"), file.analysis.tokens.codes)


def of_idioms(drawing: Drawing, wording: str) -> Iterator[Case]:
    """Scripts of idioms around functions of projects that are not indexed."""
    chance = drawing.chance("idioms")
    files = [file for file in mixed(drawing.unknown, chance) if file.analysis.language == "javascript"]
    for name, code in idioms.scripts([_program(file) for file in files], wording, IDIOMS):
        analysis = analyze_file("query.js", code)
        if isinstance(analysis, Analysis):
            file = File(f"idioms/{wording}", name, code, analysis)
            kind = "unrelated script of idioms"
            yield drawing.case(kind, file, code.decode(), analysis.tokens.codes, is_unknown=True)


def of_prose(drawing: Drawing, draw: Draw, clones: Path) -> Iterator[Case]:
    """Passages of documentation as they are and edited, and passages of projects that are not indexed."""
    indexed, unknown = (_documents(clones, projects) for projects in (draw.indexed, draw.unknown))
    halves = {project: half_of(project) for project in (*draw.indexed, *draw.unknown)}
    named = {each.place: {"repository": each.project, "path": each.path} for each in indexed}
    corpus = prose.Corpus(indexed, [], unknown, {}, halves)
    found: dict[str, list[prose.Case]] = {}
    for case in prose.cases(corpus, PASSAGES, drawing.seed):
        kind = "as it is" if case.kind.startswith(prose.EXACT) else "edited"
        found.setdefault(kind if case.places else "unrelated", []).append(case)
    for kind, group in sorted(found.items()):
        chosen = drawing.chance(f"prose {kind}").sample(group, min(UNRELATED_PASSAGES, len(group)))
        for number, case in enumerate(chosen, 1):
            full = "unrelated prose" if kind == "unrelated" else f"prose, {kind}"
            yield Case(
                id=f"{full}, {number}",
                kind=full,
                name=case.name,
                language="",
                code=case.text,
                places=[named[place] for place in sorted(case.places)],
                near=[],
                shared=float(bool(case.places)),
                half=case.half,
                origin=case.label,
            )


def _documents(clones: Path, projects: Sequence[str]) -> list[Document]:
    """The documentation of projects."""
    found = []
    for project in projects:
        (source,) = discover([str(clone_of(clones, project))], cache=clones)
        entries = [
            entry
            for entry in source.entries()
            if entry.skip is None
            and entry.path.lower().endswith(prose.ENDINGS)
            and (entry.size is None or prose.LEAST_BYTES <= entry.size <= prose.MOST_BYTES)
        ]
        found += prose.read_documents(project, source, entries)
    return found
