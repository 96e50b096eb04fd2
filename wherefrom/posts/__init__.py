"""Posts of Stack Exchange sites, out of a data dump or from the public API, and the code in them."""
