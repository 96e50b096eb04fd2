"""Finds languages by the words that people use for them: labels of code blocks, tags of questions."""

from __future__ import annotations

from collections.abc import Iterable

from wherefrom.languages import LANGUAGES, find
from wherefrom.support.pattern import later

_VERSION = later(r"[-.]?v?[0-9][0-9.x-]*$")

_BY_TAG = {tag: language.name for language in LANGUAGES.values() for tag in language.tags}
"""For each tag that names no language, such as `jquery`, the language that usually goes with the tag."""


def labelled(labels: Iterable[str]) -> str | None:
    """The language that the first known label names, such as `python` for `python-3.x`; None if no label is known.

    A label that names a language is preferred to a tag that only goes with a language (`jquery`), in any order.
    """
    given = [label.strip().lower() for label in labels]
    for label in given:
        language = find(label) or find(_VERSION.sub("", label))
        if language is not None:
            return language.name
    return next((_BY_TAG[name] for label in given if (name := _VERSION.sub("", label)) in _BY_TAG), None)
