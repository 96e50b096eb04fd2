"""Fetches a post by the public Stack Exchange API, version 2.3 (https://api.stackexchange.com/docs).

The API bans callers that ignore its `backoff` or the end of the day's quota, so the cache stores both, and the posts.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlencode

from wherefrom.errors import NotFound, SourceError, UsageError
from wherefrom.posts.post import Post, license
from wherefrom.support.formats import Format
from wherefrom.support.values import KW_ONLY, asdict, dataclass, fields
from wherefrom.support.writing import write_whole

BASE = "https://api.stackexchange.com/2.3"

MAX_AGE = timedelta(days=30)  # a cached post is fetched again after this time, since it may have been edited

LONGEST_WAIT = 60.0
"""If the API asks to wait, a call waits at most this many seconds. If the API asks for more, the call fails with an
error that says how long to wait."""

LONGEST_BACKOFF = 86_400.0
"""The longest believable wait, in seconds. Even a ban lasts only a day, so a longer one is from a wrong clock."""

_SITE = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")
_ANSWERS, _QUESTIONS = "answers", "questions"
_REMEDY = "try again later, or give a key of your own (free, from stackapps.com)"

_T = TypeVar("_T")


@dataclass(repr=False)
class Api:
    """The Stack Exchange API, with the folder of its cache. The key of a registered application allows 10,000 requests
    a day, not 300; no error message shows it. `base` includes the version. `clock` and `sleep` are those of `time`.
    """

    cache: Path
    _: KW_ONLY
    key: str | None = None
    base: str = BASE
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        self._cache = PostCache(self.cache)

    def post(self, site: str, number: int, *, is_answer: bool) -> FetchedPost:
        """Returns a question, or an answer with the tags of its question, from the cache or the API. With `is_answer`,
        it looks for an answer with this id first, and then for a question; else for a question first.

        Raises NotFound if there is no such post or site, SourceError if the API cannot be reached, refuses, or asks for
        a long wait, or the cache cannot be written, and UsageError if `site` is not a host.
        """
        if not _SITE.fullmatch(site) or number < 1:
            raise UsageError(
                f"{site[:100]!a} and {number} name no post; give a URL such as https://stackoverflow.com/a/1"
            )
        kept = self._cache.get(site, number)
        if kept is not None and self._now() - kept.fetched < MAX_AGE:
            return kept
        for method in (_ANSWERS, _QUESTIONS) if is_answer else (_QUESTIONS, _ANSWERS):
            found = self._fetched(method, site, number)
            if found is not None:
                return found
        raise NotFound(f"{site} has no post {number}; it may have been deleted, so check the URL")

    def _fetched(self, method: str, site: str, number: int) -> FetchedPost | None:
        item = self._item(method, site, number)
        if item is None:
            return None
        if method == _QUESTIONS:
            question = number
            tags = tuple(str(tag) for tag in _taken(list, item, "tags"))
        else:
            question = _taken(int, item, "question_id")
            parent = self._cache.get(site, question) or self._fetched(_QUESTIONS, site, question)
            tags = parent.post.tags if parent else ()
        try:
            created = datetime.fromtimestamp(_taken(int, item, "creation_date"), UTC).date()
        except (ValueError, OverflowError, OSError):
            raise unknown_answer("creation_date") from None
        stated = item.get("content_license")
        terms = license(created, stated if isinstance(stated, str) else None)
        post = Post(site, number, question, created, terms, tags, _taken(str, item, "body"))
        found = FetchedPost(post, self._now())
        self._cache.put(found)
        return found

    def _item(self, method: str, site: str, number: int) -> dict[str, Any] | None:
        """Asks the API for a question or an answer. Returns the item in its answer; None if there is no such post."""
        parameters = {"site": site, "filter": "withbody", **({"key": self.key} if self.key else {})}
        answer = self._call(method, f"{self.base.rstrip('/')}/{method}/{number}?{urlencode(parameters)}")
        if "error_id" in answer:
            raise _refusal(answer, site)
        items = _taken(list, answer, "items")
        if not items:
            return None
        if not isinstance(items[0], dict) or items[0].get(f"{method[:-1]}_id") != number:
            raise unknown_answer("items")
        return items[0]

    def _call(self, method: str, url: str) -> dict[str, Any]:
        """Waits until the API permits a call, calls it, and caches the demands in its answer."""
        demands = self._cache.demands()
        self._wait(demands, method)
        answer = get_object(url)
        backoff, remaining = answer.get("backoff", 0), answer.get("quota_remaining")
        changes: dict[str, float | str] = {}
        if not isinstance(backoff, int | float) or not 0 <= backoff <= LONGEST_BACKOFF:
            raise unknown_answer("backoff")
        if backoff:
            changes[method] = self.clock() + backoff
        if isinstance(remaining, int | float) and remaining < 1:
            changes[self._quota()] = self._today()
        if changes:
            self._cache.keep_demands({**demands, **changes})
        return answer

    def _wait(self, demands: dict[str, float | str], method: str) -> None:
        if demands.get(self._quota()) == self._today():
            raise SourceError(f"the Stack Exchange API has no requests left today (UTC); {_REMEDY}")
        until = demands.get(method)
        seconds = until - self.clock() if isinstance(until, float) else 0.0
        if not 0 < seconds <= LONGEST_BACKOFF:
            return
        if seconds > LONGEST_WAIT:
            raise SourceError(f"the Stack Exchange API asks to wait {seconds:.0f} s; try again then")
        self.sleep(seconds)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self.clock(), UTC)

    def _today(self) -> str:
        return self._now().date().isoformat()

    def _quota(self) -> str:
        """The name under which `demands` has the day on which the quota was used up. Each key has its own quota."""
        return f"quota {hashlib.sha256((self.key or '').encode()).hexdigest()[:16]}"


def _taken(kind: type[_T], values: dict[str, Any], name: str) -> _T:
    value = values.get(name)
    if not isinstance(value, kind):
        raise unknown_answer(name)
    return value


def _refusal(answer: dict[str, Any], site: str) -> SourceError:
    name, message = shown(str(answer.get("error_name"))), shown(str(answer.get("error_message")))
    if name == "throttle_violation":
        return SourceError(f"the Stack Exchange API takes no more requests for now ({message}); {_REMEDY}")
    if name == "bad_parameter" and message.startswith("No site"):
        return NotFound(f"the Stack Exchange API knows no site {site}; check the URL")
    return SourceError(
        f"the Stack Exchange API refused ({name}: {message}); check the URL and the key, or try again later"
    )


SECONDS = 30.0  # a whole call takes at most this many seconds, even if the server sends a byte now and then
_LARGEST = 8 << 20  # an answer has at most this many bytes, both packed and unpacked. A longer answer is an error


def get_object(url: str) -> dict[str, Any]:
    """Fetches the JSON object at a URL. The API answers errors with an object too, so this returns any object.

    Raises:
        SourceError: the server cannot be reached, or its answer is not a JSON object. The message does not show the
            URL, which may have a key.
        UsageError: `url` is not a URL.
    """
    if not url.startswith(("https://", "http://")):
        raise UsageError("the address of the Stack Exchange API begins with https://; give such a one")
    from wherefrom.support import http  # noqa: PLC0415 -- searches do not wait for it

    # The API always compresses its answers.
    request = http.HttpRequest(url, seconds=SECONDS, headers=lambda _: {"Accept-Encoding": "gzip"})
    try:
        with closing(http.HttpClient()) as client:
            status, content = client.ask(request, lambda response: (response.status, http.unpacked(response, _LARGEST)))
    except http.Failure as error:
        message = shown(str(error))
        raise SourceError(
            f"cannot reach the Stack Exchange API: {message}; "
            "check the network, or look up the code itself with the URL as its source"
        ) from None
    except ValueError as error:
        raise unknown_answer(str(error)) from None
    if status >= 400 and not content.lstrip().startswith(b"{"):
        raise unknown_answer(f"status {status}")
    try:
        answer = json.loads(content, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise unknown_answer("no JSON") from None
    if not isinstance(answer, dict):
        raise unknown_answer("no object")
    return answer


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def unknown_answer(what: str) -> SourceError:
    """The error for an answer that contradicts the API's documentation."""
    return SourceError(f"the Stack Exchange API answered in an unknown way ({what}); try again later")


