"""An index of the repositories of the library's page, which the tests of the desk, the tools and the server share."""

from tests.service.indexed import code_index, dated_index

__all__ = ["code_index", "dated_index"]
