"""A fixture for the tests of the desk, the tools and the server: an index of the repositories of the library's page."""

from tests.service.indexed import code_index

__all__ = ["code_index"]
