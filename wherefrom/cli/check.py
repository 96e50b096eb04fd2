"""`wherefrom check`."""

import sys
from collections.abc import Iterable
from typing import Annotated, Any, Literal

import typer

import wherefrom
from wherefrom.check.base import CheckProgress, CheckReport
from wherefrom.cli import console
from wherefrom.cli.options import Color, Given, IndexLocation, all_filled, with_options
from wherefrom.errors import UsageError
from wherefrom.options import CheckOptions
from wherefrom.reports import check_html, check_text, json_report

PATCH = "-"

NOTHING, FOUND = 0, 1


@with_options(CheckOptions)
def check(
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Files and folders of one project.  [default: the working directory]",
            callback=all_filled,
            show_default=False,
        ),
    ] = None,
    *,
    output: Annotated[
        Literal["text", "json", "html", "sarif"],
        typer.Option("--format", help="How the answer is written."),
    ] = "text",
    color: Color = None,
    location: IndexLocation = None,
    **flags: Any,
) -> None:
    """Find what of your own code appears elsewhere, and does not say so.

    Every function of a project, or of a change to it, is looked up. What is indexed of the project itself does not
    count. A comment `wherefrom: ok REASON` beside the code accepts it. Exit code 0 where nothing fails, 1 where
    something does, 2 for an error.
    """
    given = Given(context, index=location, color=color)
    patch = None
    if flags["diff"] == PATCH:
        flags["diff"], patch = None, _standard_input()
    live = console.LiveLine(quiet=False)

    def show(event: CheckProgress) -> None:
        live.show(check_text.live_line(event, live.width))

    options = given.options(CheckOptions, flags, patch=patch, progress=show if live.active else None)
    with given.open_index() as index:
        try:
            report = index.check(paths or [], options)
        finally:
            live.clear()
        for block in _rendered(index, report, output, given.settings.color):
            console.emit(block)
    raise typer.Exit(FOUND if report.failing else NOTHING)


def _standard_input() -> bytes:
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("no diff on standard input; usage: git diff | wherefrom check --diff -")
    return sys.stdin.buffer.read()


def _rendered(index: "wherefrom.Index", report: CheckReport, output: str, color: str) -> Iterable[str]:
    if output == "json":
        return [json_report.dumps(report.to_dict())]
    if output == "html":
        return check_html.page(report, index.source)
    if output == "sarif":
        from wherefrom.reports.check_sarif import check_to_sarif  # noqa: PLC0415 -- `--help` is not to wait for it

        return [check_to_sarif(report, version=wherefrom.__version__).text]
    return check_text.blocks(report, console.look(color))
