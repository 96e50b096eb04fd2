"""Where else does this code appear, and is it credited there?

The public names are those of `wherefrom.api`; they are loaded on first use, so that `import wherefrom` costs nothing.
"""

from __future__ import annotations

from wherefrom.version import __version__

# Not from `typing`, which takes longer to load than all else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from wherefrom.api import (
        ElasticsearchOptions,
        Index,
        copy,
        default_cache,
        default_posts,
        dump_proposals,
        fetch_post,
        import_posts,
        index,
        list_languages,
        load_proposals,
        make_boilerplate,
        measure_frequencies,
        measure_noise,
        measure_samplers,
        open_index,
        open_posts,
        plot,
        select_posts,
    )

__all__ = [
    "ElasticsearchOptions",
    "Index",
    "__version__",
    "copy",
    "default_cache",
    "default_posts",
    "dump_proposals",
    "fetch_post",
    "import_posts",
    "index",
    "list_languages",
    "load_proposals",
    "make_boilerplate",
    "measure_frequencies",
    "measure_noise",
    "measure_samplers",
    "open_index",
    "open_posts",
    "plot",
    "select_posts",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from wherefrom import api  # noqa: PLC0415 -- on first use

    value = globals()[name] = getattr(api, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
