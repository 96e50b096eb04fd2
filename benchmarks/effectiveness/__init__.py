"""How well wherefrom finds copies: public data sets, and mutations of real functions (`docs/effectiveness.md`)."""
