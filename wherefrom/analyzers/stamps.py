"""Which versions decide what an index holds of a content, and the stamp that says which ones did.

An upgrade may change the tokens of a language (its grammar, the parser) or the facts that are stored beside them. Each
blob carries a stamp of what analyzed it, so that an index stays usable and only what an upgrade concerns is renewed.
What merely guesses a language is not a part of it: a content whose language is guessed differently now is not wrong.

A stamp is text, so that engines can count and select by it: pairs `name=value`, sorted, separated by spaces. It names
the language of the content; each language with a grammar that it is in, with the grammar's minor version (empty if
it is not installed, so that the content was analyzed as text); and the versions of the components below.
"""

from __future__ import annotations

import importlib.metadata
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from wherefrom.analyzers.content import SKIP_RULES_VERSION
from wherefrom.analyzers.references import REFERENCES_VERSION
from wherefrom.languages import LANGUAGES

LANGUAGE = "language"
"""The language of the whole content: the one part of a stamp that is not a version."""

PARSER = "tree-sitter"
"""The core of the parser: of contents that a grammar parsed."""

SKIP_RULES = "skip-rules"
"""What is not worth indexing."""

REFERENCES = "references"
"""What is read of the references in a content."""

LICENSES = "licenses"
"""The classifier of license texts: of contents in which it had something to look at."""


_GRAMMARS = {name: language.grammar for name, language in LANGUAGES.items() if language.grammar}
_DISTRIBUTIONS = {PARSER: "tree-sitter", LICENSES: "licenseclassifier"}
_RULES = {SKIP_RULES: SKIP_RULES_VERSION, REFERENCES: REFERENCES_VERSION}


@cache
def installed() -> Mapping[str, str]:
    """The version of every component that is in force: of each language with a grammar, and of the others."""
    return MappingProxyType({name: _version(name) for name in (*_GRAMMARS, *_DISTRIBUTIONS, *_RULES)})


@cache
def _version(component: str) -> str:
    if component in _GRAMMARS:
        return _minor(_GRAMMARS[component].version or "")
    if component in _DISTRIBUTIONS:
        return _minor(importlib.metadata.version(_DISTRIBUTIONS[component]))
    return str(_RULES[component])


def stamp(language: str, languages: Iterable[str] = (), *, states_license: bool = False) -> str:
    """The stamp of a content that is analyzed now.

    Args:
        language: of the whole content.
        languages: of its parts, also those whose grammar is not installed.
        states_license: whether the classifier of licenses had something to look at.
    """
    return _stamp(language, frozenset(languages), states_license=states_license)


@lru_cache(maxsize=4096)  # most contents are in one language
def _stamp(language: str, languages: frozenset[str], *, states_license: bool) -> str:
    # Not `installed`: to look up the versions of all grammars takes longer than to read many files.
    grammars = {name: _version(name) for name in (language, *languages) if name in _GRAMMARS}
    names = [SKIP_RULES, REFERENCES]
    names += [PARSER] if any(grammars.values()) else []
    names += [LICENSES] if states_license else []
    parts = {LANGUAGE: language, **grammars, **{name: _version(name) for name in names}}
    return " ".join(f"{name}={value}" for name, value in sorted(parts.items()))


def components(stamp: str) -> dict[str, str]:
    """The version of each component in a stamp; empty for an empty stamp."""
    return {name: version for name, version in _parts(stamp).items() if name != LANGUAGE}


def languages(stamp: str) -> frozenset[str]:
    """The languages with a grammar in a stamp, also those whose grammar was not installed."""
    return frozenset(components(stamp)).intersection(LANGUAGES)


def new_languages(then: Mapping[str, str]) -> frozenset[str]:
    """The languages that were not in the table of languages then.

    Args:
        then: what `installed` said, perhaps in another version of wherefrom.
    """
    return frozenset(installed().keys() - then.keys()).intersection(LANGUAGES)


def is_behind(then: Mapping[str, str]) -> bool:
    """Whether a component that is installed is newer than then, or was not there then.

    Args:
        then: what `installed` said, perhaps in another version of wherefrom.
    """
    return any(name not in then or _key(then[name]) < _key(version) for name, version in installed().items())


def newest(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """Of each component the newer version."""
    return {name: max(one.get(name, ""), other.get(name, ""), key=_key) for name in {**one, **other}}


def has_newer_rules(then: Mapping[str, str]) -> bool:
    """Whether the rules for skipping files are newer than then."""
    return _key(then.get(SKIP_RULES, "")) < _key(installed()[SKIP_RULES])


def is_newer(stamp: str, now: Mapping[str, str] | None = None) -> bool:
    """Whether some component of a stamp is newer than now.

    Args:
        stamp: of a content.
        now: versions by component; None: what is installed.
    """
    now = installed() if now is None else now
    return any(_key(version) > _key(now[name]) for name, version in components(stamp).items() if name in now)


def is_older(stamp: str, now: Mapping[str, str] | None = None) -> bool:
    """Whether some component of a stamp is older than now, and none is newer.

    Analyzing a content again with an older component would lose what the newer one found. An empty stamp is older.

    Args:
        stamp: of a content.
        now: versions by component; None: what is installed.
    """
    now = installed() if now is None else now
    made = components(stamp)
    lacks = any(name in now and name not in made for name in (SKIP_RULES, REFERENCES))
    has_older = any(_key(version) < _key(now[name]) for name, version in made.items() if name in now)
    return (lacks or has_older) and not is_newer(stamp, now)


@lru_cache(maxsize=4096)  # most contents are in one language
def without_grammar(stamp: str) -> tuple[str, ...]:
    """The languages of a stamp whose grammar was not installed."""
    return tuple(name for name, version in components(stamp).items() if not version)


def count_older(analyses: Mapping[str, int]) -> dict[str, int]:
    """For each language that has some, how many blobs are of an older analysis.

    Args:
        analyses: how many blobs carry each stamp.
    """
    counts: Counter[str] = Counter()
    for stamp, count in analyses.items():
        if is_older(stamp):
            counts[_parts(stamp).get(LANGUAGE, "")] += count
    return dict(counts)


def count_without_grammar(analyses: Mapping[str, int]) -> dict[str, int]:
    """How many blobs are in, or hold code in, each language whose grammar was not installed.

    Args:
        analyses: how many blobs carry each stamp.
    """
    counts: Counter[str] = Counter()
    for stamp, count in analyses.items():
        counts.update(dict.fromkeys(without_grammar(stamp), count))
    return dict(counts)


def _parts(stamp: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in stamp.split())
    return {name: value for name, _, value in pairs}


def _minor(version: str) -> str:
    return ".".join(re.findall(r"\d+", version)[:2])


def _key(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))
