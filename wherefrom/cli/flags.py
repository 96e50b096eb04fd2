"""Options on the command line: made from the options classes of the library, so that none is written twice."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

import typer

from wherefrom.cli import completion
from wherefrom.cli.given import Given
from wherefrom.cli.settings import Settings
from wherefrom.options.fields import Choice, Field, Options, fields_of, shown
from wherefrom.reports.renderer import Renderer

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
    value: Any = field.kind.typed
    annotation = Annotated[value | None, flag(field)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def flag(field: Field) -> Any:
    """The flag of a field that has one, as typer takes it."""
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
        yield field.default if isinstance(field.default, str) else shown(field.default)


_SETTINGS = {field.name: field for field in fields_of(Settings)}

IndexLocation = Annotated[str | None, flag(_SETTINGS["index"])]


def argument(metavar: str, meaning: str, complete: completion.Complete | None = None) -> Any:
    """An argument that is not empty: what its help calls it, its help, and what completes it."""
    return typer.Argument(metavar=metavar, help=meaning, show_default=False, callback=filled, autocompletion=complete)


def text_option(name: str, metavar: str, meaning: str, complete: completion.Complete | None = None) -> Any:
    """An option with a value that is not empty; the arguments are those of `argument` after its name."""
    return typer.Option(
        name, metavar=metavar, help=meaning, show_default=False, callback=filled, autocompletion=complete
    )


Quiet = Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")]


def format_option(renderers: Mapping[str, Renderer[Any]], meaning: str = "How the answer is written.") -> Any:
    """The option `--format` of a command that writes by one of these renderers."""

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


def filled(value: Any) -> Any:
    """The value of an argument or an option; refused where one of its texts is empty."""
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and not text.strip():
            raise typer.BadParameter("it is empty; use a value or leave it out.")
    return value