def shown(text: str) -> str:
    """A text from a server, shortened and escaped for an error message."""
    return ascii(text[:200])[1:-1]


_FORMAT = Format(version=1, reader=1, oldest=1)


@dataclass(frozen=True, slots=True)
class FetchedPost:
    """A post, and the time (with its zone) at which it was fetched."""

    post: Post
    fetched: datetime


class PostCache:
    """A folder of fetched posts. It is created when something is written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, site: str, number: int) -> FetchedPost | None:
        """The post, or None if it is not in the cache or this version cannot read it."""
        try:
            kept = _FORMAT.load(self._file(site, number).read_bytes(), "fetch it again")
            fetched = datetime.fromisoformat(kept["fetched"])
            # A newer version may have added fields.
            values = {field.name: kept[field.name] for field in fields(Post)}
            values |= {"created": date.fromisoformat(values["created"]), "tags": tuple(values["tags"])}
            return FetchedPost(Post(**values), fetched)
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def put(self, found: FetchedPost) -> None:
        """Writes the post. Raises SourceError if the folder cannot be written."""
        post = found.post
        values = {**_FORMAT.stamp(), "fetched": found.fetched.isoformat(), **asdict(post)}
        self._write(self._file(post.site, post.id), values | {"created": post.created.isoformat()})

    def demands(self) -> dict[str, float | str]:
        """The demands of the API that `keep_demands` wrote. Empty if it wrote none, or the file cannot be read."""
        try:
            values = json.loads((self.folder / "demands.json").read_bytes())
        except (OSError, ValueError):
            return {}
        kept = values.items() if isinstance(values, dict) else ()
        # `json` also reads `Infinity` and `NaN`.
        return {name: it for name, it in kept if isinstance(it, str) or (isinstance(it, float) and math.isfinite(it))}

    def keep_demands(self, values: Mapping[str, float | str]) -> None:
        """Writes the demands of the API (times and texts, by name) so that later processes obey them. Raises
        SourceError if the folder cannot be written.
        """
        self._write(self.folder / "demands.json", values)

    def _file(self, site: str, number: int) -> Path:
        return self.folder / site / f"{number}.json"

    def _write(self, path: Path, values: Mapping[str, Any]) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(values, allow_nan=False).encode("ascii"))
        except OSError as error:
            folder = ascii(str(self.folder))[1:-1]
            message = f"cannot write to the cache {folder}: {error.strerror}; make room or give another folder"
            raise SourceError(message) from None
