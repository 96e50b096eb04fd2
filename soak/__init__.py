"""`./dev soak`: tries faults at random for hours. docs/how-it-works/reliability.md lists them."""
