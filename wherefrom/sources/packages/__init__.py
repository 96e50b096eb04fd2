"""Packages of registries as sources. An ecosystem is a module here and a row of `source.ECOSYSTEMS`."""
