"""`wherefrom --install-completion` and `--show-completion`: a shell completes commands, options and names."""

import os
from pathlib import Path

import click
import psutil
from click.shell_completion import get_completion_class

from wherefrom.cli import console
from wherefrom.cli.commands import VARIABLE
from wherefrom.errors import UsageError, WherefromError

_PLACES = {
    "bash": (".bash_completions/wherefrom.sh", ".bashrc", "source ~/.bash_completions/wherefrom.sh"),
    "zsh": (".zfunc/_wherefrom", ".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit"),
    "fish": (".config/fish/completions/wherefrom.fish", "", ""),
}
"""For each shell the file of its script in the home, and the file that must have a line, with this line."""

_NAMES = {**{name: name for name in _PLACES}, "powershell": "powershell", "pwsh": "powershell"}


def show(command: click.Command) -> None:
    """Writes the script for the shell that asks."""
    console.emit(_script(command, _shell()))


def install(command: click.Command) -> None:
    """Puts the script where the shell that asks looks for it, or to where its settings then lead."""
    shell = _shell()
    if shell not in _PLACES:
        raise UsageError(
            "put what `wherefrom --show-completion` prints into $PROFILE; it is installed for no other shell"
        )
    script, settings, line = _PLACES[shell]
    try:
        place = Path.home() / script
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_script(command, shell))
        known = Path.home() / settings
        if settings and not (known.exists() and line in known.read_text()):
            with known.open("a") as file:
                file.write(f"\n{line}\n")
    except (OSError, RuntimeError) as error:
        raise WherefromError(f"cannot install completion: {error}; use --show-completion") from error
    console.emit(f"{shell} completion installed in {place}\nIt is there in the next terminal.\n")


def _script(command: click.Command, shell: str) -> str:
    kind = get_completion_class(shell)
    assert kind is not None, "click has it"
    return kind(command, {}, "wherefrom", VARIABLE).source()


def _shell() -> str:
    """The shell that has started this process, or else that of the user."""
    above = [process.name().lower().removesuffix(".exe").lstrip("-") for process in psutil.Process().parents()]
    found = [_NAMES[name] for name in (*above, Path(os.environ.get("SHELL", "")).name) if name in _NAMES]
    if not found:
        raise UsageError(f"no known shell has started this command; completion is for {', '.join(_NAMES)}")
    return found[0]
