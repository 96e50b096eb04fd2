from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from wherefrom.cli.settings import Configuration, Settings, config_path, known, load, variable
from wherefrom.engines import ElasticsearchOptions
from wherefrom.errors import UsageError
from wherefrom.model import Rule
from wherefrom.options import CheckOptions, IndexOptions, SearchOptions
from wherefrom.options.serving import ServeOptions

CLUSTER = "elasticsearch://host:9200/name"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without settings, and an environment without those of this machine."""
    for name in os.environ:
        if name.startswith(("WHEREFROM_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def written(home: Path, text: str) -> dict[str, str]:
    """Writes a configuration file with this text, and returns the environment that names it."""
    path = home / "settings" / "my.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return {"WHEREFROM_CONFIG": str(path)}


def limit(configuration: Configuration, flag: int | None = None) -> int:
    return configuration.options(SearchOptions, {"limit": flag}).limit


def test_the_defaults_are_in_the_users_folders(home: Path) -> None:
    settings = load({}).settings()
    for path in (Path(settings.index), settings.posts, settings.tokens):
        assert path.is_absolute()
        assert path.is_relative_to(home)
    assert settings == Settings(index=settings.index, posts=settings.posts, tokens=settings.tokens)


def test_a_flag_comes_before_a_variable_and_that_before_the_file(home: Path) -> None:
    environment = written(home, 'index = "/file"\nlimit = 3\njobs = 2\n')
    assert (load(environment).settings().index, limit(load(environment))) == ("/file", 3)
    environment |= {"WHEREFROM_INDEX": "/variable", "WHEREFROM_LIMIT": "4"}
    assert load(environment).settings(index=None).index == "/variable"
    assert load(environment).settings(index="/flag").index == "/flag"
    assert (limit(load(environment)), limit(load(environment), flag=5)) == (4, 5)
    assert load(environment).options(IndexOptions, {}).jobs == 2


def test_the_users_file_is_read(home: Path) -> None:
    path = config_path()
    assert path.is_relative_to(home)
    path.parent.mkdir(parents=True)
    path.write_text("limit = 7\n")
    assert limit(load({})) == 7


def test_relative_paths_start_at_the_file_or_at_the_working_directory(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "work").mkdir()
    monkeypatch.chdir(home / "work")
    configuration = load(written(home, 'index = "near"\ncache = "~/clones"\nposts = "mine.sqlite"\n'))
    assert configuration.settings().index == str(home / "settings" / "near")
    assert configuration.settings().posts == home / "settings" / "mine.sqlite"
    assert configuration.options(IndexOptions, {}).cache == home / "clones"
    assert configuration.settings(index="here").index == str(home / "work" / "here")
    assert configuration.settings(posts="here").posts == home / "work" / "here"


def test_a_url_is_left_as_it_is(home: Path) -> None:
    for url in (CLUSTER, "elasticsearch+https://one:9200,two:9201/prefix/name"):
        assert load({}).settings(index=url).index == url


def test_a_location_that_names_no_engine_says_where_it_was_set(home: Path) -> None:
    with pytest.raises(UsageError, match=r"my\.toml: index: there is no engine 'foo'"):
        load(written(home, 'index = "foo:bar"'))
    with pytest.raises(UsageError, match="WHEREFROM_INDEX: there is no engine 'foo'"):
        load({"WHEREFROM_INDEX": "foo:bar"})


def test_every_setting_has_a_variable(home: Path) -> None:
    (home / "ca.pem").touch()
    environment = {
        "WHEREFROM_INDEX": "/i",
        "WHEREFROM_CACHE": "/c",
        "WHEREFROM_POSTS": "/p",
        "WHEREFROM_JOBS": "3",
        "WHEREFROM_LIMIT": "5",
        "WHEREFROM_MAX_FILE_SIZE": "100",
        "WHEREFROM_PARSE_SECONDS": "0.5",
        "WHEREFROM_PARSE_MEMORY": "400000000",
        "WHEREFROM_FETCHES": "2",
        "WHEREFROM_CLONE_SPACE": "1000000",
        "WHEREFROM_EXPECT": "ab" * 32,
        "WHEREFROM_POST_SECRET": "a-secret-of-twenty-four-or-more",
        "WHEREFROM_PRIVATE_POSTS": "true",
        "WHEREFROM_COLOR": "never",
        "WHEREFROM_STACKEXCHANGE_KEY": "key",
        "WHEREFROM_STACKEXCHANGE_API": "https://mirror/2.3",
        "WHEREFROM_ELASTICSEARCH_USER": "u",
        "WHEREFROM_ELASTICSEARCH_PASSWORD": "12",
        "WHEREFROM_ELASTICSEARCH_API_KEY": "",
        "WHEREFROM_ELASTICSEARCH_CA_FILE": f"{home}/ca.pem",
        "WHEREFROM_ELASTICSEARCH_TIMEOUT": "2.5",
        "WHEREFROM_ELASTICSEARCH_SHARDS": "3",
        "WHEREFROM_ELASTICSEARCH_REPLICAS": "0",
        "WHEREFROM_PUBLISHED_USER": "reader",
        "WHEREFROM_PUBLISHED_PASSWORD": "34",
        "WHEREFROM_PUBLISHED_TIMEOUT": "7.5",
        "WHEREFROM_OWN": "github.com/me/*, gitlab.com/me/*",
        "WHEREFROM_WITHOUT": "frameworks,license-*",
        "WHEREFROM_FAIL_ON": "license-conflict",
        "WHEREFROM_INCLUDE_FRAMEWORKS": "true",
        "WHEREFROM_HOST": "0.0.0.0",
        "WHEREFROM_PORT": "8001",
        "WHEREFROM_TOKENS": "/t",
        "WHEREFROM_AUDIT": "/a",
        "WHEREFROM_TOKEN": "a-token-of-sixteen-or-more",
        "WHEREFROM_TRUSTED_HOSTS": "code.example.com",
        "WHEREFROM_PROCESSES": "3",
        "WHEREFROM_WAITING": "7",
        "WHEREFROM_MAX_BODY": "2000000",
        "WHEREFROM_REPORTS": "/r",
        "WHEREFROM_REPORT_DAYS": "30",
        "WHEREFROM_JOB_SECONDS": "60.5",
        "WHEREFROM_JOB_MEMORY": "950000000",
        "WHEREFROM_JOB_SPACE": "1000",
        "WHEREFROM_MAX_UPLOAD": "3000000",
        "WHEREFROM_CALL_SECONDS": "9.5",
        "WHEREFROM_CALL_MEMORY": "900000000",
    }
    assert set(environment) == set(map(variable, known()))
    configuration = load(environment)
    assert configuration.settings() == Settings(
        index="/i",
        expect="ab" * 32,
        posts=Path("/p"),
        tokens=Path("/t"),
        color="never",
        stackexchange_key="key",
        stackexchange_api="https://mirror/2.3",
    )
    assert configuration.options(IndexOptions, {}) == IndexOptions(
        post_secret="a-secret-of-twenty-four-or-more",
        private_posts=True,
        cache=Path("/c"),
        jobs=3,
        max_file_size=100,
        parse_seconds=0.5,
        parse_memory=400_000_000,
        fetches=2,
        clone_space=1_000_000,
    )
    search = configuration.options(SearchOptions, {})
    assert search == SearchOptions(
        limit=5, own=["github.com/me/*", "gitlab.com/me/*"], without=["frameworks", "license-*"]
    )
    assert search.allow_missing_sets
    typed = configuration.options(SearchOptions, {"without": ["template"]})
    assert (typed.without, typed.allow_missing_sets) == (("template",), False)
    assert configuration.options(CheckOptions, {}) == CheckOptions(
        jobs=3,
        max_file_size=100,
        parse_seconds=0.5,
        parse_memory=400_000_000,
        own=["github.com/me/*", "gitlab.com/me/*"],
        without=["frameworks", "license-*"],
        fail_on=[Rule.LICENSE_CONFLICT],
        include_frameworks=True,
    )
    assert configuration.options(ServeOptions, {}) == ServeOptions(
        host="0.0.0.0",
        port=8001,
        token="a-token-of-sixteen-or-more",
        audit=Path("/a"),
        trusted_hosts=["code.example.com"],
        processes=3,
        waiting=7,
        max_body=2_000_000,
        reports=Path("/r"),
        report_days=30,
        job_seconds=60.5,
        job_memory=950_000_000,
        job_space=1000,
        max_upload=3_000_000,
        call_seconds=9.5,
        call_memory=900_000_000,
        own=["github.com/me/*", "gitlab.com/me/*"],
    )
    assert configuration.engine(CLUSTER) == ElasticsearchOptions(
        user="u", password="12", ca_file=home / "ca.pem", timeout=2.5, shards=3, replicas=0
    )
    keyed = load({"WHEREFROM_ELASTICSEARCH_API_KEY": "k"})
    assert keyed.engine(CLUSTER) == ElasticsearchOptions(api_key="k")


def fail_on(configuration: Configuration, *flags: str) -> object:
    return configuration.options(CheckOptions, {"fail_on": list(flags) or None}).fail_on


def test_lists_of_texts_and_of_rules(home: Path) -> None:
    configuration = load(written(home, 'own = ["a/*", "b"]\nfail_on = ["copied-attributed"]\n'))
    assert configuration.options(CheckOptions, {}).own == ("a/*", "b")
    assert fail_on(configuration) == (Rule.COPIED_ATTRIBUTED,)
    assert fail_on(load({}), "none") == ()
    assert fail_on(load({"WHEREFROM_FAIL_ON": "none"})) == ()
    assert fail_on(load(written(home, "fail_on = []\n"))) == ()
    assert fail_on(load({})) == CheckOptions.fail_on


def test_an_engine_gets_its_settings(home: Path) -> None:
    environment = written(home, 'elasticsearch_api_key = "hidden"\nelasticsearch_shards = 2\n')
    found = load(environment | {"WHEREFROM_ELASTICSEARCH_TIMEOUT": "7"}).engine(CLUSTER)
    assert found == ElasticsearchOptions(api_key="hidden", shards=2, timeout=7)
    assert "hidden" not in repr(found)
    assert load({}).engine(CLUSTER) == ElasticsearchOptions()
    assert load(environment).engine("a/folder") is None


def test_settings_of_an_engine_that_do_not_go_together_are_refused_when_it_is_used(home: Path) -> None:
    configuration = load({"WHEREFROM_ELASTICSEARCH_USER": "u"})
    assert configuration.engine("a/folder") is None
    with pytest.raises(UsageError, match="set both or none"):
        configuration.engine(CLUSTER)


def test_a_secret_that_is_wrong_is_not_repeated(home: Path) -> None:
    with pytest.raises(UsageError, match=r"elasticsearch_password must be a text that is not empty$") as caught:
        load(written(home, "elasticsearch_password = [123456]\n"))
    assert "123456" not in str(caught.value)


def test_a_secret_is_not_shown() -> None:
    assert "hidden" not in repr(Settings(stackexchange_key="hidden"))


def test_an_empty_variable_counts_as_unset(home: Path) -> None:
    empty = load({"WHEREFROM_LIMIT": "", "WHEREFROM_INDEX": "", "WHEREFROM_CONFIG": ""})
    assert empty.settings() == load({}).settings()
    assert empty.options(SearchOptions, {}) == SearchOptions()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limt = 3", "unknown key 'limt'; known are index, expect, posts,"),
        ('limit = "3"', "limit must be a whole number, at least 1, not '3'"),
        ("limit = true", "limit must be a whole number, at least 1, not true"),
        ("limit = 2.5", "limit must be a whole number, at least 1, not 2.5"),
        ("limit = ", "is not TOML"),
        ("own = 3", "own must be a list, not 3"),
        ('own = "a/*"', "own must be a list, not one value; use ['a/*']"),
        ('own = [""]', "own must be a text that is not empty"),
        ("own = [true, 3]", "own must be a text that is not empty, not true"),
        ('fail_on = ["foo"]', "some of copied-unattributed, copied-attributed, license-conflict, or none alone, not"),
        ('fail_on = ["none", "foo"]', "or none alone, not 'none', 'foo'"),
        ('fail_on = ["none", "copied-attributed"]', "or none alone, not 'none', 'copied-attributed'"),
        ("fail_on = [3]", "fail_on must be a text"),
        ("jobs = 0", "jobs must be a whole number, at least 1, not 0"),
        ("max_file_size = -1", "max_file_size must be a whole number of bytes, at least 1, not -1"),
        ("parse_seconds = nan", "parse_seconds must be a number of seconds above 0, not nan"),
        ("parse_seconds = 0", "parse_seconds must be a number of seconds above 0, not 0"),
        ("parse_seconds = inf", "parse_seconds must be a number of seconds above 0, not inf"),
        ("parse_memory = 1000", "parse_memory must be a whole number of bytes, at least 100000000, not 1000"),
        ("index = 3", "index must be a path or a URL, not 3"),
        ('index = " "', "index must be a path or a URL, not ' '"),
        ("cache = []", "cache must be a path, not []"),
        ('color = "green"', "color must be one of auto, always, never, not 'green'"),
        ("color = []", "color must be one of auto, always, never, not []"),
    ],
)
def test_an_error_in_the_file_is_one_line(home: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        load(written(home, text))
    assert message in str(raised.value)
    assert "my.toml" in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("WHEREFROM_LIMIT", "many", "WHEREFROM_LIMIT must be a whole number, at least 1, not 'many'"),
        ("WHEREFROM_JOBS", "2.5", "WHEREFROM_JOBS must be a whole number, at least 1, not 2.5"),
        ("WHEREFROM_PARSE_SECONDS", "nan", "WHEREFROM_PARSE_SECONDS must be a number of seconds above 0, not nan"),
        ("WHEREFROM_COLOR", "x", "WHEREFROM_COLOR must be one of auto, always, never, not 'x'"),
        ("WHEREFROM_FAIL_ON", "foo,bar", "WHEREFROM_FAIL_ON must be some of copied-unattributed,"),
        ("WHEREFROM_OWN", "a,,b", "WHEREFROM_OWN must be a text that is not empty"),
        ("WHEREFROM_ELASTICSEARCH_SHARDS", "0", "WHEREFROM_ELASTICSEARCH_SHARDS must be a whole number, 1 to 1024"),
        ("WHEREFROM_ELASTICSEARCH_REPLICAS", "-1", "WHEREFROM_ELASTICSEARCH_REPLICAS must be a whole number, 0 to"),
        ("WHEREFROM_CONFIG", "/nonexistent/wherefrom.toml", "WHEREFROM_CONFIG names /nonexistent/wherefrom.toml"),
        ("WHEREFROM_INDEX", "~nobody-of-that-name/x", "use an absolute path"),
        ("WHEREFROM_CACHE", "~nobody-of-that-name/x", "use an absolute path"),
    ],
)
def test_an_error_in_a_variable_is_one_line(home: Path, name: str, value: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        load({name: value})
    assert message in str(raised.value)
    assert name in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [("limit", 0), ("fail_on", ["foo"]), ("own", [""]), ("max_file_size", -1), ("parse_seconds", float("nan"))],
)
def test_an_error_in_a_flag_names_the_flag(home: Path, name: str, value: Any) -> None:
    call = SearchOptions if name == "limit" else CheckOptions
    with pytest.raises(UsageError, match=f"^--{name.replace('_', '-')} must be"):
        load({}).options(call, {name: value})


def test_a_flag_of_two_words_is_named_by_the_first(home: Path) -> None:
    with pytest.raises(UsageError, match=r"^--renew must be true or false"):
        load({}).options(IndexOptions, {"renew": "yes"})


def test_an_empty_location_on_the_command_line_is_refused(home: Path) -> None:
    with pytest.raises(UsageError, match=r"^--index must be a path or a URL, not ''$"):
        load({}).settings(index="")


def test_a_file_that_is_not_text_is_refused(home: Path) -> None:
    (home / "latin.toml").write_bytes(b'index = "\xff"')
    with pytest.raises(UsageError, match="is not TOML"):
        load({"WHEREFROM_CONFIG": str(home / "latin.toml")})


def test_a_folder_in_place_of_the_file_is_refused(home: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        load({"WHEREFROM_CONFIG": str(home)})
