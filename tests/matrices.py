"""The pytest plug-in that runs a fixed draw of the cases of a matrix or of a slow test, or all of them."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

SEED = "1"
"""The seed for every push."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option `--matrix`."""
    parser.addoption(
        "--matrix", default=SEED, metavar="SEED|random|all", help=f"draw the cases of matrices ({SEED}), or run all"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker, and chooses the seed of a random draw before xdist hands it to its workers."""
    config.addinivalue_line(
        "markers",
        "matrix(*names): run one case of each value of these parameters, or one in all if none is named; see --matrix",
    )
    config.addinivalue_line("markers", "nightly: takes long, and runs with any other --matrix than that of a push")
    if config.getoption("--matrix") == "random":
        config.option.matrix = str(random.SystemRandom().randrange(1_000_000))


def pytest_report_header(config: pytest.Config) -> str:
    """Prints the option that repeats a draw."""
    return f"matrices: --matrix {config.getoption('--matrix')}"


@pytest.hookimpl(trylast=True)  # after -k and -m
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps only the drawn cases: one of each group of a matrix, and one of each test that is slow or live."""
    seed = config.getoption("--matrix")
    if seed == "all":
        return
    left_out = {item for item in items if seed == SEED and item.get_closest_marker("nightly")}
    groups: dict[tuple[str, ...], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item not in left_out and any(map(item.get_closest_marker, ("matrix", "slow", "live"))):
            groups[group(item)].append(item)
    # The values are not part of the seed: the text of an object may contain its address, which differs by process.
    draws = {test: random.Random(f"{seed} {test}") for test, *_ in groups}
    for name, alike in groups.items():
        left_out |= {*alike} - {draws[name[0]].choice(alike)}
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=[*left_out])


def group(item: pytest.Item) -> tuple[str, ...]:
    """The test of a case, with the values of the parameters that its marker `matrix` names, or else its language.

    Raises:
        pytest.UsageError: the test has no such parameter.
    """
    test = item.nodeid.partition("[")[0]
    given = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    marker = item.get_closest_marker("matrix")
    names = marker.args if marker else [name for name in ("language",) if name in given]
    if not given.keys() >= {*names}:
        raise pytest.UsageError(f"{test}: the marker `matrix` names no parameter: {', '.join(names)}")
    return (test, *(repr(given[name]) for name in names))
