from __future__ import annotations

import subprocess
import sys

import pytest

import wherefrom
from wherefrom import api


def test_the_public_names_are_those_of_the_library() -> None:
    assert set(wherefrom.__all__) == {*api.__all__, "__version__"}
    assert wherefrom.__all__ == sorted(wherefrom.__all__)
    assert [getattr(wherefrom, name) for name in api.__all__] == [getattr(api, name) for name in api.__all__]
    assert set(wherefrom.__all__) <= set(dir(wherefrom))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = wherefrom.nonsense


def test_importing_the_package_loads_none_of_it() -> None:
    program = "import sys, wherefrom; sys.exit('wherefrom.api' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0
