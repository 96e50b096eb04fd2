"""Parse times of the core with and without each patch: `python kernel/upstream/benchmark.py tree_sitter_c FILES...`.

It compiles `kernel/core` twice without patches, once with each patch of this folder and once with all of them. It
parses every file with each core, in a random order each time, and prints milliseconds of processor time. It stops if a
patch changes trees.

The grammar is named by the module of its wheel. A wheel with several languages needs a function after a colon:
`tree_sitter_typescript:language_tsx`. The command needs git and a C compiler: `cc`, or what `CC` names.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

HERE = Path(__file__).resolve().parent
CORE = HERE.parent / "core"
PATCHES = sorted(HERE.glob("*.patch"))

BASE_FLAGS = ("-std=c11", "-fPIC", "-shared", "-fvisibility=hidden", "-D_DEFAULT_SOURCE")

FLAGS = ("-O3", "-DNDEBUG")
"""The flags with which the core is compiled for its users."""

SOURCES = (
    *("get_changed_ranges", "language", "lexer", "node", "parser", "point", "stack", "subtree"),
    *("tree", "tree_cursor", "wasm_store"),
)

UNIT = """
#define TREE_SITTER_HIDE_SYMBOLS
#define ts_malloc malloc
#define ts_calloc calloc
#define ts_realloc realloc
#define ts_free free
{includes}

static uint64_t mixed(uint64_t sum, uint64_t value) {{ return (sum ^ value) * 0x100000001b3; }}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED TSParser *parser_for(const TSLanguage *language) {{
  TSParser *parser = ts_parser_new();
  return ts_parser_set_language(parser, language) ? parser : NULL;
}}

typedef struct {{ const char *bytes; uint32_t length, chunk; }} Source;

static const char *next_chunk(void *payload, uint32_t byte, TSPoint point, uint32_t *length) {{
  (void)point;
  const Source *source = payload;
  uint32_t rest = byte < source->length ? source->length - byte : 0;
  *length = rest < source->chunk ? rest : source->chunk;
  return source->bytes + source->length - rest;
}}

// Reads chunks of that many bytes, and leaves out 8 bytes at `gap` unless it is 0.
EXPORTED TSTree *parse(
  TSParser *parser, const char *bytes, uint32_t length, uint32_t chunk, TSInputEncoding encoding, uint32_t gap
) {{
  TSRange ranges[] = {{
    {{{{0, 0}}, {{0, gap}}, 0, gap}},
    {{{{0, gap + 8}}, {{UINT32_MAX, UINT32_MAX}}, gap + 8, UINT32_MAX}},
  }};
  ts_parser_set_included_ranges(parser, gap ? ranges : NULL, gap ? 2 : 0);
  Source source = {{bytes, length, chunk}};
  return ts_parser_parse(parser, NULL, (TSInput){{.payload = &source, .read = next_chunk, .encoding = encoding}});
}}

EXPORTED void tree_free(TSTree *tree) {{ ts_tree_delete(tree); }}

