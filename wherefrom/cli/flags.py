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

_CONTEXT = "typer_context"
"""The parameter of typer's context in every command; no field has this name."""


def command(*settings: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a function a command. It is called with `Given` and then, by name, with what its other parameters say.

    A parameter whose type is a class of options is one flag for each of its fields on the command line; the function
    gets the object.

    Args:
        settings: the fields of `Settings` whose flags the command has, after all others.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        own = list(inspect.signature(function).parameters.values())[1:]
        calls = {each.name: fields_of(each.annotation) for each in own if _is_options(each.annotation)}
        parameters = [inspect.Parameter(_CONTEXT, inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
        for each in own:
            flags = [_parameter(field.name, field) for field in calls.get(each.name, ()) if field.flag]
            parameters += flags if each.name in calls else [each.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
        parameters += [_parameter(f"{name}_", _SETTINGS[name]) for name in settings]

        def run(**values: Any) -> None:
            given = Given(values.pop(_CONTEXT), **{name: values.pop(f"{name}_") for name in settings})
            made = {}
            for each in own:
                if each.name in calls:
                    flags = {field.name: values.pop(field.name) for field in calls[each.name] if field.flag}
                    made[each.name] = given.options(each.annotation, flags)
            function(given, **values, **made)

        run.__name__, run.__doc__ = function.__name__, function.__doc__
        # typer reads both.
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # a function takes any
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate


def _is_options(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Options)


def _parameter(name: str, field: Field) -> inspect.Parameter:
    value: Any = _TYPES.get(type(field.kind), str)
    annotation = Annotated[value | None, flag(field)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def flag(field: Field) -> Any:
    """The flag of a field, as typer takes it.

    Args:
        field: one with a flag.
    """
    metavar = f"<{'|'.join(field.kind.words)}>" if isinstance(field.kind, Choice) else field.kind.metavar
    default = "".join(f"  [default: {text}]" for text in _default(field))
    return typer.Option(
        *(field.flag or "").split(),
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


def argument(metavar: str, meaning: str, complete: completion.Complete | None = None) -> Any:
    """An argument that is not empty.

    Args:
        metavar: what its help calls it.
        meaning: its help.
        complete: what completes it.
    """
    return typer.Argument(metavar=metavar, help=meaning, show_default=False, callback=filled, autocompletion=complete)


def text_option(name: str, metavar: str, meaning: str, complete: completion.Complete | None = None) -> Any:
    """An option with a value that is not empty; the arguments are those of `argument` after its name."""
    return typer.Option(
        name, metavar=metavar, help=meaning, show_default=False, callback=filled, autocompletion=complete
    )


Quiet = Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")]


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
    """What the user has given to a command, and set before; a command's first argument.

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


def filled(value: Any) -> Any:
    """The value of an argument or an option, if none of its texts is empty.

    Raises:
        typer.BadParameter: one is.
    """
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and not text.strip():
            raise typer.BadParameter("it is empty; use a value or leave it out.")
    return value
