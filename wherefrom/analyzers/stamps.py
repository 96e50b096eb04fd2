"""Stamps: the versions of the components that analyzed a content.

An upgrade of a grammar or the parser may change the tokens of a language; other upgrades change the references, or
which files are skipped. Each blob in an index has a stamp. So an index stays usable after an upgrade, and only the
blobs that the upgrade concerns are analyzed again. The rules for guessing languages are not part of a stamp: an older
guess is not wrong.

A stamp is a text, so that engines can count and select blobs by it: pairs `name=value`, sorted, separated by spaces. It
has the language of the content, the versions of the components below, and the minor version of each grammar that the
content needs. If a grammar was not installed, its version is empty, and the content was read as text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from wherefrom.analyzers.content import SKIP_RULES_VERSION
from wherefrom.analyzers.guessing import rank, read_as
from wherefrom.analyzers.references import REFERENCES_VERSION
from wherefrom.analyzers.tokens import INSIDES_VERSION
from wherefrom.languages import LANGUAGES
from wherefrom.support import version

LANGUAGE = "language"  # the language of the whole content, and behind it the others that its names are of; no version
PARSER = "tree-sitter"  # the core of the parser, in the stamp if a grammar parsed the content
SKIP_RULES = "skip-rules"  # the rules for skipping files
REFERENCES = "references"  # the rules for finding references
INSIDES = "insides"  # the rules for reading what is inside of literals and comments
LICENSES = "licenses"  # the classifier of license texts, in the stamp if the content has words of licenses
UNPARSED = "unparsed"  # no version either: in the stamp if the grammars did not parse more than a tenth of the content
_NO_VERSIONS = (LANGUAGE, UNPARSED)
_AND = "+"

_GRAMMARS = {name: language.grammar for name, language in LANGUAGES.items() if language.grammar}
_DISTRIBUTIONS = {PARSER: "tree-sitter", LICENSES: "licenseclassifier"}
_RULES = {SKIP_RULES: SKIP_RULES_VERSION, REFERENCES: REFERENCES_VERSION, INSIDES: INSIDES_VERSION}


@cache
def installed() -> Mapping[str, str]:
    """The current version of every component: the grammar of each language, the parser, the classifier, the rules."""
    return MappingProxyType({name: _version(name) for name in (*_GRAMMARS, *_DISTRIBUTIONS, *_RULES)})


@cache
def _version(component: str) -> str:
    if component in _GRAMMARS:
        return _minor(_GRAMMARS[component].version or "")
    if component in _DISTRIBUTIONS:
        return _minor(version.installed(_DISTRIBUTIONS[component]))
    return str(_RULES[component])


@lru_cache(maxsize=4096)  # most calls repeat the same few arguments
def stamp(
    language: str,
    languages: frozenset[str] = frozenset(),
    *,
    others: tuple[str, ...] = (),
    states_license: bool = False,
    unparsed: bool = False,
) -> str:
    """The stamp of a content that is analyzed now. `languages` has the language of each part, even if its grammar is
    not installed; `others` has the other languages of the content, ascending; `states_license` is true if
    the classifier of licenses looked at the content; `unparsed` is true if more than a tenth of it was not parsed.
    """
    # `installed` is not used here: looking up the versions of all grammars takes longer than reading many files.
    parts = {name: _version(name) for name in (language, *languages, *others) if name in _GRAMMARS}
    names = (*_RULES, *[PARSER] * any(parts.values()), *[LICENSES] * states_license)
    parts |= {
        LANGUAGE: _AND.join((language, *others)),
        **{name: _version(name) for name in names},
        **({UNPARSED: "1"} if unparsed else {}),
    }
    return _written(parts)


def _written(parts: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted(parts.items()))


@lru_cache(maxsize=4096)  # most calls repeat the same few arguments
def language(stamp: str) -> str:
    """The language of the whole content; empty if the stamp has none."""
    return _parts(stamp).get(LANGUAGE, "").partition(_AND)[0]


@lru_cache(maxsize=4096)  # most calls repeat the same few arguments
def named(stamp: str) -> tuple[str, ...]:
    """The languages of the whole content, the first one first: all that its names are of (`guessing.read_as`)."""
    return tuple(filter(None, _parts(stamp).get(LANGUAGE, "").split(_AND)))


def of_readings(stamp: str, other: str, languages: tuple[str, ...]) -> str:
    """The stamp of a content with readings from two analyses, in these languages; the first reading is of `stamp`."""
    added = {name: value for name, value in components(other).items() if name in languages}
    return _written({**added, **_parts(stamp), LANGUAGE: _AND.join(languages)})


def are_apart(stamp: str, other: str) -> bool:
    """Whether each of two analyses has a reading that the other one lacks."""
    one, two = frozenset(named(stamp)), frozenset(named(other))
    return read_as(one | two) not in (one, two)


def components(stamp: str) -> dict[str, str]:
    """The version of each component in a stamp."""
    return {name: version for name, version in _parts(stamp).items() if name not in _NO_VERSIONS}


def languages(stamp: str) -> frozenset[str]:
    """The languages with a grammar in a stamp, including those whose grammar was not installed."""
    return frozenset(components(stamp)).intersection(LANGUAGES)


def new_languages(then: Mapping[str, str]) -> frozenset[str]:
    """The languages with a grammar that are missing in `then`, an earlier result of `installed`."""
    return frozenset(installed().keys() - then.keys()).intersection(LANGUAGES)


def is_behind(then: Mapping[str, str]) -> bool:
    """Whether a component is missing in `then`, an earlier result of `installed`, or is newer now."""
    return any(name not in then or _key(then[name]) < _key(version) for name, version in installed().items())


def newest(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """The newer version of each component in two results of `installed` or `components`."""
    return {name: max(one.get(name, ""), other.get(name, ""), key=_key) for name in {**one, **other}}


def has_newer_rules(then: Mapping[str, str]) -> bool:
    """Whether the rules for skipping files are newer now than in `then`, an earlier result of `installed`."""
    return _key(then.get(SKIP_RULES, "")) < _key(installed()[SKIP_RULES])


def is_newer(stamp: str, now: Mapping[str, str]) -> bool:
    """Whether some component of a stamp is newer than in `now`, which has versions by component."""
    return any(_key(version) > _key(now[name]) for name, version in components(stamp).items() if name in now)


def is_older(stamp: str, now: Mapping[str, str] | None = None) -> bool:
    """Whether some component of a stamp is older than in `now`, and none is newer.

    Analyzing a content again with an older component would lose what the newer one found. An empty stamp counts as
    older. `now` has versions by component, and defaults to `installed`.
    """
    now = installed() if now is None else now
    made = components(stamp)
    lacks = any(name in now and name not in made for name in _RULES)
    has_older = any(_key(version) < _key(now[name]) for name, version in made.items() if name in now)
    return (lacks or has_older) and not is_newer(stamp, now)


def is_better(stamp: str, there: str) -> bool:
    """Whether an analysis replaces another one: it is in code and the other in prose, or in more languages, or in as
    many of a greater `rank`, or in the same languages, and newer.
    """
    own, other = _reach(stamp), _reach(there)
    return own > other or (own == other and stamp != there and is_older(there, components(stamp)))


def _reach(stamp: str) -> tuple[bool, int, list[tuple[bool, bool, str]]]:
    ranks = sorted(map(rank, named(stamp)), reverse=True)
    return any(is_code for is_code, *_ in ranks), len(ranks), ranks


@lru_cache(maxsize=4096)  # most calls repeat the same few arguments
def without_grammar(stamp: str) -> tuple[str, ...]:
    """The languages in a stamp whose grammar was not installed."""
    return tuple(name for name, version in components(stamp).items() if not version)


@lru_cache(maxsize=4096)
def is_unparsed(stamp: str) -> bool:
    """Whether more than a tenth of the content was not parsed."""
    return UNPARSED in _parts(stamp)


def count_older(analyses: Mapping[str, int]) -> dict[str, int]:
    """The number of blobs with an outdated analysis (`is_older`), by language. `analyses` counts blobs by stamp."""
    counts: Counter[str] = Counter()
    for stamp in filter(is_older, analyses):
        counts[language(stamp)] += analyses[stamp]
    return dict(counts)


def count_without_grammar(analyses: Mapping[str, int]) -> dict[str, int]:
    """The number of blobs read without the grammar of a language, by language. `analyses` counts blobs by stamp."""
    counts: Counter[str] = Counter()
    for stamp, count in analyses.items():
        counts.update(dict.fromkeys(without_grammar(stamp), count))
    return dict(counts)


def _parts(stamp: str) -> dict[str, str]:
    return {name: value for name, _, value in (pair.partition("=") for pair in stamp.split())}


def _minor(version: str) -> str:
    return ".".join(re.findall(r"\d+", version)[:2])


def _key(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))
