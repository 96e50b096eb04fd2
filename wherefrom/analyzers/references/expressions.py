"""SPDX license expressions, such as `MIT OR (GPL-2.0-only WITH Classpath-exception-2.0 AND BSD-3-Clause)`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from wherefrom.model import UNKNOWN_LICENSE
from wherefrom.support.values import dataclass

LONGEST = 1_000  # the longest text that is parsed, in characters, which also bounds how deeply an expression nests
_USUAL = {"MIT", "Apache-2.0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "GPL-2.0-only", "GPL-2.0-or-later", "curl"}
"""Identifiers in the form of SPDX: an expression of one needs no parser, which takes long to load."""

_PERMISSIVE = frozenset({"Permissive", "Public Domain"})  # as in https://scancode-licensedb.aboutcode.org/help.html


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression. `str` returns it in the standard form of SPDX."""

    _tree: Any

    def __str__(self) -> str:
        return str(self._tree)

    @property
    def identifiers(self) -> frozenset[str]:
        """The identifiers of the licenses in the expression, without exceptions."""
        return frozenset(map(_identifier, self._tree.symbols))

    def is_met(self, is_met: Callable[[str], bool]) -> bool:
        """Whether one of the choices that the expression offers has only licenses for which `is_met` is true.

        Exceptions (`WITH`) are ignored. Takes linear time, although the number of choices may be exponential.
        """
        return _is_met(self._tree, is_met)


@lru_cache(maxsize=1024)
def parse(text: str) -> Expression | None:
    """Parses an expression. Identifiers that SPDX does not list are accepted. Returns None for prose, malformed
    expressions, and texts of more than `LONGEST` characters.
    """
    if len(text) > LONGEST:
        return None
    from license_expression import ExpressionError  # type: ignore[import-untyped]  # noqa: PLC0415  # see `_spdx`

    try:
        tree = _spdx().parse(text)
    except (ExpressionError, IndexError, AssertionError):  # odd brackets may raise the last two errors
        return None
    if tree is None or any(" " in _identifier(symbol) for symbol in tree.symbols):
        return None
    return Expression(tree)


def normalised_license(text: str) -> str:
    """An expression in the form of SPDX: `MIT OR Apache-2.0` for `mit or apache-2.0`. Other texts are unchanged."""
    return text if text in _USUAL else str(parse(text) or text)


def is_permissive(identifier: str) -> bool:
    """Whether the license with an SPDX identifier (in upper or lower case) requires at most notices. False for licenses
    that ScanCode does not list.
    """
    return identifier.lower() in _permissive()


def is_listed_license(text: str) -> bool:
    """Whether a text is an expression whose licenses and exceptions are all listed by SPDX."""
    expression = parse(text)
    if expression is None:
        return False
    # The library also knows licenses that SPDX does not list. Their identifiers begin with `LicenseRef-`.
    return "licenseref-" not in str(expression).lower() and not _spdx().unknown_license_keys(str(expression))


def declared(text: str) -> str:
    """The license that a registry has for a package, as an SPDX expression; `UNKNOWN_LICENSE` for any other text, and
    empty for an empty one.
    """
    stated = text.strip()
    return (normalised_license(stated) if is_listed_license(stated) else UNKNOWN_LICENSE) if stated else ""


def _is_met(tree: Any, is_met: Callable[[str], bool]) -> bool:
    if not tree.args:
        return is_met(_identifier(tree))
    combine = any if isinstance(tree, _spdx().OR) else all
    return combine(_is_met(part, is_met) for part in tree.args)


def _identifier(symbol: Any) -> str:
    return str(getattr(symbol, "license_symbol", symbol).key)


@lru_cache(maxsize=1)
def _permissive() -> frozenset[str]:
    from license_expression import get_license_index  # noqa: PLC0415  # see `_spdx`

    return frozenset(
        identifier.lower()
        for license in get_license_index()
        if license["category"] in _PERMISSIVE
        for identifier in (license.get("spdx_license_key"), *license.get("other_spdx_license_keys", ()))
        if identifier
    )


@lru_cache(maxsize=1)
def _spdx() -> Any:
    # Imported on first use: the library reads a megabyte of identifiers. It has no types.
    from license_expression import get_spdx_licensing  # noqa: PLC0415

    return get_spdx_licensing()
