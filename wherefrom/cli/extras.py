"""What only an extra installs."""

from importlib.util import find_spec

from wherefrom.errors import ExtraMissing


def needed(extra: str, *modules: str) -> None:
    """Refuses to go on without the modules that an extra installs, with `ExtraMissing`."""
    for module in modules:
        if find_spec(module) is None:
            raise ExtraMissing.of(f"this command needs {module}, which is not installed", extra)
