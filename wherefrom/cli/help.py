"""The layout of help texts: whole sentences, plain names of arguments, examples at the end."""

import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

from wherefrom.cli import console
from wherefrom.cli.flags import command
from wherefrom.options.shared import REPO

NO_COMMAND = 2
"""The exit code if no command is named."""

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

_SETTINGS = (
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
        for note in notes + [_SETTINGS] * any("[WHEREFROM_" in text for text in shown):
            formatter.write("\n")
            formatter.write_text(note)


class Group(_Readable, TyperGroup):
    """A group of commands. If no command is named, it writes its help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses the arguments; if there are none, shows the help and exits."""
        if not args and not ctx.resilient_parsing:
            console.emit(f"{ctx.get_help()}\n")
            raise typer.Exit(NO_COMMAND)
        return list(super().parse_args(ctx, args))


class Commands(typer.Typer):
    """A group of commands as a `typer.Typer` with the help texts of this module."""

    def __init__(self, name: str, help: str, cls: type[Group] = Group, **others: Any) -> None:  # noqa: A002 -- as typer
        super().__init__(name=name, help=help, cls=cls, rich_markup_mode=None, **{"add_completion": False, **others})

    def command(self, name: str | None = None, **others: Any) -> Callable[[_Function], _Function]:
        """Decorates a function like `typer.Typer.command`, and lays out its help as this module does."""
        return super().command(name, cls=Command, **others)

    def subcommand(self, *settings: str, name: str | None = None) -> Callable[[Callable[..., int | None]], object]:
        """Makes a function a command of the group; the settings are passed to `wherefrom.cli.flags.command`."""
        return lambda function: self.command(name)(command(*settings)(function))


def _usage(argument: TyperArgument) -> str:
    name = f"{argument.human_readable_name}{'...' if argument.nargs != 1 else ''}"
    return name if argument.required else f"[{name}]"
