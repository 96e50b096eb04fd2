"""Shell completion of values. Values that take long to find are not completed."""

from collections.abc import Callable, Iterable

import typer

import wherefrom
from wherefrom.cli.given import Given
from wherefrom.options.fields import Choice, Field, LanguageName, Several, Words
from wherefrom.support.pattern import later

VARIABLE = "_WHEREFROM_COMPLETE"
"""The environment variable with which the shell's completion script asks for completions."""

Complete = Callable[[typer.Context, str], list[str]]

_PLAIN = later(r"[A-Za-z0-9._@%+,~/:=-]+")
"""Text without special characters of a shell. Other names are not offered: a hostile remote may have chosen them."""


def of_field(field: Field) -> Complete | None:
    """The function that completes the value of an option; None if values of this option are not completed."""
    kind = field.kind.item if isinstance(field.kind, Several) else field.kind
    if isinstance(kind, LanguageName):
        return languages
    if isinstance(kind, Choice):
        return words(kind.words)
    if isinstance(kind, Words):
        return words([*kind.members, *([kind.none] if kind.none else [])])
    return _BY_NAME.get(field.name)


def words(known: Iterable[str]) -> Complete:
    """Makes a function that completes one of the known words."""
    plain = [str(word) for word in known]

    def complete(_context: typer.Context, incomplete: str) -> list[str]:
        return [word for word in plain if word.startswith(incomplete)]

    return complete


def languages(_context: typer.Context, incomplete: str) -> list[str]:
    """Completes the name of a language."""
    from wherefrom.languages import LANGUAGES  # noqa: PLC0415 -- `--help` does not wait for it

    return [name for name in LANGUAGES if name.startswith(incomplete)]


def repositories(context: typer.Context, incomplete: str) -> list[str]:
    """Completes the key of an indexed repository."""
    return _from_index(context, incomplete, lambda index: index.repository_keys())


def boilerplate_sets(context: typer.Context, incomplete: str) -> list[str]:
    """Completes the name of a boilerplate set."""
    return _from_index(context, incomplete, lambda index: index.boilerplate_names(built_in=True))


def _from_index(context: typer.Context, incomplete: str, names: "Callable[[wherefrom.Index], list[str]]") -> list[str]:
    """Completes names from an index on this machine. An index on a server is not read, since that may take long."""
    try:
        location = context.params.get("index_") or context.find_root().params.get("index_")
        given = Given(context, index=location)
        if given.engine() is not None:
            return []
        with given.open_index() as index:
            return [name for name in names(index) if name.startswith(incomplete) and _PLAIN.fullmatch(name)]
    except Exception:
        return []


_BY_NAME: dict[str, Complete] = {
    "repositories": repositories,
    "not_repositories": repositories,
    "own": repositories,
    "without": boilerplate_sets,
}
"""The completions of options with values from the index, by field name."""
