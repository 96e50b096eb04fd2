"""`dataclass` as in the standard library, made in a tenth of the time.

The standard one writes and compiles up to seven methods of each class at once, which takes half a millisecond. This one
writes a method when it is first needed. In most runs, most classes need none. Others make few values, and the first
ones are filled without an `__init__` of their own.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import KW_ONLY, MISSING, Field, asdict, astuple, field, fields, is_dataclass, replace
from functools import partial
from reprlib import recursive_repr
from types import FunctionType, MemberDescriptorType, MethodType, SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, **wishes):
        """`dataclasses.dataclass` with any of eq, frozen, kw_only, order, repr and slots."""
        return partial(_made, **wishes) if cls is None else _made(cls, **wishes)


__all__ = ["KW_ONLY", "asdict", "astuple", "dataclass", "field", "fields", "is_dataclass", "replace"]


_SAMPLE = dataclasses.make_dataclass(
    "Sample", ["size"], namespace={"__doc__": "A field."}, init=False, repr=False, eq=False
)
_MARK: Any = fields(_SAMPLE)[0]._field_type  # type: ignore[attr-defined]
"""By this the standard library tells fields from class variables."""


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
    written = own.get("__annotations__", {})
    defaults = {name: getattr(cls, name, MISSING) for name, kind in written.items() if not _is_other(str(kind))}
    later = {
        "__dataclass_fields__": partial(_fields, written=written, defaults=defaults, kw_only=kw_only),
        "__match_args__": _places,
        **({"__repr__": _repr} if repr else {}),
        **({"__eq__": partial(_comparison, sign="==")} if eq else {}),
        **({f"__{name}__": partial(_comparison, sign=sign) for name, sign in _ORDER.items()} if order else {}),
    }
    added: dict[str, Any] = {
        "__init__": _LaterInit(frozen=frozen, slots=slots),
        "__replace__": replace,
        **{name: _Later(name, write) for name, write in later.items()},
        **({"__getstate__": _state, "__setstate__": _restore} if frozen and slots else {}),
    }
    body = {name: value for name, value in added.items() if name not in own}
    has_hash = "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)
    if eq and not has_hash:
        body["__hash__"] = _Later("__hash__", _hash) if frozen else None
    if frozen:
        body |= {"__setattr__": _refuse_change, "__delattr__": _refuse_change}
    body["__dataclass_params__"] = SimpleNamespace(eq=eq, frozen=frozen, order=order, repr=repr)
    if slots:
        cls = _slotted(cls, defaults, body)
    else:
        body |= {name: own[name].default for name in defaults if isinstance(own.get(name), Field)}
        for name, value in body.items():
            (delattr(cls, name) if value is MISSING else setattr(cls, name, value))
    for value in body.values():
        if isinstance(value, _Later):
            value.cls = cls
    return cls


_is_other = re.compile("ClassVar|KW_ONLY").search


def _slotted(cls: Any, names: Any, body: dict[str, Any]) -> Any:
    """The class with slots for its fields, and with the attributes in `body`. Slots need another class."""
    own = {name: value for name, value in vars(cls).items() if name not in names}
    own.pop("__dict__", None)
    own.pop("__weakref__", None)
    known: list[str] = []
    taken: set[str] = set()
    for parent in cls.__mro__[1:-1]:
        if "__dataclass_fields__" in vars(parent) and "__slots__" not in vars(parent):
            known += (each.name for each in fields(parent))
        slots = vars(parent).get("__slots__", ())
        taken.update((slots,) if isinstance(slots, str) else slots)
    own["__slots__"] = tuple(name for name in dict.fromkeys((*known, *names)) if name not in taken)
    made = type(cls)(cls.__name__, cls.__bases__, own | body)
    made.__qualname__ = cls.__qualname__
    return made


def _fields(cls: Any, written: dict[str, Any], defaults: dict[str, Any], *, kw_only: bool) -> dict[str, Field[Any]]:
    found: dict[str, Field[Any]] = {}
    for parent in reversed(cls.__mro__[1:]):
        if "__dataclass_fields__" in vars(parent):
            found.update(parent.__dataclass_fields__)
    for name, kind in written.items():
        kw_only |= "KW_ONLY" in str(kind)
        if name in defaults:
            default = defaults[name]
            has_none = default is MISSING or isinstance(default, MemberDescriptorType)
            each: Any = default if isinstance(default, Field) else field() if has_none else field(default=default)
            each.name, each.type, each._field_type = name, kind, _MARK
            each.kw_only = kw_only if each.kw_only is MISSING else each.kw_only
            found[name] = each
    return found


_ORDER = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}


class _Later:
    """An attribute of a class that is made when it is first looked up, and then takes the place of this object."""

    __slots__ = ("_name", "_write", "cls")

    def __init__(self, name: str, write: Any) -> None:
        self.cls: Any = None
        self._name, self._write = name, write

    def __get__(self, value: object, _owner: type | None = None) -> Any:
        made = self._write(self.cls)
        setattr(self.cls, self._name, made)
        if not isinstance(made, FunctionType):
            return made
        made.__name__, made.__qualname__ = self._name, f"{self.cls.__qualname__}.{self._name}"
        made.__module__ = self.cls.__module__
        return made if value is None else MethodType(made, value)


FIRST = 16  # this many values of a class are filled before its `__init__` is written, which takes as long as filling 50


class _LaterInit(_Later):
    """The `__init__` of a class. It fills the first values itself."""

    __slots__ = ("_count", "_fields", "_frozen", "_places", "_slots")

    def __init__(self, *, frozen: bool, slots: bool) -> None:
        super().__init__("__init__", partial(_init, frozen=frozen, slots=slots))
        self._frozen, self._slots, self._count = frozen, slots, 0

    def __get__(self, value: object, _owner: type | None = None) -> Any:
        if value is None or self._count >= FIRST:
            return super().__get__(value, _owner)
        if not self._count:
            self._fields, self._places = fields(self.cls), _places(self.cls)
        self._count += 1
        return partial(self._fill, value)

    def _fill(self, value: Any, /, *given: object, **named: object) -> None:
        values = dict(zip(self._places, given, strict=False))
        is_wrong = len(given) > len(self._places) or not named.keys().isdisjoint(values)
        values |= named
        fill = object.__setattr__ if self._frozen else setattr
        for each in self._fields:
            if each.init and each.name in values:
                fill(value, each.name, values.pop(each.name))
            elif each.default_factory is not MISSING:
                fill(value, each.name, each.default_factory())
            elif each.default is MISSING:
                is_wrong |= each.init
            elif each.init or self._slots:
                fill(value, each.name, each.default)
        if is_wrong or values:
            super().__get__(value)(*given, **named)  # which raises the usual error
        elif hasattr(value, "__post_init__"):
            value.__post_init__()


def _places(cls: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cls) if each.init and not each.kw_only)


def _function(parameters: str, lines: list[str], **names: Any) -> FunctionType:
    exec(f"def function({parameters}):\n " + "\n ".join(lines), names)  # noqa: S102 -- made of names of fields
    made: FunctionType = names["function"]
    return made


def _init(cls: Any, *, frozen: bool, slots: bool) -> FunctionType:
    declared = fields(cls)
    names: dict[str, Any] = {"_set": object.__setattr__, "_unset": MISSING}
    parameters, lines = ["self"], []
    for each in sorted(declared, key=lambda each: each.kw_only is True):
        has_factory = each.default_factory is not MISSING
        names[f"_of_{each.name}"] = each.default_factory if has_factory else each.default
        if each.init:
            if each.kw_only and "*" not in parameters:
                parameters.append("*")
            is_needed = not has_factory and each.default is MISSING
            usual = "_unset" if has_factory else f"_of_{each.name}"
            parameters.append(each.name if is_needed else f"{each.name}={usual}")
    for each in declared:
        has_factory = each.default_factory is not MISSING
        value = f"_of_{each.name}{'()' if has_factory else ''}"
        if each.init:
            value = f"{value} if {each.name} is _unset else {each.name}" if has_factory else each.name
        elif not has_factory and (not slots or each.default is MISSING):
            continue
        if frozen and slots:  # the slot itself takes two thirds of the time
            names[f"_put_{each.name}"] = getattr(cls, each.name).__set__
            lines.append(f"_put_{each.name}(self, {value})")
        else:
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
