"""Every option has one definition: library, command line, configuration file and environment agree."""

from __future__ import annotations

import dataclasses
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from typer.core import TyperGroup, TyperOption
from typer.main import get_command

from tests.results.answers import search_result
from wherefrom import public
from wherefrom.cli import main
from wherefrom.cli.app import app
from wherefrom.cli.settings import Configuration, IndexLocation, Settings, known, load, variable
from wherefrom.cli.snippets import SearchWriter, TextForm
from wherefrom.engines import KINDS, ElasticsearchOptions, PublishedOptions
from wherefrom.errors import UsageError
from wherefrom.options import (
    CheckOptions,
    CompareOptions,
    CopyOptions,
    CorpusOptions,
    EngineOptions,
    FirstOptions,
    FixedOptions,
    IndexOptions,
    LearnOptions,
    PostOptions,
    PostsReportOptions,
    PublishOptions,
    ReleasesOptions,
    SamplerOptions,
    SearchOptions,
    SimilarOptions,
    SourcesOptions,
    TraceOptions,
    WatchOptions,
)
from wherefrom.options.fields import (
    AnyPath,
    AnyValue,
    Choice,
    Day,
    Field,
    FilePath,
    Flag,
    LanguageName,
    LineRange,
    Options,
    Seconds,
    Several,
    Share,
    ShareOrCount,
    Text,
    Whole,
    Words,
    fields_of,
)
from wherefrom.options.serving import ProgramOptions, ServeOptions
from wherefrom.reports.renderer import Look
from wherefrom.reports.search import RENDERERS

PUBLIC: tuple[type[Options], ...] = tuple(
    found
    for name in dir(public)
    if isinstance(found := getattr(public, name), type) and issubclass(found, Options) and found is not EngineOptions
)
"""The options classes of the library's calls."""

SERVERS: tuple[type[Options], ...] = (ProgramOptions, ServeOptions)
"""The options classes of commands that are not calls of the library."""

ALL: tuple[type[Options], ...] = (Settings, *PUBLIC, *SERVERS)

CLUSTER = "elasticsearch://host:9200/name"


class Command(NamedTuple):
    """A command whose flags are the fields of an options class.

    Attributes:
        options: the class.
        arguments: its required arguments, in a folder with the file `a.py`.
        own: flags that are not fields of the class.
        settings: fields of `Settings` that the command has as flags.
        given: fields that the command itself fills.
    """

    options: type[Options]
    arguments: tuple[str, ...] = ()
    own: tuple[str, ...] = ("--format",)
    settings: tuple[str, ...] = ("index",)
    given: tuple[str, ...] = ()


@pytest.mark.parametrize("value", [5, "ab", (1,), (1, 2, 3), (0, 2), (3, 2), (1, "2"), (1, True), {1, 2}, None])
def test_a_range_of_lines_is_a_pair_from_1(value: object) -> None:
    assert LineRange().check([2, 2], "lines") == (2, 2)
    with pytest.raises(UsageError, match="has to be the first and the last line"):
        LineRange().check(value, "lines")


@pytest.mark.parametrize(("given", "shown"), [(None, 7), (0, None), (5, 5)])
def test_the_highest_number_of_lines_is_that_of_the_form(given: int | None, shown: int | None) -> None:
    writer = SearchWriter(TextForm(max_lines=given), RENDERERS["text"], Look(max_lines=7), several=False)
    assert writer.look.max_lines == shown


def test_a_warning_is_shown_once_for_several_answers(capsys: pytest.CaptureFixture[str]) -> None:
    found = search_result()
    with SearchWriter(TextForm(), RENDERERS["text"], Look(), several=True) as writer:
        for warnings in (("no path matches x",), ("no path matches x", "no path matches y")):
            writer.write(dataclasses.replace(found, warnings=warnings))
    assert capsys.readouterr().err.splitlines() == [
        "wherefrom: warning: no path matches x",
        "wherefrom: warning: no path matches y",
    ]


FORM = ("--brief", "--locations", "--count", "--context", "--max-lines", "--format")
"""The flags for the form of an answer."""

READING = ("index", "expect", "color")
"""The settings that commands that only read have as flags."""

