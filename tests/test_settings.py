from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from wherefrom.check.base import FAILING, Rule
from wherefrom.engines import ElasticsearchOptions
from wherefrom.errors import UsageError
from wherefrom.settings import Settings, config_path, load, variable


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without any settings; the environment's own are out of sight."""
    for name in os.environ:
        if name.startswith(("WHEREFROM_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def configured(home: Path, text: str) -> dict[str, str]:
    path = home / "settings" / "my.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return {"WHEREFROM_CONFIG": str(path)}


def test_defaults_lie_in_the_users_folders(home: Path) -> None:
    settings = load(environment={})
    assert Path(settings.index).is_relative_to(home)
    assert settings.cache.is_relative_to(home)
    assert settings == Settings(settings.index, settings.cache, settings.posts, None, 10, 1_000_000, 5.0, 1_500_000_000)


def test_a_flag_comes_before_a_variable_and_that_before_the_file(home: Path) -> None:
    environment = configured(home, 'index = "/file"\nlimit = 3\njobs = 2\n')
    assert (load(environment=environment).index, load(environment=environment).limit) == ("/file", 3)
    environment |= {"WHEREFROM_INDEX": "/variable", "WHEREFROM_LIMIT": "4"}
    assert load({"limit": None}, environment).index == "/variable"
    settings = load({"index": "/flag"}, environment)
    assert (settings.index, settings.limit, settings.jobs) == ("/flag", 4, 2)


def test_the_users_file_is_read(home: Path) -> None:
    path = config_path()
    assert path.is_relative_to(home)
    path.parent.mkdir(parents=True)
    path.write_text("limit = 7\n")
    assert load(environment={}).limit == 7


def test_relative_paths_start_at_the_file_or_at_the_working_directory(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "work").mkdir()
    monkeypatch.chdir(home / "work")
    environment = configured(home, 'index = "near"\ncache = "~/clones"\n')
    settings = load(environment=environment)
    assert settings.index == str(home / "settings" / "near")
    assert settings.cache == home / "clones"
    assert load({"index": "here"}, environment).index == str(home / "work" / "here")


def test_a_url_is_left_as_it_is(home: Path) -> None:
    for url in ("elasticsearch://host:9200/name", "elasticsearch+https://one:9200,two:9201/prefix/name"):
        assert load({"index": url}, {}).index == url


def test_a_location_that_names_no_engine_says_where_it_was_set(home: Path) -> None:
    with pytest.raises(UsageError, match=r"my\.toml: index: there is no engine 'foo'"):
        load(environment=configured(home, 'index = "foo:bar"'))
    with pytest.raises(UsageError, match="WHEREFROM_INDEX: there is no engine 'foo'"):
        load(environment={"WHEREFROM_INDEX": "foo:bar"})


MIRROR = "https://mirror/2.3"


def test_every_setting_has_a_variable(home: Path) -> None:
    environment = {
        "WHEREFROM_INDEX": "/i",
        "WHEREFROM_CACHE": "/c",
        "WHEREFROM_POSTS": "/p",
        "WHEREFROM_JOBS": "3",
        "WHEREFROM_LIMIT": "5",
        "WHEREFROM_MAX_FILE_SIZE": "100",
        "WHEREFROM_PARSE_SECONDS": "0.5",
        "WHEREFROM_PARSE_MEMORY": "400000000",
        "WHEREFROM_COLOR": "never",
        "WHEREFROM_STACKEXCHANGE_KEY": "key",
        "WHEREFROM_STACKEXCHANGE_API": MIRROR,
        "WHEREFROM_ELASTICSEARCH_USER": "u",
        "WHEREFROM_ELASTICSEARCH_PASSWORD": "12",
        "WHEREFROM_ELASTICSEARCH_API_KEY": "k",
        "WHEREFROM_ELASTICSEARCH_CA_FILE": "/ca.pem",
        "WHEREFROM_ELASTICSEARCH_TIMEOUT": "2.5",
        "WHEREFROM_ELASTICSEARCH_SHARDS": "3",
        "WHEREFROM_ELASTICSEARCH_REPLICAS": "0",
        "WHEREFROM_OWN": "github.com/me/*, gitlab.com/me/*",
        "WHEREFROM_FAIL_ON": "license-conflict",
    }
    assert set(environment) == {variable(each.name) for each in fields(Settings)}
    assert load(environment=environment) == Settings(
        *("/i", Path("/c"), Path("/p"), 3, 5, 100, 0.5, 400_000_000, "never", "key", MIRROR),
        *("u", "12", "k", Path("/ca.pem"), 2.5, 3, 0),
        *(("github.com/me/*", "gitlab.com/me/*"), (Rule.LICENSE_CONFLICT,)),
    )


def test_lists_of_texts_and_of_rules(home: Path) -> None:
    settings = load(environment=configured(home, 'own = ["a/*", "b"]\nfail_on = ["copied-attributed"]\n'))
    assert (settings.own, settings.fail_on) == (("a/*", "b"), ("copied-attributed",))
    assert load({"fail_on": ["none"]}, {}).fail_on == ()
    assert load(environment={}).fail_on == FAILING
    for text in (
        "own = 3",
        'own = [""]',
        'fail_on = ["nothing"]',
        "fail_on = []",
        'fail_on = ["none", "copied-attributed"]',
    ):
        with pytest.raises(UsageError, match="give"):
            load(environment=configured(home, text))


def test_elasticsearch_is_given_its_settings(home: Path) -> None:
    environment = configured(home, 'elasticsearch_api_key = "hidden"\nelasticsearch_shards = 2\n')
    settings = load(environment=environment | {"WHEREFROM_ELASTICSEARCH_TIMEOUT": "7"})
    assert settings.elasticsearch == ElasticsearchOptions(api_key="hidden", shards=2, timeout=7)
    assert "hidden" not in repr(settings) + repr(settings.elasticsearch)
    assert load(environment={}).elasticsearch == ElasticsearchOptions()


def test_settings_of_elasticsearch_that_do_not_go_together_are_told(home: Path) -> None:
    with pytest.raises(UsageError, match="both or none"):
        _ = load(environment={"WHEREFROM_ELASTICSEARCH_USER": "u"}).elasticsearch


def test_a_secret_that_is_wrong_is_not_repeated(home: Path) -> None:
    with pytest.raises(UsageError, match="elasticsearch_password is not text") as caught:
        load(environment=configured(home, "elasticsearch_password = [123456]\n"))
    assert "123456" not in str(caught.value)


def test_an_empty_variable_is_as_good_as_none(home: Path) -> None:
    assert load(environment={"WHEREFROM_LIMIT": "", "WHEREFROM_INDEX": "", "WHEREFROM_CONFIG": ""}) == load(
        environment={}
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("limt = 3", "unknown key 'limt'; known are index, cache,"),
        ('limit = "3"', "limit is '3'; give a whole number from 1 on"),
        ("limit = true", "limit is true"),
        (
            'fail_on = ["foo"]',
            "fail_on is 'foo'; give some of copied-unattributed, copied-attributed, license-conflict",
        ),
        ('fail_on = ["none", "foo"]', "fail_on is 'none', 'foo'; give"),
        ("own = [true, 3]", "own is true, 3; give"),
        ("limit = 2.5", "limit is 2.5"),
        ("jobs = 0", "jobs is 0"),
        ("max_file_size = -1", "max_file_size is -1"),
        ("parse_seconds = nan", "parse_seconds is nan; give a number of seconds above 0"),
        ("parse_seconds = 0", "parse_seconds is 0"),
        ("parse_seconds = inf", "parse_seconds is inf"),
        ("parse_memory = 1000", "parse_memory is 1000; give a number of bytes from 100000000 on"),
        ("index = 3", "index is 3; give a path or a URL"),
        ('index = " "', "index is ' '"),
        ("cache = []", "cache is []; give a path"),
        ('color = "green"', "color is 'green'; give one of auto, always, never"),
        ("limit = ", "is not TOML"),
    ],
)
def test_what_is_wrong_in_the_file_is_one_line(home: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        load(environment=configured(home, text))
    assert said in str(raised.value)
    assert "my.toml" in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("WHEREFROM_LIMIT", "many", "WHEREFROM_LIMIT is 'many'"),
        ("WHEREFROM_JOBS", "2.5", "WHEREFROM_JOBS is 2.5"),
        ("WHEREFROM_PARSE_SECONDS", "nan", "WHEREFROM_PARSE_SECONDS is nan"),
        ("WHEREFROM_COLOR", "x", "WHEREFROM_COLOR is 'x'"),
        ("WHEREFROM_ELASTICSEARCH_SHARDS", "0", "WHEREFROM_ELASTICSEARCH_SHARDS is 0"),
        (
            "WHEREFROM_ELASTICSEARCH_REPLICAS",
            "-1",
            "WHEREFROM_ELASTICSEARCH_REPLICAS is -1; give a whole number from 0 on",
        ),
        ("WHEREFROM_CONFIG", "/nonexistent/wherefrom.toml", "WHEREFROM_CONFIG names /nonexistent/wherefrom.toml"),
        ("WHEREFROM_INDEX", "~nobody-of-that-name/x", "give an absolute path"),
    ],
)
def test_what_is_wrong_in_a_variable_is_one_line(home: Path, name: str, value: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        load(environment={name: value})
    assert said in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


def test_a_list_is_told_as_it_is_typed(home: Path) -> None:
    with pytest.raises(UsageError, match="--fail-on is 'foo', 'copied-attributed'; give some of "):
        load({"fail_on": ["foo", "copied-attributed"]}, {})
    with pytest.raises(UsageError, match="WHEREFROM_FAIL_ON is 'foo,bar'; give some of "):
        load(environment={"WHEREFROM_FAIL_ON": "foo,bar"})


@pytest.mark.parametrize(
    ("name", "value"), [("limit", 0), ("index", ""), ("jobs", -1), ("parse_seconds", float("nan"))]
)
def test_what_is_wrong_in_a_flag_names_the_flag(home: Path, name: str, value: Any) -> None:
    with pytest.raises(UsageError, match=f"--{name.replace('_', '-')} is"):
        load({name: value}, {})


def test_a_file_that_is_no_text_is_said(home: Path) -> None:
    (home / "latin.toml").write_bytes(b'index = "\xff"')
    with pytest.raises(UsageError, match="is not TOML"):
        load(environment={"WHEREFROM_CONFIG": str(home / "latin.toml")})


def test_a_folder_in_place_of_the_file_is_said(home: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        load(environment={"WHEREFROM_CONFIG": str(home)})
