"""The pages of the library: every public name with its docstring, by the room that defines it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial

import wherefrom
from wherefrom import public

GROUPS = {
    "library": (
        "Library",
        "Calls, and the index that `open_index` opens. [Use the library](../how-to/library.md) shows how to use them.",
        ("wherefrom.api", "wherefrom.index", "wherefrom.compare.reviews"),
    ),
    "library-options": (
        "Options of the library",
        "A call takes its options as keywords, or as one object of these classes.",
        ("wherefrom.options", "wherefrom.engines"),
    ),
    "library-answers": (
        "Answers of the library",
        "The values that the calls return. `to_dict()` gives each as the JSON that the command line prints.",
        ("wherefrom.results", "wherefrom.projects", "wherefrom.posts", "wherefrom.lab"),
    ),
    "library-other": (
        "Errors and other names of the library",
        "Errors, and what an index stores about repositories, files, languages and boilerplate.",
        ("wherefrom",),
    ),
}
"""The pages: their titles, introductions, and the modules whose names they have; the first page that fits counts."""


def page(name: str) -> str:
    """A page in Markdown, which Sphinx fills in from the docstrings."""
    title, introduction, _ = GROUPS[name]
    return "\n".join([f"# {title}\n\n{introduction}\n\n```{{eval-rst}}", *_entries(name), "```\n"])


PAGES: dict[str, Callable[[], str]] = {name: partial(page, name) for name in GROUPS}


def _entries(page_name: str) -> Iterator[str]:
    names = [name for name in dir(public) if _page_of(getattr(wherefrom, name)) == page_name]
    for name in sorted(names, key=lambda name: (name[0].isupper(), name.lower())):
        value = getattr(wherefrom, name)
        if isinstance(value, type) and issubclass(value, BaseException):
            yield f".. autoexception:: wherefrom.{name}\n   :show-inheritance:\n"
        elif isinstance(value, type):
            yield f".. autoclass:: wherefrom.{name}\n   :members:\n"
        elif inspect.isroutine(value):
            yield f".. autofunction:: wherefrom.{name}\n"
        else:
            yield f".. autodata:: wherefrom.{name}\n"


def _page_of(value: object) -> str:
    """The name of the page of a public value."""
    module = getattr(value, "__module__", "wherefrom")
    return next(
        name
        for name, (_, _, rooms) in GROUPS.items()
        if any(module == room or module.startswith(f"{room}.") for room in rooms)
    )
