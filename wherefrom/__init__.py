r"""Where else does this code appear, and is it credited there?

```python
import wherefrom

wherefrom.index_sources(["~/clones"], "example.wherefrom")
with wherefrom.open_index("example.wherefrom") as index:
    result = index.search("def add(first, *others):\n    return first + sum(each for each in others)\n")
    for hit in result.hits:
        print(hit.score, hit.occurrences[0].path)
```

The public names are those of `wherefrom.public`. They are loaded on first use, so that `import wherefrom` is fast.
"""

from __future__ import annotations

from importlib import import_module

from wherefrom.support.version import __version__ as __version__

# Not imported from `typing`, because that module takes longer to load than everything else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from wherefrom.public import *  # noqa: F403 -- that module has the only list of names


if not TYPE_CHECKING:

    def __getattr__(name):
        from importlib.util import find_spec  # noqa: PLC0415 -- a mere import of the package does not wait for it

        # `from wherefrom import MODULE` calls this first. After an AttributeError Python imports the module.
        if name == "__all__":
            return __dir__()
        if not (name.startswith("_") or find_spec(f"{__name__}.{name}")):
            public = import_module("wherefrom.public")
            if name in public.__all__:
                value = globals()[name] = getattr(public, name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted([*import_module("wherefrom.public").__all__, "__version__"])
