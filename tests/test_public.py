"""What `import wherefrom` gives: every name, its types, and nothing before it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import wherefrom
from wherefrom import public


def test_the_public_names_are_those_of_the_module_of_all() -> None:
    given: dict[str, object] = {}
    exec("from wherefrom import *", given)
    del given["__builtins__"]
    assert [*given] == sorted([*public.__all__, "__version__"])
    assert public.__all__ == sorted(public.__all__)
    assert {name: value for name, value in given.items() if name != "__version__"} == {
        name: getattr(public, name) for name in public.__all__
    }
    assert {*given} <= {*dir(wherefrom)}


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    for name in ("nonsense", "_nonsense", "Path"):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
            getattr(wherefrom, name)


@pytest.mark.parametrize("code", ["import wherefrom", "from wherefrom import errors, model"])
def test_importing_the_package_or_a_module_loads_none_of_the_library(code: str) -> None:
    program = (
        f"import sys\n{code}\nsys.exit(not {{'wherefrom.public', 'wherefrom.api', 'numpy'}}.isdisjoint(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0
