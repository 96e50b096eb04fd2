"""One post through the public Stack Exchange API, version 2.3 (https://api.stackexchange.com/docs).

Each post is kept, and so are `backoff` and the end of the day's quota: who does not heed them is banned for a day.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

from wherefrom.errors import NotFound, SourceError, UsageError
from wherefrom.posts.cache import FetchedPost, PostCache
from wherefrom.posts.post import Post, license
from wherefrom.posts.transport import get_object, shown, unknown_answer

BASE = "https://api.stackexchange.com/2.3"

MAX_AGE = timedelta(days=30)
"""How long a kept post is taken for the present one; it may have been edited since."""

LONGEST_WAIT = 60.0
"""Seconds that a call waits because the API asked for it; longer ones are an error that says how long."""

LONGEST_BACKOFF = 86_400.0
"""Seconds: even a ban lasts for a day. What asks for more is not the API, or was kept by a clock that was wrong."""

_SITE = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")
_ANSWERS, _QUESTIONS = "answers", "questions"
_REMEDY = "try again later, or give a key of your own (free, from stackapps.com)"

_T = TypeVar("_T")


class Api:
    """The API.

    Args:
        cache: the folder in which posts are kept.
        key: of a registered application; with it a day has 10,000 requests, without it 300. It is in no message.
        base: the address up to the version.
        clock, sleep: seconds since 1970, and how to wait for some.
    """

    def __init__(
        self,
        cache: Path,
        *,
        key: str | None = None,
        base: str = BASE,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._cache = PostCache(cache)
        self._key = key
        self._base = base.rstrip("/")
        self._clock = clock
        self._sleep = sleep

    def post(self, site: str, number: int, *, is_answer: bool) -> FetchedPost:
        """A question, or an answer with the tags of its question.

        Args:
            site: the site's host, such as `unix.stackexchange.com`.
            number: the post's id.
            is_answer: what it is by its URL; a site takes each for the other, and so does this.

        Raises:
            NotFound: there is no such post, or no such site.
            SourceError: the API cannot be reached, refuses, or asks to wait for long; the cache cannot be written.
            UsageError: `site` is not a host.
        """
        if not _SITE.fullmatch(site) or number < 1:
            raise UsageError(
                f"{site[:100]!a} and {number} name no post; give a URL such as https://stackoverflow.com/a/1"
            )
        kept = self._cache.get(site, number)
        if kept is not None and self._now() - kept.fetched < MAX_AGE:
            return kept
        for method in (_ANSWERS, _QUESTIONS) if is_answer else (_QUESTIONS, _ANSWERS):
            found = self._answer(site, number) if method == _ANSWERS else self._question(site, number)
            if found is not None:
                return found
        raise NotFound(f"{site} has no post {number}; it may have been deleted, so check the URL")

    def _answer(self, site: str, number: int) -> FetchedPost | None:
        item = self._item(_ANSWERS, site, number)
        if item is None:
            return None
        question = _taken(int, item, "question_id")
        fetched = self._cache.get(site, question) or self._question(site, question)
        return self._kept(site, number, question, () if fetched is None else fetched.post.tags, item)

    def _question(self, site: str, number: int) -> FetchedPost | None:
        item = self._item(_QUESTIONS, site, number)
        if item is None:
            return None
        tags = tuple(str(tag) for tag in _taken(list, item, "tags"))
        return self._kept(site, number, number, tags, item)

    def _kept(self, site: str, number: int, question: int, tags: tuple[str, ...], item: dict[str, Any]) -> FetchedPost:
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
        """The one item of an answer of the API, None where it has none."""
        parameters = {"site": site, "filter": "withbody", **({"key": self._key} if self._key else {})}
        answer = self._call(method, f"{self._base}/{method}/{number}?{urlencode(parameters)}")
        if "error_id" in answer:
            raise _refusal(answer, site)
        items = _taken(list, answer, "items")
        if not items:
            return None
        if not isinstance(items[0], dict) or items[0].get(f"{method[:-1]}_id") != number:
            raise unknown_answer("items")
        return items[0]

    def _call(self, method: str, url: str) -> dict[str, Any]:
        """Asks once the API permits it, and keeps what it asks for in turn."""
        demands = self._cache.demands()
        self._wait(demands, method)
        answer = get_object(url)
        backoff, remaining = answer.get("backoff", 0), answer.get("quota_remaining")
        changes: dict[str, float | str] = {}
        if not isinstance(backoff, int | float) or not 0 <= backoff <= LONGEST_BACKOFF:
            raise unknown_answer("backoff")
        if backoff:
            changes[method] = self._clock() + backoff
        if isinstance(remaining, int | float) and remaining < 1:
            changes[self._quota()] = self._today()
        if changes:
            self._cache.keep_demands({**demands, **changes})
        return answer

    def _wait(self, demands: dict[str, float | str], method: str) -> None:
        if demands.get(self._quota()) == self._today():
            raise SourceError(f"the Stack Exchange API has no requests left today (UTC); {_REMEDY}")
        until = demands.get(method)
        seconds = until - self._clock() if isinstance(until, float) else 0.0
        if not 0 < seconds <= LONGEST_BACKOFF:
            return
        if seconds > LONGEST_WAIT:
            raise SourceError(f"the Stack Exchange API asks to wait {seconds:.0f} s; try again then")
        self._sleep(seconds)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)

    def _today(self) -> str:
        return self._now().date().isoformat()

    def _quota(self) -> str:
        """The name under which the end of the quota is kept: each key has its own."""
        return f"quota {hashlib.sha256((self._key or '').encode()).hexdigest()[:16]}"


def _taken(kind: type[_T], values: dict[str, Any], name: str) -> _T:
    value = values.get(name)
    if not isinstance(value, kind):
        raise unknown_answer(name)
    return value


def _refusal(answer: dict[str, Any], site: str) -> SourceError:
    """The error that an error object of the API is."""
    name, message = shown(str(answer.get("error_name"))), shown(str(answer.get("error_message")))
    if name == "throttle_violation":
        return SourceError(f"the Stack Exchange API takes no more requests for now ({message}); {_REMEDY}")
    if name == "bad_parameter" and message.startswith("No site"):
        return NotFound(f"the Stack Exchange API knows no site {site}; check the URL")
    return SourceError(
        f"the Stack Exchange API refused ({name}: {message}); check the URL and the key, or try again later"
    )
