"""Commands: their options, made from the options classes of the library, the shell completion of values, except of
those that take long to find, and the layout of help: whole sentences, plain names of arguments, examples at the end.
"""

import dataclasses
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.settings import Given, Settings, flag_of, variable
from wherefrom.options.fields import (
    Choice,
    Field,
    LanguageName,
    Options,
    Several,
    Words,
    field_of,
    fields_of,
    option,
    shown,
    switch,
)
from wherefrom.options.shared import REPO
from wherefrom.reports.renderer import Renderer
from wherefrom.support.pattern import later

VARIABLE = "_WHEREFROM_COMPLETE"
"""The environment variable with which the shell's completion script asks for completions."""

Complete = Callable[[typer.Context, str], list[str]]

_PLAIN = later(r"[A-Za-z0-9._@%+,~/:=-]+")
"""Text without special characters of a shell. Other names are not offered: a hostile remote may have chosen them."""


def _completion(field: Field) -> Complete | None:
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
    from wherefrom.extend import LANGUAGES  # noqa: PLC0415 -- `--help` does not wait for it

    return [name for name in LANGUAGES if name.startswith(incomplete)]


def _from_index(names: "Callable[[wherefrom.Index], list[str]]") -> Complete:
    """Completes names from an index on this machine. An index on a server is not read, since that may take long."""

    def complete(context: typer.Context, incomplete: str) -> list[str]:
        try:
            location = context.params.get("index_") or context.find_root().params.get("index_")
            given = Given(context, index=location)
            if given.engine() is not None:
                return []
            with given.open_index() as index:
                return [name for name in names(index) if name.startswith(incomplete) and _PLAIN.fullmatch(name)]
        except Exception:
            return []

    return complete


repositories = _from_index(lambda index: index.repository_keys())

boilerplate_sets = _from_index(lambda index: index.boilerplate_names(built_in=True))


_BY_NAME: dict[str, Complete] = {
    "repositories": repositories,
    "not_repositories": repositories,
    "own": repositories,
    "without": boilerplate_sets,
}
"""The completions of options with values from the index, by field name."""


_CONTEXT = "typer_context"
"""The name of the parameter for typer's context in every command. No field of options has this name."""


