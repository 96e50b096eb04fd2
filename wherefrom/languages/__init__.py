"""The languages, one small module each, with everything that depends on the language of a text.

Each module of this package defines values of `language.Language`; a new module needs no registration. Importing this
package loads no grammar.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from wherefrom.errors import GrammarError, LanguageError
from wherefrom.languages.language import Grammar, Language

__all__ = ["LANGUAGES", "Grammar", "Language", "find", "get", "get_installed", "read_as_text", "remedy"]


def _defined() -> Iterator[Language]:
    """All `Language` values in the modules of this package. A value that a second module imports is given twice."""
    for found in iter_modules(__path__, f"{__name__}."):
        yield from (value for value in vars(import_module(found.name)).values() if isinstance(value, Language))


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {language.name: language for language in sorted(_defined(), key=lambda language: language.name)}
)
"""Every language by its name, ordered by name."""

_BY_ANY_NAME = {name: language for language in LANGUAGES.values() for name in (language.name, *language.aliases)}


def get(name: str) -> Language:
    """The language with that name or alias, in any case. Raises LanguageError if there is none."""
    language = find(name)
    if language is None:
        raise LanguageError(f"no language is called {name[:40]!r}; the languages are {', '.join(LANGUAGES)}")
    return language


def get_installed(name: str) -> Language:
    """Like `get`, but raises GrammarError if the language has a grammar that is not installed."""
    language = get(name)
    if language.is_left_out:
        raise GrammarError(f"the grammar of {language.name} is not installed; {remedy([language])}")
    return language


def remedy(languages: Iterable[Language]) -> str:
    """How to install the missing grammars of languages; empty if none is missing."""
    missing = sorted({it.grammar.requirement for it in languages if it.grammar and it.is_left_out})
    return f"install it with: pip install {' '.join(map(repr, missing))}" if missing else ""


def read_as_text(names: Collection[str]) -> tuple[str, ...]:
    """A warning about languages that were read as text, since their grammars are missing; empty without names."""
    if not names:
        return ()
    how = remedy(LANGUAGES[name] for name in names)
    return (f"read as text, since its grammar is not installed: {', '.join(sorted(names))}; {how}",)


def find(name: str) -> Language | None:
    """Like `get`, but returns None for a name of no language. For labels of fences, names of kernels and the like."""
    return _BY_ANY_NAME.get(name.strip().lower())
