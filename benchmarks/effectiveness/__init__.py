"""How well wherefrom finds copies, on public data sets and on mutations of real functions."""
