"""The languages: everything that depends on which language a text is in, one small file for each.

A language is a value of `base.Language` in a module of this package; a new module is found by itself. Importing this
package loads no grammar.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from wherefrom.errors import ExtraMissing, LanguageError
from wherefrom.languages.language import Grammar, Language

__all__ = ["LANGUAGES", "Grammar", "Language", "find", "get", "get_installed"]


def _defined() -> Iterator[Language]:
    """The languages that the modules of this package define."""
    for found in iter_modules(__path__, f"{__name__}."):
        yield from (value for value in vars(import_module(found.name)).values() if isinstance(value, Language))


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {language.name: language for language in sorted(_defined(), key=lambda language: language.name)}
)
"""Every language by its name, in the order of the names."""

_BY_ANY_NAME = {name: language for language in LANGUAGES.values() for name in (language.name, *language.aliases)}


def get(name: str) -> Language:
    """The language of that name or alias, whatever its case.

    Raises:
        LanguageError: no language has that name.
    """
    language = find(name)
    if language is None:
        message = f"no language is called {name[:40]!r}; the languages are {', '.join(LANGUAGES)}"
        raise LanguageError(message)
    return language


def get_installed(name: str) -> Language:
    """Like `get`, for a language in which something is to be parsed.

    Raises:
        LanguageError: no language has that name.
        ExtraMissing: its grammar comes with an extra that is not installed.
    """
    language = get(name)
    if language.grammar and language.grammar.extra and language.is_left_out:
        raise ExtraMissing.of(f"the grammar of {language.name} is not installed", language.grammar.extra)
    return language


def find(name: str) -> Language | None:
    """Like `get`, for names that are often not those of a language (fence labels, kernel names): then None."""
    return _BY_ANY_NAME.get(name.strip().lower())
