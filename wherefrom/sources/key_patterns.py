"""Repository keys from paths: the folder of a mirror without a remote often names the repository."""

from __future__ import annotations

import re
from pathlib import Path

from wherefrom.errors import UsageError
from wherefrom.sources.repository_urls import normalised
from wherefrom.sources.source import local_key

_FIELD = re.compile(r"\{([^{}]*)\}")
_NOT_IN_KEYS = re.compile(r"[?#]")
"""Characters that end the path of a URL."""


class KeyPattern:
    """Makes the key of a repository from the end of its path.

    A pattern is a path with fields, such as `{host}/{owner}/{name}.git`. A field matches one or more characters inside
    one part of the path. `{host}` must contain a dot; `{path}` may appear once and matches one or more folders. A field
    ends where the text after it first appears. A pattern that begins with `/` matches whole paths; any other pattern
    matches the last parts of a path.

    The key is `{host}/{owner}/{name}` (`{host}/{path}/{name}` if there is a `{path}`), or the text after a `=`:
    `{owner}+{name}=github.com/{owner}/{name}`. Raises UsageError if `pattern` does not have this form.

    Args:
        pattern: as above.
    """

    def __init__(self, pattern: str) -> None:
        path, _, key = pattern.partition("=")
        fields = _FIELD.findall(path)
        self._key = key or ("{host}/{path}/{name}" if "path" in fields else "{host}/{owner}/{name}")
        if not path.strip("/") or not set("{}").isdisjoint(_FIELD.sub("", path)):
            raise _wrong(pattern, "it is not a path with fields")
        for field in fields:
            if not (field.isascii() and field.isidentifier()):
                raise _wrong(pattern, f"{{{field}}} is not the name of a field")
        if len(set(fields)) < len(fields):
            raise _wrong(pattern, "it has a field twice")
        if "}{" in path:
            raise _wrong(pattern, "two fields need some text between them")
        missing = [field for field in _FIELD.findall(self._key) if field not in fields]
        if missing:
            remedy = "" if key else ", so the key must be given behind a ="
            raise _wrong(pattern, f"it has no {{{missing[0]}}}{remedy}")
        if normalised(f"https://{_FIELD.sub('x.y', self._key)}") is None:
            raise _wrong(pattern, "the key must be a host and a path")
        self._path = re.compile(_expression(path), re.DOTALL)

    def key(self, path: Path) -> str | None:
        """The repository key of this path, such as `github.com/owner/name`; None if the pattern does not match it."""
        found = self._path.fullmatch(local_key(path))
        if found is None or _NOT_IN_KEYS.search("/".join(found.groupdict().values())):
            return None
        return normalised("https://" + _FIELD.sub(lambda field: found[field[1]], self._key))


def _expression(path: str) -> str:
    """The regular expression of the paths that a pattern matches."""
    texts, fields = _FIELD.split(path)[::2], _FIELD.findall(path)
    parts = ["" if path.startswith("/") else "(?:.*/)?", re.escape(texts[0])]
    for field, text in zip(fields, texts[1:], strict=True):
        is_last = field == fields[-1]
        behind = re.escape(text) + (r"\Z" if is_last else "")
        # Atomic groups, so that the time of a match does not grow with the number of fields.
        one = f"(?>(?:(?!{behind})[^/])+)" if text and text != "/" else "(?>[^/]+)"
        if field == "path":
            one = ".+?"
        elif field == "host":
            one = rf"(?=[^/@]*[^/@.]\.[^/@.]+/){one}"
        parts.append(f"(?P<{field}>{one}){re.escape(text)}")
    return "".join(parts)


def _wrong(pattern: str, reason: str) -> UsageError:
    return UsageError(
        f"--key-from is {pattern!a}: {reason}; use a pattern such as {{host}}/{{owner}}/{{name}}.git, "
        "or {owner}+{name}=github.com/{owner}/{name}"
    )
