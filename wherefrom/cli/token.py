"""`wherefrom token`: who may ask a server for what."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from wherefrom.cli import console
from wherefrom.cli.flags import argument, format_option
from wherefrom.cli.given import Given
from wherefrom.cli.help import Commands
from wherefrom.options.fields import Choice, Several, Whole, option
from wherefrom.reports.layout import as_lines, table
from wherefrom.reports.look import Look
from wherefrom.reports.renderer import list_formats
from wherefrom.serve.people import Person, Right, TokenFile
from wherefrom.support.printable import visible

token = Commands(
    name="token",
    help="""Manage the tokens of `wherefrom serve`.

    Each person or program has a token with rights: `search` looks up code, `check` checks changes and compares, `read`
    shows the indexed code. The file does not reveal a token. Running servers follow each change.

    Examples:
        wherefrom token add ann  # a token with all rights
        wherefrom token add ci --right check --per-minute 60  # for a program
        wherefrom token list  # who may do what?
    """,
)


def _write(people: Sequence[Person], _look: Look) -> Iterator[str]:
    """A table of the holders of tokens."""
    if not people:
        yield "no tokens\n"
        return
    rows = [
        (
            visible(person.name),
            ", ".join(person.rights),
            "" if person.per_minute is None else f"{person.per_minute:,}",
            visible(person.made),
        )
        for person in people
    ]
    yield as_lines(table(("name", "rights", "per minute", "made"), rows, right=(2,)))


TOKENS = list_formats(_write, "tokens")
"""The formats of a list of tokens."""

Name = Annotated[str, argument("NAME", "The name of the holder, as the audit log has it.")]


@token.subcommand("tokens")
def add(
    given: Given,
    name: Name,
    *,
    rights: Sequence[str] = option(
        (),
        Several(Choice(tuple(Right))),
        "What the token allows; repeatable.",
        flag="--right",
        default_help="all rights",
    ),
    per_minute: int | None = option(None, Whole(at_least=1), "Refuse more requests than this in a minute."),
) -> None:
    """Make a token and print it.

    Examples:
        wherefrom token add ann  # a token with all rights
        wherefrom token add guest --right search  # may search, and does not see the indexed code
    """
    chosen = [Right(right) for right in rights] or [*Right]
    console.emit(f"{TokenFile(given.settings.tokens).add(name, chosen, per_minute)}\n")
    console.say("wherefrom: this token is not shown again; send it as `Authorization: Bearer TOKEN`")


@token.subcommand("tokens", name="list")
def list_(given: Given, *, output: str = format_option(TOKENS)) -> None:
    """List the holders of tokens.

    Examples:
        wherefrom token list  # who may do what?
    """
    console.render(TOKENS[output], TokenFile(given.settings.tokens).people())


@token.subcommand("tokens")
def remove(given: Given, name: Name) -> None:
    """Remove the token of a holder.

    Examples:
        wherefrom token remove ann  # servers refuse it from now on
    """
    TokenFile(given.settings.tokens).remove(name)
    console.say(f"wherefrom: removed the token of {name}")