def command(*settings: str) -> Callable[[Callable[..., int | None]], Callable[..., None]]:
    """Turns a function into a command. Its first argument is a `Given`; the command line gives the other arguments. It
    may return an exit code.

    If the type of a parameter is an options class, each field with a flag becomes a flag of the command, and the
    function gets an object of the class. If the default of a parameter is an `option`, it becomes one flag. The
    `settings` are fields of `Settings`, whose flags come after all other flags of the command.
    """

    def decorate(function: Callable[..., int | None]) -> Callable[..., None]:
        own = list(inspect.signature(function).parameters.values())[1:]
        flags = {parameter: found for parameter in own if (found := _flags(parameter)) is not None}
        parameters = [inspect.Parameter(_CONTEXT, inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
        for parameter in own:
            if parameter in flags:
                parameters += [_parameter(field.name, field) for field in flags[parameter]]
            else:
                parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
        parameters += [_parameter(f"{name}_", _SETTINGS[name]) for name in settings]

        def run(**values: Any) -> None:
            given = Given(values.pop(_CONTEXT), **{name: values.pop(f"{name}_") for name in settings})
            made = {}
            for parameter, fields in flags.items():
                typed = {field.name: values.pop(field.name) for field in fields}
                made[parameter.name] = _made(given, parameter, typed)
            if code := function(given, **values, **made):
                raise typer.Exit(code)

        run.__name__, run.__doc__ = function.__name__, function.__doc__
        # typer reads both attributes.
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # functions accept any attribute
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate


def _flags(parameter: inspect.Parameter) -> list[Field] | None:
    """The fields whose flags give the value of a parameter; None for a parameter that typer fills."""
    if isinstance(parameter.default, dataclasses.Field):
        return [field_of(parameter.name, parameter.default)]
    if isinstance(parameter.annotation, type) and issubclass(parameter.annotation, Options):
        return [field for field in fields_of(parameter.annotation) if field.flag]
    return None


def _made(given: Given, parameter: inspect.Parameter, typed: dict[str, Any]) -> Any:
    if not isinstance(parameter.default, dataclasses.Field):
        return given.options(parameter.annotation, typed)
    field, value = field_of(parameter.name, parameter.default), typed[parameter.name]
    return field.default if value is None else field.check(value, flag_of(field))


def _parameter(name: str, field: Field) -> inspect.Parameter:
    value: Any = field.kind.typed
    annotation = Annotated[value | None, flag(field)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def flag(field: Field) -> Any:
    """Makes the typer option for a field: its flag, placeholder, default and help text."""
    metavar = f"<{'|'.join(field.kind.words)}>" if isinstance(field.kind, Choice) else field.kind.metavar
    default = "".join(f"  [default: {text}]" for text in _default(field))
    default += f"  [{variable(field.name)}]" if field.setting else ""
    return typer.Option(
        *(field.flag or "").split(),
        metavar=metavar,
        help=field.meaning + default,
        show_default=False,
        autocompletion=_completion(field),
    )


def _default(field: Field) -> Iterator[str]:
    """The default as the help shows it; yields nothing if the help shows none."""
    if field.default_help:
        yield field.default_help.replace("`", "")
    elif isinstance(field.default, tuple) and field.default:
        yield ", ".join(field.default)
    elif field.default not in (None, False, True, ()):
        yield field.default if isinstance(field.default, str) else shown(field.default)


_SETTINGS = {field.name: field for field in fields_of(Settings)}

IndexFlag = Annotated[str | None, flag(_SETTINGS["index"])]


def argument(metavar: str, meaning: str, complete: Complete | None = None) -> Any:
    """Makes a typer argument, which must not be empty, from its name in the help, its help text and its completion."""
    return typer.Argument(metavar=metavar, help=meaning, show_default=False, callback=filled, autocompletion=complete)


QUIET = switch("Show no progress and no summary.")


def format_option(renderers: Mapping[str, Renderer[Any]], meaning: str = "The format of the answer.") -> str:
    """The option `--format` of a command with these renderers."""
    return option("text", Choice(tuple(renderers)), meaning, flag="--format")


def filled(value: Any) -> Any:
    """Returns a value unchanged. Raises `typer.BadParameter` if it is an empty text, or a list with an empty text."""
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and not text.strip():
            raise typer.BadParameter("it is empty; use a value or leave it out.")
    return value


_COMMON: Mapping[str, Mapping[str, str]] = {
    "index": {
        "What to index": "--from --versions --recurse-submodules --history",
        "What is stored": "--keep-source --include-generated",
        "How": "--index --jobs --quiet --format",
    },
    "search": {
        "The snippet": "--code --language",
        "Which places": "--repository --path --own --min-strength",
        "Credit": "--source --unattributed",
        "The answer": "--brief --limit --format --index",
    },
    "check": {
        "What to check": "--staged --base --diff",
        "Against what": "--dependencies --index --own",
        "What fails": "--fail-on --baseline --update-baseline",
        "The answer": "--summary --format",
    },
    "compare": {
        "Submissions": "--by --author-of --archive --template --with",
        "Which pairs": "--min-containment --limit",
        "The answer": "--html --anonymize --format",
    },
    "fixed": {
        "The fix": "--project --diff --tests",
        "Which places": "--repository --path --own --itself",
        "The answer": "--format --index",
    },
    "serve": {"Who reaches it": "--host --port --trusted-host --tokens --audit", "The index": "--index --own"},
}
"""The options of large commands that `--help` shows, by heading; `--help-all` shows all."""

_VARIABLES = (
    "[WHEREFROM_...] is the variable that sets an option, as the rest of it in small letters does in config.toml."
)

_Function = TypeVar("_Function", bound=Callable[..., Any])


class _Readable:
    """Base of commands and groups of commands. `examples` is that section of the help, as pairs of a command line and
    its purpose.
    """

    def __init__(self, *, help: str | None = None, **others: Any) -> None:  # noqa: A002 -- as typer
        text, _, examples = (help or "").partition("\n\nExamples:\n")
        super().__init__(help=text, **others)  # type: ignore[call-arg] # the other base takes them
        self.examples = [line.strip().split("  # ") for line in examples.splitlines()]

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002 -- as typer has it
        """The whole first sentence. typer would cut it, but the list of commands can wrap it."""
        sentence: str = super().get_short_help_str(sys.maxsize)  # type: ignore[misc] # the other base has it
        return sentence

    # typer's classes of contexts and formatters are private, so their type is `Any`.
    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 -- as typer has it
        if self.examples:
            with formatter.section("Examples"):
                indent = " " * formatter.current_indent
                for command, comment in self.examples:
                    formatter.write(f"{indent}# {comment}\n{indent}{command}\n")


class Command(_Readable, TyperCommand):
    """A command with the help texts of this module. `shows_all` is for help with all options."""

    shows_all = False

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The parts of the usage line after the name of the command."""
        arguments = [parameter for parameter in self.get_params(ctx) if isinstance(parameter, TyperArgument)]
        return ["[OPTIONS]", *map(_usage, arguments)]

    def make_context(self, info_name: str | None, args: list[str], *others: Any, **more: Any) -> Any:
        """As typer has it, but `--help-all` shows the help with all options."""
        self.shows_all = "--help-all" in args
        return super().make_context(info_name, ["--help"] if self.shows_all else args, *others, **more)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Writes the lists of arguments and options. typer's list of arguments would show their Python types."""
        common = {} if self.shows_all else _COMMON.get(ctx.command_path.partition(" ")[2], {})
        rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], **{title: [] for title in common}, "Options": []}
        hidden = 0
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, TyperArgument):
                rows["Arguments"].append((parameter.human_readable_name, parameter.help or ""))
            elif record is not None:
                titles = [title for title, flags in common.items() if not {*parameter.opts}.isdisjoint(flags.split())]
                is_hidden = bool(common) and not titles and "--help" not in parameter.opts
                hidden += is_hidden
                rows[titles[0] if titles else "Options"] += [] if is_hidden else [record]
        if hidden:
            rows["Options"].append(("--help-all", f"Show {hidden} more options."))
        for title, records in rows.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
        shown = [text for records in rows.values() for record in records for text in record]
        notes = [f"REPO is {REPO}."] * any(" REPO" in text for text in shown)
        for note in notes + [_VARIABLES] * any("[WHEREFROM_" in text for text in shown):
            formatter.write("\n")
            formatter.write_text(note)


