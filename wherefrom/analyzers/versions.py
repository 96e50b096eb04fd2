"""Which versions decide what an index holds of a content, and the stamp that says which ones did.

An upgrade may change the tokens of a language (its grammar, the parser) or the facts that are stored beside them. Each
blob carries a stamp of what analyzed it, so that an index stays usable and only what an upgrade concerns is renewed.
What merely guesses a language is not a part of it: a content whose language is guessed differently now is not wrong.

A stamp is text, so that engines can count and select by it: pairs `component=version`, sorted, with blanks
between. Its components are the languages that the content is in, each with the minor version of its grammar (empty: not
installed, so that the content was analyzed as text), and the components below.
"""

from __future__ import annotations

import importlib.metadata
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from wherefrom.analyzers.content import SKIP_RULES_VERSION
from wherefrom.analyzers.references import REFERENCES_VERSION
from wherefrom.languages import LANGUAGES

PARSER = "tree-sitter"
"""The core of the parser: of contents that a grammar parsed."""

SKIP_RULES = "skip-rules"
"""What is not worth indexing."""

REFERENCES = "references"
"""What is read of the references in a content."""

LICENSES = "licenses"
"""The classifier of license texts."""


@cache
def installed() -> Mapping[str, str]:
    """The version of every component that is in force: of each language with a grammar, and of the others."""
    grammars = {
        name: _minor(language.grammar.version or "") for name, language in LANGUAGES.items() if language.grammar
    }
    others = {
        PARSER: _minor(importlib.metadata.version("tree-sitter")),
        SKIP_RULES: str(SKIP_RULES_VERSION),
        REFERENCES: str(REFERENCES_VERSION),
        LICENSES: _minor(importlib.metadata.version("licenseclassifier")),
    }
    return MappingProxyType(grammars | others)


def stamp(languages: Iterable[str]) -> str:
    """The stamp of a content that is analyzed now.

    Args:
        languages: names of those that the content is in, also of those whose grammar is not installed.
    """
    versions = installed()
    grammars = {name: versions[name] for name in languages if name in versions}
    parsed = [PARSER] if any(grammars.values()) else []
    others = {name: versions[name] for name in (*parsed, SKIP_RULES, REFERENCES, LICENSES)}
    return " ".join(f"{name}={version}" for name, version in sorted({**grammars, **others}.items()))


def components(stamp: str) -> dict[str, str]:
    """The versions in a stamp by component; empty for an empty stamp."""
    return dict(pair.split("=", 1) for pair in stamp.split())


def languages(stamp: str) -> frozenset[str]:
    """The languages in a stamp, also those whose grammar was not installed."""
    return frozenset(components(stamp)).intersection(LANGUAGES)


def new_languages(then: Mapping[str, str]) -> frozenset[str]:
    """The languages whose grammar is installed and of which nothing was known then.

    Args:
        then: what `installed` said.
    """
    return frozenset(
        name for name, version in installed().items() if name in LANGUAGES and version and name not in then
    )


def is_older(stamp: str) -> bool:
    """Whether what is installed now is newer than a stamp in something, and older in nothing.

    Where it is older in something, renewing would lose what a newer version found. An empty stamp is older.
    """
    made, versions = components(stamp), installed()
    pairs = [(_key(version), _key(versions[name])) for name, version in made.items() if name in versions]
    return not made or (any(then < now for then, now in pairs) and not any(then > now for then, now in pairs))


def without_grammar(stamp: str) -> list[str]:
    """The languages of a stamp whose grammar was not installed."""
    return [name for name, version in components(stamp).items() if not version]


def count_older(analyses: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """For each language that has some, how many blobs carry an older stamp.

    Args:
        analyses: for each language, how many blobs carry which stamp.
    """
    counts = {
        language: sum(count for stamp, count in stamps.items() if is_older(stamp))
        for language, stamps in analyses.items()
    }
    return {language: count for language, count in counts.items() if count}


def count_without_grammar(analyses: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """How many blobs are in, or hold code in, each language whose grammar was not installed.

    Args:
        analyses: for each language, how many blobs carry which stamp.
    """
    counts: Counter[str] = Counter()
    for stamps in analyses.values():
        for stamp, count in stamps.items():
            counts.update(dict.fromkeys(without_grammar(stamp), count))
    return dict(counts)


def _minor(version: str) -> str:
    return ".".join(re.findall(r"\d+", version)[:2])


def _key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part)