COMMANDS: dict[str, Command] = {
    "index": Command(
        IndexOptions, ("a.py",), own=("--from", "--part", "--skipped", "--quiet", "--format"), given=("skipped",)
    ),
    "search": Command(
        SearchOptions,
        ("a.py",),
        own=("--code", "--without-file", "--index", "--strict", "--read-from", "--fingerprints", *FORM),
        settings=("color", "expect"),
    ),
    "similar": Command(SimilarOptions, ("repository:a.py",), own=FORM, settings=READING),
    "first": Command(FirstOptions, ("a.py",), own=("--code", "--format"), settings=READING, given=("name",)),
    "releases": Command(ReleasesOptions, ("a.py",), settings=READING, given=("name",)),
    "check": Command(
        CheckOptions,
        own=("--dependencies", "--allow-missing-index", "--summary", "--all", "--accepted", "--format"),
        settings=READING,
    ),
    "compare": Command(
        CompareOptions,
        ("a.py",),
        own=("--html", "--anonymize", "--reviewed", "--quiet", "--format"),
        settings=("index", "color"),
    ),
    "fixed": Command(FixedOptions, ("HEAD",), settings=READING),
    "sources": Command(SourcesOptions, ("a.py",), own=("--lines", "--format"), settings=READING, given=("name",)),
    "watch add": Command(WatchOptions, ("area", "a.py"), settings=("index", "color"), given=("files",)),
    "watch report": Command(PostOptions, own=("--all", "--format"), settings=("index", "color")),
    "trace": Command(TraceOptions, ("a.py",), settings=READING),
    "posts search": Command(PostsReportOptions, own=(), settings=("index", "posts")),
    "boilerplate learn": Command(LearnOptions, own=("--output", "--format")),
    "lsp": Command(ProgramOptions, own=(), settings=("index", "expect")),
    "mcp": Command(ProgramOptions, own=(), settings=("index", "expect")),
    "serve": Command(ServeOptions, own=(), settings=("index", "expect", "tokens")),
    "copy": Command(CopyOptions, ("one", "two"), own=("--quiet", "--format"), settings=()),
    "publish": Command(PublishOptions, ("one", "two"), own=("--quiet", "--format"), settings=()),
    "lab samplers": Command(SamplerOptions, ("a.py",), own=("--plot", "--format")),
    "lab frequencies": Command(CorpusOptions, ("a.py",), own=("--plot", "--format")),
    "lab noise": Command(CorpusOptions, ("a.py",), own=("--plot", "--format")),
}

OTHERS: dict[str, tuple[str, ...]] = {
    "": ("--index", "--debug", "--version", "--install-completion", "--show-completion"),
    "list": ("--format", "--index", "--expect", "--projects"),
    "stats": ("--format", "--index", "--expect", "--verify"),
    "remove": ("--yes", "--index"),
    "prune": ("--yes", "--format", "--index"),
    "sweep": ("--index",),
    "languages": ("--format",),
    "page": (),
    "watch": (),
    "watch list": ("--format", "--index"),
    "watch remove": ("--index",),
    "token": (),
    "token add": ("--right", "--per-minute", "--tokens"),
    "token list": ("--format", "--tokens"),
    "token remove": ("--tokens",),
    "posts": (),
    "posts import": ("--site", "--tag", "--posts"),
    "posts stats": ("--format", "--posts"),
    "boilerplate": (),
    "boilerplate add": ("--repository", "--index"),
    "boilerplate accept": ("--index",),
    "boilerplate list": ("--format", "--index"),
    "boilerplate show": ("--format", "--index"),
    "boilerplate export": ("--representation", "--format", "--index"),
    "boilerplate remove": ("--index",),
    "fingerprint": ("--language",),
    "cache": ("--clear",),
    "lab": (),
}
"""The flags of commands without an options class."""

DIFFERENT = {
    "name": "the name of a repository, or of a text to look up",
    "limit": "the number of hits, or of proposed sets",
    "min_tokens": "tokens of a piece of one's own code, or of a run that two files share",
    "unattributed": "locations that name the source, or the post",
    "min_containment": "the containment of a snippet in a file, or of one submission in another",
    "by": "the order of similar files, or what counts as one submission",
    "diff": "a range of revisions to check, or a file with a fix",
    "patch": "a change to check, or a fix",
    "index": "the index of the program, or an index to measure in place of sources",
    "posts": "the file of all of them, or some of them",
    "progress": "each call has its own",
    "fingerprints_only": "what is indexed, or published, without code",
    "user": "the user of a cluster, or of a web server",
    "password": "the password of that user",
    "timeout": "seconds for an answer of a cluster, or for a response of a web server",
}
"""Names that have different meanings in several classes, with these meanings."""


def every_field() -> Iterator[tuple[type[Options], Field]]:
    for options in ALL:
        for field in fields_of(options):
            yield options, field


# What a field takes.


@pytest.mark.parametrize(
    ("options", "field"),
    [
        pytest.param(options, field, id=f"{options.__name__}-{field.name}")
        for options, field in every_field()
        if (options, field.name) != (Settings, "index")  # empty: the folder that only the configuration knows
    ],
)
def test_the_default_is_a_value_that_the_field_takes(options: type[Options], field: Field) -> None:
    assert field.check(field.default) == field.default


