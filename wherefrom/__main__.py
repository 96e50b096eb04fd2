"""Runs the command line for `python -m wherefrom`."""

import sys

from wherefrom.cli import main

if __name__ == "__main__":
    sys.exit(main())
