"""What a format is. Each package of reports has a table of them, from which the command line takes its `--format`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from wherefrom.reports.look import Look

_Answer_contra = TypeVar("_Answer_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Renderer(Generic[_Answer_contra]):
    """How an answer is written in one format.

    Attributes:
        write: gives the text of an answer part by part, each with its line ends.
        header: comes before the first answer.
        separator: comes between two answers.
        footer: comes after the last answer.
        several: what is taken in place of this where several answers are written one after the other; None if this
            serves for these as well.
        ready: sees to it, before a long run, that an answer can be written; raises ExtraMissing or UsageError.
        schema: the file in `docs/` that says what an answer in this format holds; None where none is published.
    """

    write: Callable[[_Answer_contra, Look], Iterable[str]]
    header: str = ""
    separator: str = ""
    footer: str = ""
    several: Renderer[_Answer_contra] | None = None
    schema: str | None = None
    ready: Callable[[], object] | None = None


def on_use(module: str, name: str = "write") -> Callable[..., Any]:
    """A function of a module that is imported when it is first called, for one that `--help` is not to wait for.

    Args:
        module: its full name.
        name: of the function.
    """

    def call(*arguments: Any) -> Any:
        return getattr(import_module(module), name)(*arguments)

    return call
