"""The other tools: the packages and the settings of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool.

    Attributes:
        name: also the name of the folder of its environment.
        installer: `pip`, `npm`, `maven` or `go`.
        packages: what the installer is given.
        program: what the installed tool has in that folder: an interpreter, a program or libraries.
        settings: the options of each setting; the first is the tool's default.
        fingerprinting: describes what a run without queries does.
        languages: the tool's names of languages, by ours; empty for a tool that goes by file names.
        is_exact: whether it finds exact text only. It is timed, and gets no queries.
    """

    name: str
    installer: str
    packages: tuple[str, ...]
    program: str
    settings: Mapping[str, Mapping[str, Any]]
    fingerprinting: str
    languages: Mapping[str, str] = field(default_factory=dict)
    is_exact: bool = False

    def knows(self, language: str) -> bool:
        """Whether the tool can process files of a language."""
        return not self.languages or language in self.languages

    def options(self, setting: str, language: str) -> dict[str, Any]:
        """The options of a setting, for files of a language that the tool knows."""
        told = {"language": self.languages[language]} if self.languages else {}
        return {**self.settings[setting], **told}

    @property
    def default(self) -> str:
        """The name of the default setting."""
        return next(iter(self.settings))


_IN_A_CLASS = {"wrap": ["class Planted {\n", "\n}\n"]}
"""JPlag cannot parse a Java method outside of a class: such a file is tried again inside of a class."""

PEERS = {
    peer.name: peer
    for peer in (
        Peer(
            "copydetect",
            "pip",
            ("copydetect==0.5.0",),
            "bin/python",
            {
                "default: -n 25 -g 25 -d 0.33": {},
                "-n 25 -g 25 -d 0": {"display_t": 0.0},
                "-n 15 -g 20 -d 0": {"noise_t": 15, "guarantee_t": 20, "display_t": 0.0},
                "-n 40 -g 40 -d 0": {"noise_t": 40, "guarantee_t": 40, "display_t": 0.0},
            },
            "tokenising with Pygments, filtering, k-grams, winnowing",
        ),
        Peer(
            "compare50",
            "pip",
            ("compare50==1.2.15",),
            "bin/python",
            {
                "default: -p structure -n 50": {"pass": "structure", "n": 50},
                "-p structure -n 100000": {"pass": "structure", "n": 100_000},
                "-p text -n 100000": {"pass": "text", "n": 100_000},
                "-p structure, k = 12, t = 18, -n 100000": {"pass": "structure", "n": 100_000, "k": 12, "t": 18},
            },
            "tokenising with Pygments, normalising, k-grams, winnowing",
        ),
        Peer(
            "scanoss",
            "pip",
            ("scanoss==1.54.3", "scanoss-winnowing==0.8.0"),
            "bin/python",
            {
                "default: fast winnowing, files above 256 bytes": {"fast": True, "all_extensions": False},
                "every file": {"fast": True, "all_extensions": True},
            },
            "normalising bytes, k-grams, winnowing in C, writing the fingerprints as text",
        ),
        Peer(
            "jscpd",
            "npm",
            ("jscpd@5.3.3",),
            "node_modules/.bin/jscpd",
            {
                "default: -k 50 -l 5": {},
                "-k 25 -l 2 -m weak --ignore-identifiers --ignore-literals": {
                    "arguments": "-k 25 -l 2 -m weak --ignore-identifiers --ignore-literals"
                },
                "-k 15 -l 1 -m weak": {"arguments": "-k 15 -l 1 -m weak"},
                "-k 30 -l 3 -m weak --max-gap-lines 3 --ignore-identifiers --ignore-literals": {
                    "arguments": "-k 30 -l 3 -m weak --max-gap-lines 3 --ignore-identifiers --ignore-literals"
                },
            },
            "everything: reading, tokenising, finding clones, writing the report",
        ),
        Peer(
            "dolos",
            "npm",
            ("@dodona/dolos-lib@3.5.1",),
            "node_modules/@dodona/dolos-lib",
            {
                "default: -k 23 -w 17, by overlap": {"score": "overlap"},
                "-k 23 -w 17, by longest fragment": {"score": "longest"},
                "-k 12 -w 8, by longest fragment": {"score": "longest", "kgramLength": 12, "kgramsInWindow": 8},
                "-k 12 -w 8, by overlap": {"score": "overlap", "kgramLength": 12, "kgramsInWindow": 8},
            },
            "parsing with Tree-sitter, k-grams, winnowing, an index in memory",
            {name: name for name in ("c", "cpp", "go", "java", "javascript", "php", "python", "rust", "typescript")},
        ),
        Peer(
            "jplag",
            "maven",
            tuple(
                f"de.jplag:{module}:6.0.0"
                for module in ("jplag", "c", "cpp", "golang", "java", "javascript", "python-3", "rust", "typescript")
            ),
            "jars",
            {
                "default: -t of the language, average similarity": {"metric": "AVG"},
                "-t of the language, maximum similarity, Java methods in a class": {"metric": "MAX", **_IN_A_CLASS},
                "-t 6, maximum similarity, Java methods in a class": {
                    "metric": "MAX",
                    "minimumTokenMatch": 6,
                    **_IN_A_CLASS,
                },
                "-t 6, by matched tokens, Java methods in a class": {
                    "metric": "INTERSECTION",
                    "minimumTokenMatch": 6,
                    **_IN_A_CLASS,
                },
            },
            "parsing and making tokens, on a virtual machine that warms up meanwhile; it has no fingerprints",
            {
                "python": "python3",
                **{name: name for name in ("c", "cpp", "go", "java", "javascript", "rust", "typescript")},
            },
        ),
        Peer(
            "zoekt",
            "go",
            ("github.com/sourcegraph/zoekt/cmd/zoekt-index@latest",),
            "zoekt-index",
            {"default": {}},
            "everything: reading, trigrams, writing the index",
            is_exact=True,
        ),
    )
}
