"""`dataclass` as in the standard library, made in a tenth of the time.

The standard one writes and compiles up to seven methods of each class at once, which takes half a millisecond. This one
writes a method when it is first needed. In most runs, most classes need none.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import KW_ONLY, asdict, astuple, field, fields, is_dataclass, replace
from functools import partial
from reprlib import recursive_repr
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, **wishes):
        """`dataclasses.dataclass` with any of eq, frozen, kw_only, order, repr and slots."""
        return partial(_made, **wishes) if cls is None else _made(cls, **wishes)


__all__ = ["KW_ONLY", "asdict", "astuple", "dataclass", "field", "fields", "is_dataclass", "replace"]

_UNSET = object()


def _made(  # type: ignore[no-untyped-def]  # the type of `dataclass` is the standard one
    cls,
    *,
    eq=True,
    frozen=False,
    kw_only=False,
    order=False,
    repr=True,  # noqa: A002 -- as there
    slots=False,
):
    own = vars(cls)
    has_hash = own.get("__hash__", _UNSET) is not _UNSET and not (own["__hash__"] is None and "__eq__" in own)
    cls = _without_methods(cls, frozen, kw_only=kw_only, slots=slots)
    methods = {
        "__init__": partial(_init, frozen=frozen, slots=slots),
        **({"__repr__": _repr} if repr else {}),
        **({"__eq__": partial(_comparison, sign="==")} if eq else {}),
        **({f"__{name}__": partial(_comparison, sign=sign) for name, sign in _ORDER.items()} if order else {}),
    }
    for name, write in methods.items():
        if name not in vars(cls):
            setattr(cls, name, _Later(cls, name, write))
    if eq and not has_hash:
        cls.__hash__ = _Later(cls, "__hash__", _hash) if frozen else None
    if frozen:
        cls.__setattr__, cls.__delattr__ = _refuse_change, _refuse_change
        if slots and "__getstate__" not in vars(cls):
            cls.__getstate__, cls.__setstate__ = _state, _restore
    return cls


def _without_methods(cls: Any, frozen: bool, **wishes: bool) -> Any:
    """The class as the standard library makes it, without its methods. A frozen one must have frozen parents and would
    get two methods, so here no class is frozen while it is made.
    """
    parents = {it: it.frozen for parent in cls.__mro__ if (it := vars(parent).get("__dataclass_params__"))}
    for params in parents:
        params.frozen = False
    # The standard library looks up each text, which takes most of the time and finds nothing but these.
    written = vars(cls).get("__annotations__", {})
    looked_up = re.compile("ClassVar|InitVar|KW_ONLY").search
    cls.__annotations__ = {name: kind if looked_up(str(kind)) else Any for name, kind in written.items()}
    cls = dataclasses.dataclass(init=False, repr=False, eq=False, **wishes)(cls)
    cls.__annotations__ = written
    for each in fields(cls):
        each.type = written.get(each.name, each.type)
    for params, is_frozen in {**parents, cls.__dataclass_params__: frozen}.items():
        params.frozen = is_frozen
    return cls


_ORDER = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}


class _Later:
    """A method that is written when it is first looked up, and then takes the place of this object."""

    __slots__ = ("_cls", "_name", "_write")

    def __init__(self, cls: type, name: str, write: Any) -> None:
        self._cls, self._name, self._write = cls, name, write

    def __get__(self, value: object, _owner: type | None = None) -> Any:
        function = self._write(self._cls)
        function.__name__, function.__qualname__ = self._name, f"{self._cls.__qualname__}.{self._name}"
        function.__module__ = self._cls.__module__
        setattr(self._cls, self._name, function)
        return function if value is None else MethodType(function, value)


def _function(parameters: str, lines: list[str], **names: Any) -> FunctionType:
    exec(f"def function({parameters}):\n " + "\n ".join(lines), names)  # noqa: S102 -- made of names of fields
    made: FunctionType = names["function"]
    return made


def _init(cls: Any, *, frozen: bool, slots: bool) -> FunctionType:
    declared = fields(cls)
    names: dict[str, Any] = {"_set": object.__setattr__, "_unset": dataclasses.MISSING}
    parameters, lines = ["self"], []
    for each in sorted(declared, key=lambda each: each.kw_only is True):
        has_factory = each.default_factory is not dataclasses.MISSING
        names[f"_of_{each.name}"] = each.default_factory if has_factory else each.default
        if each.init:
            if each.kw_only and "*" not in parameters:
                parameters.append("*")
            is_needed = not has_factory and each.default is dataclasses.MISSING
            usual = "_unset" if has_factory else f"_of_{each.name}"
            parameters.append(each.name if is_needed else f"{each.name}={usual}")
    for each in declared:
        has_factory = each.default_factory is not dataclasses.MISSING
        value = f"_of_{each.name}{'()' if has_factory else ''}"
        if each.init:
            value = f"{value} if {each.name} is _unset else {each.name}" if has_factory else each.name
        elif not has_factory and (not slots or each.default is dataclasses.MISSING):
            continue
        lines.append(f"_set(self, {each.name!r}, {value})" if frozen else f"self.{each.name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    made = _function(", ".join(parameters), lines or ["pass"], **names)
    made.__annotations__ = {**{each.name: each.type for each in declared if each.init}, "return": None}
    return made


def _repr(cls: Any) -> Any:
    shown = ", ".join(f"{each.name}={{self.{each.name}!r}}" for each in fields(cls) if each.repr)
    return recursive_repr()(_function("self", [f"return f'{{self.__class__.__qualname__}}({shown})'"]))


def _comparison(cls: Any, sign: str) -> FunctionType:
    names = [each.name for each in fields(cls) if each.compare]
    one, other = ("".join(f"{value}.{name}, " for name in names) for value in ("self", "other"))
    return _function(
        "self, other",
        ["if other.__class__ is self.__class__:", f" return ({one}) {sign} ({other})", "return NotImplemented"],
    )


def _hash(cls: Any) -> FunctionType:
    declared = fields(cls)
    names = [each.name for each in declared if (each.compare if each.hash is None else each.hash)]
    return _function("self", [f"return hash(({''.join(f'self.{name}, ' for name in names)}))"])


def _refuse_change(self: Any, name: str, *value: object) -> None:
    """`__setattr__` and `__delattr__` of a frozen class. A subclass may have attributes beside the fields."""
    if "__dataclass_fields__" in vars(type(self)) or name in self.__dataclass_fields__:
        raise dataclasses.FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")
    (object.__setattr__ if value else object.__delattr__)(self, name, *value)


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
