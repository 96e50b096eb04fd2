"""The languages, one small module each, with everything that depends on the language of a text.

Each module of this package defines values of `language.Language`; a new module needs no registration. Importing this
package loads no grammar.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from wherefrom.errors import ExtraMissing, LanguageError
from wherefrom.languages.language import Grammar, Language
from wherefrom.support.version import remedy

__all__ = ["LANGUAGES", "Grammar", "Language", "find", "get", "get_installed"]


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
    """The language with that name or alias, in any case.

    Raises:
        LanguageError: no language has that name.
    """
    language = find(name)
    if language is None:
        message = f"no language is called {name[:40]!r}; the languages are {', '.join(LANGUAGES)}"
        raise LanguageError(message)
    return language


def get_installed(name: str) -> Language:
    """Like `get`, but the grammar of the language, if it has one, must be installed.

    Raises:
        LanguageError: no language has that name.
        ExtraMissing: the grammar comes with an extra that is not installed.
    """
    language = get(name)
    if language.grammar and language.grammar.extra and language.is_left_out:
        raise ExtraMissing(f"the grammar of {language.name} is not installed; {remedy(language.grammar.extra)}")
    return language


def find(name: str) -> Language | None:
    """Like `get`, but returns None for a name of no language. For labels of fences, names of kernels and the like."""
    return _BY_ANY_NAME.get(name.strip().lower())
