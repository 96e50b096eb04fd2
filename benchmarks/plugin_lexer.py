"""How many of the client's terms of real files the lexer of the Elasticsearch plug-in makes as well.

The files are drawn at random from git clones, bare or not: the same number for each language from each clone, and no
file that a run would skip. With `--differences` it also shows the first token that differs.

    python -m benchmarks.plugin_lexer FOLDER
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from benchmarks.files import SEED
from benchmarks.timing import table
from tests.elasticsearch.plugin.building import Streams, built
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.languages import LANGUAGES
from wherefrom.model import Representation, SkipReason
from wherefrom.options import Limits
from wherefrom.queries.plugin import plugin_terms
from wherefrom.sources.discover import discover

NAMED = {
    "java": "java",
    "c": "c",
    "javascript": "javascript",
    "python": "python",
    "cpp": "cpp",
    "typescript": "javascript",
    "bash": "shell",
    "go": "java",
    "rust": "java",
    "csharp": "java",
    "kotlin": "java",
    "php": "java",
    "ruby": "python",
}
"""The languages that are compared, and the setting `language` of the lexer for them."""

CODE = (Representation.EXACT, Representation.RENAMED, Representation.P_MATCH)


@dataclass
class Counts:
    """The counts of one language.

    Attributes:
        terms: the number of the client's terms, by representation.
        same: how many of them the plug-in makes too; `guessed`: how many, if it has to guess the language.
    """

    files: int = 0
    projects: set[str] = field(default_factory=set)
    terms: Counter[Representation] = field(default_factory=Counter)
    same: Counter[Representation] = field(default_factory=Counter)
    guessed: int = 0

    def row(self, language: str) -> tuple[str, ...]:
        """The counts as a row of the table."""
        exact = self.terms[Representation.EXACT]
        shares = [self.same[each] / max(self.terms[each], 1) for each in CODE]
        return (
            language,
            f"{len(self.projects)}",
            f"{self.files:,}",
            f"{exact:,}",
            f"{shares[0]:.4f}",
            f"{self.guessed / max(exact, 1):.4f}",
            *(f"{share:.4f}" for share in shares[1:]),
        )


def drawn(folder: Path, files: int) -> Iterator[tuple[str, str, str, bytes]]:
    """Draws up to `files` files of each language in each project: project, language, path and content."""
    chance = random.Random(SEED)
    for found in discover([folder], cache=folder):
        source = found
        listed: defaultdict[str, list[object]] = defaultdict(list)
        entries = [entry for entry in source.entries() if entry.skip is None]
        for entry in entries:
            for language in NAMED:
                if entry.path.endswith(LANGUAGES[language].extensions):
                    listed[language].append(entry.handle)
        for language, handles in listed.items():
            chosen = set(chance.sample(handles, min(files, len(handles))))
            for entry, content in source.read(entry for entry in entries if entry.handle in chosen):
                if not isinstance(content, SkipReason):
                    yield source.key, language, entry.path, content


def first_difference(stream: TokenStream, content: bytes, tokens: list[str]) -> str | None:
    """The first token that differs, as the client and as the plug-in have it; None if all are the same."""
    spans = zip(stream.starts.tolist(), stream.ends.tolist(), strict=True)
    own = [content[start:end].decode(errors="replace") for start, end in spans]
    codes = stream.codes.tolist()
    for client, code, server in zip_longest(own, codes, tokens):
        if server is None or token_code(server.encode()) != code:
            return f"{str(client)[:40]!r} {str(server)[:40]!r}"
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=10, help="files of a language from each clone")
    parser.add_argument("--differences", action="store_true")
    arguments = parser.parse_args()
    counts: defaultdict[str, Counts] = defaultdict(Counts)
    differences: defaultdict[str, Counter[str]] = defaultdict(Counter)
    with Streams(built()) as streams:
        for project, language, path, content in drawn(arguments.folder, arguments.files):
            found = analyze_file(path, content, Limits())
            if isinstance(found, SkipReason) or found.language != language or found.tokens.languages != (language,):
                continue
            text = content.decode(errors="replace")
            terms = document_terms(found.tokens)
            count = counts[language]
            count.files += 1
            count.projects.add(project)
            named = NAMED[language]
            for representation in CODE:
                own = set(plugin_terms(terms[representation])) if representation in terms else set()
                winnow = {"representation": str(representation)}
                given = streams.ask(tokenizer="code", language=named, text=text, winnow=winnow)
                count.terms[representation] += len(own)
                count.same[representation] += len(own & {token["term"] for token in given})
                if representation is Representation.EXACT:
                    guessed = streams.ask(tokenizer="code", text=text, winnow=winnow)
                    count.guessed += len(own & {token["term"] for token in guessed})
            if arguments.differences:
                tokens = [token["term"] for token in streams.ask(tokenizer="code", language=named, text=text)]
                differing = first_difference(found.tokens, content, tokens)
                if differing:
                    differences[language][differing] += 1
    head = ("language", "projects", "files", "terms", "exact", "exact, guessed", "renamed", "p_match")
    print(table(head, [counts[language].row(language) for language in NAMED if language in counts]))
    for language, parting in differences.items():
        print(f"\n{language}: files by the first tokens that differ")
        for shown, number in parting.most_common(12):
            print(f"  {number:4} {shown}")


if __name__ == "__main__":
    main()