def test_options_of_nothing_are_the_defaults() -> None:
    for options in ALL:
        assert options() == options(**{field.name: field.default for field in fields_of(options)})


WRONG: dict[type, Callable[[Any], list[Any]]] = {
    Whole: lambda kind: [
        kind.at_least - 1,
        *([] if kind.at_most is None else [kind.at_most + 1]),
        *(True, kind.at_least + 0.5, str(kind.at_least)),
    ],
    Seconds: lambda _: [0, -1, float("nan"), float("inf"), True, "1"],
    Share: lambda kind: [-0.1, 1.1, float("nan"), True, "0.5", *([] if kind.zero else [0])],
    ShareOrCount: lambda kind: [0, kind.at_least - 1, kind.at_least + 0.5, float("nan"), float("inf"), True, "3"],
    Flag: lambda _: [0, 1, "yes"],
    Text: lambda _: ["", " \n", 3, b"text", ["text"]],
    Choice: lambda _: ["nonsense", "", 3, [], {}],
    Day: lambda _: ["2024", "2024-13-01", 20240101, datetime(2024, 1, 1)],
    FilePath: lambda _: ["", " ", "a\0b", 3, b"path", ["path"]],
    AnyPath: lambda _: ["", " ", "a\0b", 3, b"path", ["path"]],
    LanguageName: lambda _: ["", "klingon", 3],
    LineRange: lambda _: ["10", 3, (1,), (0, 1), (3, 2), (True, 2), (1, 2.5), ("1", "2"), (1, 2, 3)],
    IndexLocation: lambda _: ["", "foo:bar", "a\0b", 3, b"path"],
    Several: lambda kind: ["ab", b"ab", Path("/ab"), 3, *([wrong] for wrong in wrong_for(kind.item))],
    Words: lambda _: ["ab", b"ab", 3, ["nonsense"], [""], [3]],
    AnyValue: lambda _: [],
}
"""Values that a kind refuses."""


def wrong_for(kind: Any) -> list[Any]:
    """Values that a kind must refuse. None is refused too, unless it is the default."""
    return WRONG[type(kind)](kind)


REFUSED = [
    pytest.param(options, field, wrong, id=f"{options.__name__}-{field.name}-{wrong!r}")
    for options, field in every_field()
    for wrong in (*wrong_for(field.kind), None)
    if wrong != field.default
]


@pytest.mark.matrix("field")
@pytest.mark.parametrize(("options", "field", "wrong"), REFUSED)
def test_the_error_for_an_impossible_value_names_the_field(options: type[Options], field: Field, wrong: Any) -> None:
    with pytest.raises(UsageError) as raised:
        options(**{field.name: wrong})
    assert str(raised.value).startswith(field.name)
    assert len(str(raised.value).splitlines()) == 1


def test_every_kind_of_field_has_values_that_it_refuses() -> None:
    assert {type(field.kind) for _, field in every_field()} <= {*WRONG}
    assert len(REFUSED) > 300


def test_values_that_do_not_go_together_are_refused() -> None:
    for options, values, message in (
        (CheckOptions, {"staged": True, "base": "main"}, "one of --diff, --staged and --base"),
        (CheckOptions, {"update_baseline": True}, "--baseline FILE"),
        (CheckOptions, {"prune_baseline": True}, "--baseline FILE"),
        (
            CheckOptions,
            {"prune_baseline": True, "update_baseline": True, "baseline": Path("known.json")},
            "leave --prune-baseline out",
        ),
        (ElasticsearchOptions, {"user": "u"}, "both or none"),
        (PublishedOptions, {"user": "u"}, "both or none"),
        (IndexOptions, {"fingerprints_only": True, "keep_source": True}, "leave out --keep-source"),
        (IndexOptions, {"fingerprints_only": True, "history": True}, "leave out --keep-source"),
        (ElasticsearchOptions, {"user": "u", "password": "p", "api_key": "k"}, "use one of the two"),
    ):
        with pytest.raises(UsageError, match=message):
            options(**values)


def test_options_are_values() -> None:
    one, other = (SearchOptions(paths=given, limit=3) for given in (["*.py"], ("*.py",)))
    assert one == other
    assert hash(one) == hash(other)
    assert dataclasses.replace(one, limit=4).paths == ("*.py",)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.limit = 4  # type: ignore[misc] # it is what the test is about
    with pytest.raises(UsageError, match="limit"):
        dataclasses.replace(one, limit=0)


