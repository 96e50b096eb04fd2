"""The steps of the GitHub action in `action.yml`: `python action install`, `index` and `check`."""
