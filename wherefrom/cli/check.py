"""`wherefrom check`."""

import sys
from collections.abc import Iterable
from typing import Annotated, Literal

import typer

import wherefrom
from wherefrom.check.base import FAILING, MIN_TOKENS, CheckProgress, CheckReport, Rule
from wherefrom.cli import console
from wherefrom.cli.options import (
    Color,
    IndexLocation,
    Without,
    all_filled,
    filled,
    open_index,
    positive,
    settings,
    started_analyzer,
)
from wherefrom.errors import UsageError
from wherefrom.reports import check_html, check_json, check_text, json_report
from wherefrom.settings import NO_RULE

PATCH = "-"

NOTHING, FOUND = 0, 1


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
    diff: Annotated[
        str | None,
        typer.Option(
            "--diff",
            metavar="A..B|-",
            help="Only what is added from A to B (A...B: from their merge base); `-` for a diff on stdin.",
            callback=filled,
        ),
    ] = None,
    staged: Annotated[bool, typer.Option("--staged", help="Only what the next commit adds.")] = False,
    base: Annotated[
        str | None,
        typer.Option(
            "--base",
            metavar="REVISION",
            help="Only what the work tree adds to the merge base of REVISION and HEAD.",
            callback=filled,
        ),
    ] = None,
    own: Annotated[
        list[str] | None,
        typer.Option(
            "--own",
            metavar="GLOB",
            help="Repositories like this are yours as well, beside the project's remotes; repeatable.",
            callback=all_filled,
            show_default=False,
        ),
    ] = None,
    without: Without = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar="RULE",
            help=f"Exit with 1 for findings of this rule: {', '.join(Rule)}, or {NO_RULE}; repeatable.  "
            f"[default: {', '.join(FAILING)}]",
            callback=all_filled,
            show_default=False,
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", metavar="FILE", help="Findings that do not fail.", callback=filled),
    ] = None,
    update_baseline: Annotated[
        bool,
        typer.Option("--update-baseline", help="Write what fails into the baseline, and leave out what is gone."),
    ] = False,
    min_tokens: Annotated[
        int,
        typer.Option("--min-tokens", metavar="N", help="Leave out shorter pieces, at least 15.", callback=positive),
    ] = MIN_TOKENS,
    output: Annotated[
        Literal["text", "json", "html", "sarif"],
        typer.Option("--format", help="How the answer is written."),
    ] = "text",
    color: Color = None,
    location: IndexLocation = None,
) -> None:
    """Find what of your own code appears elsewhere, and does not say so.

    Every function of a project, or of a change to it, is looked up. What is indexed of the project itself does not
    count. A comment `wherefrom: ok REASON` beside the code accepts it. Exit code 0 where nothing fails, 1 where
    something does, 2 for an error.
    """
    given = settings(context, index=location, color=color, own=own or None, fail_on=fail_on or None)
    patch = _standard_input() if diff == PATCH else None
    live = console.LiveLine(quiet=False)
    with started_analyzer(given), open_index(given) as index:

        def show(event: CheckProgress) -> None:
            live.show(check_text.live_line(event, live.width))

        try:
            report = index.check(
                *(paths or []),
                diff=None if diff == PATCH else diff,
                staged=staged,
                base=base,
                patch=patch,
                own=given.own,
                without=without or [],
                fail_on=given.fail_on,
                baseline=baseline,
                update_baseline=update_baseline,
                min_tokens=min_tokens,
                max_file_size=given.max_file_size,
                parse_seconds=given.parse_seconds,
                progress=show if live.active else None,
            )
        finally:
            live.clear()
        for block in _rendered(index, report, output, given.color):
            console.emit(block)
    raise typer.Exit(FOUND if report.failing else NOTHING)


def _standard_input() -> bytes:
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("no diff on standard input; usage: git diff | wherefrom check --diff -")
    return sys.stdin.buffer.read()


def _rendered(index: "wherefrom.Index", report: CheckReport, output: str, color: str) -> Iterable[str]:
    if output == "json":
        return [json_report.dumps(check_json.check_to_dict(report))]
    if output == "html":
        return check_html.page(report, index.source)
    if output == "sarif":
        from wherefrom.reports.check_sarif import check_to_sarif  # noqa: PLC0415 -- `--help` is not to wait for it

        return [check_to_sarif(report, version=wherefrom.__version__).text]
    return check_text.blocks(report, console.look(color))
