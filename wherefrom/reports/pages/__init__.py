"""The design of every page: templates, styles, scripts, and the values that fill them in."""