def test_what_a_field_shares_with_others_is_defined_once() -> None:
    definitions: defaultdict[str, dict[Field, list[str]]] = defaultdict(lambda: defaultdict(list))
    for options, field in every_field():
        definitions[field.name][field].append(options.__name__)
    different = {name: dict(found) for name, found in definitions.items() if len(found) > 1}
    assert different.keys() == DIFFERENT.keys(), different


# The three ways to give options.


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with only the file `a.py`, which is also the working directory. Nothing is configured."""
    for name in os.environ:
        if name.startswith(("WHEREFROM_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("a = 1\n")
    (tmp_path / "ca.pem").touch()
    return tmp_path


@pytest.fixture
def made(home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Options]:
    """A function that runs a command until it has made the options from its arguments, and returns these options."""

    def call(name: str, *flags: str) -> Options:
        found: list[Options] = []
        original = Configuration.options

        def options(self: Configuration, call: type[Options], given: Mapping[str, Any]) -> Options:
            result = original(self, call, given)
            if call is not Settings:
                found.append(result)
                raise typer.Exit
            return result

        with monkeypatch.context() as patch:
            patch.setattr(Configuration, "options", options)
            assert main([*name.split(), *COMMANDS[name].arguments, *flags]) == 0
        [result] = found
        return dataclasses.replace(result, **{field: getattr(type(result), field) for field in COMMANDS[name].given})

    return call


def commands() -> Iterator[tuple[str, Any]]:
    """The commands by name; the name of the program itself is empty."""

    def below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        yield name, command
        if isinstance(command, TyperGroup):
            for sub, found in command.commands.items():
                yield from below(f"{name} {sub}".strip(), found)

    return below("", get_command(app))


def flags_of(command: Any) -> dict[str, TyperOption]:
    """The flags of a command, by their first names."""
    return {param.opts[0]: param for param in command.params if isinstance(param, TyperOption)}


def test_every_command_is_known_to_these_tests() -> None:
    assert {name for name, _ in commands()} == {*COMMANDS, *OTHERS}
    assert {command.options for command in COMMANDS.values()} >= {
        options for options in PUBLIC if any(field.flag for field in fields_of(options))
    } - {public.PostsOptions, public.Limits}


@pytest.mark.parametrize(("name", "command"), [pytest.param(*found, id=found[0] or "-") for found in commands()])
def test_the_flags_of_a_command_are_the_fields_of_its_options(name: str, command: Any) -> None:
    flags = flags_of(command)
    if name in OTHERS:
        assert {*flags} == {*OTHERS[name]}
        return
    known_command = COMMANDS[name]
    settings = [field for field in fields_of(Settings) if field.name in known_command.settings]
    fields = {
        (field.flag or "").partition("/")[0]: field
        for field in (*fields_of(known_command.options), *settings)
        if field.flag
    }
    assert sorted(flags) == sorted([*fields, *known_command.own])
    for flag, field in fields.items():
        shown = flags[flag]
        assert shown.default is None, "what is not given must leave the configuration file its say"
        assert (shown.help or "").startswith(field.meaning)
        assert "/".join((*shown.opts, *shown.secondary_opts)) == field.flag
        if field.default_help:
            assert field.default_help.replace("`", "") in (shown.help or "")


def test_the_keys_of_the_file_are_the_fields_that_are_settings() -> None:
    engines = {kind.name: kind.options for kind in KINDS if kind.options is not None}
    assert {*engines.values()} == {options for options in PUBLIC if issubclass(options, EngineOptions)}
    calls = [options for options in ALL if not issubclass(options, EngineOptions)]
    assert {*known()} == {
        *(field.name for options in calls for field in fields_of(options) if field.setting),
        *(f"{name}_{field.name}" for name, options in engines.items() for field in fields_of(options) if field.setting),
    }


def test_a_setting_is_the_same_in_every_class_that_has_it() -> None:
    for options, field in every_field():
        if field.setting and not issubclass(options, EngineOptions):
            assert known()[field.name] == field


@pytest.mark.parametrize("name", COMMANDS)
def test_the_defaults_are_the_same_whoever_asks(name: str, made: Callable[..., Options], home: Path) -> None:
    options = COMMANDS[name].options
    assert made(name) == load({}).options(options, {}) == options()
    (home / "empty.toml").touch()
    assert load({"WHEREFROM_CONFIG": str(home / "empty.toml")}).options(options, {}) == options()


def test_the_defaults_of_an_engine_are_the_same_whoever_asks(home: Path) -> None:
    assert load({}).engine(CLUSTER) == ElasticsearchOptions()


def sample(field: Field) -> Any:
    """A value other than the default, as the library takes it."""
    return sample_of(field.kind, field.default)


def sample_of(kind: Any, default: Any = None) -> Any:
    match kind:
        case Whole():
            return kind.at_least + 2
        case Seconds():
            return 2.5
        case Share():
            return 0.25
        case ShareOrCount():
            return 7.0
        case Flag():
            return not default
        case Text():
            return "text"
        case Choice():
            return kind.words[-1]
        case Day():
            return date(2020, 2, 29)
        case FilePath():
            return Path("/folder/file")
        case AnyPath():
            return "/folder/file"
        case LanguageName():
            return "javascript"
        case Several():
            return (sample_of(kind.item),) * 2
        case Words():
            return (next(iter(kind.members)),)
    raise AssertionError(kind)


TOGETHER: dict[str, dict[str, Any]] = {
    "update_baseline": {"baseline": Path("/folder/file")},
    "prune_baseline": {"baseline": Path("/folder/file")},
    "user": {"password": "text"},
    "password": {"user": "text"},
    "since": {"history": True},
    "branch": {"history": True},
    "tags_only": {"history": True},
}
"""Other fields that a field needs."""


def typed(field: Field, value: Any) -> list[str]:
    """A value as flags."""
    flag, _, off = (field.flag or "").partition("/")
    if isinstance(value, bool):
        return [flag if value else off]
    values = value if isinstance(value, tuple) else (value,)
    return [word for item in values for word in (flag, str(item))]


def as_variable(value: Any) -> str:
    """A value as an environment variable."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def as_toml(value: Any) -> str:
    """A value in the configuration file. TOML and JSON write these values alike."""
    return json.dumps(value, default=str)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        pytest.param(name, field, id=f"{name}-{field.name}")
        for name, command in COMMANDS.items()
        for field in fields_of(command.options)
        if (field.flag or field.setting) and field.name not in command.given
    ],
)
def test_a_value_is_the_same_as_a_flag_a_variable_a_key_and_a_keyword(
    name: str, field: Field, made: Callable[..., Options], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = COMMANDS[name].options
    by_name = {found.name: found for found in fields_of(options)}
    values = {field.name: sample(field), **TOGETHER.get(field.name, {})}
    expected = options(**values)
    assert expected != options()
    if field.flag:
        flags = [word for key, value in values.items() for word in typed(by_name[key], value)]
        assert made(name, *flags) == expected
    if field.setting:
        with monkeypatch.context() as patch:
            patch.setenv(variable(field.name), as_variable(values[field.name]))
            assert made(name) == expected
        (home / "my.toml").write_text(f"{field.name} = {as_toml(values[field.name])}\n")
        monkeypatch.setenv("WHEREFROM_CONFIG", str(home / "my.toml"))
        assert made(name) == expected


@pytest.mark.parametrize("field", [pytest.param(field, id=field.name) for field in fields_of(ElasticsearchOptions)])
def test_a_value_of_an_engine_is_the_same_as_a_variable_a_key_and_a_keyword(field: Field, home: Path) -> None:
    assert field.setting
    value = home / "ca.pem" if field.name == "ca_file" else sample(field)
    values = {field.name: value, **TOGETHER.get(field.name, {})}
    expected = ElasticsearchOptions(**values)
    assert expected != ElasticsearchOptions()
    variables = {variable(f"elasticsearch_{key}"): as_variable(value) for key, value in values.items()}
    assert load(variables).engine(CLUSTER) == expected
    text = "".join(f"elasticsearch_{key} = {as_toml(value)}\n" for key, value in values.items())
    (home / "my.toml").write_text(text)
    assert load({"WHEREFROM_CONFIG": str(home / "my.toml")}).engine(CLUSTER) == expected


SETTINGS: dict[str, Any] = {
    "index": "/folder/index",
    "expect": "text",
    "posts": Path("/folder/posts"),
    "tokens": Path("/folder/tokens"),
    "color": "never",
    "stackexchange_key": "text",
    "stackexchange_api": "text",
}


def test_the_settings_of_the_program_are_the_same_as_a_flag_a_variable_and_a_key(home: Path) -> None:
    assert SETTINGS.keys() == {field.name for field in fields_of(Settings)}
    expected = Settings(**SETTINGS)
    assert load({}).settings(**{name: str(value) for name, value in SETTINGS.items()}) == expected
    assert load({variable(name): str(value) for name, value in SETTINGS.items()}).settings() == expected
    (home / "my.toml").write_text("".join(f"{name} = {as_toml(value)}\n" for name, value in SETTINGS.items()))
    assert load({"WHEREFROM_CONFIG": str(home / "my.toml")}).settings() == expected
