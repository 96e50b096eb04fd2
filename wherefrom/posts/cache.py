"""Caches fetched posts, each in a file, and also the times until which the API demands to wait."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from wherefrom.errors import SourceError
from wherefrom.posts.post import Post
from wherefrom.support.formats import Format
from wherefrom.support.values import asdict, dataclass, fields
from wherefrom.support.writing import write_whole

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
        """Writes the post.

        Raises:
            SourceError: the folder cannot be written.
        """
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
        """Writes the demands of the API (times and texts, by name) so that later processes obey them.

        Raises:
            SourceError: the folder cannot be written.
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
