"""Runs the command line for `python -m wherefrom`."""

from wherefrom.cli import run

if __name__ == "__main__":
    run()
