from __future__ import annotations

import subprocess
import sys

import pytest

import whence
from whence import api


def test_the_public_names_are_those_of_the_library() -> None:
    assert set(whence.__all__) == {*api.__all__, "__version__"}
    assert whence.__all__ == sorted(whence.__all__)
    assert [getattr(whence, name) for name in api.__all__] == [getattr(api, name) for name in api.__all__]
    assert set(whence.__all__) <= set(dir(whence))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = whence.nonsense


def test_importing_the_package_loads_none_of_it() -> None:
    program = "import sys, whence; sys.exit('whence.api' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0
