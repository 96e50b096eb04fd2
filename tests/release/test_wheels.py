"""The checks of built wheels. `./dev wheels` itself needs the compilers of all systems, and runs at a release."""

from __future__ import annotations

import pytest

from release.wheels import fits


@pytest.mark.parametrize(
    ("fitting", "platform", "expected"),
    [
        ("manylinux_2_17_x86_64", "manylinux_2_17_x86_64", True),
        ("manylinux_2_5_x86_64", "manylinux_2_17_x86_64", True),
        ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", False),
        ("manylinux_2_17_aarch64", "manylinux_2_17_x86_64", False),
        ("musllinux_1_1_x86_64", "musllinux_1_2_x86_64", True),
        ("musllinux_1_1_x86_64", "manylinux_2_17_x86_64", False),
        ("linux_x86_64", "manylinux_2_17_x86_64", False),
    ],
)
def test_a_wheel_fits_its_platform_if_it_needs_no_newer_c_library(fitting: str, platform: str, expected: bool) -> None:
    assert fits(fitting, platform) is expected
