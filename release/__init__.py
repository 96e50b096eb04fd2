"""What a release needs and the package does not: run as `python -m release.NAME`."""
