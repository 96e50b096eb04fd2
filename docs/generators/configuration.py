"""The page of the configuration: everything that the file and the environment may set."""

from __future__ import annotations

from wherefrom.cli.settings import known, variable
from wherefrom.options.fields import Field, shown

INTRODUCTION = """\
# Configuration

A setting comes from its flag, else from its environment variable, else from the configuration file. The file is
`wherefrom/config.toml` in your configuration folder (`~/.config` on Linux), or the file that `WHEREFROM_CONFIG` names.
Relative paths in the file start at its folder. In a variable, commas separate several values.

```toml
# ~/.config/wherefrom/config.toml
index = "~/indexes/work.wherefrom"
without = ["license-*", "frameworks"]
```

| key in the file | variable | flag | default | meaning |
| --- | --- | --- | --- | --- |
"""

OTHERS = """
These variables have no key in the file:

| variable | meaning |
| --- | --- |
| `WHEREFROM_CONFIG` | the configuration file |
| `WHEREFROM_KERNEL` | whether the native kernel is used: `0` never, `1` if it is installed (the default), `require` |
| `WHEREFROM_DEBUG` | if not empty, errors show a traceback, as with `--debug` |
| `NO_COLOR` | if not empty, `--color auto` means no color |
"""


def page() -> str:
    """The page in Markdown."""
    rows = (
        f"| `{key}` | `{variable(key)}` | {f'`{field.flag}`' if field.flag else ''} | {_default(field)} | "
        f"{field.meaning} |\n"
        for key, field in known().items()
    )
    return INTRODUCTION + "".join(rows) + OTHERS


def _default(field: Field) -> str:
    if field.default_help:
        return field.default_help
    if field.default in (None, ()):
        return "none"
    if isinstance(field.default, bool):
        return f"`{shown(field.default)}`"
    return "`" + (",".join(field.default) if isinstance(field.default, tuple) else f"{field.default}") + "`"
