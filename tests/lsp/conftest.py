"""An index of the repositories of the library's page, which the tests of the language server share."""

from tests.service.indexed import code_index

__all__ = ["code_index"]
