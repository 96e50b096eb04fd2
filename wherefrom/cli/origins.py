"""`wherefrom first`, `releases`, `sources` and `trace`: where code is from."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from wherefrom.cli import console, files, snippets
from wherefrom.cli.commands import argument, command, format_option
from wherefrom.cli.settings import Given
from wherefrom.cli.snippets import AnswerWriter, Code, Snippets, answers_format
from wherefrom.options import FirstOptions, ReleasesOptions, SourcesOptions, TraceOptions
from wherefrom.options.fields import Flag, option
from wherefrom.reports.origins import FIRST, RELEASES, SOURCES, TRACE, live_line


@command("color", "index", "expect")
def first(
    given: Given,
    named: Snippets = None,
    *,
    options: FirstOptions,
    code: Code = None,
    output: str = answers_format(FIRST),
) -> int:
    """Find the commit that brought code first.

    Finds places that have the code now, and places where it is gone. The repositories have to be indexed with
    `wherefrom index --history`. The oldest place is the oldest that the index knows. The answer tells what makes a date
    doubtful. Exit code 0 if a place was found, 1 if none was, 2 for an error.

    Examples:
        wherefrom first parse.py  # who had this file first?
        wherefrom first parse.py:10-40  # only these lines
        wherefrom first https://github.com/OWNER/REPO/blob/REV/PATH#L10-L40  # lines of an indexed repository
    """
    names = snippets.named("first", named or [], code)
    files.check_standard_input(names)
    look = console.look(given.settings.color)
    with (
        given.analyzer() as analyzer,
        given.open_index() as index,
        AnswerWriter(FIRST[output], look, several=snippets.is_batch(names)) as answers,
    ):
        for snippet in snippets.read_each(
            names, given.settings, index, analyzer, code=code, problem=answers.problem, dated=False
        ):
            with answers.reporting(snippet.name):
                answers.write(index.first(snippet.text, snippet.options(options)), is_block=snippet.is_block)
    return answers.exit_code


@command("color", "index", "expect")
def releases(
    given: Given,
    named: Annotated[
        str, argument("FOLDER|FILE|-", "A folder, a file, some lines of a file (`FILE:10-20`), or `-` for stdin.")
    ],
    *,
    options: ReleasesOptions,
    output: str = format_option(RELEASES),
) -> int:
    """Tell which release a folder, a file or a function is from.

    The nearest release comes first, with the changes since then. Releases are indexed versions of packages, and the
    tags of indexed clones. Exit code 0 if a release was found, 1 if none was, 2 for an error.

    Examples:
        wherefrom releases vendor/lodash  # which version is this?
    """
    with given.open_index() as index:
        if files.is_folder(named):
            root = Path(named)
            contents = {
                path.as_posix(): content
                for name, content in files.read_files(named, console.warn)
                if ".git" not in (path := Path(name).relative_to(root)).parts
            }
            options = replace(options, name=files.display_name(named))
        else:
            snippet = snippets.read_one(named, index)
            contents, options = {"": snippet.text}, snippet.options(options)
        result = index.releases(contents, options)
        console.render(RELEASES[output], result, given.settings.color)
    return 0 if result.releases else 1


@command("color", "index", "expect")
def sources(
    given: Given,
    file: Annotated[
        str,
        argument(
            "FILE|URL|-", "A file, some lines of a file (`FILE:10-20`), a permalink of a code host, or `-` for stdin."
        ),
    ],
    *,
    options: SourcesOptions,
    lines: bool | None = option(
        None,
        Flag(),
        "Show the file, with the number of the source file before each line.",
        flag="--lines/--no-lines",
        default_help="for a short file",
    ),
    output: str = format_option(SOURCES),
) -> int:
    """Explain a file by the few indexed files that contain its parts.

    Takes the indexed file that explains the largest part, then the file that explains most of the rest, and so on. The
    explained file was not necessarily made from these files. Exit code 0 if a part was explained, 1 if none was, 2 for
    an error.

    Examples:
        wherefrom sources parser.py  # which files explain this one?
    """
    with given.open_index() as index:
        snippet = snippets.read_one(file, index)
        with console.LiveLine(live_line) as live:
            result = index.sources(snippet.text, replace(snippet.options(options), progress=live.report))
        console.render(SOURCES[output], result, given.settings.color, lines=lines)
        console.warn(*result.warnings)
    return 0 if result.documents else 1


@command("color", "index", "expect")
def trace(
    given: Given,
    file: Annotated[str, argument("FILE|-", "The text, such as the answer of an assistant; `-` for stdin.")],
    *,
    options: TraceOptions,
    output: str = format_option(TRACE),
) -> int:
    """Find where the code of an assistant's answer is from.

    Looks up each function, and each stretch between them, of all fences of the text, and its prose. Names the
    places, in the order of the text, with license, probability and, in an index with history, first appearance. Exit
    code 0 if a span was found, 1 if none was, 2 for an error.

    Examples:
        wherefrom trace answer.md  # who has written this before?
        pbpaste | wherefrom trace - --own 'github.com/me/*'  # my own repositories do not count
    """
    with given.open_index() as index:
        name, text = files.read_file(file)
        if options.name is None and file != files.STANDARD_INPUT:
            options = replace(options, name=name)
        result = index.trace(text, options)
        console.render(TRACE[output], result, given.settings.color)
    return 0 if result.spans else 1
