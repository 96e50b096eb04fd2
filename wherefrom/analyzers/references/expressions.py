"""SPDX license expressions: `MIT OR (GPL-2.0-only WITH Classpath-exception-2.0 AND BSD-3-Clause)`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

LONGEST = 1_000
"""Characters of the longest text that is parsed; it also bounds how deeply an expression nests."""

_PERMISSIVE = frozenset({"Permissive", "Public Domain"})
"""Categories of ScanCode: https://scancode-licensedb.aboutcode.org/help.html"""


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression. Its text has identifiers and operators in their own spelling."""

    _tree: Any

    def __str__(self) -> str:
        return str(self._tree)

    @property
    def identifiers(self) -> frozenset[str]:
        """The licenses in it, without the exceptions to them."""
        return frozenset(map(_identifier, self._tree.symbols))

    def is_met(self, is_met: Callable[[str], bool]) -> bool:
        """Whether a choice that it offers consists only of licenses for which `is_met` is true.

        An exception (`WITH`) makes no difference. Takes time linear in the expression, which may offer a number of
        choices that is exponential in its length.
        """
        return _is_met(self._tree, is_met)


@lru_cache(maxsize=1024)
def parse(text: str) -> Expression | None:
    """The expression that a text is; None for prose, for what is not well-formed, and above `LONGEST` characters.

    Identifiers that SPDX does not list are accepted as they are.
    """
    if len(text) > LONGEST:
        return None
    from license_expression import ExpressionError  # type: ignore[import-untyped]  # noqa: PLC0415  # see `_spdx`

    try:
        tree = _spdx().parse(text)
    except (ExpressionError, IndexError, AssertionError):  # it fails with the latter two on some odd brackets
        return None
    if tree is None or any(" " in _identifier(symbol) for symbol in tree.symbols):
        return None
    return Expression(tree)


def normalised(text: str) -> str:
    """An expression in the spelling of SPDX: `MIT OR Apache-2.0` for `mit or apache-2.0`; other texts as they are."""
    return str(parse(text) or text)


def is_permissive(identifier: str) -> bool:
    """Whether a license asks only for notices, or for nothing (public domain), by the index of ScanCode. False for one
    that the index does not have.

    Args:
        identifier: of SPDX, in any case.
    """
    return identifier.lower() in _permissive()


def is_listed(text: str) -> bool:
    """Whether a text is an expression of which SPDX lists every license and exception."""
    expression = parse(text)
    if expression is None:
        return False
    # The library knows texts that SPDX does not list by references of its own.
    return "licenseref-" not in str(expression).lower() and not _spdx().unknown_license_keys(str(expression))


def _is_met(tree: Any, is_met: Callable[[str], bool]) -> bool:
    if not tree.args:
        return is_met(_identifier(tree))
    combine = any if isinstance(tree, _spdx().OR) else all
    return combine(_is_met(part, is_met) for part in tree.args)


def _identifier(symbol: Any) -> str:
    """The license of a symbol, which may be one `WITH` an exception."""
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
    # The library has no types, and reads a megabyte of identifiers: not before the first expression.
    from license_expression import get_spdx_licensing  # noqa: PLC0415

    return get_spdx_licensing()