class Group(_Readable, TyperGroup):
    """A group of commands. If no command is named, it writes its help, and exits with 2."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses the arguments; if there are none, shows the help and exits."""
        if not args and not ctx.resilient_parsing:
            console.emit(f"{ctx.get_help()}\n")
            raise typer.Exit(2)
        return list(super().parse_args(ctx, args))


class Commands(typer.Typer):
    """A group of commands as a `typer.Typer` with the help texts of this module."""

    def __init__(self, name: str, help: str, cls: type[Group] = Group, **others: Any) -> None:  # noqa: A002 -- as typer
        super().__init__(name=name, help=help, cls=cls, rich_markup_mode=None, **{"add_completion": False, **others})

    def command(self, name: str | None = None, **others: Any) -> Callable[[_Function], _Function]:
        """Decorates a function like `typer.Typer.command`, and lays out its help as this module does."""
        return super().command(name, cls=Command, **others)

    def subcommand(self, *settings: str, name: str | None = None) -> Callable[[Callable[..., int | None]], object]:
        """Makes a function a command of the group; the settings are passed to `wherefrom.cli.commands.command`."""
        return lambda function: self.command(name)(command(*settings)(function))


def _usage(argument: TyperArgument) -> str:
    name = f"{argument.human_readable_name}{'...' if argument.nargs != 1 else ''}"
    return name if argument.required else f"[{name}]"
