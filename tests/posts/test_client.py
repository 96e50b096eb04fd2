"""One post over HTTP, from a server that speaks the format of the Stack Exchange API, version 2.3, as documented."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.posts.api_server import ANSWER, QUESTION, Server, serving
from wherefrom.errors import NotFound, SourceError, UsageError
from wherefrom.posts import client
from wherefrom.posts.client import Api
from wherefrom.posts.post import Post, code_blocks
from wherefrom.support.formats import Format

SITE = "stackoverflow.com"
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC).timestamp()
DAY = 86_400.0


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as made:
        yield made


class Clock:
    """A clock whose time passes only during sleeps."""

    def __init__(self) -> None:
        self.now = NOW
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "posts"


def api(server: Server, cache: Path, clock: Clock, key: str | None = None) -> Api:
    return Api(cache, key=key, base=server.base, clock=clock, sleep=clock.sleep)


def test_an_answer_has_the_tags_of_its_question(server: Server, cache: Path, clock: Clock) -> None:
    found = api(server, cache, clock).post(SITE, 12, is_answer=True)
    assert found.post == Post(SITE, 12, 11, date(2018, 5, 2), "CC-BY-SA-4.0", ("python", "regex"), str(ANSWER["body"]))
    assert found.fetched == datetime(2026, 3, 4, 12, tzinfo=UTC)
    assert [block.text for block in code_blocks(found.post.body)] == ["a < b\n"]
    assert server.paths == ["/2.3/answers/12", "/2.3/questions/11"]
    for _, parameters, encoding in server.asked:
        assert parameters == {"site": SITE, "filter": "withbody"}
        assert encoding == "gzip"


def test_a_question_and_each_taken_for_the_other(server: Server, cache: Path, clock: Clock) -> None:
    question = api(server, cache, clock).post(SITE, 11, is_answer=False).post
    assert (question.id, question.question, question.created) == (11, 11, date(2012, 3, 4))
    assert question.license == "CC-BY-SA-3.0"
    assert api(server, cache / "other", clock).post(SITE, 11, is_answer=True).post == question
    assert api(server, cache / "third", clock).post(SITE, 12, is_answer=False).post.question == 11


def test_a_post_is_asked_for_once_in_thirty_days(server: Server, cache: Path, clock: Clock) -> None:
    first = api(server, cache, clock).post(SITE, 12, is_answer=True)
    clock.now += 29 * DAY
    assert api(server, cache, clock).post(SITE, 12, is_answer=True) == first
    assert api(server, cache, clock).post(SITE, 11, is_answer=False).post.tags == ("python", "regex")
    assert len(server.asked) == 2
    clock.now += 2 * DAY
    assert api(server, cache, clock).post(SITE, 12, is_answer=True).fetched > first.fetched
    assert server.paths[2:] == ["/2.3/answers/12"]


def test_a_kept_post_that_does_not_open_is_asked_for_again(server: Server, cache: Path, clock: Clock) -> None:
    first = api(server, cache, clock).post(SITE, 12, is_answer=True)
    [kept] = cache.glob(f"{SITE}/12.json")
    whole = kept.read_bytes()
    for broken in (
        b"",
        whole[:40],
        b"[]",
        b"{}",
        whole.replace(b'"format": 1, "reader": 1', b'"format": 2, "reader": 2'),
        whole.replace(b'"reader": 1', b'"reader": 2'),
    ):
        kept.write_bytes(broken)
        assert api(server, cache, clock).post(SITE, 12, is_answer=True) == first
        assert kept.read_bytes() == whole
    assert not list(cache.rglob(".*"))


def test_a_post_that_a_newer_version_kept_for_this_one_is_read(server: Server, cache: Path, clock: Clock) -> None:
    first = api(server, cache, clock).post(SITE, 12, is_answer=True)
    asked = list(server.asked)
    [kept] = cache.glob(f"{SITE}/12.json")
    kept.write_text(json.dumps(json.loads(kept.read_bytes()) | {"format": 2, "score": 7}))
    assert api(server, cache, clock).post(SITE, 12, is_answer=True) == first
    assert server.asked == asked


def test_a_post_that_an_older_version_kept_is_asked_for_again(
    server: Server, cache: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    api(server, cache, clock).post(SITE, 12, is_answer=True)
    asked = list(server.asked)
    monkeypatch.setattr(client, "_FORMAT", Format(version=2, reader=2, oldest=2))
    for _ in range(2):
        api(server, cache, clock).post(SITE, 12, is_answer=True)
    assert server.asked == asked + asked


def test_the_key_is_sent_and_never_shown(server: Server, cache: Path, clock: Clock) -> None:
    asking = api(server, cache, clock, key="SECRET((")
    asking.post(SITE, 12, is_answer=True)
    assert all(parameters["key"] == "SECRET((" for _, parameters, _ in server.asked)
    server.raw = (302, {"Location": server.base.replace("127.0.0.1", "127.0.0.2")}, b"")
    with pytest.raises(SourceError) as moved:
        asking.post(SITE, 13, is_answer=True)
    server.raw = (200, {}, b"nothing")
    with pytest.raises(SourceError) as odd:
        asking.post(SITE, 13, is_answer=True)
    assert "SECRET" not in f"{moved.value}{odd.value}"
    assert not [path for path in cache.rglob("*.json") if "SECRET" in path.read_text()]


def test_backoff_is_heeded_by_this_method_in_this_and_the_next_process(
    server: Server, cache: Path, clock: Clock
) -> None:
    server.more = {"backoff": 10}
    api(server, cache, clock).post(SITE, 12, is_answer=True)
    assert clock.slept == []  # the question was fetched by another API method, so no backoff applies
    server.more = {}
    clock.now += 4
    with pytest.raises(NotFound):
        api(server, cache, clock).post(SITE, 99, is_answer=True)
    assert clock.slept == [6.0]  # for answers; by then the time for questions has passed too


def test_a_long_backoff_is_an_error_that_says_how_long(server: Server, cache: Path, clock: Clock) -> None:
    server.more = {"backoff": 600}
    api(server, cache, clock).post(SITE, 12, is_answer=True)
    clock.now += 100
    with pytest.raises(SourceError, match=r"asks to wait 500 s; try again then"):
        api(server, cache, clock).post(SITE, 99, is_answer=True)
    assert len(server.asked) == 2
    assert api(server, cache, clock).post(SITE, 12, is_answer=True).post.id == 12


def test_the_end_of_the_quota_lasts_for_the_day_and_for_that_key(server: Server, cache: Path, clock: Clock) -> None:
    server.more = {"quota_remaining": 0}
    api(server, cache, clock).post(SITE, 11, is_answer=False)
    server.more = {}
    with pytest.raises(SourceError, match=r"no requests left today \(UTC\); try again later, or give a key"):
        api(server, cache, clock).post(SITE, 12, is_answer=True)
    assert len(server.asked) == 1
    assert api(server, cache, clock, key="mine").post(SITE, 12, is_answer=True).post.id == 12
    clock.now += DAY
    with pytest.raises(NotFound):
        api(server, cache, clock).post(SITE, 99, is_answer=True)


@pytest.mark.parametrize(
    ("name", "said", "error"),
    [
        (
            "bad_parameter",
            "No site found for name `nowhere.com`",
            NotFound("the Stack Exchange API knows no site stackoverflow.com; check the URL"),
        ),
        (
            "throttle_violation",
            "too many requests",
            SourceError(
                "the Stack Exchange API takes no more requests for now (too many requests); try again later, "
                "or give a key of your own (free, from stackapps.com)"
            ),
        ),
        (
            "bad_parameter",
            "key\x1b[31m\n",
            SourceError(
                r"the Stack Exchange API refused (bad_parameter: key\x1b[31m\n); check the URL and the key, "
                "or try again later"
            ),
        ),
    ],
)
def test_error_objects_are_one_line(server: Server, cache: Path, name: str, said: str, error: SourceError) -> None:
    server.error = {"error_id": 400, "error_name": name, "error_message": said}
    with pytest.raises(SourceError) as raised:
        Api(cache, base=server.base).post(SITE, 12, is_answer=True)
    assert (type(raised.value), str(raised.value)) == (type(error), str(error))
    assert not cache.exists()


def test_a_post_that_is_not_there(server: Server, cache: Path, clock: Clock) -> None:
    with pytest.raises(
        NotFound, match=r"^stackoverflow\.com has no post 99; it may have been deleted, so check the URL$"
    ):
        api(server, cache, clock).post(SITE, 99, is_answer=True)
    assert server.paths == ["/2.3/answers/99", "/2.3/questions/99"]


def wrapped(**changes: object) -> bytes:
    return json.dumps({"items": [{**QUESTION, **changes}], "quota_remaining": 1}).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>",
        b"[]",
        b"{}",
        b'{"items": {}}',
        b'{"items": [1]}',
        b'{"items": [{}]}',
        b"\x1f\x8b broken",
        b"[" * 100_000,
        gzip.compress(b"0" * (9 << 20)),
        b"0" * (9 << 20),
        wrapped(question_id=10),
        wrapped(tags=None),
        wrapped(body=1),
        wrapped(creation_date=10**20),
        wrapped(creation_date="today"),
    ],
)
def test_answers_that_are_none(server: Server, cache: Path, clock: Clock, content: bytes) -> None:
    server.raw = (200, {}, content)
    with pytest.raises(
        SourceError, match=r"^the Stack Exchange API answered in an unknown way \(.*\); try again later$"
    ):
        api(server, cache, clock).post(SITE, 11, is_answer=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"HTTP/1.0 200 OK\r\nX: ",
        b"HTTP/1.0 200 OK\r\n\r\n",
        b"HTTP/1.0 400 Bad Request\r\n\r\n{",
        b"HTTP/1.0 200 OK\r\nContent-Length: 1000000\r\n\r\n{",
    ],
)
def test_a_server_that_sends_a_byte_now_and_then_is_left(
    server: Server, cache: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.setattr("wherefrom.posts.client.SECONDS", 0.3)
    server.slow = content
    with pytest.raises(SourceError, match=r"^cannot reach the Stack Exchange API: .*timed out; check the network"):
        api(server, cache, clock).post(SITE, 11, is_answer=False)
    assert server.left.wait(60)


@pytest.mark.parametrize("backoff", ["1" * 401, "1e400", "-1e400", "86401", "-1", '"10"', "NaN", "Infinity"])
def test_a_backoff_that_no_api_asks_for_is_an_error_and_not_kept(
    server: Server, cache: Path, clock: Clock, backoff: str
) -> None:
    server.raw = (200, {}, wrapped()[:-1] + f', "backoff": {backoff}}}'.encode())
    with pytest.raises(SourceError, match=r"answered in an unknown way \((backoff|no JSON)\); try again later$"):
        api(server, cache, clock).post(SITE, 11, is_answer=False)
    server.raw = None
    assert api(server, cache, clock).post(SITE, 11, is_answer=False).post.id == 11
    assert clock.slept == []


@pytest.mark.parametrize("until", ["Infinity", "NaN", "1e400", "1" * 401, "9e99", '"x"', "{}"])
def test_a_kept_time_that_cannot_be_meant_is_not_waited_for(
    server: Server, cache: Path, clock: Clock, until: str
) -> None:
    cache.mkdir(parents=True)
    cache.joinpath("demands.json").write_text(f'{{"questions": {until}, "answers": {until}}}')
    server.more = {"backoff": 1}
    assert api(server, cache, clock).post(SITE, 11, is_answer=False).post.id == 11
    demands = json.loads(cache.joinpath("demands.json").read_bytes(), parse_constant=pytest.fail)
    assert demands["questions"] == NOW + 1


def test_no_answer_at_all(server: Server, cache: Path, clock: Clock) -> None:
    server.raw = (503, {"Content-Type": "text/html"}, b"<h1>Busy</h1>")
    with pytest.raises(SourceError, match=r"answered in an unknown way \(status 503\); try again later"):
        api(server, cache, clock).post(SITE, 11, is_answer=False)
    nowhere = Api(cache, base="http://127.0.0.1:1/2.3")
    with pytest.raises(SourceError, match=r"^cannot reach the Stack Exchange API: .*refused; check the network"):
        nowhere.post(SITE, 11, is_answer=False)


@pytest.mark.parametrize(("site", "number"), [("../x", 1), ("x", 1), ("", 1), (".x.y", 1), (SITE, 0), (SITE, -1)])
def test_what_names_no_post_is_not_asked_for(server: Server, cache: Path, clock: Clock, site: str, number: int) -> None:
    with pytest.raises(UsageError, match="name no post; give a URL such as"):
        api(server, cache, clock).post(site, number, is_answer=True)
    assert server.asked == []


def test_a_cache_that_cannot_be_written(server: Server, tmp_path: Path, clock: Clock) -> None:
    tmp_path.joinpath("file").write_bytes(b"")
    with pytest.raises(SourceError, match=r"^cannot write to the cache .*: Not a directory; make room or give another"):
        api(server, tmp_path / "file" / "cache", clock).post(SITE, 11, is_answer=False)


def test_the_address_of_the_api_is_one(cache: Path) -> None:
    with pytest.raises(UsageError, match="begins with https://"):
        Api(cache, base="file:///etc").post(SITE, 11, is_answer=False)
