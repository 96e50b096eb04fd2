"""Code in posts of Stack Exchange sites, from a data dump or the public API."""
