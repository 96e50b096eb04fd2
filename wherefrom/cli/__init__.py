"""The command line: parse, call the library, render, exit code.

One file for each command group; only this package imports typer, and no command loads the library before it runs.
"""

from wherefrom.cli.app import main

__all__ = ["main"]
