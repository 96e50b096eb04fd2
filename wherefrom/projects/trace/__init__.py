"""Traces a text, such as the answer of an assistant, to the places that have its code and prose."""