// A hash over all nodes of a tree: what they are, where they begin and end, the state of the parser, the errors.
EXPORTED uint64_t tree_hash(const TSTree *tree) {{
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  uint64_t sum = 0xcbf29ce484222325;
  for (;;) {{
    TSNode node = ts_tree_cursor_current_node(&cursor);
    TSPoint begin = ts_node_start_point(node), end = ts_node_end_point(node);
    uint64_t values[] = {{
      ts_node_symbol(node), ts_node_grammar_symbol(node), ts_node_parse_state(node), ts_node_child_count(node),
      ts_node_start_byte(node), begin.row, begin.column, ts_node_end_byte(node), end.row, end.column,
      ts_node_is_extra(node), ts_node_is_missing(node), ts_node_has_error(node), ts_node_descendant_count(node),
      ts_tree_cursor_current_field_id(&cursor),
    }};
    for (size_t at = 0; at < sizeof values / sizeof *values; at++) sum = mixed(sum, values[at]);
    if (ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {{
      if (!ts_tree_cursor_goto_parent(&cursor)) {{
        ts_tree_cursor_delete(&cursor);
        return sum;
      }}
    }}
  }}
}}
"""


def write_sources(folder: Path, patches: Sequence[Path]) -> None:
    """Writes the sources of the core to a folder that does not exist yet, and applies patches in their order.

    Raises:
        subprocess.CalledProcessError: a patch does not apply.
    """
    for part in ("src", "include"):
        shutil.copytree(CORE / part, folder / part)
    # Inside a repository, git would skip files outside of that repository.
    alone = {**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.resolve().parent)}
    for patch in patches:
        subprocess.run(["git", "apply", patch], cwd=folder, env=alone, check=True)


class Parse(Protocol):
    """A parser for one grammar."""

    def __call__(self, source: bytes, chunk: int = ..., encoding: int = ..., gap: int = ...) -> tuple[float, int]:
        """Parses a source. Returns the seconds of processor time and the hash of the tree.

        `chunk` is how many bytes the lexer gets at a time, and `encoding` one of `TSInputEncoding`. At `gap`, 8 bytes
        are outside of the included ranges (0: nowhere).
        """


class Core:
    """The core with some patches, compiled and loaded.

    Args:
        folder: Gets the sources. It must not exist yet.
        patches: The patches to apply, in this order.
        flags: For the compiler.

    Raises:
        subprocess.CalledProcessError: a patch does not apply, or the result does not compile.
    """

    def __init__(self, folder: Path, patches: Sequence[Path], flags: Sequence[str] = FLAGS) -> None:
        write_sources(folder, patches)
        includes = "\n".join(f'#include "{name}.c"' for name in SOURCES)
        library = folder / "core.so"
        compiler = shlex.split(os.environ.get("CC", "cc"))
        command = [*compiler, *BASE_FLAGS, *flags, "-Isrc", "-Iinclude", "-xc", "-", f"-o{library}"]
        subprocess.run(command, cwd=folder, input=UNIT.format(includes=includes), text=True, check=True)
        self._library = ctypes.CDLL(str(library))
        pointer, number = ctypes.c_void_p, ctypes.c_uint64
        for name, result, arguments in (
            ("parser_for", pointer, [pointer]),
            ("parse", pointer, [pointer, ctypes.c_char_p, *[ctypes.c_uint32] * 4]),
            ("tree_hash", number, [pointer]),
            ("tree_free", None, [pointer]),
        ):
            function = getattr(self._library, name)
            function.restype, function.argtypes = result, arguments

    def parser(self, language: int) -> Parse:
        """A parser for the grammar at this address.

        Raises:
            ValueError: the core does not take grammars of this version.
        """
        parser = self._library.parser_for(language)
        if not parser:
            raise ValueError("the core does not take grammars of this version")

        def parse(source: bytes, chunk: int = 2**32 - 1, encoding: int = 0, gap: int = 0) -> tuple[float, int]:
            begin = time.process_time()
            tree = self._library.parse(parser, source, len(source), chunk, encoding, gap)
            seconds = time.process_time() - begin
            found = self._library.tree_hash(tree)
            self._library.tree_free(tree)
            return seconds, found

        return parse


def address(name: str) -> int:
    """The address in memory of the language of a grammar's wheel: `MODULE` or `MODULE:FUNCTION`."""
    module, _, function = name.partition(":")
    capsule = getattr(importlib.import_module(module), function or "language")()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer(capsule, b"tree_sitter.Language"))


def main() -> None:
    """Compiles the cores, lets them parse in turn, and prints a row for each core."""
    options = argparse.ArgumentParser(description="Parse times of the core with and without each patch.")
    options.add_argument("grammar", help="module of its wheel, as tree_sitter_c")
    options.add_argument("files", nargs="+", type=Path)
    options.add_argument("--rounds", type=int, default=20, help="how often each file is parsed; the least time counts")
    wanted = options.parse_args()
    sources = [path.read_bytes() for path in wanted.files]
    with tempfile.TemporaryDirectory() as folder:
        chosen = {"none": [], "none again": [], **{patch.stem: [patch] for patch in PATCHES}, "all": PATCHES}
        language = address(wanted.grammar)
        parsers = {name: Core(Path(folder) / name, patches).parser(language) for name, patches in chosen.items()}
        least = {name: [float("inf")] * len(sources) for name in parsers}
        for _ in range(wanted.rounds):
            for number, source in enumerate(sources):
                trees = set()
                for name in random.sample(list(parsers), len(parsers)):
                    seconds, tree = parsers[name](source)
                    trees.add(tree)
                    least[name][number] = min(least[name][number], seconds)
                if len(trees) != 1:
                    sys.exit(f"{wanted.files[number]}: a patch changes its tree")
        print(
            f"{len(sources)} files, {sum(map(len, sources)) / 1e6:.2f} MB, the least of {wanted.rounds} parses of each"
        )
        base = sum(least["none"])
        for name, times in least.items():
            print(f"{name:16} {sum(times) * 1000:8.1f} ms {sum(times) / base - 1:+7.1%}")


if __name__ == "__main__":
    main()
