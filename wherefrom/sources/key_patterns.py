"""Repository keys from paths: the folder of a mirror without a remote often names the repository."""

from __future__ import annotations

import re
from pathlib import Path

from wherefrom.errors import UsageError
from wherefrom.sources.repository_urls import normalised
from wherefrom.sources.source import local_key
from wherefrom.support.pattern import later

_FIELD = later(r"\{([^{}]*)\}")
_NOT_IN_KEYS = later(r"[?#]")
"""Characters that end the path of a URL."""


class KeyPattern:
    """Makes the key of a repository from the end of its path.

    A pattern is a path with fields, such as `{host}/{owner}/{name}.git`. A field matches one or more characters inside
    one part of the path. `{host}` must contain a dot; `{path}` may appear once and matches one or more folders. A field
    ends where the text after it first appears. A pattern that begins with `/` matches whole paths; any other pattern
    matches the last parts of a path.

    The key is `{host}/{owner}/{name}` (`{host}/{path}/{name}` if there is a `{path}`), or the text after a `=`:
    `{owner}+{name}=github.com/{owner}/{name}`. Raises UsageError if `pattern` does not have this form.
    """

    def __init__(self, pattern: str) -> None:
        path, _, key = pattern.partition("=")
        fields = _FIELD.findall(path)
        self._key = key or ("{host}/{path}/{name}" if "path" in fields else "{host}/{owner}/{name}")
        strange = [field for field in fields if not (field.isascii() and field.isidentifier())]
        missing = [field for field in _FIELD.findall(self._key) if field not in fields]
        for is_wrong, reason in (
            (not path.strip("/") or set("{}") & {*_FIELD.sub("", path)}, "it is not a path with fields"),
            (strange, f"{{{''.join(strange[:1])}}} is not the name of a field"),
            (len(set(fields)) < len(fields), "it has a field twice"),
            ("}{" in path, "two fields need some text between them"),
            (missing and not key, f"it has no {{{''.join(missing[:1])}}}, so the key must be given behind a ="),
            (missing, f"it has no {{{''.join(missing[:1])}}}"),
            (normalised(f"https://{_FIELD.sub('x.y', self._key)}") is None, "the key must be a host and a path"),
        ):
            if is_wrong:
                raise UsageError(
                    f"--key-from is {pattern!a}: {reason}; use a pattern such as {{host}}/{{owner}}/{{name}}.git, "
                    "or {owner}+{name}=github.com/{owner}/{name}"
                )
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
