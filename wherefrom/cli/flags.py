"""Options on the command line: made from the options classes of the library, so that none is written twice."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

import wherefrom
from wherefrom.cli import completion, console
from wherefrom.cli.settings import Configuration, Settings, load
from wherefrom.options import Limits, Without
from wherefrom.options.fields import (
    Choice,
    Field,
    Flag,
    Options,
    Seconds,
    Several,
    Share,
    ShareOrCount,
    Whole,
    Words,
    fields_of,
)
from wherefrom.options.fields import shown as as_typed
from wherefrom.reports.renderer import Renderer

if TYPE_CHECKING:
    from wherefrom.analyzers.analyzer import Analyzer

_Command = TypeVar("_Command", bound=Callable[..., None])
_Made = TypeVar("_Made", bound=Options)

_TYPES: dict[type, Any] = {
    Whole: int,
    Seconds: float,
    Share: float,
    ShareOrCount: float,
    Flag: bool,
    Several: list[str],
    Words: list[str],
}
"""What typer makes of the text of a flag, by the kind of its field; of others a `str`. The kind checks the value."""


def with_options(call: type[Options], *, leave_out: tuple[str, ...] = ()) -> Callable[[_Command], _Command]:
    """Gives a command the flags of an options class in place of its `**flags`, before the flags of its own.

    Args:
        call: the options class; its fields without a flag are the library's alone.
        leave_out: fields whose flag this command does not have.
    """

    def decorate(command: _Command) -> _Command:
        own = list(inspect.signature(command).parameters.values())
        flags = [_parameter(field) for field in fields_of(call) if field.flag and field.name not in leave_out]
        positional = [parameter for parameter in own if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]
        keyword = [parameter for parameter in own if parameter.kind is parameter.KEYWORD_ONLY]
        parameters = [*positional, *flags, *keyword]
        # typer reads both.
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # a function takes any
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return command

    return decorate


def _parameter(field: Field) -> inspect.Parameter:
    value: Any = _TYPES.get(type(field.kind), str)
    annotation = Annotated[value | None, flag(field)]
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def flag(field: Field) -> Any:
    """The flag of a field, as typer takes it.

    Args:
        field: one with a flag.
    """
    metavar = f"<{'|'.join(field.kind.words)}>" if isinstance(field.kind, Choice) else field.kind.metavar
    default = "".join(f"  [default: {text}]" for text in _default(field))
    return typer.Option(
        field.flag,
        metavar=metavar,
        help=field.meaning + default,
        show_default=False,
        autocompletion=completion.of_field(field),
    )


def _default(field: Field) -> Iterator[str]:
    """How help shows the default, if it does."""
    if field.default_help:
        yield field.default_help.replace("`", "")
    elif isinstance(field.default, tuple) and field.default:
        yield ", ".join(field.default)
    elif field.default not in (None, False, True, ()):
        yield field.default if isinstance(field.default, str) else as_typed(field.default)


_SETTINGS = {field.name: field for field in fields_of(Settings)}

IndexLocation = Annotated[str | None, flag(_SETTINGS["index"])]

PostsLocation = Annotated[str | None, flag(_SETTINGS["posts"])]

Color = Annotated[str | None, flag(_SETTINGS["color"])]


def format_option(renderers: Mapping[str, Renderer[Any]], meaning: str = "How the answer is written.") -> Any:
    """The option `--format` of a command.

    Args:
        renderers: the formats.
        meaning: its help.
    """

    def known(value: str) -> str:
        if value not in renderers:
            names = ", ".join(f"'{name}'" for name in renderers)
            raise typer.BadParameter(f"{value!r} is not one of {names}.")
        return value

    return typer.Option(
        "--format",
        metavar=f"<{'|'.join(renderers)}>",
        help=meaning,
        callback=known,
        autocompletion=completion.words(renderers),
    )


@dataclass(slots=True)
class State:
    """What is given before the command: options for all of them."""

    debug: bool = False
    flags: dict[str, Any] = field(default_factory=dict)


class Given:
    """What the user has given to a command, and set before.

    Args:
        context: of the command.
        flags: of `Settings`, by field; None for a flag that is not given.
    """

    def __init__(self, context: typer.Context, **flags: str | None) -> None:
        state = context.find_object(State) or State()
        self.configuration: Configuration = load()
        self._usual: Sequence[str] = ()
        self.settings = self.configuration.settings(
            **{**state.flags, **{name: value for name, value in flags.items() if value is not None}}
        )

    def options(self, call: type[_Made], flags: dict[str, Any], **others: Any) -> _Made:
        """The options of the command's call; see `wherefrom.cli.settings.Configuration.options`."""
        options = self.configuration.options(call, flags, **others)
        if isinstance(options, Without) and options.allow_missing_sets:
            self._usual = options.without
        return options

    def engine(self, location: str | None = None) -> "wherefrom.EngineOptions | None":
        """What the engine of a location needs; of the index that the settings name unless given."""
        return self.configuration.engine(self.settings.index if location is None else location)

    def open_index(self) -> "wherefrom.Index":
        """The index that the settings name, opened. Warns of boilerplate sets that the setting `without` names and the
        index does not have.
        """
        from wherefrom.index import open_index  # noqa: PLC0415 -- `--help` is not to wait for it

        index = open_index(self.settings.index, self.engine(), parse_memory=self.parse_memory)
        if self._usual:
            from wherefrom.queries import unknown_names  # noqa: PLC0415 -- likewise

            for name in unknown_names(self._usual, index.boilerplate_names(built_in=True)):
                console.warn(f"the setting `without` names {name!r}, and this index has no such boilerplate set")
        return index

    @property
    def parse_memory(self) -> int:
        """Bytes of memory of the process that parses."""
        return self.options(Limits, {}).parse_memory

    def started_analyzer(self) -> "Analyzer":
        """What parses, for a command that needs it at once: it gets ready while this process loads the library."""
        from wherefrom.analyzers.analyzer import Analyzer  # noqa: PLC0415 -- `--help` is not to wait for it

        analyzer = Analyzer(self.parse_memory)
        analyzer.start()
        return analyzer


def filled(value: str | None) -> str | None:
    """A text that is not empty.

    Raises:
        typer.BadParameter: it is.
    """
    if value is not None and not value.strip():
        raise typer.BadParameter("it is empty; use a value or leave it out.")
    return value


def all_filled(values: list[str] | None) -> list[str]:
    """Texts none of which is empty.

    Raises:
        typer.BadParameter: one is.
    """
    for value in values or []:
        filled(value)
    return values or []
