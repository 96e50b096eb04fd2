"""The published schemas of answers, which are those in `docs`."""
