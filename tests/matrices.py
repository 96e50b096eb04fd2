"""Runs a fixed draw of large matrices of cases, or all of them: the plug-in of pytest behind the marker `matrix`."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

SEED = "1"
"""That of every push."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option `--matrix`."""
    parser.addoption(
        "--matrix", default=SEED, metavar="SEED|random|all", help=f"draw the cases of matrices ({SEED}), or run all"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker, and chooses the seed of a random draw before xdist hands it to its workers."""
    config.addinivalue_line("markers", "matrix(*names): run one case of each value of these parameters; see --matrix")
    if config.getoption("--matrix") == "random":
        config.option.matrix = str(random.SystemRandom().randrange(1_000_000))


def pytest_report_header(config: pytest.Config) -> str:
    """The line that repeats a draw."""
    return f"matrices: --matrix {config.getoption('--matrix')}"


@pytest.hookimpl(trylast=True)  # after -k and -m
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out all but the drawn cases of each test that is marked `matrix`."""
    seed = config.getoption("--matrix")
    if seed == "all":
        return
    groups: dict[str, dict[tuple[str, ...], list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        if marker := item.get_closest_marker("matrix"):
            groups[item.nodeid.partition("[")[0]][values(item, marker)].append(item)
    left_out: set[pytest.Item] = set()
    for test, cases_of in groups.items():
        # The values are not part of the seed: an object may be written with its address, which differs by process.
        draw = random.Random(f"{seed} {test}")
        for cases in cases_of.values():
            left_out |= {*cases} - {draw.choice(cases)}
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=[*left_out])


def values(item: pytest.Item, marker: pytest.Mark) -> tuple[str, ...]:
    """The values of the parameters that the marker names; one case of each such tuple runs.

    Raises:
        pytest.UsageError: The test has no such parameter.
    """
    parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    if not parameters.keys() >= {*marker.args}:
        raise pytest.UsageError(f"{item.nodeid}: the marker `matrix` names no parameter: {', '.join(marker.args)}")
    return tuple(repr(parameters[name]) for name in marker.args)
